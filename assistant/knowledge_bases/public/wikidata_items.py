"""The replies of Wikidata's API, as far as they are read: hits of a search, items, statements.

Their form: https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from assistant.knowledge_bases.public.mediawiki import Map
from assistant.knowledge_bases.public.wikidata_values import AnyValue

# Identifiers in other catalogues and names of media files say nothing to a reader.
_UNREADABLE = frozenset({"external-id", "commonsMedia", "tabular-data", "geo-shape", "musical-notation", "math"})


class _Match(BaseModel):
    text: str = ""


class Hit(BaseModel):
    """An item that a search proposes; `match.text` is the label or alias that the search hit."""

    id: str
    label: str = ""
    description: str = ""
    aliases: list[str] = []
    match: _Match = _Match()

    def bears(self, name: str) -> bool:
        """Whether the item is called exactly so, in upper or lower case."""
        return name.casefold() in {self.label.casefold(), self.match.text.casefold(), *map(str.casefold, self.aliases)}


class Hits(BaseModel):
    """The reply to wbsearchentities."""

    search: list[Hit]


class Snak(BaseModel):
    """A property with a value, with an unknown one ("somevalue"), or with none ("novalue")."""

    snaktype: Literal["value", "somevalue", "novalue"]
    property: str
    datatype: str = ""
    datavalue: Annotated[AnyValue, Field(union_mode="left_to_right")] | None = None

    def value_ids(self) -> tuple[str, ...]:
        """The ids whose labels `text` needs."""
        return self.datavalue.ids if self.datavalue else ()

    def is_told_by(self, labels: Mapping[str, str]) -> bool:
        """Whether the labels of its property and of its value are among these."""
        return labels.keys() >= {self.property, *self.value_ids()}

    def text(self, labels: Mapping[str, str], language: str) -> str:
        """The value in words; empty where it has none that says something."""
        if self.datavalue is None:
            none, unknown = ("无", "未知") if language == "zh" else ("none", "unknown")
            return none if self.snaktype == "novalue" else unknown
        return self.datavalue.text(labels, language)


class Statement(BaseModel):
    """A claim with its rank, and with qualifiers, which say for when or how it holds."""

    mainsnak: Snak
    rank: Literal["preferred", "normal", "deprecated"] = "normal"
    qualifiers: Map[list[Snak]] = {}
    order: list[str] = Field([], alias="qualifiers-order")

    def readable_qualifiers(self) -> list[Snak]:
        """In the order that its editors chose."""
        names = dict.fromkeys((*self.order, *self.qualifiers))
        return [q for name in names for q in self.qualifiers.get(name, ()) if q.datatype not in _UNREADABLE]


class _Text(BaseModel):
    value: str


class Item(BaseModel):
    """An item or a property; `missing` is set where there is none of this id."""

    id: str
    missing: object = None
    labels: Map[_Text] = {}
    descriptions: Map[_Text] = {}
    aliases: Map[list[_Text]] = {}
    claims: Map[list[Statement]] = {}

    def label(self, language: str) -> str:
        """The label in `language`, else the one for all languages, else the English one, else the id."""
        return _in_language(self.labels, language) or self.id

    def description(self, language: str) -> str:
        """A few words that tell it from its namesakes; empty where there are none."""
        return _in_language(self.descriptions, language)

    def readable_statements(self) -> list[Statement]:
        """Without deprecated ones and bare identifiers; each property's best first, then each one's second best."""
        by_property = [
            sorted((s for s in claims if s.rank != "deprecated"), key=lambda s: s.rank != "preferred")
            for claims in self.claims.values()
            if claims and claims[0].mainsnak.datatype not in _UNREADABLE
        ]
        rounds = zip_longest(*by_property)
        return [statement for one_round in rounds for statement in one_round if statement is not None]


class Items(BaseModel):
    """The reply to wbgetentities."""

    entities: Map[Item]


def ids_by_need(statements: Sequence[Statement]) -> Iterator[str]:
    """The ids whose labels tell the statements: properties, which other items have too, then values; then so those of
    the qualifiers, without which a statement can be told."""
    main = [statement.mainsnak for statement in statements]
    qualifiers = [qualifier for statement in statements for qualifier in statement.readable_qualifiers()]
    for snaks in (main, qualifiers):
        yield from (snak.property for snak in snaks)
        for snak in snaks:
            yield from snak.value_ids()


def _in_language(texts: Mapping[str, _Text], language: str) -> str:
    return next((texts[code].value for code in (language, "mul", "en") if code in texts), "")
