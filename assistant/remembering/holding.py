"""Whether a sentence of a text holds what is said of an entity, or denies it; nothing else is to be believed."""

import re
from collections.abc import Sequence

from assistant.remembering.denial import denied
from assistant.remembering.reply_lines import PERSON, PRONOUN, Line
from memory.folding import fold, terms
from memory.types import Mention, Span

_HELD = 0.75  # of an object's terms have to stand in its sentence
_STEM = 5  # letters; shorter words begin alike by chance
_OPENING_WORDS = 4
_POSSESSIVE = re.compile(r"['’]s\b")
_LONG_WORD = 4  # characters; one of a name stands for it


class Sentences:
    """The sentences of a text, and which of the entities each one names; `before` is what stood before them.

    `kinds` has what some entities are ("film"), by name, folded: "the film" then stands for them.
    """

    def __init__(
        self, text: str, spans: Sequence[Span], before: str, mentions: Sequence[Mention], kinds: dict[str, str]
    ) -> None:
        self._whole = [text[span.start : span.end] for span in spans]
        self._folded = [f" {fold(sentence)} " for sentence in self._whole]
        self._openings = [f" {' '.join(held.split()[:_OPENING_WORDS])} " for held in self._folded]
        self._names = {mention.name: terms(mention.name) for mention in mentions}
        self._terms = [set(terms(sentence)) for sentence in self._whole]
        self._before, *self._named = (_named(held, mentions) for held in (f" {fold(before)} ", *self._folded))
        self._opening = [_named(held, mentions) | _of_a_kind(held, kinds) for held in self._openings]
        self._topics: list[set[str]] = []  # what "it" stands for after each sentence
        for opening, named in zip(self._openings, self._named, strict=True):
            earlier = self._topics[-1] if self._topics else self._before
            self._topics.append(named if named and not PRONOUN.search(opening) else earlier)

    def holds(self, line: Line, mention: Mention) -> bool:
        """Whether its sentence has the fact, and has it of the entity; `denies` tells whether it says that it is so."""
        wanted = terms(_POSSESSIVE.sub("", line.object))
        if PRONOUN.search(self._folded[line.sentence]):  # "Ada's thesis" stands there as "her thesis"
            names = {term for name, words in self._names.items() if name != line.object for term in words}
            wanted = [term for term in wanted if term not in names] or wanted
        proper = set(terms(" ".join(word for word in line.object.split() if not word.islower())))
        held = self._terms[line.sentence]
        found = [
            term in held or (term not in proper and any(_related(term, other) for other in held)) for term in wanted
        ]
        if sum(found) < max(1, _HELD * len(wanted)):
            return False
        named = mention.name in self._named[line.sentence]
        return named or self._may_stand_for(mention, line.sentence)

    def denies(self, line: Line) -> bool:
        """Whether its sentence says that the fact is not so; see `denied`."""
        return denied(self._whole[line.sentence], line.relation, line.object)

    def is_about(self, index: int, name: str) -> bool:
        """Whether a sentence names nobody known before the entity; one that does not name it is about it."""
        places = {known: self._folded[index].find(f" {fold(known)} ") for known in self._named[index]}
        before = [place for known, place in places.items() if known != name and place >= 0]
        return places.get(name, 0) <= min(before, default=len(self._folded[index]))

    def missing(self, index: int, said: str) -> float:
        """The share of a sentence's terms that stand nowhere in `said`."""
        held = self._terms[index]
        return len(held - set(terms(said))) / len(held) if held else 0.0

    def _may_stand_for(self, mention: Mention, index: int) -> bool:
        """Whether a sentence that does not name the entity may be about it.

        "She" may be anybody named before, since who is a person is not known; "it", and a sentence that begins with
        nothing known, are about what was spoken of last.
        """
        if PERSON.search(self._folded[index]):
            return any(mention.name in named for named in (self._before, *self._named[:index]))
        if self._opening[index] and not PRONOUN.search(self._openings[index]):
            return mention.name in self._opening[index]
        return mention.name in (self._topics[index - 1] if index else self._before) or mention.name in self._before


def _related(one: str, other: str) -> bool:
    """Whether two words begin alike so far that one may be made of the other: "teacher" of "teach"."""
    stem = max(_STEM, min(len(one), len(other)) - 1)
    return one[:stem] == other[:stem]


def _named(folded: str, mentions: Sequence[Mention]) -> set[str]:
    return {mention.name for mention in mentions if any(f" {name} " in folded for name in _names(mention))}


def _of_a_kind(folded: str, kinds: dict[str, str]) -> set[str]:
    return {name for name, kind in kinds.items() if f" {kind.split()[-1]} " in folded}


def _names(mention: Mention) -> set[str]:
    """The folded names of an entity, the longer words of its name among them: "Mairi" stands for Mairi Grant."""
    whole = [fold(name) for name in (mention.name, *mention.aliases)]
    return {*whole, *(word for name in whole for word in name.split() if len(word) >= _LONG_WORD)}
