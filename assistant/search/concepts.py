"""Concept recognition: which entities of a graph a text names (KnowGPT, section 2: the sets Q_s and Q_t).

Names and texts are compared by the stems of their words without function words, so that "the revolving doors" names the
entity "revolve door"; where one is spelled as the text has it, that one is meant: "universe" is no "university". The
index lies in arrays, some 40 bytes a name.
"""

import re
import unicodedata
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from assistant.knowledge_bases.graph import Graph, Numbers
from assistant.stemming import stem
from memory.folding import STOP_WORDS, fold
from memory.resolution import USER_NAMES
from memory.spelling import Word, words_of

_LONGEST = 20  # words of a name looked for in a text, or characters where it is Chinese
_NAMESAKES = 3  # entities that one phrase stands for: "house" and "your house" are two nodes of ConceptNet
_EMPTY = ("some", "this", "these", "those", "more", "than", "most", "many", "much", "there", "here")
_WITHIN_A_NAME = re.compile(r"[\s.'’-]{1,2}")


def stems(text: str) -> list[str]:
    """The stems of all words of a text."""
    return [stem(word) for word in fold(text).split()]


@cache
def function_stems() -> frozenset[str]:
    """The stems of words that name nothing by themselves."""
    return frozenset(map(stem, (*STOP_WORDS, *_EMPTY)))


@dataclass(frozen=True, slots=True)
class Concept:
    """A phrase of a text and the entities that it names, the most connected first; never none."""

    phrase: str
    entities: tuple[int, ...]


