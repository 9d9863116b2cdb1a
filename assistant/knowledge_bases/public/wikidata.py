"""Wikidata: items by search, and statements as triples with readable names and values.

What is asked: https://www.wikidata.org/w/api.php?action=help&modules=wbsearchentities and ...&modules=wbgetentities;
queries go to its query service, https://www.wikidata.org/wiki/Wikidata:SPARQL_query_service.
An entity's id here is "en:Q42": the language in which names and values are wanted, and the item.
"""

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel

from assistant.knowledge_bases.base import Deadline, LinkPolicy, QueryResult, RelationPolicy
from assistant.knowledge_bases.public import mediawiki
from assistant.knowledge_bases.public.wikidata_having import having_query, subjects_in
from assistant.knowledge_bases.public.wikidata_items import Hit, Hits, Item, Items, Statement, ids_by_need
from assistant.knowledge_bases.public.wikidata_values import EntityValue
from assistant.knowledge_bases.sparql import protocol
from assistant.knowledge_bases.sparql.text import check
from assistant.knowledge_bases.web.http import Http
from assistant.language import language_of
from assistant.types import Direction, Entity, Triple

_log = logging.getLogger(__name__)

_Form = TypeVar("_Form", bound=BaseModel)

_MAX_HITS = 10
_MAX_SEARCHES = 4
_MAX_SEARCH_CHARACTERS = 250
_BATCH = 50  # ids that one request may ask for
_MAX_LABELS = 100_000
# Of the time left, for the labels of one item's statements: strangers may ask once a second, and more items may follow.
_LABELS_SHARE = 1 / 3


