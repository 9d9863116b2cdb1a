"""Banks of questions with their queries, read from files.

Our own form is JSONL: a line `{"question": …, "sparql": …}` for each pair (`kqapro/train.jsonl` has it too); a line
`{"prefixes": {"wd": "http://…"}}` declares prefixes that no query has to repeat, and `{"labels": {"Q142": "France"}}`
says what the entities are called that queries name by an id. QALD's and LC-QuAD's JSON are read as they are published;
their queries may leave the prefixes undeclared that Wikidata's and DBpedia's services know.
What cannot be used of a file is left out, and told in a line each: those that are published hold broken queries too.
"""

import itertools
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pyoxigraph import NamedNode, Store

from assistant.errors import QueryRefused, UserMistake
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.sparql.process import QueryProcess
from assistant.knowledge_bases.sparql.text import Token, check, tokens

_CHECK_SECONDS = 5.0  # the start of a process among them
_SERVICES_KNOW = {
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "p": "http://www.wikidata.org/prop/",
    "ps": "http://www.wikidata.org/prop/statement/",
    "psv": "http://www.wikidata.org/prop/statement/value/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "pqv": "http://www.wikidata.org/prop/qualifier/value/",
    "wikibase": "http://wikiba.se/ontology#",
    "dbo": "http://dbpedia.org/ontology/",
    "dbr": "http://dbpedia.org/resource/",
    "dbp": "http://dbpedia.org/property/",
    "dbc": "http://dbpedia.org/resource/Category:",
    "res": "http://dbpedia.org/resource/",
    "yago": "http://dbpedia.org/class/yago/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dct": "http://purl.org/dc/terms/",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "schema": "http://schema.org/",
}
_Valid = Callable[[str], object]  # raises QueryRefused where a query cannot be used
_LC_QUAD_QUERIES = ("sparql_wikidata", "sparql_query", "sparql")
_LC_QUAD_QUESTIONS = ("corrected_question", "question", "paraphrased_question", "NNQT_question")


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and the query that answers it."""

    question: str
    sparql: str


@dataclass(frozen=True)
class QueryBank:
    """Pairs that carry a knowledge base's schema, the prefixes that its queries may leave undeclared, and the names of
    what they name by ids. `left_out` has a line for each entry of its file that cannot be used."""

    pairs: tuple[Pair, ...]
    prefixes: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    def whole(self, query: str) -> str:
        """The query with a declaration of each prefix that it uses and does not declare.

        Raises:
            QueryRefused: it cannot be read.
        """
        words = tokens(query)
        declared = {name.text.partition(":")[0] for word, name in itertools.pairwise(words) if word.keyword == "PREFIX"}
        used = {_prefix(word) for word in words}
        lines = [f"PREFIX {prefix}: <{self.prefixes[prefix]}>" for prefix in self.prefixes if prefix in used - declared]
        return "\n".join([*lines, query])

    def expanded(self, relation: Token) -> str:
        """The IRI of a predicate; its text where its prefix is not one of the bank's."""
        prefix, _, local = relation.text.partition(":")
        if relation.kind == "name" and prefix in self.prefixes:
            return self.prefixes[prefix] + local
        return relation.value

    def dump(self) -> str:
        """The bank as a file of our own form."""
        heads = {"prefixes": dict(self.prefixes), "labels": dict(self.labels)}
        lines: list[dict[str, Any]] = [{name: table} for name, table in heads.items() if table]
        lines += [{"question": pair.question, "sparql": pair.sparql} for pair in self.pairs]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


@runtime_checkable
class Annotated(Protocol):
    """A knowledge base that may have a bank."""

    @property
    def bank_file(self) -> Path | None:
        """The bank, in our own form; None where there is none."""


def read_bank(path: Path) -> QueryBank:
    """The bank in `path`; each of its queries was run once on an empty store, in a process of its own.

    Raises:
        UserMistake: the file cannot be read, or holds nothing that can be used; the message says why.
    """
    with tempfile.TemporaryDirectory(prefix="lorekeeper-bank-") as folder:
        Store(folder).flush()
        process = QueryProcess(path.name, Path(folder))
        try:
            return _read(path, lambda query: process.run(query, Deadline.after(_CHECK_SECONDS)))
        finally:
            process.close()


