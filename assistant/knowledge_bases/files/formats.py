"""Files of triples: which format a file has, and its triples one by one.

A line that cannot be read ends the reading with its number and what was expected there.
"""

import gzip
import logging
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast
from urllib.parse import quote
from xml.parsers import expat

from pyoxigraph import DefaultGraph, Literal, Quad, RdfFormat, parse

from assistant.errors import UserMistake
from assistant.knowledge_bases.files.disease_database import RELATIONS_FILE, read_disease_database
from assistant.knowledge_bases.rdf import entity_node, relation_node

_log = logging.getLogger(__name__)

_RDF = {"ntriples": RdfFormat.N_TRIPLES, "turtle": RdfFormat.TURTLE, "rdfxml": RdfFormat.RDF_XML}
_SEPARATORS = {"pipe": "|", "tsv": "\t", "nlpcc": "|||", "conceptnet": "\t"}
_ENDS = ("head", "relation", "tail")
_COLUMNS = {"conceptnet": ("relation", "head", "tail")}  # in other formats, the head goes first
# What a first line calls the columns.
_HEADER = {
    **dict.fromkeys(("head", "subject", "头实体", "主语", "实体"), "head"),
    **dict.fromkeys(("relation", "predicate", "property", "关系", "谓语", "属性"), "relation"),
    **dict.fromkeys(("tail", "object", "value", "尾实体", "宾语", "属性值", "值"), "tail"),
}
FORMATS = (*_RDF, *_SEPARATORS, "ddb")

_SUFFIXES = {
    ".nt": "ntriples",
    ".ttl": "turtle",
    ".turtle": "turtle",
    ".rdf": "rdfxml",
    ".owl": "rdfxml",
    ".xml": "rdfxml",
    ".tsv": "tsv",
}
# Tried in this order on the first lines of a file whose name does not tell.
_SIGNS = (
    ("rdfxml", re.compile(r"\A\s*<(\?xml|!DOCTYPE|rdf:RDF)")),
    ("turtle", re.compile(r"^\s*@?(prefix|base)\s", re.IGNORECASE | re.MULTILINE)),
    ("ntriples", re.compile(r"^\s*(<[^>]+>|_:\S+)\s+<[^>]+>\s.+\.\s*$", re.MULTILINE)),
    ("nlpcc", re.compile(r"^[^\n]*\|\|\|[^\n]*\|\|\|", re.MULTILINE)),
    ("conceptnet", re.compile(r"\A(IsA|AtLocation|UsedFor|CapableOf|Causes|Has[A-Z]\w+|RelatedTo|PartOf|\w+Of)\t")),
    ("tsv", re.compile(r"^[^\n\t]*\t[^\n\t]*\t", re.MULTILINE)),
    ("pipe", re.compile(r"^[^\n|]*\|[^\n|]*\|", re.MULTILINE)),
)
_LONGEST_NAME = 300  # characters; what is longer is a text about the head, no name
_SHOWN = 80  # characters of a broken line in the message


def guess_format(path: Path) -> str:
    """One of `FORMATS`, from the file's name, or else from its first lines.

    Raises:
        UserMistake: neither tells, or the file cannot be read.
    """
    name = path.name.lower().removesuffix(".gz")
    if name == RELATIONS_FILE:
        return "ddb"
    for suffix, format in _SUFFIXES.items():
        if name.endswith(suffix):
            return format
    with _readable(path), _opened(path) as file:
        start = file.read(4096).decode("utf-8-sig", errors="replace")
    for format, sign in _SIGNS:
        if sign.search(start):
            return format
    raise UserMistake(
        "Cannot tell the format of {name}; name it with --format {known}.", name=path.name, known="|".join(FORMATS)
    )


def read_triples(path: Path, format: str) -> Iterator[Quad]:
    """The triples of the file, as quads of the default graph.

    Raises:
        UserMistake: the file cannot be read, or a line is broken; the message has the line's number.
    """
    if format not in FORMATS:
        raise UserMistake(
            "There is no format “{format}”; choose one of {known}.", format=format, known=", ".join(FORMATS)
        )
    with _readable(path):
        if format in _RDF:
            yield from _read_rdf(path, format)
        elif format == "ddb":
            yield from read_disease_database(path)
        else:
            yield from _read_lines(path, format)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """A file that proves not to be what its name says, while it is read, is the user's mistake."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UserMistake(
            "{name} is cut off or is not a gzip file ({reason}); get it again.", name=path.name, reason=error
        ) from error


def _opened(path: Path) -> IO[bytes]:
    try:
        return cast(IO[bytes], gzip.open(path, "rb")) if path.suffix.lower() == ".gz" else path.open("rb")
    except OSError as error:
        raise UserMistake("Cannot read {path}: {reason}.", path=path, reason=error.strerror or error) from error


def _read_rdf(path: Path, format: str) -> Iterator[Quad]:
    with _opened(path) as file:
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            file.seek(0)
        try:
            for triple in parse(input=file, format=_RDF[format], base_iri=f"urn:file:{quote(path.stem)}:"):
                yield Quad(triple.subject, triple.predicate, triple.object, DefaultGraph())
        except SyntaxError as error:
            line = error.lineno or (_line_of_broken_xml(path) if format == "rdfxml" else None)
            reason = re.sub(r"^Parser error at line .*?: ", "", error.msg)
            told = {"name": path.name, "format": format, "reason": reason}
            if line:
                raise UserMistake(
                    "Line {line} of {name} is not valid {format}: {reason}.", line=line, **told
                ) from error
            raise UserMistake("{name} is not valid {format}: {reason}.", **told) from error


def _line_of_broken_xml(path: Path) -> int | None:
    parser = expat.ParserCreate()
    with _opened(path) as file:
        try:
            parser.ParseFile(file)
        except expat.ExpatError as error:
            return error.lineno
    return None


def _read_lines(path: Path, format: str) -> Iterator[Quad]:
    graph, skipped, is_first = DefaultGraph(), 0, True
    separator, columns = _SEPARATORS[format], _COLUMNS.get(format, _ENDS)
    places = [columns.index(end) for end in _ENDS]
    with _opened(path) as file:
        for number, raw in enumerate(file, start=1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise UserMistake(
                    "Line {number} of {name} is not UTF-8; convert the file to UTF-8.", number=number, name=path.name
                ) from error
            if not line.strip():
                continue
            fields = [field.strip() for field in line.split(separator)]
            if len(fields) != 3:
                expected = separator.join(columns).replace("\t", "<TAB>")
                shown = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
                raise UserMistake(
                    "Line {number} of {name} is not {expected}: “{shown}”; mend it or take it out.",
                    number=number,
                    name=path.name,
                    expected=expected,
                    shown=shown,
                )
            if is_first and (named := _named_columns(fields)):
                places = [named.index(end) for end in _ENDS]
                continue
            is_first = False
            head, relation, tail = (fields[place] for place in places)
            if not (head and relation and tail):
                skipped += 1  # large collections have some; an empty name says nothing
                continue
            value = entity_node(tail) if len(tail) <= _LONGEST_NAME else Literal(tail)
            yield Quad(entity_node(head), relation_node(relation), value, graph)
    if skipped:
        _log.warning("%s: %d lines with an empty name were left out.", path.name, skipped)


def _named_columns(fields: Sequence[str]) -> list[str]:
    """The columns that a header tells, in its order; none for a triple."""
    named = [_HEADER.get(field.lstrip("#").strip().casefold(), "") for field in fields]
    return named if set(named) == set(_ENDS) else []
