"""Whether the sentences of an answer rest on what they cite: what code can tell in every language, and one call for
the rest.

Code tells that a citation does not exist, that an address stands nowhere, and that the names, numbers and dates of a
sentence stand in what it cites. Numbers are compared as values and names by their words, so that "Ada Byron" is found
in "Ada King Byron". Whatever else a sentence says, the model is asked whether its evidence supports it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import pydantic

from assistant import prompting
from assistant.answering.units import is_code
from assistant.citations import citations, without_citations
from assistant.errors import Failure, Interrupted
from assistant.llm.client import LanguageModel
from assistant.search.programs.quantities import in_digits
from assistant.types import Evidence
from memory.folding import fold, terms

Finding = Literal["supported", "doubtful", "unsupported"]

_FIGURE = re.compile(r"\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*")
_SEPARATORS = re.compile(r"[.,]")
_WORD = re.compile(r"[^\W\d_]+")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+")  # of a list, or a heading
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_SHORT = 3  # letters of a word that begins a sentence and need be no name
_TOKENS = 300
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, or a table or a block of code, with what was found of it."""

    text: str
    finding: Finding


class _Judged(pydantic.BaseModel):
    not_supported: list[int]


@dataclass(frozen=True, slots=True)
class _Said:
    """What of a text can be looked for in another: numbers, each in all ways to read it, words and addresses."""

    numbers: tuple[frozenset[Decimal], ...]
    words: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.numbers or self.words)

    def without(self, numbers: Collection[Decimal], words: Collection[str]) -> "_Said":
        """What of it is in neither."""
        left = tuple(number for number in self.numbers if not number & frozenset(numbers))
        return _Said(left, self.words - frozenset(words))


class Checker:
    """Looks at the sentences of one answer; `question` and `told` are what the user and the conversation said."""

    def __init__(self, question: str, told: str, evidence: Sequence[Evidence]) -> None:
        self._same = {item.id: item.id for item in evidence}
        self._held = {item.id: _held(_all_of(item)) for item in evidence}
        self._question = _held(question)
        self._sources = "\n".join([told, question, *map(_all_of, evidence)]).casefold()

    def checked(self, text: str) -> Sentence:
        """A sentence without citations of what is not there, and whether it rests on what it cites."""
        if is_code(text) or not any(map(str.isalnum, text)):
            return Sentence(text, "supported")
        cited = [number for citation in citations(text) for number in citation.numbers]
        existing = [number for number in cited if number in self._same]
        said = _said(text)
        if existing and self._holds(existing, said):
            return Sentence(_with_citations(text, self._same), "supported")
        bearing = next((number for number in self._same if self._holds([number], said)), None)
        if cited and bearing is not None and not self._has_any(existing, said):
            return Sentence(_with_citations(text, dict.fromkeys(cited, bearing)), "doubtful")
        made_up = (cited and not existing) or any(not self._stands(address[0]) for address in _ADDRESS.finditer(text))
        return Sentence(_with_citations(text, self._same), "unsupported" if made_up else "doubtful")

    def _holds(self, numbers: Sequence[int], said: _Said) -> bool:
        """Whether pieces of evidence, with the question, have all that is said, and more of it than the question."""
        new = said.without(*self._question)
        return bool(new) and not new.without(*self._of(numbers))

    def _has_any(self, numbers: Sequence[int], said: _Said) -> bool:
        new = said.without(*self._question)
        return new.without(*self._of(numbers)) != new

    def _of(self, numbers: Sequence[int]) -> tuple[set[Decimal], set[str]]:
        held = [self._held[number] for number in numbers]
        return set().union(*(figures for figures, _ in held)), set().union(*(words for _, words in held))

    def _stands(self, address: str) -> bool:
        return address.rstrip(".,;:!?/").casefold() in self._sources


def judged(model: LanguageModel, question: str, evidence: str, sentences: Sequence[Sentence]) -> list[Sentence] | None:
    """The sentences, each that was doubtful as the model judges it; None where no judgement can be had.

    `evidence` is as the model that wrote them saw it.

    Raises:
        Interrupted: as `LanguageModel.parse`.
    """
    doubtful = [place for place, sentence in enumerate(sentences, start=1) if sentence.finding == "doubtful"]
    if not doubtful:
        return list(sentences)
    numbered = "\n".join(f"({place}) {sentence.text.strip()}" for place, sentence in enumerate(sentences, start=1))
    messages = prompting.load("check").render(
        evidence=evidence, question=question, answer=numbered, doubtful=", ".join(map(str, doubtful))
    )
    try:
        reply = model.within(_SECONDS).parse(messages, _Judged, purpose="check", max_tokens=_TOKENS)
    except Interrupted:
        raise
    except Failure:
        return None
    found: dict[int, Finding] = {
        place: "unsupported" if place in reply.not_supported else "supported" for place in doubtful
    }
    return [
        Sentence(sentence.text, found.get(place, sentence.finding)) for place, sentence in enumerate(sentences, start=1)
    ]


def _all_of(item: Evidence) -> str:
    return f"{item.subject} {item.relation} {item.object} {item.text} {item.source} {item.url}"


def _held(text: str) -> tuple[set[Decimal], set[str]]:
    """The numbers of a text, in digits or words, and its words, as `_said` has them."""
    numbers = {number for figure in _numbers(f"{text}\n{in_digits(text)}") for number in figure}
    return numbers, {*fold(text).split(), *terms(text)}


def _said(sentence: str) -> _Said:
    """The numbers of a sentence, and those of its words that may be names: all that have a capital, but for a short one
    at its beginning, and all in a script without any."""
    text = _ITEM.sub("", without_citations(sentence, " "))
    words = list(_WORD.finditer(text))
    names = [word[0] for place, word in enumerate(words) if word[0][0].isupper() and (place or len(word[0]) > _SHORT)]
    uncased = {term for term in terms(text) if term.upper() == term.lower() and not term.isdigit()}
    return _Said(tuple(_numbers(text)), frozenset(fold(" ".join(names)).split()) | uncased)


def _numbers(text: str) -> Iterator[frozenset[Decimal]]:
    """The numbers of a text, each in all ways to read it: "1.234" is one thing in English and another in German."""
    for match in _FIGURE.finditer(text):
        first, *others = _SEPARATORS.split(re.sub(r"[^\d.,]", "", match[0]))
        ways = set()
        if others and len(first) <= 3 and all(len(part) == 3 for part in others):
            ways.add(Decimal(first + "".join(others)))
        if others and all(len(part) == 3 for part in others[:-1]):
            ways.add(Decimal(f"{first}{''.join(others[:-1])}.{others[-1]}"))
        if ways:
            yield frozenset(ways)
        else:  # one number, or the parts of a date
            yield from (frozenset({Decimal(part)}) for part in (first, *others))


def _with_citations(text: str, numbers: Mapping[int, int]) -> str:
    """The text with other numbers in its citations; one that `numbers` does not have goes."""
    written, end = "", 0
    for citation in citations(text):
        cited = list(dict.fromkeys(numbers[number] for number in citation.numbers if number in numbers))
        before, as_it_stood = text[end : citation.start], text[citation.start : citation.end]
        if cited == list(citation.numbers):
            written += before + as_it_stood
        else:
            written += before + "".join(f"[{number}]" for number in cited) if cited else before.rstrip()
        end = citation.end
    return written + text[end:]
