"""When a fact held, as the words around it tell: "since 2019", "until last May", "from 2015 to 2019", "used to".

A day, a month or a year is meant by its first day where something begins, and by its last where something ends.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memory.folding import terms

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
_MONTH += r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: n for n, word in enumerate(_WORDS, 1)}
_NUMBERS |= {"a": 1, "an": 1} | {word: n for n, word in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
# From the longest to the shortest: "3 May 2019" is no month, "May 2019" no year.
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_YEAR}-(?P<number>\d\d)-(?P<day>\d\d)\b",
        rf"\b{_DAY} {_MONTH},? {_YEAR}\b",
        rf"\b{_MONTH} {_DAY},? {_YEAR}\b",
        rf"\b{_MONTH},?(?: of)? {_YEAR}\b",
        rf"\b{_YEAR}-(?P<number>\d\d)\b",
        rf"{_YEAR}\s*年(?:(?P<number>\d\d?)\s*月(?:(?P<day>\d\d?)\s*[日号])?)?",
        rf"\b{_YEAR}\b",
    )
)
# These count from the day on which something is said.
_RELATIVE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?P<which>last|this) {_MONTH}\b",
        r"\b(?P<which>last|this) (?P<unit>year|month|week)\b",
        r"\b(?P<count>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?P<unit>year|month|week|day)s? ago\b",
        r"\b(?P<which>yesterday|today)\b",
        r"(?P<which>去年|今年|前年)(?:(?P<number>\d\d?)\s*月)?",
        r"(?P<which>上|这)个?(?P<unit>月|周|星期)",
        r"(?P<count>\d+|[一二两三四五六七八九十])个?(?P<unit>年|月|周|星期|天)[之以]?前",
        r"(?P<which>昨天|今天)",
        rf"\b{_MONTH}(?= |$|[,.;])",
    )
)
_UNITS = {"year": 365, "month": 30, "week": 7, "day": 1, "年": 365, "月": 30, "周": 7, "星期": 7, "天": 1}
_SINCE = re.compile(r"(since|from|starting|as of|[自从])\s*(early |mid |late |about |around )?$", re.IGNORECASE)
_UNTIL = re.compile(
    r"(until|till|up to|through|to|[–—-]|直?到|至)\s*(early |mid |late |about |around )?$", re.IGNORECASE
)
_SINCE_AFTER = re.compile(r"\s*(以来|起|开始|就)")
_BEGINNING = re.compile(
    r"\b(move[ds]?|joined|started|began|married|bought|became|switched)\b|搬|加入|开始|结婚|换", re.IGNORECASE
)
_PAST = re.compile(
    r"\b(used to|formerly|previously|no longer|any ?more|once (lived|worked)|former|ex)\b"
    r"|(?<!have )(?<!has )(?<!'ve )\b(lived|worked|studied|was married|was employed)\b"
    r"|以前|之前|曾|过去|不再|原来|[住做干当]过",
    re.IGNORECASE,
)
_OVER = re.compile(r"\bno longer\b|(\bnot|n['’]t)\b.*\bany ?more\b|不再", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween (.{3,20}?) and (?=.{0,15}\d)", re.IGNORECASE)
_CLAUSE_END = re.compile(  # but not within "May 3, 2020"
    r"[,，;；。](?!\s*(?:19|20)\d\d\b)\s*|\s+(?:and|but|then)\s+|(?=然后|现在|后来|但)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Held:
    """The first and the last moment at which something held, where the words tell; `until` is never ahead."""

    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Period:
    first: date
    last: date


def held(text: str, about: str, at: datetime, *, spoken: bool) -> Held:
    """When the fact held that `text` tells, and of whose clauses `about` is a part.

    `at` is when it was told. In the chat (`spoken`) the words count from that moment: "last May", "used to". In a
    document nobody knows which day its "now" is, so only dates that name their year count, and what is no longer so has
    ended by the time that it is read.
    """
    clause = _clause(text, about)
    itself = _only_a_time(about)  # "the exam is on 3 May": that is what it says, not since when
    since = until = None
    for start, end, period in _periods(clause, at, spoken=spoken):
        before, after = clause[:start], clause[end:]
        if itself and clause[start:end].rstrip(".") in about:
            continue
        if _UNTIL.search(before) and not (_SINCE.search(before) or _SINCE_AFTER.match(after)):
            until = until or period.last
        elif _SINCE.search(before) or _SINCE_AFTER.match(after) or _BEGINNING.search(clause):
            since = since or period.first
    ended = _moment(until)
    if ended is not None and ended > at:
        ended = None
    if ended is None and until is None and (_PAST if spoken else _OVER).search(clause):
        ended = at
    return Held(_moment(since), ended)


def _clause(text: str, about: str) -> str:
    """The clause that names `about`, with one beside it that tells nothing but a time."""
    text = _BETWEEN.sub(r"from \1 to ", text)
    clauses = [part for part in _CLAUSE_END.split(text) if part.strip()]
    wanted = set(terms(about))
    if not clauses:
        return text
    place = max(range(len(clauses)), key=lambda i: (len(wanted & set(terms(clauses[i]))), i))
    chosen = clauses[place]
    for beside in (place - 1, place + 1):
        if 0 <= beside < len(clauses) and _only_a_time(clauses[beside]):
            chosen = f"{clauses[beside]} {chosen}" if beside < place else f"{chosen} {clauses[beside]}"
    return chosen


def _only_a_time(clause: str) -> bool:
    rest = clause
    for pattern in (*_DATES, *_RELATIVE):
        rest = pattern.sub(" ", rest)
    return rest != clause and not set(terms(rest)) - {"since", "until", "till", "ago", "自", "直到", "以来", "开始"}


def _periods(clause: str, at: datetime, *, spoken: bool) -> Iterator[tuple[int, int, _Period]]:
    """Each time that a clause names, in its order, and where it stands there."""
    found: dict[int, tuple[int, int, _Period]] = {}
    taken: set[int] = set()
    for pattern in (*_DATES, *(_RELATIVE if spoken else ())):
        for match in pattern.finditer(clause):
            place = range(*match.span())
            period = _period(match.groupdict(), at.date()) if taken.isdisjoint(place) else None
            if period is not None:
                taken.update(place)
                found[match.start()] = (match.start(), match.end(), period)
    yield from (found[start] for start in sorted(found))


def _period(told: dict[str, str | None], today: date) -> _Period | None:
    """What the named parts of a time mean; None for a day that no calendar has."""
    month = told.get("month")
    number = _MONTHS.index(month[:3].lower()) + 1 if month else int(told.get("number") or 0)
    which, unit, count = ((told.get(name) or "").lower() for name in ("which", "unit", "count"))
    try:
        if count:
            return _ago(today, (_NUMBERS.get(count) or int(count)) * _UNITS[unit], unit)
        if unit:
            return _ago(today, _UNITS[unit] if which in ("last", "上") else 0, unit)
        if which in ("yesterday", "昨天", "today", "今天"):
            return _ago(today, int(which in ("yesterday", "昨天")), "day")
        year = int(told.get("year") or 0) or today.year - {"去年": 1, "前年": 2}.get(which, 0)
        if month and not told.get("year") and (number > today.month or (which == "last" and number == today.month)):
            year -= 1
        return _calendar(year, number, int(told.get("day") or 0))
    except (ValueError, OverflowError):
        return None


def _ago(today: date, days: int, unit: str) -> _Period | None:
    day = today - timedelta(days=days)
    if unit in ("year", "年"):
        return _calendar(day.year, 0, 0)
    if unit in ("month", "月"):
        return _calendar(day.year, day.month, 0)
    return _Period(day, day)


def _calendar(year: int, month: int, day: int) -> _Period:
    if day:
        return _Period(date(year, month, day), date(year, month, day))
    if month:
        following = date(year + month // 12, month % 12 + 1, 1)
        return _Period(date(year, month, 1), following - timedelta(days=1))
    return _Period(date(year, 1, 1), date(year, 12, 31))


def _moment(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC)
