"""The triples at one node of a store, read within bounds: the most connected things have millions."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from pyoxigraph import NamedNode, Quad, QuerySolutions, Store

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.statements import PREDICATES, Node

_AT_A_NODE = 5000  # triples of one node looked at
_OF_A_HUB = 1000  # of one that has more: so many in all, each predicate its share
_FOR_PREDICATES = 1_000_000  # of one node, in which its predicates are looked for: a second
_BETWEEN_CHECKS = 500  # triples between two looks at the clock


class Edges:
    """Reads the store of the knowledge base `name`: `outwards` what a node has, else what has the node or value.

    Each method raises `KnowledgeBaseUnreachable` where the store was closed, or the deadline passed.
    """

    def __init__(self, name: str, store: Store) -> None:
        self._name = name
        self._store: Store | None = store

    def at(self, end: rdf.End, language: str, deadline: Deadline, *, outwards: bool) -> list[rdf.Edge]:
        """Its edges, those in the language where there are several; of very many, some with each predicate."""
        quads = list(self.scan(*_pattern(end, None, outwards=outwards), deadline))
        if len(quads) < _AT_A_NODE:
            return _readable(quads, language, outwards=outwards)
        predicates = self.predicates(end, outwards=outwards)
        return self.along(predicates, end, language, max(2, _OF_A_HUB // len(predicates)), deadline, outwards=outwards)

    def along(
        self,
        predicates: Sequence[NamedNode],
        end: rdf.End,
        language: str,
        limit: int,
        deadline: Deadline,
        *,
        outwards: bool,
    ) -> list[rdf.Edge]:
        """At most `limit` edges with each of the predicates."""
        patterns = (_pattern(end, predicate, outwards=outwards) for predicate in predicates)
        quads = (quad for pattern in patterns for quad in self.scan(*pattern, deadline, limit))
        return _readable(quads, language, outwards=outwards)

    def predicates(self, end: rdf.End, *, outwards: bool) -> list[NamedNode]:
        """The predicates of its edges."""
        pattern = f"{end} ?p ?o" if outwards else f"?s ?p {end}"
        query = f"SELECT DISTINCT ?p WHERE {{ {{ SELECT ?p WHERE {{ {pattern} }} LIMIT {_FOR_PREDICATES} }} }}"
        found = self._opened().query(query)
        assert isinstance(found, QuerySolutions)
        return [row[0] for row in found if isinstance(row[0], NamedNode)]

    def scan(
        self,
        subject: Node | None,
        predicate: NamedNode | None,
        value: rdf.End | None,
        deadline: Deadline,
        limit: int = _AT_A_NODE,
    ) -> Iterator[Quad]:
        """At most `limit` triples of a pattern, in the order of the store."""
        for number, quad in enumerate(islice(self._opened().quads_for_pattern(subject, predicate, value), limit)):
            if number % _BETWEEN_CHECKS == 0 and not deadline.remaining:
                raise KnowledgeBaseUnreachable(self._name, f"{self._name} took too long to read an entity.")
            yield quad

    def all(self) -> Iterable[Quad]:
        """Every triple of the store."""
        return self._opened().quads_for_pattern(None, None, None)

    def close(self) -> None:
        """Let go of the store; may be called twice."""
        self._store = None

    def _opened(self) -> Store:
        if self._store is None:
            raise KnowledgeBaseUnreachable(self._name, f"The knowledge base {self._name} is closed.")
        return self._store


def _pattern(
    end: rdf.End, predicate: NamedNode | None, *, outwards: bool
) -> tuple[Node | None, NamedNode | None, rdf.End | None]:
    if not outwards:
        return None, predicate, end
    assert isinstance(end, Node)
    return end, predicate, None


def _readable(quads: Iterable[Quad], language: str, *, outwards: bool) -> list[rdf.Edge]:
    """Without names, descriptions, and what builds statements."""
    if not outwards:
        return [
            (quad.predicate.value, quad.subject)
            for quad in quads
            if isinstance(quad.subject, NamedNode) and quad.predicate.value not in PREDICATES
        ]
    said: list[rdf.Edge] = [
        (quad.predicate.value, quad.object)
        for quad in quads
        if isinstance(quad.object, rdf.End) and not rdf.is_about_naming(quad.predicate.value)
    ]
    return rdf.in_language(said, language)