class Concepts:
    """The index of a graph's names; never changes once made."""

    def __init__(self, graph: Graph) -> None:
        """Reads every name of the graph: about a second for 100,000."""
        self.graph = graph
        self._numbers: dict[str, int] = {}
        spellings: list[str] = []
        words, starts, keys = array("i"), array("q", [0]), array("q")
        for name in graph.names:
            spelled = fold(name).split()
            parts = [stem(word) for word in spelled]
            for word, part in zip(spelled, parts, strict=True):
                if part not in self._numbers:
                    self._numbers[part] = len(spellings)
                    spellings.append(word)
            keys.append(_key(parts))
            words.extend(self._numbers[part] for part in parts)
            starts.append(len(words))
        keys.extend(_key(stems(alias)) for alias in graph.aliases)
        self.spellings: Sequence[str] = spellings  # a word for each stem of the entities' names, by the stems' numbers
        self._words: Numbers = np.array(words, np.int32)
        self._starts: NDArray[np.int64] = np.array(starts, np.int64)
        unordered = np.array(keys, np.int64)
        self._texts: Numbers = np.argsort(unordered, kind="stable").astype(np.int32)  # names, and after them aliases
        self._keys: NDArray[np.int64] = unordered[self._texts]

    def number(self, stem: str) -> int | None:
        """The number of a stem, None where no entity has it in its name."""
        return self._numbers.get(stem)

    def frequent(self) -> NDArray[np.int64]:
        """The numbers of all stems, those first that stand in the most names."""
        counts = np.bincount(self._words, minlength=len(self.spellings))
        frequent: NDArray[np.int64] = np.argsort(-counts, kind="stable")
        return frequent

    def words_of(self, entities: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
        """The numbers of the stems of the entities' names, one after the other, and how many each name has."""
        lengths = self._starts[entities.astype(np.int64) + 1] - self._starts[entities]
        firsts = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum())) + np.repeat(self._starts[entities] - firsts, lengths)
        return self._words[places], lengths

    def in_text(self, text: str, most: int) -> list[Concept]:
        """What a text names, the longest name at each place; of more than `most`, those with the fewest neighbours.

        A name begins and ends with a word that is no function word; a Chinese one is not made of such alone. A part of
        a longer proper name is only what is spelled just so: Marie Curie is none of the Mari. "I" is whoever is called
        so, and a word besides.
        """
        found: dict[tuple[int, ...], Concept] = {}
        text = unicodedata.normalize("NFC", text)
        words = _words(text)
        of_names = _of_proper_names(text, words)
        position = 0
        while position < len(words):
            match = next(self._named_at(words, position, of_names), None)
            if match is None:
                position += 1
                continue
            entities, end = match
            found.setdefault(entities, Concept(text[words[position].start : words[end - 1].end], entities))
            position = end
        degrees = self.graph.degrees(np.array([entities[0] for entities in found], np.int32))
        rarest = np.argsort(degrees, kind="stable")[:most]
        named = list(found.values())
        return [named[index] for index in sorted(rarest.tolist())]

    def of_answer(self, answer: str) -> Concept | None:
        """The entity that a candidate answer is: all of it, or else its head noun, or else some part.

        Phrases are headed by their end, English ones with "of" by the end of what stands before it: by as much of it as
        names an entity.
        """
        words = fold(answer).split()
        before_of = words[: words.index("of")] if "of" in words[1:] else words
        ends = (before_of[start:] for start in range(len(before_of)))
        for wanted in (words, *(end for end in ends if has_content(end))):
            if entities := self.called(wanted):
                return Concept(answer, entities)
        parts_named = self.in_text(answer, 1)
        return Concept(answer, parts_named[0].entities) if parts_named else None

    def called(self, words: Sequence[str], *, just_so: bool = False) -> tuple[int, ...]:
        """The entities of this name but for function words, the most connected first; `words` are folded.

        Those that are spelled `just_so`; where there are none, those whose words have the same stems.
        """
        if not words:
            return ()
        key = _key([stem(word) for word in words])
        first, last = np.searchsorted(self._keys, key, "left"), np.searchsorted(self._keys, key, "right")
        texts = self._texts[first:last].tolist()
        spelled = _content(words)
        alike = [text for text in texts if _content(fold(self._text(text)).split()) == spelled]
        owners = np.unique(np.array([self._owner(text) for text in (alike if alike or just_so else texts)], np.int32))
        connected = owners[np.argsort(-self.graph.degrees(owners), kind="stable")]
        return tuple(connected[:_NAMESAKES].tolist())

    def _named_at(
        self, words: Sequence[Word], start: int, of_names: Collection[int]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        keys = [word.key for word in words[start : start + _LONGEST]]
        if keys[0] in USER_NAMES and (user := self._user(keys[0])):
            yield user, start + 1
        if _is_dropped(stem(keys[0])):
            return
        for length in range(len(keys), 0, -1):
            run = keys[:length]
            if _is_dropped(stem(run[-1])) or not has_content(run):
                continue
            if entities := self.called(run, just_so=length == 1 and start in of_names):
                yield entities, start + length

    def _user(self, name: str) -> tuple[int, ...]:
        """Who is called by that word and by another one for the user; elsewhere "I" may be a letter, or iodine."""
        called = self.called([name], just_so=True)
        return tuple(entity for entity in called if len(self._names_of(entity) & USER_NAMES) > 1)

    def _names_of(self, entity: int) -> set[str]:
        aliases = np.flatnonzero(self.graph.alias_owners == entity).tolist()
        return {fold(self.graph.names[entity]), *(fold(self.graph.aliases[alias]) for alias in aliases)}

    def _text(self, text: int) -> str:
        names = len(self.graph)
        return self.graph.names[text] if text < names else self.graph.aliases[text - names]

    def _owner(self, text: int) -> int:
        names = len(self.graph)
        return text if text < names else int(self.graph.alias_owners[text - names])


def _words(text: str) -> list[Word]:
    """The words of the folded text, and the places in `text` where they stand."""
    found = words_of(text)
    return [Word(part, word.start, word.end) for word in found for part in fold(text[word.start : word.end]).split()]


def _of_proper_names(text: str, words: Sequence[Word]) -> set[int]:
    """The places in `words` of those within a name of several capitalised ones; none in a text that has only such."""
    begins = [text[word.start] for word in words]
    if not any(letter.islower() for letter in begins):
        return set()
    capital = [letter.isupper() and has_content([w.key]) for letter, w in zip(begins, words, strict=True)]
    pairs = [
        place
        for place in range(len(words) - 1)
        if capital[place] and capital[place + 1]
        if _WITHIN_A_NAME.fullmatch(text, words[place].end, words[place + 1].start)
    ]
    return {*pairs, *(place + 1 for place in pairs)}


def has_content(words: Sequence[str]) -> bool:
    """Whether some of these folded words is no function word."""
    return not function_stems().issuperset(map(stem, words))


def _content(words: Sequence[str]) -> list[str]:
    return [word for word in words if not _is_dropped(stem(word))] or list(words)


def _is_dropped(part: str) -> bool:
    """Whether a stem does not count in a name. Chinese ones do, each being half of some word: 和田, 目的."""
    return part.isascii() and part in function_stems()


def _key(parts: Sequence[str]) -> int:
    """What names with the same words, but for function words, have in common; 64 bits, so that others hardly do."""
    content = [part for part in parts if not _is_dropped(part)] or list(parts)
    digest = blake2b(" ".join(content).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
