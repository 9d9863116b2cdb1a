"""What a search over a graph stands on: its entities, the index of their names, and their embeddings."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.knowledge_bases.graph import Graph, Numbers
from assistant.search.graphs.concepts import Concepts
from assistant.search.graphs.space import Space
from assistant.search.vector_cache import VectorCache
from memory.types import Vectors

_FREQUENT = 2000  # words that are learned of a new graph: some 16 s of one core
_MET = 64  # words that are learned at once of what a search meets: half a second
_NEIGHBOURS = 50  # of one entity


@dataclass(frozen=True)
class Terrain:
    """A graph, the index of its names, and the vectors of its relations, shape (relations, 128).

    The vectors of its frequent words are `kept` for a restart, where they may be. Those of words that searches meet are
    not: they would tell what was asked.
    """

    graph: Graph
    concepts: Concepts
    space: Space
    relations: Vectors
    kept: VectorCache | None = None

    @classmethod
    def of(cls, graph: Graph, space: Space, kept: VectorCache | None = None) -> "Terrain":
        """Index a graph: about a second for 100,000 names."""
        return cls(graph, Concepts(graph), space, space.texts(graph.relations), kept)

    def entities(self, entities: Numbers | Sequence[int]) -> Vectors:
        """The embeddings of entities; shape (n, 128)."""
        return self.space.entities(self.concepts, np.asarray(entities, np.int32))

    def learn_frequent(self) -> None:
        """Learn in the background what the most frequent words of the names mean."""
        self._learn(self.concepts.frequent(), _FREQUENT, self.kept)

    def learn_around(self, entities: Sequence[int]) -> None:
        """Learn in the background what the words of these entities' names mean, and those of their neighbours' names.

        The least connected go first: they tell most. Nobody waits for it: embedding the words takes longer than a
        search, which leaves out those that it does not know.
        """
        met: Numbers = np.array(entities, np.int32)
        rarest = met[np.argsort(self.graph.degrees(met), kind="stable")]
        around = self.graph.neighbours_of(rarest, _NEIGHBOURS).entities
        self._learn(self.concepts.words_of(np.concatenate([rarest, around]))[0], _MET)

    def _learn(self, words: Numbers | NDArray[np.int64], most: int, kept: VectorCache | None = None) -> None:
        if new := self.space.unknown(self.concepts, words, most):
            threading.Thread(target=self.space.learn, args=(new, kept), name="words", daemon=True).start()

    def related(self, vectors: Vectors, context: Vectors) -> Vectors:
        """Equation (3): how much paths, given as sums of embeddings, bear on questions; cosines of shape (...,)."""
        lengths = np.maximum(np.linalg.norm(vectors, axis=-1), 1e-9)
        cosines: Vectors = (vectors * context).sum(axis=-1) / lengths
        return cosines
