"""A SPARQL endpoint as a knowledge base: names by its labels, triples by what stands at either end of a node.

Names are looked up as they are written and in the usual spellings (an endpoint has no index that folds them).
"""

import ipaddress
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from pyoxigraph import Literal, NamedNode

from assistant.errors import KnowledgeBaseUnreachable, NothingThere, UserMistake
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Deadline, LinkPolicy, QueryResult, RelationPolicy, Term
from assistant.knowledge_bases.sparql import protocol
from assistant.knowledge_bases.sparql.text import check
from assistant.knowledge_bases.web.http import Http
from assistant.language import is_latin, language_of
from assistant.types import Direction, Entity, Triple

_CANDIDATES = 10
_MAX_NAMES = 3
_MAX_NAME_CHARACTERS = 200
_MOST_LABELS = ("en", "de", "fr", "es")  # the languages, of those in Latin letters, that most labels are in
_SHOWN_ALIASES = 8
_INFO_IN_CANDIDATE = 300
_SCANNED = 500  # triples of a node that are asked for, in each direction

_Row = tuple[Term | None, ...]

_NAMING = rdf.LABELS | rdf.ALIASES
_WORDINGS = _NAMING | rdf.DESCRIPTIONS
_LINK = """
SELECT ?entity ?naming ?name (COUNT(?value) AS ?weight) WHERE {{
  VALUES ?name {{ {names} }}
  VALUES ?naming {{ {naming} }}
  ?entity ?naming ?name .
  FILTER(isIRI(?entity))
  OPTIONAL {{ ?entity ?property ?value }}
}} GROUP BY ?entity ?naming ?name ORDER BY DESC(?weight) LIMIT 100"""
_SAID = """
SELECT ?node ?wording ?text WHERE {{
  VALUES ?node {{ {nodes} }}
  VALUES ?wording {{ {wordings} }}
  ?node ?wording ?text .
  FILTER(LANG(?text) IN ({languages}))
}}"""
_OUT = """{{
  {{ SELECT ?predicate ?end WHERE {{ {node} ?predicate ?end . FILTER(!isBlank(?end)) }} LIMIT {scanned} }}
  BIND(true AS ?out)
}}"""
_IN = """{{
  {{ SELECT ?predicate ?end WHERE {{ ?end ?predicate {node} . FILTER(isIRI(?end)) }} LIMIT {scanned} }}
  BIND(false AS ?out)
}}"""
_TRIPLES = """
SELECT ?out ?predicate ?end ?label ?relation WHERE {{
  {pattern}
  OPTIONAL {{ VALUES ?naming {{ {labels} }} ?end ?naming ?label . FILTER(LANG(?label) IN ({languages})) }}
  OPTIONAL {{ VALUES ?wording {{ {labels} }} ?predicate ?wording ?relation . FILTER(LANG(?relation) IN ({languages})) }}
}}"""