class Wikidata:
    """Items as entities, statements as triples; `address` is where the API is, `queries` where the query service is."""

    name = "wikidata"
    languages: frozenset[str] = frozenset()
    public = True
    bank_file: Path | None = Path(__file__).parents[3] / "prompts" / "banks" / "wikidata.jsonl"
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(
        self,
        http: Http,
        address: str = "https://www.wikidata.org/w/api.php",
        queries: str = "https://query.wikidata.org/sparql",
    ) -> None:
        self._http = http
        self._address = address
        self._queries = queries
        self._labels: dict[tuple[str, str], str] = {}
        self._lock = threading.Lock()
        for asked in (address, queries):
            http.allow(urlsplit(asked).netloc)

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """Items that the search proposes; those that bear the very name come first.

        The aliases are searched in turn, until an item bears the name that was searched.
        """
        language = language_of(question or mention)
        names = [name for name in dict.fromkeys(map(str.strip, (mention, *aliases))) if name]
        hits: dict[str, Hit] = {}
        for name in names[:_MAX_SEARCHES]:
            found = self._search(name, language, deadline)
            for hit in found:
                hits.setdefault(hit.id, hit)
            if any(hit.bears(name) for hit in found):
                break
        ranked = sorted(hits.values(), key=lambda hit: not any(hit.bears(name) for name in names))
        return [self._entity(hit, language) for hit in ranked]

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """The item's label, description and other names."""
        item = self._item(entity, deadline)
        if item is None:
            return ""
        language = entity.id.partition(":")[0]
        text = f"{item.label(language)}: {item.description(language)}".removesuffix(": ")
        names = [alias.value for alias in item.aliases.get(language, ())]
        return f"{text}. Also known as: {', '.join(names)}." if names else f"{text}."

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """The item's statements: the best of each property first, then the second best, and so on.

        Those whose labels cannot be had in a third of the time are left out, the last ones first. The API tells no
        statements that have the item as object, so "in" alone is empty; see `having`.
        """
        item = self._item(entity, deadline) if direction != "in" else None
        if item is None:
            return []
        language = entity.id.partition(":")[0]
        statements = item.readable_statements()[:limit]
        labels = self._labels_of(ids_by_need(statements), language, deadline)
        told = [statement for statement in statements if statement.mainsnak.is_told_by(labels)]
        if len(told) < len(statements):
            _log.info(
                "Wikidata: no time for the labels of %d statements of %d.", len(statements) - len(told), len(statements)
            )
        triples = (self._triple(entity, item, statement, labels, language) for statement in told)
        return [triple for triple in triples if triple.object]

    def having(self, entities: Sequence[Entity], names: Sequence[str], limit: int, deadline: Deadline) -> list[Triple]:
        """See `InverseIndex.having`: one search for the property, and one query.

        Raises:
            QueryRefused, KnowledgeBaseUnreachable: as `query`.
        """
        objects = {entity.id.partition(":")[2]: entity for entity in entities if entity.id}
        language = entities[0].id.partition(":")[0] if objects else ""
        relation = self._property(names, language, deadline) if objects else None
        if relation is None:
            return []
        found = self.query(having_query(relation.id, objects, language, limit), deadline)
        return [
            Triple(
                subject=subject.label,
                relation=relation.label or relation.id,
                object=objects[subject.object].name,
                kb=self.name,
                subject_id=f"{language}:{subject.id}",
                object_id=objects[subject.object].id,
                relation_aliases=tuple(filter(None, [relation.match.text])),
                url=f"{self._page(subject.id)}#{relation.id}",
            )
            for subject in subjects_in(found)
        ]

    def query(self, sparql: str, deadline: Deadline) -> QueryResult:
        """See `Queryable.query`; the service knows the prefixes wd, wdt, p, ps, pq and rdfs."""
        check(sparql)
        return protocol.ask(self._http, self._queries, sparql, deadline, self.name, costly=True)

    def _property(self, names: Sequence[str], language: str, deadline: Deadline) -> Hit | None:
        """The property that bears the first name that any bears, as its label rather than as an alias."""
        for name in names[:_MAX_SEARCHES]:
            bearing = [hit for hit in self._search(name, language, deadline, "property") if hit.bears(name)]
            if bearing:
                return min(bearing, key=lambda hit: hit.label.casefold() != name.casefold())
        return None

    def _search(self, name: str, language: str, deadline: Deadline, kind: str = "item") -> list[Hit]:
        params: dict[str, str | int] = {
            "action": "wbsearchentities",
            "search": name[:_MAX_SEARCH_CHARACTERS],
            "language": language,
            "uselang": language,
            "type": kind,
            "limit": _MAX_HITS,
        }
        return self._ask(params, Hits, deadline).search

    def _item(self, entity: Entity, deadline: Deadline) -> Item | None:
        """Everything about one item; description and statements are one request, which is kept."""
        language, _, item_id = entity.id.partition(":")
        items = self._items([item_id], "labels|aliases|descriptions|claims", language, deadline)
        return next((item for item in items.values() if item.missing is None), None)

    def _items(self, ids: Sequence[str], props: str, language: str, deadline: Deadline) -> Mapping[str, Item]:
        """By the ids asked for, also where an item was merged into another and has the other's id."""
        params: dict[str, str | int] = {
            "action": "wbgetentities",
            "ids": "|".join(ids),
            "props": props,
            "languages": "|".join(dict.fromkeys((language, "en", "mul"))),
            "languagefallback": 1,
        }
        return self._ask(params, Items, deadline).entities

    def _labels_of(self, ids: Iterable[str], language: str, deadline: Deadline) -> Mapping[str, str]:
        """The labels of the first ids, as many as can be had in time, in `language`; an id without one is its own."""
        until = Deadline.after(deadline.remaining * _LABELS_SHARE)
        wanted = list(dict.fromkeys(ids))
        with self._lock:
            known = {i: self._labels[language, i] for i in wanted if (language, i) in self._labels}
        unknown = [i for i in wanted if i not in known]
        found: dict[str, str] = {}
        for start in range(0, len(unknown), _BATCH):
            if found and not until.remaining:
                break
            batch = unknown[start : start + _BATCH]
            items = self._items(batch, "labels", language, deadline)
            found |= {i: items[i].label(language) if i in items else i for i in batch}
        with self._lock:
            if len(self._labels) > _MAX_LABELS:
                self._labels.clear()
            self._labels.update(((language, i), label) for i, label in found.items())
        return known | found

    def _triple(
        self, entity: Entity, item: Item, statement: Statement, labels: Mapping[str, str], language: str
    ) -> Triple:
        main = statement.mainsnak
        value = main.datavalue
        told = [qualifier for qualifier in statement.readable_qualifiers() if qualifier.is_told_by(labels)]
        qualifiers = [(labels[qualifier.property], qualifier.text(labels, language)) for qualifier in told]
        return Triple(
            subject=entity.name or item.label(language),
            relation=labels[main.property],
            object=main.text(labels, language),
            qualifiers=tuple((name, text) for name, text in qualifiers if text),
            kb=self.name,
            subject_id=entity.id,
            object_id=f"{language}:{value.id}" if isinstance(value, EntityValue) else None,
            url=f"{self._page(item.id)}#{main.property}",
        )

    def _entity(self, hit: Hit, language: str) -> Entity:
        name = hit.label or hit.id
        return Entity(
            kb=self.name,
            id=f"{language}:{hit.id}",
            name=name,
            aliases=tuple(alias for alias in dict.fromkeys((*hit.aliases, hit.match.text)) if alias and alias != name),
            description=hit.description,
            url=self._page(hit.id),
        )

    def _page(self, item_id: str) -> str:
        parts = urlsplit(self._address)
        return f"{parts.scheme}://{parts.netloc}/wiki/{item_id}"

    def _ask(self, params: Mapping[str, str | int], form: type[_Form], deadline: Deadline) -> _Form:
        return mediawiki.ask(self._http, self._address, params, form, deadline, kb=self.name)
