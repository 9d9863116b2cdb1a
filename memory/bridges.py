"""Where a first look at memory leads on to: what HotpotQA (section 2) calls bridge entities, names that stand in what
was found and that the question does not know.

"Where was the author of Brand born?" finds the text that names Henrik Ibsen; the one that tells where he was born has
no other word of the question than "born". So what the first text does not tell is asked again, with his name.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory.folding import STOP_WORDS, fold, terms
from memory.passages import sentences

_QUESTIONS = 3  # each is another look at memory
_READ = 2000  # characters of the question
_STEM = 5  # letters that tell a word whatever its ending
_LENGTH = 50  # characters of a sentence that weigh as much as that it is one
_WORD = re.compile(r"\w+")
_UPPER = "".join(letter for letter in map(chr, range(0x2000)) if letter.isupper())  # of the scripts that have a case
_LETTER = r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]"
_CAPITAL = rf"(?<!{_LETTER})[{_UPPER}](?:{_LETTER}|\d)+(?:['’-](?!s\b)\w+)*"
_NAME = re.compile(rf"{_CAPITAL}(?: (?:(?:da|de|del|du|for|in|la|of|the|van|von) ){{0,2}}{_CAPITAL})*")
_WITHIN = re.compile(rf"(?<=[\w,] )({_CAPITAL})")
_TIME = re.compile(
    "(?:January|February|March|April|May|June|July|August|September|October|November|December"
    "|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?"
)


class Further(NamedTuple):
    """What is to be asked of a name that a text leads to."""

    name: str
    asked: str  # the words of the question that the text does not have


def further_questions(question: str, found: str, known: Sequence[str] = ()) -> list[Further]:
    """What is to be asked next where `found` is the text that bears most on the question, the likeliest first.

    Nothing where that text has all words of the question. `known` are names that memory knows, of which some stand in
    the text; others are told by their capital letters.
    """
    question = question[:_READ]
    asked, told = terms(question), set(terms(found))
    if {term[:_STEM] for term in asked} <= {term[:_STEM] for term in told}:
        return []
    left = " ".join(_WORD.sub(lambda word: "" if set() < set(terms(word[0])) <= told else word[0], question).split())
    within = set(_WITHIN.findall(found))
    bearing: dict[str, float] = {}
    for span in sentences(found, 0, len(found)):
        sentence = found[span.start : span.end]
        folded = f" {fold(sentence)} "
        weight = len(set(asked) & set(terms(sentence))) / (1 + len(sentence) / _LENGTH)
        for name in (*(name for name in known if f" {fold(name)} " in folded), *_names(sentence, within)):
            bearing[name] = max(weight, bearing.get(name, 0.0))
    chosen: dict[str, set[str]] = {}
    for name in sorted(bearing, key=lambda name: -bearing[name]):
        words = set(terms(name))
        if not words <= set(asked) and not any(words <= other or other <= words for other in chosen.values()):
            chosen[name] = words
    return [Further(name, left) for name in list(chosen)[:_QUESTIONS]]


def _names(sentence: str, within: set[str]) -> Iterable[str]:
    """The names in a sentence; its first word is part of one where it stands `within` a sentence too, or before other
    names."""
    first = _WORD.search(sentence)
    for match in _NAME.finditer(sentence):
        name = match[0]
        if first is not None and match.start() == first.start():
            opening, _, rest = name.partition(" ")
            name = rest if opening.casefold() in STOP_WORDS or (not rest and opening not in within) else name
        if name and not _TIME.fullmatch(name):
            yield name
