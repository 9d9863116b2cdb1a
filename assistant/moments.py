"""Dates and times of day as texts write them, in English or Chinese, and which of two comes first."""

import re
from dataclasses import dataclass

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{3,4})"
# From the longest to the shortest; one of each kind is taken.
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>\d{4})-(?P<number>\d\d)(?:-(?P<day>\d\d))?\b",
        r"\b(?P<day>\d\d?)\.(?P<number>\d\d?)\.(?P<year>\d{4})\b",
        rf"\b{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR}\b)?",
        rf"\b{_MONTH} (?:the )?{_DAY}\b(?:,? {_YEAR}\b)?",
        rf"\b{_MONTH}(?:,?(?: of)? {_YEAR}\b)?",
        r"(?P<year>\d{3,4})年(?:(?P<number>\d\d?)月(?:(?P<day>\d\d?)[日号])?)?",
        r"(?P<number>\d\d?)月(?:(?P<day>\d\d?)[日号])?",
        rf"\b{_YEAR}\b",
    )
]
_TIMES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<hour>[0-2]?\d):(?P<minute>[0-5]\d)(?:\s*(?P<half>[ap])\.?m\b\.?)?",
        r"\b(?P<hour>1?\d)\.(?P<minute>[0-5]\d)\s*(?P<half>[ap])\.?m\b\.?",
        r"\b(?P<hour>1?\d)\s*(?P<half>[ap])\.?m\b\.?",
        r"\b(?P<hour>1?\d) o['’]clock",
        r"(?P<part>早上|上午|中午|下午|晚上)?(?P<hour>[0-2]?\d)[点时](?:(?P<minute>[0-5]?\d)分?|(?P<thirty>半))?",
    )
]
_BESIDE = re.compile(
    r"\b(?:on|in|at|about|around|c\.|the|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b\.?)"
    r"|(?:星期|周)[一二三四五六日天]|约|于",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or a time of day, as far as it is told; minutes count from midnight."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    minutes: int | None = None

    def is_before(self, other: "Moment") -> bool | None:
        """Whether it comes first; None where they do not tell. "3 May" and "12 April" are taken to be of one year."""
        for own, its in zip(self._parts(), other._parts(), strict=True):
            if own != its:
                return None if own is None or its is None else own < its
        return None

    def _parts(self) -> tuple[int | None, ...]:
        return self.year, self.month, self.day, self.minutes


def moment(text: str) -> Moment | None:
    """What a text says that is a date or a time of day and nothing else; None for any other."""
    date, rest = _first(_DATES, text)
    time, rest = _first(_TIMES, rest)
    if not (date or time) or re.search(r"[^\W_]", _BESIDE.sub(" ", rest)):
        return None
    month = date.get("month")
    number = _MONTHS.index(month[:3].lower()) + 1 if month else _number(date.get("number"))
    return Moment(_number(date.get("year")), number, _number(date.get("day")), _minutes(time))


def _first(patterns: list[re.Pattern[str]], text: str) -> tuple[dict[str, str | None], str]:
    """What the first pattern that fits names, and the text without it."""
    match = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    return (match.groupdict(), f"{text[: match.start()]} {text[match.end() :]}") if match else ({}, text)


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _minutes(time: dict[str, str | None]) -> int | None:
    hour = _number(time.get("hour"))
    if hour is None:
        return None
    half = (time.get("half") or "").lower()
    if half:
        hour = hour % 12 + 12 * (half == "p")
    elif time.get("part") in ("下午", "晚上") and hour < 12:
        hour += 12
    return hour * 60 + (30 if time.get("thirty") else _number(time.get("minute")) or 0)
