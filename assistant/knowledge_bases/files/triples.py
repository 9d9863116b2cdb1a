"""A local file of triples as a knowledge base: the triples in Oxigraph on disk, the names in SQLite beside them."""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Store

from assistant.errors import Failure, NothingThere
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Deadline, LinkPolicy, QueryResult, RelationPolicy
from assistant.knowledge_bases.files.building import ABOUT, BANK, NAMES, STORE
from assistant.knowledge_bases.files.edges import Edges
from assistant.knowledge_bases.files.names import Names
from assistant.knowledge_bases.files.statements import Stated, Statements
from assistant.knowledge_bases.files.triple_graph import TripleGraph, read_graph
from assistant.knowledge_bases.graph import Edge, Graph
from assistant.knowledge_bases.sparql.process import QueryProcess
from assistant.language import language_of
from assistant.types import Direction, Entity, Triple

_CANDIDATES = 10  # entities that a link proposes
_SHOWN_ALIASES = 8
_INFO_IN_CANDIDATE = 300  # characters of its description
_DESCRIBING = [NamedNode(iri) for iri in sorted(rdf.DESCRIPTIONS)]
_UNREADABLE = (OSError, ValueError, KeyError, sqlite3.DatabaseError, RuntimeError)  # the last is Oxigraph's


