"""How the built-in knowledge base puts things into triples: nodes, labels by language, figures, descriptions."""

from collections.abc import Iterator, Mapping, MutableMapping
from functools import cache

from babel import Locale
from pyoxigraph import Literal, NamedNode, Quad

from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.world.data import KINDS, RELATION_ALIASES, RELATIONS
from assistant.messages.catalogues import LANGUAGES

# IRI to number; ranks namesakes.
Weights = MutableMapping[str, int]
# What a thing is called, by language; always in English.
Named = Mapping[str, str]

_LABEL, _ALIAS = NamedNode(rdf.LABEL), NamedNode(rdf.INDEXED_ALIAS)
_DESCRIPTION = NamedNode(rdf.DESCRIPTION)


@cache
def locale(language: str) -> Locale:
    """CLDR's names in a language."""
    return Locale(language)


@cache
def node(kind: str, code: str | int) -> NamedNode:
    """The node of a thing; `kind` is one of KINDS or "kind"."""
    return NamedNode(f"urn:world:{kind}:{code}")


def place_node(geoname_id: int) -> NamedNode:
    """The node of a country or a city: its page at GeoNames."""
    return NamedNode(f"https://www.geonames.org/{geoname_id}")


@cache
def relation(name: str) -> NamedNode:
    """The node of one of RELATIONS."""
    return NamedNode(f"urn:world:relation:{name}")


def vocabulary() -> Iterator[Quad]:
    """The labels of all relations and kinds."""
    for name, (english, chinese) in RELATIONS.items():
        yield from labels(relation(name), {"en": english, "zh": chinese})
        yield from aliases(relation(name), *RELATION_ALIASES.get(name, ()))
    for kind, (english, chinese) in KINDS.items():
        yield from labels(node("kind", kind), {"en": english, "zh": chinese})


def labels(subject: NamedNode, names: Named) -> Iterator[Quad]:
    """The names that are shown, each to questions in its language."""
    for language, name in names.items():
        yield Quad(subject, _LABEL, Literal(name, language=language))


def equal_names(subject: NamedNode, *names: str) -> Iterator[Quad]:
    """Names that link as well as the label: "USA" is the country before it is a town in Japan."""
    for name in names:
        yield Quad(subject, _LABEL, Literal(name))


def aliases(subject: NamedNode, *names: str | None) -> Iterator[Quad]:
    """Names that link after the labels of others."""
    for name in dict.fromkeys(names):
        if name:
            yield Quad(subject, _ALIAS, Literal(name))


def kind(subject: NamedNode, name: str) -> Quad:
    """What the subject is, one of KINDS."""
    return link(subject, "kind", node("kind", name))


def link(subject: NamedNode, name: str, value: NamedNode) -> Quad:
    """A relation to another thing."""
    return Quad(subject, relation(name), value)


def fact(subject: NamedNode, name: str, english: str, chinese: str = "") -> Iterator[Quad]:
    """A relation to a value; in both languages where they differ. Nothing where the value is empty."""
    if chinese:
        yield Quad(subject, relation(name), Literal(english, language="en"))
        yield Quad(subject, relation(name), Literal(chinese, language="zh"))
    elif english:
        yield Quad(subject, relation(name), Literal(english))


def description(subject: NamedNode, english: str, chinese: str) -> Iterator[Quad]:
    """One or two sentences in each language."""
    for language, text in (("en", english), ("zh", chinese)):
        yield Quad(subject, _DESCRIPTION, Literal(text, language=language))


@cache
def cldr_names(table: str, code: str) -> dict[str, str]:
    """CLDR's names of a territory, language or currency (`table`: "territories" and so on), by language."""
    tables = {language: getattr(locale(language), table) for language in LANGUAGES}
    return {language: str(names[code]) for language, names in tables.items() if code in names}


def zone_names(zone: str) -> dict[str, str]:
    """CLDR's names of the city that a time zone is named after, by language; where it has none, as the zone's id."""
    plain = zone.rpartition("/")[2].replace("_", " ")
    return {language: str(locale(language).time_zones.get(zone, {}).get("city", plain)) for language in LANGUAGES}