class Endpoint:
    """The endpoint at `address`, which the user named and therefore may be anywhere, also on this machine.

    An entity's id is the language in which it is shown, a space, and its IRI, as in `Triples`.
    """

    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(
        self, http: Http, name: str, address: str, languages: Iterable[str] = (), bank_file: Path | None = None
    ) -> None:
        """Nothing is asked yet.

        Raises:
            UserMistake: `address` is no address of the web, or has a password in it.
        """
        self.name = name
        self.languages = frozenset(languages)
        self.bank_file = bank_file
        self._http = http
        self._address = address
        parts = _parts(address)
        self.public = not _is_this_machine(parts.hostname or "")
        self._host: str | None = parts.netloc
        http.allow(parts.netloc, private=True)

    def close(self) -> None:
        """Ask it no more; may be called twice."""
        if self._host is not None:
            self._http.disallow(self._host)
            self._host = None

    def reach(self, deadline: Deadline) -> None:
        """See whether it answers at all; raises as `query`."""
        self._asked("ASK { ?s ?p ?o }", deadline)

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """The nodes of these names: the mention before its aliases, labels before other names, then by how much is
        said of each."""
        names = [name for name in dict.fromkeys(map(str.strip, (mention, *aliases))) if name][:_MAX_NAMES]
        if not names:
            return []
        language = language_of(question or mention)
        position = {spelt: place for place, name in reversed(list(enumerate(names))) for spelt in _spellings(name)}
        rows = self._rows(_LINK.format(names=_literals(position, language), naming=_iris(_NAMING)), 4, deadline)
        ranked: dict[str, tuple[int, int, float]] = {}
        for entity, naming, name, weight in rows:
            if entity is not None and naming is not None and name is not None and name.value in position:
                rank = (position[name.value], naming.value in rdf.ALIASES, -float(weight.value if weight else 0))
                ranked[entity.value] = min(rank, ranked.get(entity.value, rank))
        best = sorted(ranked, key=lambda iri: ranked[iri])[:_CANDIDATES]
        texts = self._texts(best, language, deadline)
        return [self._entity(iri, texts[iri], language) for iri in best]

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """Its description in the question's language, else in English; empty where there is none."""
        language, iri = _parsed(entity.id)
        return self._texts([iri], language, deadline)[iri].description

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """Its triples with readable names: the first of each relation, then the second of each, and so on."""
        language, iri = _parsed(entity.id)
        sides = {"out": [_OUT], "in": [_IN], "both": [_OUT, _IN]}[direction]
        pattern = " UNION ".join(side.format(node=f"<{iri}>", scanned=_SCANNED) for side in sides)
        labels = _iris(rdf.LABELS)
        found = self._rows(_TRIPLES.format(pattern=pattern, labels=labels, languages=_tags(language)), 5, deadline)
        rows = sorted(found, key=lambda row: (_preference(row[3], language), _preference(row[4], language)))
        shown = set(rdf.in_language([_edge(row) for row in rows], language))
        by_relation: dict[tuple[str, bool], dict[str, Triple]] = defaultdict(dict)
        for row in rows:
            predicate, end = _edge(row)
            outwards = row[0] is not None and row[0].value == "true"
            seen = by_relation[predicate, outwards]
            if (predicate, end) in shown and end.value not in seen and not rdf.is_about_naming(predicate):
                seen[end.value] = self._triple(entity, outwards, row, language)
        rounds = zip_longest(*(seen.values() for seen in by_relation.values()))
        return [triple for one_round in rounds for triple in one_round if triple is not None][:limit]

    def query(self, sparql: str, deadline: Deadline) -> QueryResult:
        """See `Queryable.query`."""
        check(sparql)
        return self._asked(sparql, deadline, costly=True)

    def _triple(self, entity: Entity, outwards: bool, row: _Row, language: str) -> Triple:
        """The triple that a row of `_TRIPLES` tells."""
        predicate, end = _edge(row)
        label, relation = row[3:]
        if isinstance(end, Literal):
            text, end_id = rdf.value_text(end), None
        else:
            text, end_id = label.value if label else rdf.entity_name(end.value), f"{language} {end.value}"
        known, other = (entity.name, entity.id), (text, end_id)
        (subject, subject_id), (value, value_id) = (known, other) if outwards else (other, known)
        return Triple(
            subject,
            relation.value if relation else rdf.relation_name(predicate),
            value,
            kb=self.name,
            subject_id=subject_id,
            object_id=value_id,
            source=self._address,
            url=rdf.url((subject_id or "").partition(" ")[2]),
        )

    def _entity(self, iri: str, said: "_Said", language: str) -> Entity:
        name = said.label or rdf.entity_name(iri)
        aliases = tuple(alias for alias in said.aliases if alias != name)[:_SHOWN_ALIASES]
        description = said.description[:_INFO_IN_CANDIDATE]
        return Entity(self.name, f"{language} {iri}", name, aliases, description, rdf.url(iri))

    def _texts(self, iris: Sequence[str], language: str, deadline: Deadline) -> dict[str, "_Said"]:
        """What the endpoint says of each in words."""
        said = {iri: _Said() for iri in iris}
        if iris:
            query = _SAID.format(nodes=_iris(iris), wordings=_iris(_WORDINGS), languages=_tags(language))
            rows = self._rows(query, 3, deadline)
            for node, wording, text in sorted(rows, key=lambda row: _preference(row[2], language)):
                if node is not None and wording is not None and isinstance(text, Literal):
                    said[node.value].take(wording.value, text.value)
        return said

    def _rows(self, sparql: str, columns: int, deadline: Deadline) -> tuple[_Row, ...]:
        result = self._asked(sparql, deadline)
        if len(result.variables) != columns:
            raise KnowledgeBaseUnreachable(self.name, f"{self.name} sent a reply to another question.")
        return result.rows

    def _asked(self, sparql: str, deadline: Deadline, *, costly: bool = False) -> QueryResult:
        """Anew each time where the server is on this machine: that costs nothing, and what it holds may change."""
        fresh = not self.public
        return protocol.ask(self._http, self._address, sparql, deadline, self.name, fresh=fresh, costly=costly)


@dataclass
class _Said:
    """What is said of a node in words; the first that is taken of each kind is the one to show."""

    label: str = ""
    description: str = ""
    aliases: dict[str, None] = field(default_factory=dict)

    def take(self, wording: str, text: str) -> None:
        if wording in rdf.DESCRIPTIONS:
            self.description = self.description or text
            return
        if wording in rdf.LABELS:
            self.label = self.label or text
        self.aliases[text] = None


def _edge(row: _Row) -> rdf.Edge:
    """The predicate and the other end in a row of `_TRIPLES`, which are always bound."""
    predicate, end = row[1:3]
    assert predicate is not None
    assert end is not None
    return predicate.value, end


def _spellings(name: str) -> list[str]:
    """A name as it is written, and as a label may write it."""
    name = name[:_MAX_NAME_CHARACTERS]
    return list(dict.fromkeys((name, name[:1].upper() + name[1:], name.title(), name.lower(), name.upper())))


def _literals(texts: Iterable[str], language: str) -> str:
    """Each text without a language, and in those that it is likely in: a Chinese question may have a German name."""
    written = []
    for text in texts:
        own = language_of(text)
        tags = (*(_MOST_LABELS if is_latin(text) else ()), own, language)
        written += [Literal(text), *(Literal(text, language=tag) for tag in dict.fromkeys(tags))]
    return " ".join(map(str, written))


def _iris(iris: Iterable[str]) -> str:
    return " ".join(str(NamedNode(iri)) for iri in sorted(iris))


def _tags(language: str) -> str:
    return ", ".join(f'"{tag}"' for tag in dict.fromkeys(("", "en", "mul", language)))


def _preference(text: Term | None, language: str) -> int:
    tag = text.language if isinstance(text, Literal) else None
    return 0 if tag == language else 1 if tag == "en" else 2


def _parsed(entity_id: str) -> tuple[str, str]:
    language, _, iri = entity_id.partition(" ")
    try:
        return language, NamedNode(iri).value
    except ValueError as error:
        raise NothingThere(f"There is no entity {entity_id!r}.") from error


def _parts(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            if parts.username is not None:  # the address is shown, and stands in the log
                raise UserMistake("An endpoint's address cannot have a user and a password in it; leave them out.")
            return parts
    except ValueError:
        pass
    raise UserMistake(f"{address!r} is not the address of an endpoint; give one such as https://dbpedia.org/sparql.")


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
