"""The triples as a graph: a view of the records, built when it is first asked for."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from threading import Lock

import networkx as nx
import numpy as np
from numpy.typing import NDArray

Edge = tuple[int, int, int, str]  # subject, object, fact, relation

_MOST_NODES = 300  # beyond these hardly a walk arrives, and each costs time
_MOST_EDGES = 100  # of a node that are followed each way; a user may have thousands
_WALK_ON = 0.5
_ROUNDS = 15  # of the power iteration; half a walk in 30,000 is longer


class Graph:
    """Entities and the facts that join them, by their numbers; safe to use from several threads."""

    def __init__(self, edges: Callable[[], Iterable[Edge]]) -> None:
        self._edges = edges
        self._lock = Lock()
        self._built: nx.MultiDiGraph[int] | None = None
        self.revision = 0  # another one whenever something was added or has gone

    def add(self, edges: Iterable[Edge]) -> None:
        """Take new facts in, where the graph has been built."""
        with self._lock:
            self.revision += 1
            if self._built is not None:
                _join(self._built, edges)

    def forget(self) -> None:
        """Build it anew when it is next asked for: something has gone."""
        with self._lock:
            self.revision += 1
            self._built = None

    def facts_around(self, entities: Iterable[int], limit: int) -> list[int]:
        """At most `limit` facts near the entities, by the personalised PageRank of what they join, best first."""
        with self._lock:
            graph = self._graph()
            seeds = [entity for entity in dict.fromkeys(entities) if entity in graph]
            nodes, edges = _neighbourhood(graph, seeds)
        if not edges:
            return []
        ends = np.array(list(edges.values()))
        rank = _pagerank(ends, nodes, len(seeds))
        return [list(edges)[row] for row in np.argsort(-rank[ends].sum(axis=1), kind="stable")[:limit]]

    def facts(self) -> set[int]:
        """Every fact that is an edge."""
        with self._lock:
            return {fact for _, _, fact in self._graph().edges(keys=True)}

    def _graph(self) -> "nx.MultiDiGraph[int]":
        if self._built is None:
            self._built = nx.MultiDiGraph()
            _join(self._built, self._edges())
        return self._built


def _join(graph: "nx.MultiDiGraph[int]", edges: Iterable[Edge]) -> None:
    for subject, object_, fact, relation in edges:
        graph.add_edge(subject, object_, key=fact, relation=relation)


def _incident(graph: "nx.MultiDiGraph[int]", node: int) -> Iterator[tuple[int, int]]:
    """The facts that join a node to others, each with the other one; those of which it is the subject first."""
    # Through NetworkX's views, a recall takes 2 ms of 20 longer.
    for adjacent in (graph._succ[node], graph._pred[node]):  # type: ignore[attr-defined]
        yield from islice(((other, fact) for other, facts in adjacent.items() for fact in facts), _MOST_EDGES)


def _neighbourhood(graph: "nx.MultiDiGraph[int]", seeds: Iterable[int]) -> tuple[int, dict[int, tuple[int, int]]]:
    """How many entities there are around the seeds, at most 300, and the facts between them with their two ends.

    Ends are numbered from 0: the seeds first, then by the number of steps from them.
    """
    places = {seed: place for place, seed in enumerate(seeds)}
    edges: dict[int, tuple[int, int]] = {}
    waiting = deque(places)
    while waiting:
        node = waiting.popleft()
        for other, fact in _incident(graph, node):
            if other not in places and len(places) < _MOST_NODES:
                places[other] = len(places)
                waiting.append(other)
            if other in places and fact not in edges:
                edges[fact] = places[node], places[other]
    return len(places), edges


def _pagerank(ends: NDArray[np.int64], nodes: int, seeds: int) -> NDArray[np.float64]:
    """The rank of each node, shape (nodes,), where every walk begins anew at the first `seeds` nodes.

    `ends` has shape (edges, 2); walks go along an edge either way.
    """
    start = np.zeros(nodes)
    start[:seeds] = 1 / seeds
    from_, to = np.concatenate([ends, ends[:, ::-1]]).T
    degree = np.bincount(from_, minlength=nodes)
    rank = start
    for _ in range(_ROUNDS):
        rank = (1 - _WALK_ON) * start + _WALK_ON * np.bincount(to, (rank / np.maximum(degree, 1))[from_], nodes)
    return rank
