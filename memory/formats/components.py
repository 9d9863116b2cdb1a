"""Calendars and address cards (.ics, .vcf; RFC 5545 and 6350): each entry is one piece of "name: value"."""

import re
from collections.abc import Iterator

from memory.formats.pieces import Piece, decoded, one_line
from memory.formats.tables import name_of

_FOLDED = re.compile(r"\n[ \t]")
_LINE = re.compile(r'^(?:[\w-]+\.)?([\w-]+)((?:;[^":]*(?:"[^"]*"[^":]*)*)?):(.*)$')
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_ESCAPED = re.compile(r"\\([\\;,nN])")
# What programs tell each other.
_FOR_PROGRAMS = frozenset(
    ("UID", "DTSTAMP", "SEQUENCE", "PRODID", "VERSION", "PHOTO", "KEY", "REV", "CALSCALE", "METHOD")
)


def read_components(name: str, data: bytes) -> Iterator[Piece]:
    """The events, tasks and people of a file, each with what stands in the parts of it."""
    fields: list[str] = []
    for line in _FOLDED.sub("", decoded(name, data)).split("\n"):
        said = _LINE.match(line)
        if said is None:
            continue
        label, value = said[1].upper(), said[3].strip()
        if label in ("BEGIN", "END"):
            yield from [Piece("; ".join(fields))] if fields else []
            fields = []
        elif value and label not in _FOR_PROGRAMS and not label.startswith("X-"):
            fields.append(f"{name_of(label.lower())}: {one_line(_said(label, value))}")
    yield from [Piece("; ".join(fields))] if fields else []


def _said(label: str, value: str) -> str:
    time = _TIME.fullmatch(value) if label != "TEL" else None
    return _time(time) if time else _ESCAPED.sub(_meant, value)


def _meant(escaped: re.Match[str]) -> str:
    return "\n" if escaped[1] in "nN" else escaped[1]


def _time(time: re.Match[str]) -> str:
    day = f"{time[1]}-{time[2]}-{time[3]}"
    return f"{day} {time[4]}:{time[5]}{' UTC' if time[6] else ''}" if time[4] else day
