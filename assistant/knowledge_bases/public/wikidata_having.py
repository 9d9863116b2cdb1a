"""What has an item in a property, as the query service of Wikidata tells it."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode

from assistant.knowledge_bases.base import QueryResult

_ID = re.compile(r"[PQ]\d+")
_QUERY = """\
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?s ?o (SAMPLE(?own) AS ?name) (SAMPLE(?other) AS ?else) WHERE {{
  {{ SELECT ?s ?o WHERE {{ VALUES ?o {{ {objects} }} ?s wdt:{relation} ?o }} LIMIT {limit} }}
  OPTIONAL {{ ?s rdfs:label ?own . FILTER(LANG(?own) = "{language}") }}
  OPTIONAL {{ ?s rdfs:label ?other . FILTER(LANG(?other) IN ("mul", "en")) }}
}} GROUP BY ?s ?o"""


class Subject(NamedTuple):
    """An item that has another one, its `object`, in the property that was asked for; both by their ids."""

    id: str
    label: str
    object: str


def having_query(relation: str, objects: Iterable[str], language: str, limit: int) -> str:
    """The query for at most `limit` items that have one of the `objects` in the property `relation`."""
    shown = " ".join(f"wd:{item}" for item in objects if _ID.fullmatch(item))
    return _QUERY.format(objects=shown, relation=relation, language=language, limit=limit)


def subjects_in(found: QueryResult) -> Iterator[Subject]:
    """What the query found; an item without a label in the language, in all or in English is called by its id."""
    for row in found.rows:
        subject, item, *labels = row
        if isinstance(subject, NamedNode) and isinstance(item, NamedNode):
            subject_id = _last(subject)
            names = (label.value for label in labels if isinstance(label, Literal))
            yield Subject(subject_id, next(names, subject_id), _last(item))


def _last(node: NamedNode) -> str:
    return node.value.rpartition("/")[2]
