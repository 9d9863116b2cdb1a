"""Where a first look at memory leads on to: what HotpotQA (section 2) calls bridge entities, names that stand in what
was found and that the question does not know.

"Where was the author of Brand born?" finds the text that names Henrik Ibsen; the one that tells where he was born has
no other word of the question than "born". So what the first text does not tell is asked again, with his name.
"""

import re
from collections.abc import Iterable, Sequence

from memory.folding import terms
from memory.passages import sentences

_QUESTIONS = 3  # each is another look at memory
_WORD = re.compile(r"\w+")
_UPPER = "".join(letter for letter in map(chr, range(0x2000)) if letter.isupper())  # of the scripts that have a case
_CAPITAL = rf"\b[{_UPPER}]\w*(?:['’-]\w+)*"
_SMALL = "and|da|de|del|du|for|in|la|of|the|van|von"
_NAME = re.compile(rf"{_CAPITAL}(?:(?:,? (?:(?:{_SMALL}) ){{0,2}}| ){_CAPITAL})*")
_MONTH = re.compile("January|February|March|April|May|June|July|August|September|October|November|December")
_LENGTH = 50  # characters of a sentence that weigh as much as that it is one


def further_questions(question: str, found: str, known: Sequence[str] = ()) -> list[str]:
    """What is to be asked next where `found` is the text that bears most on the question, the likeliest first.

    `known` are names in that text that memory knows; others are told by their capital letters.
    """
    asked, told = set(terms(question)), set(terms(found))
    left = " ".join(_WORD.sub(lambda word: "" if set() < set(terms(word[0])) <= told else word[0], question).split())
    bearing: dict[str, float] = {}
    for span in sentences(found, 0, len(found)):
        sentence = found[span.start : span.end]
        weight = len(asked & set(terms(sentence))) / (1 + len(sentence) / _LENGTH)
        for name in (*(name for name in known if name in sentence), *_names(sentence, found)):
            if not set(terms(name)) <= asked:
                bearing.setdefault(name, weight)
    return [f"{name}: {left}" for name in sorted(bearing, key=lambda name: -bearing[name])[:_QUESTIONS]]


def _names(sentence: str, text: str) -> Iterable[str]:
    """The names in a sentence; its first word is one where the text has it within a sentence too."""
    for match in _NAME.finditer(sentence):
        within = match.start() or " " in match[0] or re.search(rf"(?<=[a-z,] ){re.escape(match[0])}\b", text)
        if within and len(match[0]) > 1 and not _MONTH.fullmatch(match[0]):
            yield match[0]
