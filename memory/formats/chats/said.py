"""What the readers of conversations have in common: what was said and when, and the pieces that it becomes."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath

from memory.formats.pieces import Piece, one_line
from memory.formats.tables import name_of

_LONGEST_NAME = 200  # characters, of a title or a speaker; titles are said again with each passage
_LONGEST_NUMBER = 40  # characters
_MILLISECONDS_FROM = 1e11  # as seconds that would be the year 5138
_LIST_OR_CODE = re.compile(r"^[^\S\n]*(?:```|[-*+•▪◦●][^\S\n]|\d{1,3}[.)][^\S\n]|\||#{1,6}[^\S\n])", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody said; `day` is one of ISO 8601, and each of the others may be "" where nobody knows it."""

    day: str
    time: str
    who: str
    text: str


def conversation(title: str, messages: Iterable[Message], *, apart: bool = False) -> Iterator[Piece]:
    """The title and the days as headings, and one piece for each message in which something is said.

    `apart`: who speaks and when is a heading too, for messages so long that parts of them are found alone.
    """
    title, titled, day, above = named(title) or stem(""), False, "", ""
    for message in messages:
        text = _as_said(message.text)
        if not text:
            continue
        if not titled:
            yield Piece(title, 1)
            titled = True
        if message.day and message.day != day:
            day, above = message.day, ""
            yield Piece(day, 2)
        before = " ".join(filter(None, (message.time, named(message.who))))
        if apart:
            heading = before or (above and title)  # nobody is known to speak: not who spoke last
            if heading != above:
                above = heading
                yield Piece(heading, 3)
            yield Piece(text)
        else:
            yield Piece(f"{before}{':' if message.who else ''} {text}" if before else text)


def at(moment: datetime | None, who: str, text: str) -> Message:
    """What was said at a moment; where that has a time zone, it is named."""
    if moment is None:
        return Message("", "", who, text)
    zone = moment.tzname()
    clock = f"{moment.hour:02}:{moment.minute:02}"
    return Message(moment.date().isoformat(), f"{clock} {zone}" if zone else clock, who, text)


def other(value: object) -> Message:
    """What stands among messages and is none, as "name: value; name: value"."""
    said: list[str] = []
    waiting: list[tuple[str, object]] = [("", value)]
    while waiting:
        name, inner = waiting.pop()
        if isinstance(inner, dict):
            waiting += reversed([(name_of(f"{name} {key}"), one) for key, one in inner.items()])
        elif isinstance(inner, list):
            waiting += reversed([(name, one) for one in inner])
        elif inner is not None and inner != "":
            told = inner if isinstance(inner, str) else json.dumps(inner)
            said.append(f"{name}: {told}" if name else told)
    return Message("", "", "", "; ".join(said))


def named(name: str) -> str:
    """A title or a speaker in one line, the endless ones cut."""
    return one_line(name[: 2 * _LONGEST_NAME])[:_LONGEST_NAME]


def stem(name: str) -> str:
    """The name of a file without its folder, its suffix, and what stands around it."""
    return PurePath(name).stem.strip(" _") or "Conversation"


def epoch(value: object) -> datetime | None:
    """The moment of a number of seconds or milliseconds since 1970, which may be written as a text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value[:_LONGEST_NUMBER] if isinstance(value, str) else value)
        return datetime.fromtimestamp(seconds / 1000 if seconds > _MILLISECONDS_FROM else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def iso(value: object) -> datetime | None:
    """The moment of a text such as 2025-06-12T18:04:00, in the time zone that it names."""
    if not isinstance(value, str) or len(value) > _LONGEST_NUMBER:
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def field(value: object, *path: str) -> object:
    """What stands in objects within objects; None where there is nothing."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def string(value: object, *path: str) -> str:
    """The text there; "" where there is none."""
    found = field(value, *path)
    return found if isinstance(found, str) else ""


def items(value: object, *path: str) -> list[object]:
    """The list there; an empty one where there is none."""
    found = field(value, *path)
    return found if isinstance(found, list) else []


def most(values: Sequence[object], are: Callable[[object], bool]) -> bool:
    """Whether more than half of the values are so."""
    return 2 * sum(map(are, values)) > len(values)


def _as_said(text: str) -> str:
    """A message as one paragraph; lists, tables and code keep their lines."""
    if not _LIST_OR_CODE.search(text):
        return one_line(text)
    lines = "\n".join(line.rstrip() for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", lines).strip()
