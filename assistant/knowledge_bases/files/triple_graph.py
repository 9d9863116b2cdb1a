"""The graph of a store of triples: read once, when it is first asked for."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pyoxigraph import NamedNode, Quad

from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.files.names import Names
from assistant.knowledge_bases.files.statements import PREDICATES
from assistant.knowledge_bases.graph import Graph, GraphBuilder, Texts


@dataclass(frozen=True, slots=True)
class TripleGraph:
    """A graph with the IRIs of its entities and relations, in their order."""

    graph: Graph
    entities: Texts
    relations: tuple[str, ...]


def read_graph(quads: Iterable[Quad], names: Names, relation_name: Callable[[str], str]) -> TripleGraph:
    """The triples whose ends both have an IRI; values, names, descriptions and statements join nothing.

    An entity is called by its English label, or else by another one; all of its names are kept as aliases.
    """
    builder = GraphBuilder()
    for quad in quads:
        predicate = quad.predicate.value
        if (
            isinstance(quad.subject, NamedNode)
            and isinstance(quad.object, NamedNode)
            and not rdf.is_about_naming(predicate)
            and predicate not in PREDICATES
        ):
            builder.add(quad.subject.value, predicate, quad.object.value)
    shown: dict[int, tuple[int, str]] = {}
    others: list[tuple[str, str]] = []
    for iri, text, language, alias in names.all():
        entity = builder.entities.get(iri)
        if entity is None:
            continue
        rank = 2 if alias else int(language != "en")
        before = shown.get(entity)
        if before is None or rank < before[0]:
            shown[entity] = rank, text
            if before is not None:
                others.append((iri, before[1]))
        else:
            others.append((iri, text))
    labels = (shown[i][1] if i in shown else rdf.entity_name(iri) for iri, i in builder.entities.items())
    graph = builder.build(labels, map(relation_name, builder.relations), others)
    return TripleGraph(graph, Texts(builder.entities), tuple(builder.relations))
