"""Calendars and address cards (.ics, .vcf; RFC 5545 and 6350): each entry is one piece of "name: value"."""

import quopri
import re
from collections.abc import Iterator

from memory.encodings import decode
from memory.formats.pieces import Piece, decoded, one_line
from memory.formats.tables import name_of

_LINE = re.compile(r'^(?:[\w-]+\.)?([\w-]+)((?:;[^":]*(?:"[^"]*"[^":]*)*)?):(.*)$')
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_ZONE = re.compile(r';TZID="?([^";]+)', re.IGNORECASE)
_QUOTED = "QUOTED-PRINTABLE"  # as cards of version 2.1 have it
_CHARSET = re.compile(r';CHARSET="?([^";]+)', re.IGNORECASE)
_ESCAPED = re.compile(r"\\([\\;,nN])")
# What programs tell each other.
_FOR_PROGRAMS = frozenset(
    ("UID", "DTSTAMP", "SEQUENCE", "PRODID", "VERSION", "PHOTO", "KEY", "REV", "CALSCALE", "METHOD")
)


def read_components(name: str, data: bytes) -> Iterator[Piece]:
    """The events, tasks and people of a file, each with what stands in the parts of it."""
    entries: list[list[str]] = [[]]
    within = [entries[0]]
    for line in _unfolded(decoded(name, data)):
        said = _LINE.match(line)
        if said is None:
            continue
        label, value = said[1].upper(), said[3].strip()
        if label == "BEGIN":
            entries.append([])
            within.append(entries[-1])
        elif label == "END":
            del within[max(1, len(within) - 1) :]
        elif value and label not in _FOR_PROGRAMS and not label.startswith("X-"):
            within[-1].append(f"{name_of(label.lower())}: {one_line(_said(label, said[2], value))}")
    yield from (Piece("; ".join(fields)) for fields in entries if fields)


def _unfolded(text: str) -> Iterator[str]:
    """The lines, with what goes on in the next ones: set in, or, of a quoted value, behind a "=" at the end."""
    parts: list[str] = []
    quoted = False
    for line in text.split("\n"):
        if quoted and parts[-1].endswith("="):
            parts[-1] = parts[-1][:-1]
            parts.append(line)
        elif parts and line.startswith((" ", "\t")):
            parts.append(line[1:])
        else:
            yield "".join(parts)
            parts, quoted = [line], _QUOTED in line.partition(":")[0].upper()
    yield "".join(parts)


def _said(label: str, about: str, value: str) -> str:
    if _QUOTED in about.upper():
        value = _unquoted(about, value)
    time = _TIME.fullmatch(value) if label != "TEL" else None
    if time is None:
        return _ESCAPED.sub(_meant, value)
    zone = _ZONE.search(about)
    return f"{_time(time)} {zone[1]}" if zone and time[4] and not time[6] else _time(time)


def _unquoted(about: str, value: str) -> str:
    data = quopri.decodestring(value.encode())
    charset = _CHARSET.search(about)
    try:
        return data.decode(charset[1], "replace") if charset else decode(data) or value
    except (LookupError, ValueError):
        return decode(data) or value


def _meant(escaped: re.Match[str]) -> str:
    return "\n" if escaped[1] in "nN" else escaped[1]


def _time(time: re.Match[str]) -> str:
    day = f"{time[1]}-{time[2]}-{time[3]}"
    return f"{day} {time[4]}:{time[5]}{' UTC' if time[6] else ''}" if time[4] else day
