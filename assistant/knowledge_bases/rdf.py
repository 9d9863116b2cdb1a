"""RDF terms and what people call them: names in IRIs, naming predicates, readable values."""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import quote, unquote

from pyoxigraph import BlankNode, Literal, NamedNode

End = NamedNode | BlankNode | Literal
Edge = tuple[str, End]  # predicate and other end

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_FOAF = "http://xmlns.com/foaf/0.1/"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_SCHEMA = ("http://schema.org/", "https://schema.org/")

LABEL = f"{_RDFS}label"
DESCRIPTION = "http://schema.org/description"
ALIAS = f"{_SKOS}altLabel"
INDEXED_ALIAS = "urn:indexed:alias"  # links like an alias, but is not kept as a triple

_KQA_PRO = "pred:name"  # which has no namespaces
LABELS = frozenset({LABEL, f"{_SKOS}prefLabel", f"{_FOAF}name", _KQA_PRO, *(f"{base}name" for base in _SCHEMA)})
ALIASES = frozenset({INDEXED_ALIAS, ALIAS, f"{_FOAF}nick", *(f"{base}alternateName" for base in _SCHEMA)})
DESCRIPTIONS = frozenset(
    {f"{_RDFS}comment", "http://purl.org/dc/terms/description", "http://dbpedia.org/ontology/abstract"}
    | {f"{base}description" for base in _SCHEMA}
)

# Files without IRIs are kept under these: the name itself is the IRI, so that it need not be stored twice.
_ENTITY, _RELATION = "urn:entity:", "urn:relation:"
# What such files call the relation between a thing and its other names.
_ALIAS_WORDS = frozenset(
    {"alias", "aliases", "also known as", "alternative name", "other name"}
    | {"别名", "别称", "又名", "又称", "简称", "中文名", "中文名称", "外文名", "外文名称", "英文名", "英文名称"}
)
_ESCAPES = {ord(character): f"%{ord(character):02X}" for character in '<>"{}|^`\\%[]#?'}
_ESCAPES |= {code: f"%{code:02X}" for code in range(0x21)}
# How the values of a type are written, and what stands behind them besides.
_WRITTEN = (
    ("integer", re.compile(r"[+-]?\d+"), ""),
    ("decimal", re.compile(r"[+-]?\d+\.\d+"), ""),
    ("double", re.compile(r"[+-]?\d+(\.\d+)?"), ""),
    ("float", re.compile(r"[+-]?\d+(\.\d+)?"), ""),
    ("gYear", re.compile(r"\d{4}"), ""),
    ("gYearMonth", re.compile(r"\d{4}-\d\d"), ""),
    ("boolean", re.compile("true|false"), ""),
    ("date", re.compile(r"\d{4}-\d\d-\d\d"), ""),
    ("dateTime", re.compile(r"\d{4}-\d\d-\d\d"), "T00:00:00Z"),
    ("dateTime", re.compile(r"\d{4}-\d\d-\d\d"), "T00:00:00"),
)
_SPLIT = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def entity_node(name: str) -> NamedNode:
    """The node of an entity known by its name alone."""
    return _named(_ENTITY, name)


@lru_cache(maxsize=4096)
def relation_node(name: str) -> NamedNode:
    """The node of a relation known by its name alone."""
    return _named(_RELATION, name)


def _named(prefix: str, name: str) -> NamedNode:
    try:
        return NamedNode(prefix + name.translate(_ESCAPES))
    except ValueError:  # a character that IRIs do not allow, as those of the private use areas
        return NamedNode(prefix + quote(name, safe=""))


def plain_name(iri: str) -> str | None:
    """The name that the IRI was made from, None for an IRI out of an RDF file."""
    return unquote(iri[len(_ENTITY) :]) if iri.startswith(_ENTITY) else None


def entity_name(iri: str) -> str:
    """A readable name for an entity that has no label: `http://example.org/Ada_Lovelace` is "Ada Lovelace"."""
    return plain_name(iri) or _local_name(iri).replace("_", " ").strip() or iri


@lru_cache(maxsize=4096)
def relation_name(iri: str) -> str:
    """A readable name for a relation that has no label: `http://example.org/birthPlace` is "birth place"."""
    local = unquote(iri[len(_RELATION) :]) if iri.startswith(_RELATION) else _local_name(iri)
    words = [word if word.isupper() and len(word) > 1 else word.lower() for word in _SPLIT.split(local) if word]
    return " ".join(words) or iri


def _local_name(iri: str) -> str:
    return unquote(re.split(r"[#/:]", iri.rstrip("#/:"))[-1])


def url(iri: str) -> str:
    """Where a node can be opened; empty where its name is no address."""
    return iri if iri.startswith(("http://", "https://")) else ""


@lru_cache(maxsize=4096)
def names_its_subject(predicate: str) -> str:
    """Whether the predicate gives its subject a "label" or an "alias"; empty for any other."""
    if predicate in LABELS:
        return "label"
    if predicate in ALIASES or (predicate.startswith(_RELATION) and relation_name(predicate) in _ALIAS_WORDS):
        return "alias"
    return ""


def is_about_naming(predicate: str) -> bool:
    """Whether the predicate carries a name or a description, which is no relation of the entity."""
    return predicate in LABELS or predicate in ALIASES or predicate in DESCRIPTIONS


def in_language(edges: list[Edge], language: str) -> list[Edge]:
    """Of a relation's values that are given in several languages, those in the language, else in English."""
    given: dict[str, set[str]] = {}
    for predicate, end in edges:
        if isinstance(end, Literal) and end.language:
            given.setdefault(predicate, set()).add(end.language)
    chosen = {
        predicate: language if language in languages else "en"
        for predicate, languages in given.items()
        if language in languages or "en" in languages
    }
    return [
        (predicate, end)
        for predicate, end in edges
        if not (isinstance(end, Literal) and end.language and end.language != chosen.get(predicate, end.language))
    ]


def literals(text: str, languages: Iterable[str]) -> list[Literal]:
    """The literals that are written as `text`: as a string, as one in each of the languages, as a number or a date."""
    typed = [(text + ending, kind) for kind, written, ending in _WRITTEN if written.fullmatch(text)]
    return [
        Literal(text),
        *(Literal(text, language=language) for language in languages if language),
        *(Literal(value, datatype=NamedNode(f"{_XSD}{kind}")) for value, kind in typed),
    ]


def value_text(literal: Literal) -> str:
    """A literal as people write it: `"1969-07-20T00:00:00Z"^^xsd:dateTime` is "1969-07-20"; numbers stay parseable."""
    text, kind = literal.value, literal.datatype.value.rpartition("#")[2]
    if kind == "dateTime":
        return re.sub(r"T00:00:00(\.0+)?(Z|[+-]\d\d:\d\d)?$", "", text)
    if kind in {"date", "gYear", "gYearMonth"}:
        return re.sub(r"(?<=\d)(Z|[+-]\d\d:\d\d)$", "", text)
    if kind in {"decimal", "double", "float"}:
        return _short_number(text)
    return text


def _short_number(text: str) -> str:
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
