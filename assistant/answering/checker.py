"""Whether the sentences of an answer rest on what they cite: what code can tell in every language, and one call for
the rest.

Code tells that a citation does not exist, that an address stands nowhere, that a sum that is written out comes to
something else, that what a sum was computed from was told, and that a bare name, number or date stands in what is
cited: a sentence that says no more than that, in the question's own words. Numbers are compared as values and names by
their words, so that "Ada Byron" is found in "Ada King Byron". Whatever else a sentence says, and where letters have no
case to tell a name by, the model is asked whether its evidence supports it.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

import pydantic

from assistant import prompting
from assistant.answering.computing import operands
from assistant.answering.context import today
from assistant.answering.equations import miscalculated
from assistant.answering.figures import numbers
from assistant.answering.units import is_code, is_table
from assistant.citations import citations, recited, told_apart, without_citations
from assistant.errors import Failure, Interrupted
from assistant.llm.client import LanguageModel
from assistant.search.evidence import RESULT, led_to
from assistant.search.quantities import in_digits
from assistant.types import Evidence, Message, Turn
from memory.folding import fold

Finding = Literal["supported", "doubtful", "unsupported"]

_WORD = re.compile(r"[^\W\d_]+")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+")  # of a list or a heading, or "12. März"
_ADDRESS = re.compile(r"https?://[\w.~:/?#@!$&+,;=%-]+|[\w.%+-]{1,64}@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_BEHIND_ADDRESS = ".,;:!?/_~"
_OPERANDS = 100
_LARGE, _ROUNDED = 100, Decimal("0.02")  # from which a number is written in digits; how far off it may be told
_UNITS = frozenset(map(Decimal, (7, 12, 24, 30, 31, 52, 60, 100, 365, 366, 1000)))  # that nobody has to tell
_SCALES = frozenset(map(Decimal, (100, 1000)))
_TOKENS = 1_000
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, or a table or a block of code, with what was found of it."""

    text: str
    finding: Finding


class _Judged(pydantic.BaseModel):
    not_supported: list[int]


@dataclass(frozen=True, slots=True)
class _Values:
    """What of a text can be looked for in another: numbers, each in all ways to read it, and names with signs."""

    numbers: tuple[frozenset[Decimal], ...]
    names: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.numbers or self.names)

    def without(self, numbers: Collection[Decimal], names: Collection[str]) -> "_Values":
        """What of it is in neither."""
        left = tuple(number for number in self.numbers if not number & frozenset(numbers))
        return _Values(left, self.names - frozenset(names))


class Checker:
    """Looks at the sentences of one answer; `question` and `told` are what the user and the conversation said.

    That a bare name, number or date stands in what is cited is enough only where the model is `trusted` to have taken
    it from what the evidence says of the thing that was asked about.
    """

    def __init__(self, question: str, told: str, evidence: Sequence[Evidence], *, trusted: bool) -> None:
        self._held = {item.id: _held(_said_by(item)) for item in evidence}
        results = [item for item in evidence if item.relation == RESULT]  # which have no source to open
        self._led = {item.id: {one.id for one in led_to(item, evidence)} for item in results}
        self._asked = _held(question)
        self._told = {*_held(told)[0], *self._asked[0], *_UNITS}.union(*(figures for figures, _ in self._held.values()))
        self._trusted = trusted
        self._words_asked = {"", *(fold(word) for word in _WORD.findall(question) if not word[0].isupper())}
        self._sources = "\n".join(
            [told, question, *map(_said_by, evidence), *(item.url for item in evidence)]
        ).casefold()

    def checked(self, text: str, sums: Sequence[str] = ()) -> Sentence:
        """A sentence without citations of what is not there, and whether it rests on what it cites.

        `sums` are those that were computed in it.
        """
        if not any(map(str.isalnum, text)):
            return Sentence(text, "supported")
        shown = recited(text, {number: number for number in self._held})
        if not all(self._stands(address[0]) for address in _ADDRESS.finditer(text)):
            return Sentence(shown, "unsupported")
        if is_code(text):
            return Sentence(shown, "doubtful")
        if not all(map(self._stands, miscalculated(_ITEM.sub("", without_citations(text))))):
            return Sentence(shown, "unsupported")
        cited = [number for citation in citations(text) for number in citation.numbers]
        existing = [number for number in cited if number in self._held]
        said = without_citations(text, " ")
        new = _values(_ITEM.sub("", said)).without(*self._asked)
        if sums and not self._trusted and self._are_told([number for sum in sums for number in operands(sum)]):
            return Sentence(shown, "supported")
        if not self._trusted and not all(map(self._is_near, new.numbers)):
            return Sentence(shown, "unsupported")
        if self._trusted and new and existing and not is_table(text) and self._is_bare(said, *self._of(existing)):
            return Sentence(shown, "supported")
        if new and cited:
            holding = [number for number in self._held if not new.without(*self._of([number]))]
            sources = [number for number in holding if number not in self._led]
            if holding and not self._may_rest_on(new, *self._of(existing)):
                shown = recited(text, dict.fromkeys(cited, (sources or holding)[0]))
            elif set(cited) <= self._led.keys():
                led = [one for one in sources if any(one in self._led[number] for number in cited)]
                shown = recited(text, dict.fromkeys(cited, led[0])) if led else shown
        return Sentence(shown, "doubtful")

    def values_stand(self, text: str) -> bool:
        """Whether each name and number of a sentence stands in the evidence or the question."""
        held = self._of(list(self._held))
        return not _values(_ITEM.sub("", without_citations(text, " "))).without(*self._asked).without(*held)

    def _are_told(self, figures: Sequence[frozenset[Decimal]]) -> bool:
        """Whether the user or the evidence has each of the figures, and the evidence one that not everybody knows."""
        held = self._of(list(self._held))[0] - _UNITS
        return all(figure & self._told for figure in figures) and any(figure & held for figure in figures)

    def _is_near(self, number: frozenset[Decimal]) -> bool:
        """Whether a large number or a fraction, however it is read, is about one that was told; or a large one comes of
        two by one step, as by chance any fraction does."""
        whole = all(one == one.to_integral_value() for one in number)
        if whole and max(number) < _LARGE:
            return True  # it may stand there as a word
        if any(abs(one - other) <= _ROUNDED * other for other in self._told for one in number):
            return True
        known = sorted(self._told - _SCALES)[:_OPERANDS] if whole else []  # of another scale, it is another one
        computed = {round(result) for one in known for other in known for result in _computed(one, other)}
        return round(max(number)) in computed

    def _is_bare(self, text: str, numbers: Collection[Decimal], names: Collection[str]) -> bool:
        """Whether a text says nothing but such numbers and names, in words of the question."""
        first, *others = _WORD.findall(text) or [""]
        words = {fold(word) for word in others if not word[0].isupper()}
        if not (first[:1].isupper() and fold(first) in names):
            words.add(fold(first))
        return words <= self._words_asked and not _values(text).without(numbers, names)

    @staticmethod
    def _may_rest_on(new: _Values, numbers: Collection[Decimal], names: Collection[str]) -> bool:
        """Whether some of what is new stands there, or its numbers come of those there by a step of arithmetic."""
        if new.without(numbers, names) != new:
            return True
        operands = sorted(numbers)[:_OPERANDS]
        computed = {result for one in operands for other in operands for result in _computed(one, other)}
        return not new.without(computed, ())

    def _of(self, numbers: Sequence[int]) -> tuple[set[Decimal], set[str]]:
        held = [self._held[number] for number in numbers]
        return set().union(*(figures for figures, _ in held)), set().union(*(names for _, names in held))

    def _stands(self, said: str) -> bool:
        return said.rstrip(_BEHIND_ADDRESS).casefold() in self._sources


