"""Periods of the calendar, as a user names them: "yesterday", "last month", "in March 2024", 去年."""

import re
from datetime import UTC, date, datetime, time, timedelta

_RELATIVE = {
    "today": ("today", "今天"),
    "yesterday": ("yesterday", "昨天"),
    "this week": ("this week", "这周|本周|这个星期|这星期"),
    "last week": ("last week", "上周|上个星期|上星期"),
    "this month": ("this month", "这个月|本月"),
    "last month": ("last month", "上个月|上月"),
    "this year": ("this year", "今年"),
    "last year": ("last year", "去年"),
    "so far": ("so far|(?:un)?til now|up to now|to date", "(?:到)?目前(?:为止)?|到现在(?:为止)?|至今|迄今(?:为止)?"),
}
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTHS_ZH = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_YEAR = r"(?:19|20)\d\d"
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in _MONTHS)
_MONTH_ZH = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"


def _of_language(place: int) -> str:
    return "|".join(words[place] for name, words in _RELATIVE.items() if name != "so far")


# As part of a pattern. Where only its name says what it is, as with "May", it needs a word before it.
ENGLISH = (
    rf"(?:(?:(?:from|of|in|during) )?(?:{_of_language(0)})"
    rf"|(?:from|of|in|during) {_YEAR}|(?:from|in|during) (?:{_MONTH})(?:,?(?: of)? (?:{_YEAR}|(?:this|last) year))?)"
)
CHINESE = rf"(?:{_of_language(1)}|(?:{_YEAR}年|今年|去年)的?(?:{_MONTH_ZH})|{_YEAR}年|{_MONTH_ZH})"
SO_FAR, SO_FAR_ZH = (f"(?:{words})" for words in _RELATIVE["so far"])


def named(words: str) -> str:
    """The period that words name which fit one of the patterns.

    As in "last month"; "2024" is a year, "2024-03" a month of it, "last year-03" one of that, "-03" the latest March,
    and "so far" all until now.
    """
    relative = (
        name
        for name, (english, chinese) in _RELATIVE.items()
        if re.search(rf"\b(?:{english})\b|{chinese}", words, re.IGNORECASE)
    )
    year = re.search(_YEAR, words)
    month = re.search(rf"\b(?:{_MONTH})\b|{_MONTH_ZH}", words, re.IGNORECASE)
    return (year[0] if year else next(relative, "")) + (f"-{_number(month[0]):02}" if month else "")


def days(period: str, at: datetime) -> tuple[datetime, datetime]:
    """When a period, as `named` calls it, begins and ends, in this process's time zone; a week begins on Monday."""
    today = at.astimezone().date()
    if period == "so far":
        return datetime.min.replace(tzinfo=UTC), _midnight(today + timedelta(days=1))
    first, following = _span(period, today)
    return _midnight(first), _midnight(following)


def _number(month: str) -> int:
    """The number of a month: of "March", "3月", "三月"."""
    zh = month.removesuffix("月")
    if zh == month:
        return next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(month[:3].lower()))
    return int(zh) if zh.isdecimal() else _MONTHS_ZH.index(zh) + 1


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
    years = {"": today.year - (int(month) > today.month), "this year": today.year, "last year": today.year - 1}
    of = years[year] if year in years else int(year)
    return _months(12 * of + int(month) - 1, 1)


def _months(first: int, count: int) -> tuple[date, date]:
    """So many months from one on, which is counted from the year 0."""
    following = first + count
    return date(first // 12, first % 12 + 1, 1), date(following // 12, following % 12 + 1, 1)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time()).astimezone()
