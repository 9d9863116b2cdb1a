"""The triples as a graph: a view of the records, built when it is first asked for."""

from collections.abc import Callable, Iterable
from threading import Lock

import networkx as nx

Edge = tuple[int, int, int, str]  # subject, object, fact, relation


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

    def facts_around(self, entity: int, limit: int) -> list[int]:
        """At most `limit` facts one step further: those of the entity's neighbours that are not about it."""
        with self._lock:
            graph = self._graph()
            if entity not in graph:
                return []
            found: dict[int, None] = {}
            for neighbour in nx.all_neighbors(graph, entity):
                for subject, object_, fact in _incident(graph, neighbour):
                    if entity not in (subject, object_):
                        found[fact] = None
                    if len(found) == limit:
                        return list(found)
            return list(found)

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


def _incident(graph: "nx.MultiDiGraph[int]", node: int) -> Iterable[tuple[int, int, int]]:
    yield from graph.out_edges(node, keys=True)
    yield from graph.in_edges(node, keys=True)