class Triples:
    """A knowledge base built by `build`. Safe to use from several threads.

    Entities are shown in the question's language where the file has labels in several: an entity's id is that language,
    a space, and the node, so that what is found from it stays in that language.
    """

    public = False
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(self, name: str, folder: Path, languages: Iterable[str] = ()) -> None:
        """Open the knowledge base in `folder`.

        Raises:
            Failure: it cannot be read; the message says what to do.
        """
        self.name = name
        self.languages = frozenset(languages)
        try:
            about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
            store = Store.read_only(str(folder / STORE))
            self._edges = Edges(name, store)
            self._statements = Statements(store)
            self._names = Names(folder / NAMES, name)
        except _UNREADABLE as error:
            raise Failure(
                "The knowledge base {name} cannot be read ({reason}); remove it and add it again.",
                name=name,
                reason=error,
            ) from error
        self.source: str = about["source"]
        self.count: int = about["triples"]
        self._relations = self._names.relations()
        self._graph: TripleGraph | None = None
        self._graph_lock = threading.Lock()
        self._queries = QueryProcess(name, folder / STORE)
        bank = folder / BANK
        self.bank_file = bank if bank.exists() else None

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """Candidates: exact before folded before alias before fuzzy; among namesakes the most connected first."""
        language = self._shown_language(question or mention)
        wanted = [name for name in dict.fromkeys((mention, *aliases)) if name.strip()]
        iris = self._names.find(wanted, language, _CANDIDATES, deadline)
        labels = self._names.labels(iris, language)
        return [self._entity(iri, labels[iri], language, wanted) for iri in iris]

    def known(self, phrases: Sequence[str], deadline: Deadline) -> dict[str, set[str]]:
        """See `NameIndex.known`."""
        return self._names.known(phrases, deadline)

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """Its description in the question's language, else in English, else in any; empty where there is none."""
        language, node = _parsed(entity.id)
        found: dict[int, str] = {}
        for quad in (quad for named in _DESCRIBING for quad in self._edges.scan(node, named, None, deadline)):
            if isinstance(quad.object, Literal):
                rank = 0 if quad.object.language == language else 1 if quad.object.language == "en" else 2
                found.setdefault(rank, quad.object.value)
        return found[min(found)] if found else ""

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """Its triples with readable names. Where there are more than `limit`, each relation gets its share, and the
        most connected ends stay."""
        language, node = _parsed(entity.id)
        sides = {"out": (True,), "in": (False,), "both": (True, False)}[direction]
        found = {way: self._edges.at(node, language, limit, deadline, outwards=way) for way in sides}
        said = set(found.get(True, ()))
        edges = [(way, edge) for way in sides for edge in found[way] if way or edge not in said]
        return self._as_triples(entity, list(self._chosen(edges, limit)), deadline)

    def related(
        self, entity: Entity, names: Sequence[str], limit: int, deadline: Deadline, *, outgoing: bool
    ) -> list[Triple]:
        """See `RelationIndex.related`."""
        language, node = _parsed(entity.id)
        predicates = [
            predicate
            for predicate in self._edges.predicates(node, deadline, outwards=outgoing)
            if self._relation_names(predicate.value, language) == list(names)
        ]
        edges = self._edges.along(predicates, node, language, limit, deadline, outwards=outgoing)
        return self._as_triples(entity, [(outgoing, edge) for edge in edges[:limit]], deadline)

    def bearing(self, value: str, question: str, limit: int, deadline: Deadline) -> list[Triple]:
        """See `ValueIndex.bearing`."""
        language = self._shown_language(question)
        edges = [
            (False, edge)
            for literal in rdf.literals(value, self._names.languages)
            for edge in self._edges.at(literal, language, limit, deadline, outwards=False)
            if not rdf.is_about_naming(edge[0])
        ]
        found = [edge for _, edge in self._chosen(edges, limit)]
        names = self._texts((subject for _, subject in found), language)
        subjects = [
            Entity(self.name, f"{language} {node.value}", name) for (_, node), name in zip(found, names, strict=True)
        ]
        end = Literal(value), value
        return [
            self._triple(subject, True, predicate, end, language)
            for subject, (predicate, _) in zip(subjects, found, strict=True)
        ]

    def query(self, sparql: str, deadline: Deadline) -> QueryResult:
        """See `Queryable.query`."""
        return self._queries.run(sparql, deadline)

    def graph(self) -> Graph:
        """See `Walkable.graph`."""
        return self._read_graph().graph

    def stated(self, edges: Sequence[Edge], question: str) -> list[Triple]:
        """See `Walkable.stated`."""
        read, language = self._read_graph(), self._shown_language(question)
        ends = [(NamedNode(read.entities[edge.subject]), NamedNode(read.entities[edge.object])) for edge in edges]
        names = iter(self._texts((end for pair in ends for end in pair), language))
        return [
            self._triple(
                Entity(self.name, f"{language} {subject.value}", next(names)),
                True,
                read.relations[edge.relation],
                (value, next(names)),
                language,
            )
            for edge, (subject, value) in zip(edges, ends, strict=True)
        ]

    def close(self) -> None:
        """Let go of the files; may be called twice."""
        self._edges.close()
        self._queries.close()
        self._names.close()

    def _read_graph(self) -> TripleGraph:
        with self._graph_lock:
            if self._graph is None:
                self._graph = read_graph(self._edges.all(), self._names, lambda iri: self._relation_names(iri, "en")[0])
            return self._graph

    def _shown_language(self, text: str) -> str:
        language = language_of(text)
        if language in self._names.languages:
            return language
        return "en" if "en" in self._names.languages else ""

    def _entity(self, iri: str, label: str, language: str, called: Sequence[str]) -> Entity:
        names = self._names.other_names(iri, language, _SHOWN_ALIASES + 1, called)
        aliases = tuple(name for name in names if name != label)[:_SHOWN_ALIASES]
        entity = Entity(self.name, f"{language} {iri}", label, aliases, url=rdf.url(iri))
        info = self.entity_info(entity, Deadline.after(1))
        return replace(entity, description=info[:_INFO_IN_CANDIDATE])

    def _as_triples(self, entity: Entity, edges: Sequence[tuple[bool, rdf.Edge]], deadline: Deadline) -> list[Triple]:
        """Edges at an entity, outwards or not, as triples."""
        language, node = _parsed(entity.id)
        names = self._texts((end for _, (_, end) in edges), language)
        statements = self._statements.about(node, lambda s, p, o: self._edges.scan(s, p, o, deadline))
        triples = []
        for (outwards, (predicate, end)), text in zip(edges, names, strict=True):
            triple = self._triple(entity, outwards, predicate, (end, text), language)
            stated = Stated(node, predicate, end) if outwards else Stated(end, predicate, node)
            if qualifiers := statements.get(stated):
                triple = replace(triple, qualifiers=self._readable(qualifiers, language))
            triples.append(triple)
        return triples

    def _chosen(self, found: Iterable[tuple[bool, rdf.Edge]], limit: int) -> Iterator[tuple[bool, rdf.Edge]]:
        """At most `limit` edges, outwards or not: each relation's share, the most connected ends first."""
        groups: dict[tuple[bool, str], list[rdf.Edge]] = {}
        for outwards, edge in found:
            groups.setdefault((outwards, edge[0]), []).append(edge)
        weights = self._names.weights(end.value for edges in groups.values() if len(edges) > 1 for _, end in edges)
        shares = _shares([len(edges) for edges in groups.values()], limit)
        for ((outwards, _), edges), share in zip(groups.items(), shares, strict=True):
            ordered = sorted(edges, key=lambda edge: -weights.get(edge[1].value, 0))
            yield from ((outwards, edge) for edge in ordered[:share])

    def _texts(self, ends: Iterable[rdf.End], language: str) -> list[str]:
        """What each is called; empty for a node that has neither a name nor values."""
        ends = list(ends)
        stored = [end.value for end in ends if isinstance(end, NamedNode) and rdf.plain_name(end.value) is None]
        labels = self._names.labels(stored, language)
        return [self._text(end, labels) for end in ends]

    def _text(self, end: rdf.End, labels: Mapping[str, str]) -> str:
        if isinstance(end, Literal):
            return rdf.value_text(end)
        if isinstance(end, NamedNode):
            return labels.get(end.value) or rdf.entity_name(end.value)
        return ", ".join(self._edges.values(end, Deadline.after(1)))

    def _triple(
        self, entity: Entity, outwards: bool, predicate: str, end: tuple[rdf.End, str], language: str
    ) -> Triple:
        node, text = end
        other_id = f"{language} {node.value}" if isinstance(node, NamedNode) else None
        relation, *aliases = self._relation_names(predicate, language)
        known, other = (entity.name, entity.id), (text, other_id)
        (subject, subject_id), (value, value_id) = (known, other) if outwards else (other, known)
        return Triple(
            subject,
            relation,
            value,
            relation_aliases=tuple(aliases),
            kb=self.name,
            subject_id=subject_id,
            object_id=value_id,
            source=self.source,
            url=rdf.url((subject_id or "").partition(" ")[2]),
        )

    def _readable(self, qualifiers: Sequence[rdf.Edge], language: str) -> tuple[tuple[str, str], ...]:
        """Qualifiers in words: a relation and its value each."""
        texts = self._texts((end for _, end in qualifiers), language)
        return tuple(
            (self._relation_names(predicate, language)[0], text)
            for (predicate, _), text in zip(qualifiers, texts, strict=True)
            if text
        )

    def _relation_names(self, predicate: str, language: str) -> list[str]:
        """The name to show, in the language where the file has one, then every other name."""
        named = self._relations.get(predicate) or [(rdf.relation_name(predicate), "")]
        by_language = sorted(named, key=lambda name: 0 if name[1] == language else 1 if name[1] == "en" else 2)
        return list(dict.fromkeys(text for text, _ in by_language))


def _parsed(entity_id: str) -> tuple[str, NamedNode]:
    language, _, iri = entity_id.partition(" ")
    try:
        return language, NamedNode(iri)
    except ValueError as error:
        raise NothingThere("There is no entity “{entity_id}”.", entity_id=entity_id) from error


def _shares(sizes: Sequence[int], limit: int) -> list[int]:
    """How many each group keeps, `limit` in all: small groups whole, the rest divided evenly among the large ones."""
    shares, left = [0] * len(sizes), limit
    for done, index in enumerate(sorted(range(len(sizes)), key=lambda index: sizes[index])):
        shares[index] = min(sizes[index], -(-left // (len(sizes) - done)))
        left -= shares[index]
    return shares
