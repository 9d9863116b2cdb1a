"""Small graphs to search, and a knowledge base that has one."""

from collections.abc import Sequence
from datetime import UTC, datetime

from assistant.knowledge_bases.graph import Edge, Graph, GraphBuilder
from assistant.search.graphs.space import Basis, Space
from assistant.search.graphs.terrain import Terrain
from assistant.types import Triple, Turn
from tests.memory.samples import WordEmbedder

Named = tuple[str, str, str]

TOWN: list[Named] = [
    ("revolving door", "at location", "bank"),
    ("revolving door", "used for", "security"),
    ("bank", "has property", "secure"),
    ("bank", "is a", "building"),
    ("library", "is a", "building"),
    ("library", "used for", "reading books"),
    ("mall", "is a", "building"),
    ("mall", "has a", "your shop"),
    ("door", "part of", "house"),
    ("new york", "has a", "bank"),
    ("unicorn", "is a", "myth"),
]


def graph_of(triples: Sequence[Named]) -> Graph:
    builder = GraphBuilder()
    for subject, relation, value in triples:
        builder.add(subject, relation, value)
    return builder.build(builder.entities, builder.relations)


def terrain_of(triples: Sequence[Named]) -> Terrain:
    """A terrain in a space that knows every word."""
    embedder = WordEmbedder(size=128)
    terrain = Terrain.of(graph_of(triples), Space(embedder, Basis.untrained(embedder)))
    terrain.space.learn(terrain.concepts.spellings)
    return terrain


def question(text: str, *choices: str) -> Turn:
    return Turn(text=text, user="ana", session="s", at=datetime.now(UTC), question=text, choices=choices)


def stated(terrain: Terrain, edges: Sequence[Edge]) -> list[Named]:
    graph = terrain.graph
    return [(graph.names[e.subject], graph.relations[e.relation], graph.names[e.object]) for e in edges]


class GraphBase:
    """A knowledge base that is nothing but a graph, as far as a search can tell."""

    def __init__(self, name: str, triples: Sequence[Named]) -> None:
        self.name = name
        self._graph = graph_of(triples)

    def graph(self) -> Graph:
        return self._graph

    def stated(self, edges: Sequence[Edge], question: str) -> list[Triple]:
        names, relations = self._graph.names, self._graph.relations
        return [
            Triple(names[e.subject], relations[e.relation], names[e.object], kb=self.name, source=self.name)
            for e in edges
        ]
