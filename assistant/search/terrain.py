"""What a search over a graph stands on: its entities, the index of their names, and their embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.knowledge_bases.graph import Graph, Numbers
from assistant.search.concepts import Concepts
from assistant.search.space import Space
from memory.types import Vectors


@dataclass(frozen=True)
class Terrain:
    """A graph, the index of its names, and the vectors of its relations, shape (relations, 128)."""

    graph: Graph
    concepts: Concepts
    space: Space
    relations: Vectors

    @classmethod
    def of(cls, graph: Graph, space: Space) -> "Terrain":
        """Index a graph: about a second for 100,000 names."""
        return cls(graph, Concepts(graph), space, space.texts(graph.relations))

    def entities(self, entities: Numbers | Sequence[int]) -> Vectors:
        """The embeddings of entities; shape (n, 128)."""
        return self.space.entities(self.concepts, np.asarray(entities, np.int32))

    def related(self, vectors: Vectors, context: Vectors) -> Vectors:
        """Equation (3): how much paths, given as sums of embeddings, bear on questions; cosines of shape (...,)."""
        lengths = np.maximum(np.linalg.norm(vectors, axis=-1), 1e-9)
        cosines: Vectors = (vectors * context).sum(axis=-1) / lengths
        return cosines
