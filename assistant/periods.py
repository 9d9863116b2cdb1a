"""Periods of the calendar, as the understanding of a message names them: "yesterday", "last month", "2024-03"."""

import re
from datetime import UTC, date, datetime, time, timedelta

NAMES = (
    "today", "yesterday", "this week", "last week", "this month", "last month", "this year", "last year", "so far"
)  # fmt: skip
_DATE = re.compile(r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2]))?")


def is_period(words: str) -> bool:
    """Whether these name a period: one of the names, a year or a month of it."""
    return words in NAMES or bool(_DATE.fullmatch(words))


def days(period: str, at: datetime) -> tuple[datetime, datetime]:
    """When a period begins and ends, in this process's time zone; a week begins on Monday."""
    today = at.astimezone().date()
    if period == "so far":
        return datetime.min.replace(tzinfo=UTC), _midnight(today + timedelta(days=1))
    first, following = _span(period, today)
    return _midnight(first), _midnight(following)


def _span(period: str, today: date) -> tuple[date, date]:
    """The first day, and the first that is not of it any more."""
    monday, this_month = today - timedelta(days=today.weekday()), 12 * today.year + today.month - 1
    match period:
        case "today":
            return today, today + timedelta(days=1)
        case "yesterday":
            return today - timedelta(days=1), today
        case "this week":
            return monday, monday + timedelta(days=7)
        case "last week":
            return monday - timedelta(days=7), monday
        case "this month":
            return _months(this_month, 1)
        case "last month":
            return _months(this_month - 1, 1)
        case "this year":
            return _months(12 * today.year, 12)
        case "last year":
            return _months(12 * (today.year - 1), 12)
    year, _, month = period.partition("-")
    if not month:
        return _months(12 * int(year), 12)
    return _months(12 * int(year) + int(month) - 1, 1)


def _months(first: int, count: int) -> tuple[date, date]:
    """So many months from one on, which is counted from the year 0."""
    following = first + count
    return date(first // 12, first % 12 + 1, 1), date(following // 12, following % 12 + 1, 1)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time()).astimezone()
