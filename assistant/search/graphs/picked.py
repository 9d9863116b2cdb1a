"""What a search over a graph picked."""

from dataclasses import dataclass

from assistant.knowledge_bases.graph import Edge


@dataclass(frozen=True)
class Related:
    """A triple and its relevance to the question."""

    edge: Edge
    score: float


@dataclass(frozen=True)
class Picked:
    """Triples without repetitions, in the order in which they are to be read.

    `paths` are those that were walked, and `unreached` names the targets to which no path was found.
    """

    triples: tuple[Related, ...]
    paths: tuple[tuple[Edge, ...], ...] = ()
    unreached: tuple[str, ...] = ()
