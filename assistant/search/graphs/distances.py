"""How far the entities of a graph are from a target, in either direction of its edges."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assistant.knowledge_bases.graph import Graph, Neighbours, Numbers

STEPS = 3  # the paper's K, which it does not tell: 87 % of ConceptNet's answers lie within three steps, 70 % within two
FAR = STEPS + 1  # further from the target than is looked at
_LOOKED_AT = 200_000  # edges, for the distances of the second step back from a target


class Distances:
    """Looked at backwards from the target for all but the last step of a walk of `STEPS`.

    Entities that are two steps away beside hubs are found when a source beside them is looked at.
    """

    def __init__(self, graph: Graph, target: Sequence[int]) -> None:
        self._graph = graph
        self._steps: NDArray[np.int8] = np.full(len(graph), FAR, np.int8)
        there: Numbers = np.array(target, np.int32)
        beside = graph.neighbours_of(there, int(graph.degrees(there).max())).entities
        self._steps[beside] = 1
        self._steps[there] = 0
        found, self._complete = _edges_of(graph, np.unique(beside))
        self._steps[found.entities[self._steps[found.entities] == FAR]] = 2

    def of(self, entities: Numbers) -> NDArray[np.int8]:
        """Those of several entities, as far as they are known: 0 to 2, and `FAR`."""
        return self._steps[entities]

    def from_source(self, source: int) -> int:
        """How many steps the target is away from an entity where a walk begins; `FAR` where more than can be walked."""
        if self._steps[source] == 0:
            return 0
        near = self._graph.neighbours(source).entities
        if not self._complete:
            self._meet(near)
        return min(FAR, int(self._steps[near].min()) + 1) if len(near) else FAR

    def _meet(self, near: Numbers) -> None:
        """Find those near a source that are two steps from the target, from their end: it is not the hub's."""
        found, _ = _edges_of(self._graph, np.unique(near[self._steps[near] == FAR]))
        self._steps[found.origins[self._steps[found.entities] == 1]] = 2


def _edges_of(graph: Graph, entities: Numbers) -> tuple[Neighbours, bool]:
    """All edges of the entities; of very many, as many of each."""
    degrees = graph.degrees(entities)
    complete = int(degrees.sum()) <= _LOOKED_AT
    most = int(degrees.max(initial=1)) if complete else max(1, _LOOKED_AT // len(entities))
    return graph.neighbours_of(entities, most), complete
