"""Which of an entity's relations is meant: KnowledGPT, section 3.2.4 (cosine of sentence embeddings).

A relation has two readable names: as it stands for the subject ("capital") and turned round for the object
("capital of"), so that a program may ask from either end.
"""

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.opposites import opposed
from assistant.stemming import stem
from assistant.types import Certainty, Entity, Triple
from memory.folding import fold, terms
from memory.types import Embedder, Vectors

# Cosines of the embedded model lie between 0.75 (unrelated) and 1; below the floor nothing is meant.
FLOOR = 0.85
_BOUNDS = {
    Certainty.NAMED: 0.98,  # from either end; "currency" and "currency code" are alike by 0.97
    Certainty.SAME: 0.95,  # "wife" and "brother" are alike by 0.90
    # Of pairs of relations that have nothing to do with each other half are as like as the floor, one in 75 as this.
    Certainty.CLEAR: 0.9,
    Certainty.DOUBTFUL: FLOOR,
}
NEAR_TIE = 0.005
THRESHOLD_MARGIN = 0.04
TURNED_ROUND_PENALTY = 0.015
# From here on only a part of the likeness counts, so that the very name counts for more, even turned round.
_ALIKE, _BEYOND = 0.96, 0.3
_OTHER_NAME_DOUBT = 0.03
_SHARED_WORD = 0.04
_NO_CHARACTER = 0.035
_IDEOGRAPH = re.compile("[\u3400-\u9fff]")
_CACHED_NAMES = 20_000
_BATCH = 64  # names that are embedded between two looks at the time: about a fifth of a second


@dataclass(frozen=True, slots=True)
class Asked:
    """A relation seen from the entity asked about; `outgoing` where that entity is the subject."""

    names: tuple[str, ...]
    outgoing: bool

    @classmethod
    def from_entity(cls, entity: Entity, triple: Triple) -> "Asked":
        """How a triple of the entity is seen from it: by id where the knowledge base gives ids, else by name."""
        names = tuple(dict.fromkeys((triple.relation, *triple.relation_aliases)))
        if not entity.id:  # a value, which is nothing's subject
            return cls(names, outgoing=False)
        if entity.id in (triple.subject_id, triple.object_id):
            return cls(names, outgoing=triple.subject_id == entity.id)
        return cls(names, fold(triple.subject) in {fold(name) for name in (entity.name, *entity.aliases)})

    @property
    def shown(self) -> str:
        """One readable name, as seen from the entity: "directed" for the person whom a film is "directed by"."""
        name = self.names[0].replace("_", " ")
        return name if self.outgoing else turned_round(name)


def certainty(likeness: float) -> Certainty:
    """How surely a relation is meant that is so like what was asked for."""
    return next((state for state, bound in _BOUNDS.items() if likeness >= bound), Certainty.UNKNOWN)


class RelationRanker:
    """Ranks relations by their likeness to what a program calls them; keeps the vectors of names it has seen."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, Vectors] = {}
        self._lock = Lock()
        self._deadline: Deadline | None = None

    def until(self, deadline: Deadline) -> "RelationRanker":
        """A view for one piece of work, with the vectors in common; its `rank` raises as `Deadline.check`."""
        view = copy(self)
        view._deadline = deadline
        return view

    def rank(self, relations: Sequence[Asked], aliases: Sequence[str]) -> list[tuple[float, Asked]]:
        """Each relation with its likeness, best first.

        It is a cosine; 1 where the names are the same (of several, the first of the `aliases`), 0 where it means the
        opposite, as a relation from its other end.
        """
        if not relations or not aliases:
            return []
        names = [_readable(asked) for asked in relations]
        vectors = self.vectors([*aliases, *(name for group in names for name in group)])
        wanted = np.stack([vectors[alias] for alias in aliases])
        # A program's first name for a relation is its best one; small models fill in doubtful others.
        doubts = np.array([[0.0], *([_OTHER_NAME_DOUBT] for _ in aliases[1:])], dtype=np.float32)
        first, others = fold(aliases[0]), {fold(alias) for alias in aliases[1:]}
        # Of two relations that a program names as one, the first is meant.
        folded = [{fold(name) for name in group} for group in names]
        second = _ALIKE if any(first in named for named in folded) else 1.0
        scored = []
        for asked, group, named in zip(relations, names, folded, strict=True):
            self._look()
            if opposed(aliases[0], asked.names[0], outgoing=asked.outgoing):
                score = 0.0
            elif first in named:
                score = 1.0
            elif named & others:
                score = second
            else:
                likeness = wanted @ np.stack([vectors[name] for name in group]).T
                likest = float(np.max(likeness + _in_common(aliases, group) - doubts))
                score = min(likest, _ALIKE + max(0.0, likest - _ALIKE) * _BEYOND)
            scored.append((score if asked.outgoing else score - TURNED_ROUND_PENALTY, asked))
        return sorted(scored, key=lambda pair: -pair[0])

    def vectors(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """The unit vector of each of the texts: names of relations, or what asks for some."""
        wanted = list(dict.fromkeys(texts))
        found: dict[str, Vectors] = {}
        for start in range(0, len(wanted), _BATCH):
            self._look()
            found |= self._of_some(wanted[start : start + _BATCH])
        return found

    def _look(self) -> None:
        if self._deadline:
            self._deadline.check()

    def _of_some(self, texts: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            missing = [text for text in texts if text not in self._vectors]
            if len(self._vectors) + len(missing) > _CACHED_NAMES:
                self._vectors.clear()
                missing = list(texts)
            if missing:
                self._vectors.update(zip(missing, self._embedder.query(missing), strict=True))
            return {text: self._vectors[text] for text in texts}


def _in_common(aliases: Sequence[str], names: Sequence[str]) -> Vectors:
    """What the words in common add; shape (aliases, names). Sentence embeddings are weak on two or three words.

    A word in common makes two names liker. Two Chinese ones without a character in common are less like than they seem:
    the cosine of 师傅 (teacher) and 别名 (alias) is 0.86, that of 妻子 and 配偶 (wife, spouse) 0.96.
    """
    return np.array([[_bonus(alias, name) for name in names] for alias in aliases], dtype=np.float32)


def _bonus(alias: str, name: str) -> float:
    if _stems(alias) & _stems(name):
        return _SHARED_WORD
    characters, others = set(_IDEOGRAPH.findall(alias)), set(_IDEOGRAPH.findall(name))
    return -_NO_CHARACTER if characters and others and not characters & others else 0.0


@lru_cache(maxsize=_CACHED_NAMES)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(term) for term in terms(text) if len(term) > 2)


def _readable(asked: Asked) -> list[str]:
    names = [name.replace("_", " ") for name in asked.names]
    return names if asked.outgoing else [*names, *map(turned_round, names)]


def turned_back(name: str) -> str:
    """What the subject would call a relation that its object calls so: "director" for "director of", "directed by" for
    "directed"; empty where the name may be the subject's own."""
    if name.endswith(" of"):
        return name.removesuffix(" of")
    return f"{name} by" if name.endswith("ed") and " " not in name else ""


def turned_round(name: str) -> str:
    """The relation's name as its object would say it: "directed by" is "directed", "capital" is "capital of"."""
    if name.endswith(" by"):
        return name.removesuffix(" by")
    return f"{name.removeprefix('has ')} of"
