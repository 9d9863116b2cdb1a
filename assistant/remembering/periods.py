"""Days, months and years as models write them: 2019-05-03, 2019-05, 2019, June, "June last year", "2 weeks ago"."""

import re
from calendar import month_name, monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memory.folding import ascii_digits

_MONTHS = tuple(month_name)[1:]
_ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_NAMED = re.compile(rf"(?P<month>{'|'.join(_MONTHS)})(?P<before> last year)?")
_COUNTED = re.compile(r"(?P<count>\d{1,2}) (?P<unit>year|month|week|day)s? (?P<way>ago|ahead)")
_YEARS = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")

# What `period` reads, as rules of a grammar (GBNF): `date` is what names its year, `time` may count from today.
DATE = r"""date ::= year ("-" two ("-" two)?)?
year ::= ("1" [0-9] | "20") [0-9] [0-9]
two ::= [0-3] [0-9]"""
TIME = rf"""{DATE}
time ::= date | month (" last year")? | count (" ago" | " ahead")
count ::= [1-9] [0-9]? " " ("year" | "month" | "week" | "day") "s"?
month ::= {" | ".join(f'"{name}"' for name in _MONTHS)}"""


@dataclass(frozen=True, slots=True)
class Period:
    """From the first to the last day."""

    first: date
    last: date


def period(
    written: str, today: date | None = None, *, ahead: bool = False, after: Period | None = None
) -> Period | None:
    """What is meant, seen from `today`; None for no period, for a day that no calendar has, and without `today` for
    what names no year.

    A month alone is the last there was, or the next one that is `ahead`; or the first one `after` another period began.
    """
    named, month, counted = (form.fullmatch(written.strip()) for form in (_ISO, _NAMED, _COUNTED))
    try:
        if named:
            return _calendar(*(int(part or 0) for part in named.groups()))
        if today and month:
            return _month(_MONTHS.index(month["month"]) + 1, today, month["before"] is not None, ahead, after)
        if today and counted:
            return _counted(int(counted["count"]) * (1 if counted["way"] == "ahead" else -1), counted["unit"], today)
    except (ValueError, OverflowError):
        pass
    return None


def names_other_year(written: str, text: str) -> bool:
    """Whether it names a year that a text does not have."""
    return not _years(written) <= _years(text)


def names_year(text: str) -> bool:
    """Whether a text has a number that may be a year."""
    return bool(_years(text))


def _years(text: str) -> set[str]:
    """The numbers that may be years, in whatever digits they are written."""
    return set(_YEARS.findall(ascii_digits(text)))


def first_day(written: str) -> datetime | None:
    """When what names its year begins; None for anything else."""
    meant = period(written)
    return moment(meant.first) if meant else None


def last_day(written: str) -> datetime | None:
    """The last day of it; see `first_day`."""
    meant = period(written)
    return moment(meant.last) if meant else None


def moment(day: date) -> datetime:
    """The moment at which a day begins."""
    return datetime.combine(day, time(), UTC)


def _month(month: int, today: date, before: bool, ahead: bool, after: Period | None) -> Period:
    if before:
        return _calendar(today.year - 1, month)
    if after:
        return _calendar(after.first.year + (month < after.first.month), month)
    passed = month < today.month if ahead else month <= today.month
    return _calendar(today.year + (passed if ahead else passed - 1), month)


def _counted(count: int, unit: str, today: date) -> Period:
    if unit == "year":
        return _calendar(today.year + count)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + count
        return _calendar(months // 12, months % 12 + 1)
    day = today + timedelta(days=count * (7 if unit == "week" else 1))
    return Period(day, day)


def _calendar(year: int, month: int = 0, day: int = 0) -> Period:
    if day:
        return Period(date(year, month, day), date(year, month, day))
    if month:
        return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))
    return Period(date(year, 1, 1), date(year, 12, 31))
