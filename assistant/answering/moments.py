"""Dates and times of day as texts write them, in English or Chinese, and which of two comes first."""

import re
from dataclasses import dataclass
from typing import Literal

Clock = Literal["", "24 hours", "half known", "half open"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"\b(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{3,4})"
_NUMBER = r"(?P<number>1[0-2]|0?[1-9])"
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = (
    r"\b(?P<weekday>mon|tue|tues|wed|thu|thurs|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b\.?"
    r"|(?:星期|周)(?P<zh>[一二三四五六日天])"
)
_HAN = {word: number for number, word in enumerate("一二三四五六七八九十", 1)} | {"两": 2, "十一": 11, "十二": 12}
_MORNING, _AFTERNOON = ("凌晨", "早上", "上午"), ("下午", "傍晚", "晚上")
_PART = rf"(?P<part>{'|'.join((*_MORNING, *_AFTERNOON, '中午', '夜里'))})"
_HALF = r"(?P<half>[ap])\.?m\b\.?"


def _patterns(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


# From the longest to the shortest; the first that is found is taken.
_DATES = [
    *_patterns(
        rf"\b(?P<year>\d{{4}})-{_NUMBER}(?:-(?P<day>[12]\d|3[01]|0[1-9]))?(?![-\d])",
        rf"{_DAY}\.{_NUMBER}\.(?P<year>\d{{4}})\b",
        rf"{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR}\b)?",
        rf"\b{_MONTH} (?:the )?{_DAY}\b(?:,? {_YEAR}\b)?",
        rf"\b{_MONTH}(?:,?(?: of)? {_YEAR}\b)?",
        rf"{_YEAR}年(?:{_NUMBER}月(?:(?P<day>[12]\d|3[01]|0?[1-9])[日号])?)?",
        rf"{_NUMBER}月(?:(?P<day>[12]\d|3[01]|0?[1-9])[日号])?",
    ),
    # "Spring 1994", "3 Juni 1994": the year at least
    re.compile(r"^(?:\d\d?\.? )?[A-Z][^\W\d_]+ (?P<year>\d{4})$"),
    *_patterns(
        r"(?:\b(?:early|mid|late)[ -])?\b(?P<decade>\d{3})0['’]?s\b",
        r"(?:\b(?:early|mid|late)[ -])?\b(?P<century>[12]?\d)(?:st|nd|rd|th)[ -]century\b",
        r"(?P<century>[12]?\d)世纪(?:(?P<tens>[1-9])0年代)?[初中末]?期?",
        rf"\b{_YEAR}\b",
    ),
]
_TIMES = _patterns(
    rf"{_PART}?\b(?P<hour>2[0-4]|[01]?\d):(?P<minute>[0-5]\d)(?:\s*{_HALF})?",
    rf"{_PART}(?P<hour>2[0-4]|[01]?\d):(?P<minute>[0-5]\d)",
    rf"\b(?P<hour>1?\d)(?:\.(?P<minute>[0-5]\d))?\s*{_HALF}",
    r"\b(?P<hour>1?\d) o['’]clock",
    rf"{_PART}?(?P<hour>2[0-4]|[01]?\d|十[一二]?|[一二三四五六七八九两])[点时](?:(?P<minute>[0-5]?\d)分?|(?P<thirty>半))?",
)
_WEEK = _patterns(_WEEKDAY)
_BESIDE = re.compile(r"\b(?:on|in|at|about|around|the)\b|\bc\.|约|于", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or a time of day, as far as it is told; minutes count from midnight, weekdays from Monday, 0.

    A decade or a century is its first year and how many follow. A weekday counts only where there is no day of a month.
    Where the half of the day is open, "7:30" may be evening.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    minutes: int | None = None
    clock: Clock = ""
    further_years: int = 0

    def is_before(self, other: "Moment") -> bool | None:
        """Whether it comes first; None where they do not tell. "3 May" and "12 April" are taken to be of one year."""
        if self.year and other.year and (self.further_years or other.further_years):
            if self.year + self.further_years < other.year:
                return True
            return False if other.year + other.further_years < self.year else None
        for own, its in ((self.year, other.year), (self.month, other.month), (self.day, other.day)):
            if own != its:
                return None if own is None or its is None else own < its
        if self.weekday != other.weekday or self.minutes is None or other.minutes is None:
            return None
        return _is_earlier(self, other)


def moment(text: str) -> Moment | None:
    """What a text says that is a date or a time of day and nothing else; None for any other."""
    date, rest = _first(_DATES, text)
    time, rest = _first(_TIMES, rest)
    week, rest = _first(_WEEK, rest)
    if not (date or time) or re.search(r"[^\W_]", _BESIDE.sub(" ", rest)):
        return None
    month = date.get("month")
    number = _MONTHS.index(month[:3].lower()) + 1 if month else _number(date.get("number"))
    day = _number(date.get("day"))
    year, further_years = _years(date)
    return Moment(year, number, day, None if day else _weekday(week), *_clock(time), further_years)


def _is_earlier(one: Moment, other: Moment) -> bool | None:
    """By the clock; None where it hangs on the half of the day that is meant."""
    assert one.minutes is not None and other.minutes is not None
    clocks = {one.clock, other.clock}
    if one.minutes == other.minutes:
        return None
    if clocks == {"half open"}:  # the same half, where both are hours of a morning, or of an afternoon
        return one.minutes < other.minutes if (one.minutes < 7 * 60) == (other.minutes < 7 * 60) else None
    if "half open" in clocks and "half known" in clocks:
        earlier = {first < second for first in _readings(one) for second in _readings(other)}
        return earlier.pop() if len(earlier) == 1 else None
    return one.minutes < other.minutes


def _readings(one: Moment) -> list[int]:
    assert one.minutes is not None
    return [one.minutes, (one.minutes + 12 * 60) % (24 * 60)] if one.clock == "half open" else [one.minutes]


def _first(patterns: list[re.Pattern[str]], text: str) -> tuple[dict[str, str | None], str]:
    """What the first pattern that fits names, and the text without it."""
    match = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    return (match.groupdict(), f"{text[: match.start()]} {text[match.end() :]}") if match else ({}, text)


def _years(date: dict[str, str | None]) -> tuple[int | None, int]:
    """The year, or the first one of a decade or a century, and how many follow: the 20th century begins with 1900."""
    if decade := date.get("decade"):
        return int(decade) * 10, 9
    if century := date.get("century"):
        tens = date.get("tens")
        return (int(century) - 1) * 100 + int(tens or 0) * 10, 9 if tens else 99
    return _number(date.get("year")), 0


def _number(digits: str | None) -> int | None:
    return _HAN.get(digits) or int(digits) if digits else None


def _weekday(week: dict[str, str | None]) -> int | None:
    if name := week.get("weekday"):
        return _WEEKDAYS.index(name[:3].lower())
    return "一二三四五六日".index((week["zh"] or "").replace("天", "日")) if week.get("zh") else None


def _clock(time: dict[str, str | None]) -> tuple[int | None, Clock]:
    hour = _number(time.get("hour"))
    if hour is None:
        return None, ""
    minute = 30 if time.get("thirty") else _number(time.get("minute")) or 0
    half, part = (time.get("half") or "").lower(), time.get("part") or ""
    if half:
        return (hour % 12 + 12 * (half == "p")) * 60 + minute, "half known"
    if part:
        return (hour + 12 * _is_later_half(part, hour)) * 60 + minute, "half known"
    is_open = 1 <= hour <= 12 and not str(time["hour"]).startswith("0")
    return hour * 60 + minute, "half open" if is_open else "24 hours"


def _is_later_half(part: str, hour: int) -> bool:
    """Whether 下午3点 is meant as 15 o'clock; 夜里2点 is early, and 晚上12点 the end of the day."""
    if part == "中午":
        return hour < 11
    if part == "夜里":
        return 6 <= hour <= 12
    return part in _AFTERNOON and hour < 12 + (part == "晚上")
