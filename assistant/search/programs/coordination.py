"""What a question asks for side by side: "the area and the currency of Peru" is two things of one entity, and no path.

A small model plans it as one, "Peru > area > currency". Words alone do not always tell: "its capital and its people"
may ask for those of the capital. So both programs are tried, and what the knowledge base has decides.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from assistant.search.programs.path import call_of, only_call, path, strings
from assistant.stemming import stem
from memory.folding import STOP_WORDS, fold

_WORD = re.compile(r"[^\W\d_]+")
_AND = re.compile(r"(?:\band|\bas well as|&)\s*$", re.IGNORECASE)
_COMMA = re.compile(r",\s*$")
_CLAUSE_END = re.compile(r",|\band\b|[?？。，]")
_HAN_AND = re.compile(r"(?:[和与及]|以及|还有)([它其他她]们?的?)?$")
_HAN_COMMA = re.compile(r"[、，,]([它其他她]们?的?)?$")
# Words by which a question may ask for several things; and those of which each clause that asks has one.
_JOINED = re.compile(
    r"\b(?:and|or|both|as well as|und|oder|et|ou|y|o)\b|[&、]|和(?!国|平)|(?<!普)及|[与或跟]|以及|还有", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,，;；?？]")
_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how)\b|[谁哪几]|什么|多[少高大长远久]", re.IGNORECASE
)
_BETWEEN = STOP_WORDS - {"and"} | {"other", "else"}  # and what is asked for
# By these, what was found before may be meant.
_REFERRING = re.compile(
    r"\b(?:s?he|his|her|him|its?|they|their|them|this|that|these|those|other|else|of the)\b", re.IGNORECASE
)
_JOINS, _REFERS = "joins", "refers"


def may_ask_for_several(question: str, names: Iterable[str]) -> bool:
    """Whether the question has a word that may join two things, outside of these names, or two clauses that ask."""
    for name in sorted(names, key=len, reverse=True):
        edge = r"\b" if name.isascii() else ""
        question = re.sub(f"{edge}{re.escape(name)}{edge}", " ", question, flags=re.IGNORECASE)
    asking = sum(_ASKS.search(clause) is not None for clause in _CLAUSE.split(question))
    return asking > 1 or _JOINED.search(question) is not None


def readings(code: str, question: str) -> list[str]:
    """The program, and the one that follows its last relations from one entity, if the question joins them.

    The likelier one comes first: the path where a word behind the "and" refers to what was found before.
    """
    call = only_call(code)
    given = [strings(argument) for argument in call.args] if call else []
    if len(given) < 3 or not all(given):
        return [code]
    entity, *relations = given
    first, refers = len(relations) - 1, False
    while first and (joint := _joint(relations[first], question, last=first == len(relations) - 1)):
        refers = refers or joint == _REFERS
        first -= 1
    before, asked = relations[:first], relations[first:]
    if len(asked) < 2:
        return [code]
    start = path(code).split(">")[0].strip() or entity[0]
    steps = " > ".join([start, *(names[0] for names in before), ", ".join(names[0] for names in asked)])
    calls = (call_of(entity, [*before, names]) for names in asked)
    apart = f"# {steps}\n{' + '.join(calls)}"
    return [code, apart] if refers else [apart, code]


def _joint(names: Sequence[str], question: str, *, last: bool) -> str:
    """How the question joins a relation of these `names` to the one before: `_JOINS`, or `_REFERS` where a word of its
    clause may mean what was found there; empty where it does not. A comma joins where it is not the `last`."""
    for name in names:
        for match in re.finditer(re.escape(name), question):
            before = question[: match.start()]
            if joint := _HAN_AND.search(before) or (None if last else _HAN_COMMA.search(before)):
                return _REFERS if joint[1] else _JOINS
    wanted = {stem(word) for name in names for word in fold(name).split() if word not in STOP_WORDS}
    words = list(_WORD.finditer(question))
    for place, word in enumerate(words):
        if stem(fold(word[0])) not in wanted:
            continue
        leading = takewhile(lambda earlier: fold(earlier[0]) in _BETWEEN, reversed(words[:place]))
        start = min([word.start(), *(earlier.start() for earlier in leading)])
        before = question[:start]
        if _AND.search(before) or (not last and _COMMA.search(before)):
            end = _CLAUSE_END.search(question, word.end())
            refers = _REFERRING.search(question, start, end.start() if end else len(question))
            return _REFERS if refers else _JOINS
    return ""
