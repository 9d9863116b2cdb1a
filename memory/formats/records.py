"""Records: CSV and JSON, each one paragraph of "name: value"."""

import csv
import json
import re
from collections.abc import Iterator

from memory.errors import UserMistake
from memory.formats.chats.reading import read_chat_json, read_chat_text
from memory.formats.pieces import Piece, decoded, each_line, one_line
from memory.formats.tables import name_of, records

_SAID = re.compile(r"sep=(.)\n")
_SAMPLE = 10_000  # characters, to tell how columns are set apart


def read_csv(name: str, data: bytes) -> Iterator[Piece]:
    """One piece a row, below titles and the row that names the columns; Excel may say first what sets these apart."""
    text = decoded(name, data)
    if said := _SAID.match(text):
        text, delimiter = text[said.end() :], said[1]
    else:
        try:  # how it quotes is not guessed: what has to be quoted may come after the sample only
            delimiter = csv.Sniffer().sniff(text[:_SAMPLE], ",;\t|").delimiter
        except csv.Error:
            delimiter = ","
    rows = csv.reader(each_line(text), delimiter=delimiter, skipinitialspace=delimiter != "\t")
    try:
        yield from records([one_line(cell) for cell in row] for row in rows)
    except csv.Error as error:
        raise UserMistake(
            "{name} is no table of values ({reason}); save it anew as CSV.", name=name, reason=error
        ) from None


def read_json_lines(name: str, data: bytes) -> Iterator[Piece]:
    """As `read_json`, of a file in which each line is a value by itself; a line that is none is text."""
    text = decoded(name, data)
    if said := read_chat_text(name, text):
        yield from said
        return
    for line in each_line(text):
        try:
            yield _record(_leaves(_parsed(line)))
        except (json.JSONDecodeError, RecursionError):
            yield Piece(one_line(line))


def read_json(name: str, data: bytes) -> Iterator[Piece]:
    """The messages of an exported conversation; else one piece for each item of a list, and for each object in a list
    within the whole; names are paths.

    Numbers stay as they are written: Python reads no integer of 5,000 digits, and other digits where there is a point.
    """
    text = decoded(name, data)
    try:
        value = _parsed(text)
        yield from read_chat_json(name, value) or list(_records(value))
    except (json.JSONDecodeError, RecursionError) as error:
        if said := read_chat_text(name, text):  # a value a line
            yield from said
            return
        raise UserMistake(
            "{name} is no JSON ({reason}); correct it and add it again.", name=name, reason=error
        ) from None


def _parsed(text: str) -> object:
    value: object = json.loads(text, parse_int=str, parse_float=str)
    return value


def record(value: object) -> Piece:
    """An object, a list or a value as "path: value; path: value"."""
    return _record(_leaves(value))


def _records(value: object) -> Iterator[Piece]:
    for item in value if isinstance(value, list) else ():
        yield _record(_leaves(item))
    if not isinstance(value, list):
        apart: list[tuple[str, object]] = []
        yield _record(_leaves(value, apart=apart))
        yield from (_record(_leaves(item, path)) for path, item in apart)


def _leaves(value: object, path: str = "", apart: list[tuple[str, object]] | None = None) -> Iterator[tuple[str, str]]:
    """The values in a value with their names; lists that hold objects go to `apart` instead, where it is given."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, name_of(f"{path} {key}"), apart)
    elif isinstance(value, list) and apart is not None and any(isinstance(inner, dict) for inner in value):
        apart += ((path, inner) for inner in value)
    elif isinstance(value, list) and not any(isinstance(inner, (dict, list)) for inner in value):
        yield path, ", ".join(text for inner in value for _, text in _leaves(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, path)
    elif value is not None:
        yield path, value if isinstance(value, str) else json.dumps(value)


def _record(fields: Iterator[tuple[str, str]]) -> Piece:
    said = ((name, one_line(value)) for name, value in fields)
    return Piece("; ".join(f"{name}: {value}" if name else value for name, value in said if value))