def stored_bank(path: Path) -> QueryBank:
    """The bank in `path`, whose queries were checked when it was added; raises as `read_bank`."""
    return _read(path, check)


def _read(path: Path, valid: _Valid) -> QueryBank:
    try:
        text = path.read_bytes().decode("utf-8-sig", errors="surrogateescape")  # what is none spoils its line only
    except OSError as error:
        raise UserMistake(
            "Cannot read the bank {path}: {reason}.", path=path, reason=error.strerror or error
        ) from error
    bank = _published(path, text, valid) or _own(path, text, valid)
    if not bank.pairs:
        if not _is_text(text):
            raise UserMistake("Cannot read the bank {path}: it is not in UTF-8.", path=path)
        raise UserMistake((*bank.left_out, f"{path.name} holds no questions with queries.")[0])
    return bank


def _own(path: Path, text: str, valid: _Valid) -> QueryBank:
    entries: list[_Entry] = []
    prefixes: dict[str, str] = {}
    labels: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):  # strings may hold other ends of lines
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        where = f"Line {number} of {path.name}"
        match entry:
            case {"question": str(question), "sparql": str(sparql)} if _says(question) and _says(sparql):
                entries.append(_Entry(where, Pair(question.strip(), sparql.strip())))
            case {"prefixes": dict(given)} if all(map(_is_iri, given.values())):
                prefixes |= given
            case {"labels": dict(given)} if all(map(_says, (*given, *given.values()))):
                labels |= given
            case _:
                entries.append(_Entry(where, None))
    return _checked(entries, prefixes, labels, valid)


def _published(path: Path, text: str, valid: _Valid) -> QueryBank | None:
    """A file that is one JSON value: QALD's object with `questions`, or LC-QuAD's list."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    entries = value.get("questions") if isinstance(value, dict) else value
    if not isinstance(entries, list):
        return None
    pairs = [
        _Entry(f"Entry {number} of {path.name}", Pair(question.strip(), sparql.strip()))
        for number, entry in enumerate(entries, start=1)
        if isinstance(entry, dict)
        for question, sparql in _of_entry(entry)
    ]
    return _checked(pairs, _SERVICES_KNOW, {}, valid)


def _of_entry(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """QALD asks each question in several languages; LC-QuAD has entries without a question, which say nothing."""
    match entry:
        case {"question": list(asked), "query": {"sparql": str(sparql)}}:
            for one in asked:
                if isinstance(one, dict) and _says(one.get("string")):
                    yield one["string"], sparql
        case _:
            queries = [entry[name] for name in _LC_QUAD_QUERIES if _says(entry.get(name))]
            questions = [entry[name] for name in _LC_QUAD_QUESTIONS if _says(entry.get(name))]
            if queries and questions:
                yield questions[0], queries[0]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A place of a file with the pair that it holds; None where it holds none."""

    where: str
    pair: Pair | None


def _checked(
    entries: Iterable[_Entry], prefixes: Mapping[str, str], labels: Mapping[str, str], valid: _Valid
) -> QueryBank:
    """The bank of those entries whose queries are valid."""
    whole = QueryBank((), prefixes).whole
    pairs: dict[Pair, None] = {}
    left_out: list[str] = []
    for entry in entries:
        if entry.pair is None:
            left_out.append(f'{entry.where} is not {{"question": "…", "sparql": "…"}}.')
            continue
        try:
            valid(whole(entry.pair.sparql))
            pairs[entry.pair] = None
        except QueryRefused as refused:
            left_out.append(f"{entry.where} has a query that cannot be used: {refused}")
    return QueryBank(tuple(pairs), prefixes, labels, tuple(left_out))


def _prefix(token: Token) -> str | None:
    """The prefix of a name, or of a string's datatype; None where there is none."""
    name = token.suffix.removeprefix("^^") if token.kind == "string" else token.text
    return name.partition(":")[0] if ":" in name and token.kind in {"name", "string"} and name[0] != "<" else None


def _says(text: object) -> bool:
    """Whether it is a text that says something: LC-QuAD has "n/a" for questions that are none."""
    return isinstance(text, str) and text.strip().lower() not in {"", "n/a"} and _is_text(text)


def _is_text(text: str) -> bool:
    """Whether all of it are signs, and none half of one or a byte that is none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_iri(text: object) -> bool:
    try:
        return isinstance(text, str) and bool(NamedNode(text))
    except ValueError:
        return False
