"""Conversations that came as text: WhatsApp's exports, and what tools write of Signal's chats.

Everything is told by its form: whoever brings a chat may have a telephone in any language.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from email.utils import parsedate_to_datetime
from itertools import pairwise
from pathlib import PurePath

from memory.formats.chats.said import Message, at, conversation, stem
from memory.formats.pieces import Piece, each_line

_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_BY_THE_APP = ": \u200e"  # what the app says itself, on some telephones
_ADDED = re.compile("\u200e<[^<>\n]{1,200}>\\s*$")  # that it was edited, what is attached
_HEAD = re.compile(
    r"(?P<open>\[?)"
    r"(?P<a>\d{1,4})[./\-年년]\s?(?P<b>\d{1,2})[./\-月월]\s?(?P<c>\d{1,4})"
    r"(?P<before>[^\d\n:\[\]]{1,25}+)"
    r"(?P<hour>\d{1,2})(?:[:.]|\s?h\s?)(?P<minute>\d{2})(?:[:.]\d{2})?"
    r"(?P<after>[^\d\n:\[\],–—-]{0,12}?)"
    r"(?P<end>\]\s?|\s[-–—]\s|,\s)"
    r"(?P<rest>.*)"
)
_PLAIN_HEAD = re.compile(
    r"(?P<open>)(?P<a>\d{4})-(?P<b>\d\d)-(?P<c>\d\d)(?P<before>\s)(?P<hour>\d\d):(?P<minute>\d\d)(?P<after>)(?::\d\d)?"
    r"(?P<end>\s)(?P<rest>\S.*)"
)
_SENDER = re.compile(r"""([^:"“”«»]{1,80}?)\s?[:：](?:\s+|$)""")
_LEFT_OUT = re.compile(r"<[^<>\n]{0,100}[^\W\d_][^<>\n]{0,100}>")
_HALF_OF_DAY = re.compile(r"([ap])\W{0,2}m\W{0,2}", re.IGNORECASE)
_AROUND = " \t\u00a0\u202f,،.-–—日일"
_LONGEST_HEAD = 250  # characters of a line in which it is looked for
_LEAST, _LEAST_PLAIN = 2, 4  # messages; the latter of a form in which people write diaries, too
_SHARE, _NAMED_SHARE = 0.5, 0.05  # of the lines that are not blank; the latter where the file's name says what it is
_BUDDHIST, _BUDDHIST_FROM = 543, 2400
_ORDERS = {"day": (2, 1, 0), "month": (2, 0, 1), "year": (0, 1, 2)}  # where year, month and day stand, by what is first
_DETAILED = re.compile(r"Conversation: (?P<title>.*)\n\n(?=(?:From: .*\n)?Type: )")
_DETAILED_HEAD = re.compile(
    r"^(?:From: (?P<who>.*)\n)?Type: [\w-]+\n(?:Sent: (?P<sent>.*)\n)?"
    r"(?:(?:Received|Attachment|Reaction|Edited): .*\n)*",
    re.MULTILINE,
)


def read_text(name: str, text: str) -> Iterator[Piece] | None:
    """The messages of a chat; None where most of the text is none."""
    detailed = _DETAILED.match(text)
    if detailed:
        return conversation(detailed["title"], _detailed(text, detailed.end()))
    form = _form(name, text)
    return conversation(stem(name), _messages(text, form)) if form else None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with which a message begins; `who` is None where the app says something."""

    numbers: tuple[int, int, int]
    hour: int
    minute: str
    half: str  # of the day, as it is written; or any other word beside the time
    who: str | None
    text: str
    by_the_app: bool
    plain: bool


@dataclass(frozen=True, slots=True)
class _Form:
    """What only all lines together tell."""

    order: tuple[int, int, int]
    whole_days: bool  # hours count from 0 to 23
    left_out: frozenset[str]


def _form(name: str, text: str) -> _Form | None:
    """How a chat writes its dates and times; None where the text is no chat."""
    lines = heads = spoken = plain = 0
    senders: set[str] = set()
    orders = {first: _Order(order) for first, order in _ORDERS.items()}
    whole_days = american = False
    by_the_app: Counter[str] = Counter()
    for line in _lines(text):
        lines += bool(line.strip())
        head = _head(line)
        if head is None:
            if not heads and lines:
                return None
            continue
        heads += 1
        plain += head.plain
        if head.who is not None:
            spoken += 1
            senders.add(head.who)
        whole_days |= head.hour > 12 or head.hour == 0
        american |= head.half.isupper() and _HALF_OF_DAY.fullmatch(head.half) is not None
        if head.by_the_app:
            by_the_app[head.text] += 1
        for order in orders.values():
            order.see(head.numbers)
    if 2 * plain > heads and (spoken < _LEAST_PLAIN or 2 * len(senders) > spoken):  # who talks comes back
        return None
    share = _NAMED_SHARE if "whatsapp" in PurePath(name).name.lower() or stem(name) == "chat" else _SHARE
    if spoken < _LEAST or 2 * spoken < heads or heads < share * lines:
        return None
    ranked = ("month", "day", "year") if american and not whole_days else ("day", "month", "year")
    best = min(ranked, key=lambda first: orders[first].faults)
    repeated = frozenset(said for said, count in by_the_app.items() if count > 1)
    return _Form(_ORDERS[best], whole_days, repeated)


class _Order:
    """An order of day, month and year, and what speaks against it."""

    def __init__(self, places: tuple[int, int, int]) -> None:
        self._places = places
        self._none = self._back = 0
        self._last = date.min

    @property
    def faults(self) -> tuple[int, int]:
        """How many dates there are none, and how many come before the one above them."""
        return self._none, self._back

    def see(self, numbers: tuple[int, int, int]) -> None:
        day = _day(numbers, self._places)
        if day is None:
            self._none += 1
        else:
            self._back += day < self._last
            self._last = day


def _day(numbers: tuple[int, int, int], places: tuple[int, int, int]) -> date | None:
    year, month, day = (numbers[place] for place in places)
    if 99 < year < 1000:
        return None
    year = year + 2000 if year < 100 else year - _BUDDHIST if year > _BUDDHIST_FROM else year
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _head(line: str) -> _Line | None:
    """The beginning of a message, if the line is one."""
    if not line[:3].strip() or not any(map(str.isdigit, line[:5])):
        return None
    by_the_app = not line.isascii() and _BY_THE_APP in line[:_LONGEST_HEAD]
    plain = _plain(line)
    match = _HEAD.match(plain) or _PLAIN_HEAD.match(plain)
    if match is None or (match["open"] == "[") != match["end"].startswith("]"):
        return None
    hour, minute = int(match["hour"]), int(match["minute"])
    if hour > 24 or minute > 59:
        return None
    sender = _SENDER.match(match["rest"])
    return _Line(
        (int(match["a"]), int(match["b"]), int(match["c"])),
        hour,
        f"{minute:02}",
        f"{match['before'].strip(_AROUND)} {match['after'].strip(_AROUND)}".strip(),
        sender[1].strip() if sender else None,
        match["rest"][sender.end() :] if sender else match["rest"],
        by_the_app,
        match.re is _PLAIN_HEAD,
    )


def _plain(line: str) -> str:
    """A line without signs that only lay it out, and without what the app adds to it."""
    return line if line.isascii() else _MARKS.sub("", _ADDED.sub("", line))


def _messages(text: str, form: _Form) -> Iterator[Message]:
    """The messages of a text of this form; a line that begins none goes on with the one above."""
    head: _Line | None = None
    said: list[str] = []
    for line in _lines(text):
        begun = _head(line)
        if begun is None:
            said.append(_plain(line))
            continue
        if head is not None:
            yield _message(head, "\n".join(said), form)
        head, said = begun, [begun.text]
    if head is not None:
        yield _message(head, "\n".join(said), form)


def _message(head: _Line, text: str, form: _Form) -> Message:
    day = _day(head.numbers, form.order)
    said = text.strip()
    left_out = (
        head.who is not None
        and not head.plain
        and (_LEFT_OUT.fullmatch(said) is not None or (head.by_the_app and said in form.left_out))
    )
    return Message(day.isoformat() if day else "", _time(head, form), head.who or "", "" if left_out else said)


def _time(head: _Line, form: _Form) -> str:
    """The time from 00:00 to 23:59; where no rule tells which half of the day is meant, as it is written."""
    half = _HALF_OF_DAY.fullmatch(head.half)
    if form.whole_days or not head.half:
        return f"{head.hour:02}:{head.minute}"
    if half is None:
        return f"{head.hour}:{head.minute} {head.half}"
    return f"{head.hour % 12 + 12 * (half[1].lower() == 'p'):02}:{head.minute}"


def _detailed(text: str, start: int) -> Iterator[Message]:
    """The messages of a Signal chat in which each has a head of several lines, as sigtop writes it."""
    heads = [*_DETAILED_HEAD.finditer(text, start), None]
    for head, after in pairwise(heads):
        if head is not None:
            said = text[head.end() : after.start() if after else len(text)]
            try:
                moment = parsedate_to_datetime(head["sent"] or "")
            except (ValueError, TypeError, OverflowError, IndexError):
                moment = None
            yield at(moment, head["who"] or "", said)


def _lines(text: str) -> Iterator[str]:
    return (line.removesuffix("\n") for line in each_line(text))