def judged(
    model: LanguageModel, turn: Turn, conversation: Sequence[Message], evidence: str, sentences: Sequence[Sentence]
) -> list[Sentence]:
    """The sentences, each that was doubtful as the model judges it; as they are where no judgement can be had.

    `conversation` and `evidence` are as the model that wrote them saw them.

    Raises:
        Interrupted: as `LanguageModel.parse`.
    """
    doubtful = [place for place, sentence in enumerate(sentences, start=1) if sentence.finding == "doubtful"]
    if not doubtful:
        return list(sentences)
    messages = prompting.load("check").render(
        today=today(turn),
        conversation=conversation,
        text=told_apart(turn.text),
        question=told_apart(turn.question or turn.text),
        evidence=evidence,
        answer="\n".join(f"({place}) {sentence.text.strip()}" for place, sentence in enumerate(sentences, start=1)),
        doubtful=", ".join(map(str, doubtful)),
    )
    try:
        reply = model.within(_SECONDS).parse(messages, _Judged, purpose="check", max_tokens=_TOKENS)
    except Interrupted:
        raise
    except Failure:
        return list(sentences)
    found: dict[int, Finding] = {
        place: "unsupported" if place in reply.not_supported else "supported" for place in doubtful
    }
    return [
        Sentence(sentence.text, found.get(place, sentence.finding)) for place, sentence in enumerate(sentences, start=1)
    ]


def _said_by(item: Evidence) -> str:
    """What a piece of evidence says; its address has numbers as well, which say nothing."""
    return f"{item.subject} {item.relation} {item.object} {item.text} {item.source} {item.heading}"


def _held(text: str) -> tuple[set[Decimal], set[str]]:
    """The numbers of a text, in digits or words, and its names and signs."""
    figures = numbers(f"{text}\n{in_digits(text)}")
    return set().union(*figures), {fold(word) for word in _WORD.findall(text) if word[0].isupper()} | _signs(text)


def _values(sentence: str) -> _Values:
    """The numbers of a sentence, its signs, and its words with a capital, but for the first: that has one anyway, and
    alone it may as well be a "No"."""
    names = (fold(word) for word in _WORD.findall(sentence)[1:] if word[0].isupper())
    return _Values(tuple(numbers(sentence)), frozenset((*names, *_signs(sentence))))


def has_values_of(text: str, sentence: str) -> bool:
    """Whether a text has each number and each name of a sentence; of a letter alone nobody knows that it is a name."""
    values = _values(sentence)
    return not replace(values, names=frozenset(name for name in values.names if len(name) > 1)).without(*_held(text))


def _computed(one: Decimal, other: Decimal) -> tuple[Decimal, ...]:
    results = one + other, one - other, one * other
    return (*results, one / other) if other else results


def _signs(text: str) -> set[str]:
    """What makes another value of a number: "€", "%", "°"."""
    return {sign for sign in text if sign in "%‰" or unicodedata.category(sign).startswith("S")}
