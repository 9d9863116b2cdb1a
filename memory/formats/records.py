"""Records: CSV and JSON, each record one paragraph of "name: value", so that a sentence says what it means."""

import csv
import itertools
import json
from collections.abc import Iterator

from memory.errors import UserMistake
from memory.formats.pieces import Piece, decoded, one_line

_LONGEST_NAME = 200  # characters; it is said again with each value
_SAMPLE = 10_000  # characters, to tell how columns are set apart


def read_csv(name: str, data: bytes) -> Iterator[Piece]:
    """One piece a row; the first row names the columns, and a cell beyond them has no name."""
    text = decoded(name, data)
    try:  # how it quotes is not guessed: what has to be quoted may come after the sample only
        delimiter = csv.Sniffer().sniff(text[:_SAMPLE], ",;\t|").delimiter
    except csv.Error:
        delimiter = ","
    rows = csv.reader(_lines(text), delimiter=delimiter, skipinitialspace=True)
    try:
        first = next(rows, [])
        columns = [_name(column) for column in first]
        alone = True
        for row in rows:
            alone = False
            yield _record(itertools.zip_longest(columns, row, fillvalue=""))
    except csv.Error as error:
        raise UserMistake(
            "{name} is no table of values ({reason}); save it anew as CSV.", name=name, reason=error
        ) from None
    if alone:
        yield _record(("", value) for value in first)


def read_json(name: str, data: bytes) -> Iterator[Piece]:
    """One piece for each item of a list, and for each object in a list within the whole; names are paths.

    Numbers stay as they are written: Python reads no integer of 5,000 digits, and other digits where there is a point.
    """
    try:
        yield from list(_records(json.loads(decoded(name, data), parse_int=str, parse_float=str)))
    except (json.JSONDecodeError, RecursionError) as error:
        raise UserMistake(
            "{name} is no JSON ({reason}); correct it and add it again.", name=name, reason=error
        ) from None


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends, one after the other: it may have millions of them."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


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
            yield from _leaves(inner, _name(f"{path} {key}"), apart)
    elif isinstance(value, list) and apart is not None and any(isinstance(inner, dict) for inner in value):
        apart += ((path, inner) for inner in value)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, path)
    elif value is not None:
        yield path, value if isinstance(value, str) else json.dumps(value)


def _name(said: str) -> str:
    """A name in one line; of an endless one its end, which in a path says most."""
    return one_line(said)[-_LONGEST_NAME:]


def _record(fields: Iterator[tuple[str, str]]) -> Piece:
    said = ((name, one_line(value)) for name, value in fields)
    return Piece("; ".join(f"{name}: {value}" if name else value for name, value in said if value))
