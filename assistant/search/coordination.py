"""What a question asks for side by side: "the area and the currency of Peru" is two things of one entity, and no path.

A small model plans it as one, "Peru > area > currency".
"""

import re
from collections.abc import Sequence

from assistant.search.path import FOLLOW, only_call, path, strings
from assistant.stemming import stem
from memory.folding import STOP_WORDS, fold

_WORD = re.compile(r"[^\W\d_]+")
_AND = re.compile(r"(?:\band|\bas well as|&)\s*$", re.IGNORECASE)
_COMMA = re.compile(r",\s*$")
_HAN_AND = re.compile(r"(?:[和与及]|以及|还有)(?:[它其]的?)?$")
_HAN_COMMA = re.compile(r"[、，,](?:[它其]的?)?$")
# Words behind "and" by which somebody found before is meant.
_OF_OTHERS = frozenset(("he", "she", "his", "her", "him", "they", "their", "them", "these", "those", "other", "else"))
_BETWEEN = STOP_WORDS - _OF_OTHERS


def side_by_side(code: str, question: str) -> str:
    """The program, with the last relations of its only call followed from one entity where the question joins them."""
    call = only_call(code)
    given = [strings(argument) for argument in call.args] if call else []
    if len(given) < 3 or not all(given):
        return code
    entity, *relations = given
    first = len(relations) - 1
    while first and _joined(relations[first], question, last=first == len(relations) - 1):
        first -= 1
    asked = relations[first:]
    if len(asked) < 2:
        return code
    before = relations[:first]
    start = path(code).split(">")[0].strip() or entity[0]
    steps = " > ".join([start, *(names[0] for names in before), ", ".join(names[0] for names in asked)])
    calls = (f"{FOLLOW}({', '.join(map(repr, [entity, *before, names]))})" for names in asked)
    return f"# {steps}\n{' + '.join(calls)}"


def _joined(names: Sequence[str], question: str, *, last: bool) -> bool:
    """Whether the question has a relation of these `names` behind an "and"; one that is not the `last`, a comma."""
    chinese = [question[: match.start()] for name in names for match in re.finditer(re.escape(name), question)]
    if any(_HAN_AND.search(before) or (not last and _HAN_COMMA.search(before)) for before in chinese):
        return True
    wanted = {stem(word) for name in names for word in fold(name).split() if word not in STOP_WORDS}
    words = list(_WORD.finditer(question))
    for place, word in enumerate(words):
        if stem(fold(word[0])) not in wanted:
            continue
        behind = place
        while behind and fold(words[behind - 1][0]) in _BETWEEN - {"and"}:
            behind -= 1
        before = question[: words[behind].start()]
        if _OF_OTHERS & {fold(later[0]) for later in words[place:]}:
            continue
        if _AND.search(before) or (not last and _COMMA.search(before)):
            return True
    return False
