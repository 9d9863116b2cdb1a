"""Statements about triples: nodes that stand for a triple and carry its qualifiers, such as when it held.

RDF writes them with rdf:subject, rdf:predicate and rdf:object, KQA Pro with pred:fact_h, pred:fact_r and pred:fact_t.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from pyoxigraph import BlankNode, NamedNode, Quad, Store

from assistant.knowledge_bases.rdf import Edge, End

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

Node = NamedNode | BlankNode
Scan = Callable[[Node | None, NamedNode | None, Node | None], Iterable[Quad]]


class Stated(NamedTuple):
    """The triple that a statement is about."""

    subject: End
    predicate: str
    object: End


class _Vocabulary(NamedTuple):
    subject: NamedNode
    predicate: NamedNode
    object: NamedNode


_VOCABULARIES = (
    _Vocabulary(*(NamedNode(f"pred:fact_{part}") for part in "hrt")),
    _Vocabulary(*(NamedNode(_RDF + part) for part in ("subject", "predicate", "object"))),
)
# What only builds statements is no relation of anything.
PREDICATES = frozenset(part.value for vocabulary in _VOCABULARIES for part in vocabulary) | {f"{_RDF}Statement"}


class Statements:
    """The statements of one store; most stores have none, which costs nothing."""

    def __init__(self, store: Store) -> None:
        self._vocabularies = [
            v for v in _VOCABULARIES if any(True for _ in store.quads_for_pattern(None, v.subject, None))
        ]

    def about(self, node: Node, scan: Scan) -> Mapping[Stated, list[Edge]]:
        """The qualifiers (predicate and value) of the triples that have `node` at one end, read through `scan`."""
        found: dict[Stated, list[Edge]] = defaultdict(list)
        for vocabulary in self._vocabularies:
            statements = {
                quad.subject: None
                for end in (vocabulary.subject, vocabulary.object)
                for quad in scan(None, end, node)
                if isinstance(quad.subject, NamedNode | BlankNode)
            }
            for statement in statements:
                said = [(quad.predicate.value, quad.object) for quad in scan(statement, None, None)]
                parts = dict(said)
                subject, predicate, value = (parts.get(part.value) for part in vocabulary)
                if isinstance(subject, Node) and isinstance(predicate, NamedNode) and isinstance(value, End):
                    found[Stated(subject, predicate.value, value)] += [
                        (name, other)
                        for name, other in said
                        if isinstance(other, End) and name not in PREDICATES and name != f"{_RDF}type"
                    ]
        return found
