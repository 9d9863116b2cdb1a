"""The triples at one node of a store, read within bounds: the most connected things have millions."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QuerySolutions, Store

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.statements import PREDICATES, Node

_AT_A_NODE = 5000  # triples of one node looked at
_OF_A_HUB = 1000  # of one that has more: about so many in all, each predicate its share
_FOR_PREDICATES = 1_000_000  # of one node, in which its predicates are looked for: a second
_KEPT = 256  # nodes whose predicates are kept
_BETWEEN_CHECKS = 500  # triples between two looks at the clock


class Edges:
    """Reads the store of the knowledge base `name`: `outwards` what a node has, else what has the node or value.

    Left out are names, descriptions, what builds statements, and what has no text: a node without name and values. Each
    method raises `KnowledgeBaseUnreachable` where the store was closed, or the deadline passed.
    """

    def __init__(self, name: str, store: Store) -> None:
        self._name = name
        self._store: Store | None = store
        self._predicates = lru_cache(_KEPT)(self._read_predicates)

    def at(self, end: rdf.End, language: str, limit: int, deadline: Deadline, *, outwards: bool) -> list[rdf.Edge]:
        """Its edges, those in the language where there are several.

        Of thousands some with each predicate, and then no fewer than `limit` in all where there are so many.
        """
        quads = list(self.scan(*_pattern(end, None, outwards=outwards), deadline))
        if len(quads) < _AT_A_NODE:
            return rdf.in_language(list(self._readable(quads, deadline, outwards=outwards)), language)
        predicates = self.predicates(end, deadline, outwards=outwards)
        share = max(2, _OF_A_HUB // max(1, len(predicates)))
        found = self.along(predicates, end, language, share, deadline, outwards=outwards)
        few = len(found) < limit  # most predicates have less than their share
        return self.along(predicates, end, language, limit, deadline, outwards=outwards) if few else found

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
        found: list[rdf.Edge] = []
        for predicate in predicates:
            quads = self.scan(*_pattern(end, predicate, outwards=outwards), deadline, None)
            found += islice(self._readable(quads, deadline, outwards=outwards), limit)
        return rdf.in_language(found, language)

    def predicates(self, end: rdf.End, deadline: Deadline, *, outwards: bool) -> Sequence[NamedNode]:
        """The predicates of its edges, which take up to a second the first time."""
        self._check(deadline)
        return self._predicates(end, outwards)

    def values(self, node: BlankNode, deadline: Deadline) -> list[str]:
        """What it has that is no node, in words."""
        objects = (quad.object for quad in self.scan(node, None, None, deadline))
        return [text for value in objects if isinstance(value, Literal) and (text := rdf.value_text(value))]

    def _read_predicates(self, end: rdf.End, outwards: bool) -> tuple[NamedNode, ...]:
        pattern = f"{end} ?p ?o" if outwards else f"?s ?p {end}"
        query = f"SELECT DISTINCT ?p WHERE {{ {{ SELECT ?p WHERE {{ {pattern} }} LIMIT {_FOR_PREDICATES} }} }}"
        found = self._opened().query(query)
        assert isinstance(found, QuerySolutions)
        predicates = (row[0] for row in found)
        return tuple(p for p in predicates if isinstance(p, NamedNode) and _is_relation(p.value, outwards=outwards))

    def scan(
        self,
        subject: Node | None,
        predicate: NamedNode | None,
        value: rdf.End | None,
        deadline: Deadline,
        limit: int | None = _AT_A_NODE,
    ) -> Iterator[Quad]:
        """At most `limit` triples of a pattern, in the order of the store."""
        for number, quad in enumerate(islice(self._opened().quads_for_pattern(subject, predicate, value), limit)):
            if number % _BETWEEN_CHECKS == 0:
                self._check(deadline)
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

    def _check(self, deadline: Deadline) -> None:
        if not deadline.remaining:
            raise KnowledgeBaseUnreachable(self._name, f"{self._name} took too long to read an entity.")

    def _readable(self, quads: Iterable[Quad], deadline: Deadline, *, outwards: bool) -> Iterator[rdf.Edge]:
        for quad in quads:
            predicate, end = quad.predicate.value, quad.object if outwards else quad.subject
            if _is_relation(predicate, outwards=outwards) and (
                isinstance(end, NamedNode)
                or (isinstance(end, Literal) and rdf.value_text(end))
                or (outwards and isinstance(end, BlankNode) and self.values(end, deadline))
            ):
                yield predicate, end


def _pattern(
    end: rdf.End, predicate: NamedNode | None, *, outwards: bool
) -> tuple[Node | None, NamedNode | None, rdf.End | None]:
    if not outwards:
        return None, predicate, end
    assert isinstance(end, Node)
    return end, predicate, None


def _is_relation(predicate: str, *, outwards: bool) -> bool:
    return not rdf.is_about_naming(predicate) if outwards else predicate not in PREDICATES
