"""Concept recognition: which entities of a graph a text names (KnowGPT, section 2: the sets Q_s and Q_t).

Names and texts are compared by the stems of their words without function words, so that "the revolving doors" names the
entity "revolve door". The index lies in arrays, some 40 bytes a name.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from assistant.knowledge_bases.graph import Graph, Numbers
from assistant.stemming import stem
from memory.folding import STOP_WORDS, fold

_LONGEST = 20  # words of a name looked for in a text, or characters where it is Chinese
_NAMESAKES = 3  # entities that one phrase stands for: "house" and "your house" are two nodes of ConceptNet


def stems(text: str) -> list[str]:
    """The stems of all words of a text."""
    return [stem(word) for word in fold(text).split()]


@cache
def function_stems() -> frozenset[str]:
    """The stems of words that name nothing by themselves."""
    return frozenset(stem(word) for word in (*STOP_WORDS, "some", "this", "these", "those"))


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
        words, starts, keys = array("i"), array("q", [0]), array("q")
        for name in graph.names:
            parts = stems(name)
            keys.append(_key(parts))
            words.extend(self._numbers.setdefault(part, len(self._numbers)) for part in parts)
            starts.append(len(words))
        keys.extend(_key(stems(alias)) for alias in graph.aliases)
        self.stems: Sequence[str] = list(self._numbers)  # of the entities' names, in the order of their numbers
        self._words: Numbers = np.array(words, np.int32)
        self._starts: NDArray[np.int64] = np.array(starts, np.int64)
        unordered = np.array(keys, np.int64)
        order = np.argsort(unordered, kind="stable")
        self._keys: NDArray[np.int64] = unordered[order]
        self._owners: Numbers = np.concatenate([np.arange(len(graph), dtype=np.int32), graph.alias_owners])[order]

    def number(self, stem: str) -> int | None:
        """The number of a stem, None where no entity has it in its name."""
        return self._numbers.get(stem)

    def frequent(self) -> NDArray[np.int64]:
        """The numbers of all stems, those first that stand in the most names."""
        frequent: NDArray[np.int64] = np.argsort(-np.bincount(self._words, minlength=len(self.stems)), kind="stable")
        return frequent

    def words_of(self, entities: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
        """The numbers of the stems of the entities' names, one after the other, and how many each name has."""
        lengths = self._starts[entities.astype(np.int64) + 1] - self._starts[entities]
        firsts = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum())) + np.repeat(self._starts[entities] - firsts, lengths)
        return self._words[places], lengths

    def in_text(self, text: str, most: int) -> list[Concept]:
        """What a text names, the longest name at each place; of more than `most`, those with the fewest neighbours.

        A name begins and ends with a word that is no function word; a Chinese one is not made of such alone.
        """
        found: dict[tuple[int, ...], Concept] = {}
        words = fold(text).split()
        parts = [stem(word) for word in words]
        position = 0
        while position < len(parts):
            match = next(self._named_at(parts, position), None)
            if match is None:
                position += 1
                continue
            entities, end = match
            found.setdefault(entities, Concept(" ".join(words[position:end]), entities))
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
        parts = stems(answer)
        before_of = parts[: parts.index("of")] if "of" in parts[1:] else parts
        ends = (before_of[start:] for start in range(len(before_of)))
        for wanted in (parts, *(end for end in ends if has_content(end))):
            if entities := self.called(wanted):
                return Concept(answer, entities)
        parts_named = self.in_text(answer, 1)
        return Concept(answer, parts_named[0].entities) if parts_named else None

    def called(self, parts: Sequence[str]) -> tuple[int, ...]:
        """The entities whose name has just these stems, but for function words; the most connected first."""
        if not parts:
            return ()
        key = _key(parts)
        first, last = np.searchsorted(self._keys, key, "left"), np.searchsorted(self._keys, key, "right")
        owners = np.unique(self._owners[first:last])
        connected = owners[np.argsort(-self.graph.degrees(owners), kind="stable")]
        return tuple(connected[:_NAMESAKES].tolist())

    def _named_at(self, parts: Sequence[str], start: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if _is_dropped(parts[start]):
            return
        for end in range(min(start + _LONGEST, len(parts)), start, -1):
            run = parts[start:end]
            if not _is_dropped(run[-1]) and has_content(run) and (entities := self.called(run)):
                yield entities, end


def has_content(parts: Sequence[str]) -> bool:
    """Whether some stem of these is none of a function word."""
    return not function_stems().issuperset(parts)


def _is_dropped(part: str) -> bool:
    """Whether a stem does not count in a name. Chinese ones do, each being half of some word: 和田, 目的."""
    return part.isascii() and part in function_stems()


def _key(parts: Sequence[str]) -> int:
    """What names with the same words, but for function words, have in common; 64 bits, so that others hardly do."""
    content = [part for part in parts if not _is_dropped(part)] or list(parts)
    digest = blake2b(" ".join(content).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
