"""Whether evidence bears what an answer says, told from the words: no model is asked to judge itself."""

import re
from collections.abc import Sequence
from itertools import pairwise

from assistant.citations import BEHIND, cited, without_citations
from assistant.search.evidence import RESULT, doubtful
from assistant.search.quantities import in_digits
from assistant.types import Evidence
from memory import passages
from memory.folding import fold, terms

_STEM = 5  # characters that tell a word whatever its ending
BORNE = 0.5
_WHOLE = 0.4  # of a sentence's words, which may say the relation otherwise; but not all of it
_OF_DOUBTFUL = 0.75  # "born in Oslo" does not hold "the owner is Oslo"


def sentences(text: str) -> list[str]:
    """The sentences of `text` with the citations and the space behind them; joined they give the text again."""
    starts = [span.start for span in passages.sentences(text, 0, len(text))][1:]
    found: list[str] = []
    for start, end in pairwise([0, *starts, len(text)]):
        sentence = text[start:end]
        behind = BEHIND.match(sentence)
        if behind and found:
            found[-1] += behind[0]
            sentence = sentence[behind.end() :]
        if sentence:
            found.append(sentence)
    return found


def claims(sentence: str, question: str) -> set[str]:
    """The terms that a sentence asserts: those that the question has not, or all where it only repeats it."""
    said = _stems(without_citations(sentence, " "))
    return said - _stems(question) or said


def borne(claimed: set[str], evidence: Sequence[Evidence]) -> float:
    """The share (0 to 1) of the claimed terms that stand in the evidence taken together."""
    if not claimed:
        return 0.0
    held = set().union(*(_said_by(item) for item in evidence))
    return len(claimed & held) / len(claimed)


def rests_on(text: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence that a text cites; all of it where it cites none."""
    numbers = set(cited(text))
    return [item for item in evidence if not numbers or item.id in numbers]


def named_in(name: str, text: str) -> bool:
    """Whether a text has a name as words of its own: "Al" is not in "Algeria"."""
    named = fold(name)
    return bool(named) and f" {named} " in f" {fold(text)} "


def grounded(text: str, question: str, evidence: Sequence[Evidence]) -> bool:
    """Whether every asserting sentence cites evidence that holds it: what is new in it, and most of it as a whole.

    What a search surely came to stands for the path that led there.
    """
    by_id = {item.id: item for item in evidence}
    led = [item for item in evidence if item.relation == RESULT and not doubtful(item)]
    asserting = [s for s in sentences(text) if claims(s, "")]
    if not asserting:
        return False
    for sentence in asserting:
        items = [by_id[number] for number in cited(sentence) if number in by_id]
        if borne(claims(sentence, question), items) < BORNE or not _numbers(sentence) <= _numbers_of(items, question):
            return False
        if borne(claims(sentence, ""), [*items, *led]) < (_OF_DOUBTFUL if all(map(doubtful, items)) else _WHOLE):
            return False
    return True


def best(sentence: str, question: str, evidence: Sequence[Evidence]) -> Evidence | None:
    """The one piece of evidence that bears most of what the sentence says; none where none bears any."""
    return bearing_most(claims(sentence, question), evidence)


def bearing_most(claimed: set[str], evidence: Sequence[Evidence]) -> Evidence | None:
    """The one piece of evidence that bears most of the claimed terms; none where none bears any."""
    scored = [(borne(claimed, [item]), -item.id, item) for item in evidence]
    if not scored:
        return None
    score, _, item = max(scored, key=lambda entry: entry[:2])
    return item if score > 0 else None


def _stems(text: str) -> set[str]:
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return {term if term.isdigit() else term[:_STEM] for term in terms(plain)}


def _said_by(item: Evidence) -> set[str]:
    """The terms of a piece of evidence, with its numbers in digits besides: models write "4" where it has "four"."""
    text = f"{item.subject} {item.relation} {item.object} {item.text} {item.source}"
    return _stems(text) | _stems(in_digits(text))


def _numbers(text: str) -> set[str]:
    return {term for term in _stems(without_citations(text, " ")) if term.isdigit()}


def _numbers_of(items: Sequence[Evidence], question: str) -> set[str]:
    return _numbers(question).union(*({term for term in _said_by(item) if term.isdigit()} for item in items))
