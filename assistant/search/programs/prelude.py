"""What every program begins with: `number` and `year`, and functions of Python that wait for what they call.

The sandbox runs this source in Monty before a program. The readers are plain Python, so that a program may call them
for each of thousands of values, in whatever Monty sorts by; Monty's own `max` and the like cannot wait for one of our
functions that their key calls, these can.

Values come as text: "51,393,010", "1.3 million", "582,646 km²", "14 March 1879". What has no number or no year is NaN:
it goes last in any order, is neither the most nor the least, and a sum with it is none; empty cells of tables alone are
left out of sums. A year before the common era is negative, and a century stands for its first year, a decade of it for
that one's.
"""

import math
import re
from typing import Any

UNREAD: list[str] = []  # what was read and has no number, or no year
EMPTY = "–"  # a cell of a table

NUMBER = re.compile(r"(?:(?<!\w)[-−])?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
# As many languages write them: 10 000,50 or 1'204, and 17,40 or 1.204.500. "1.350" may as well be one and a third.
SPACED = re.compile(r"(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)")
WITH_COMMA = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|0,\d+|\d+,(?:\d{1,2}|\d{4,}))(?![\d.,]*\d)"
)
SCALED = re.compile(r"\s*(thousand|million|billion|trillion|万亿|亿|万)", re.IGNORECASE)
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "万": 1e4, "亿": 1e8, "万亿": 1e12}

FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")
HAN_YEAR = re.compile(r"(\d+)年")
ANY_DIGITS = re.compile(r"\d+")
BEFORE_CHRIST = re.compile(
    r"公元前|^\s*前?[-−前]\d|\d(?:st|nd|rd|th)?(?: century)?,? ?(?:b\.? ?c\b|bce\b|v\. ?chr|av\. ?j)", re.IGNORECASE
)
CENTURY = re.compile(
    r"(\d{1,2}|[一二三四五六七八九十]{1,3})(?:(?:st|nd|rd|th)[ -]century|世纪(?:(\d0)年代)?)", re.IGNORECASE
)
MILLENNIUM = re.compile(r"(\d{1,2})(?:st|nd|rd|th)[ -]millennium", re.IGNORECASE)
HAN_DIGITS = "零一二三四五六七八九"
# "2 August" and "August 2," before a year of less than four digits, in whatever language; or alone.
DAY_AND_MONTH = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?\.?(?: of)? [^\W\d_]{3,}\.?,? (?=\d)"
    r"|\b[^\W\d_]{3,}\.? \d{1,2}(?:st|nd|rd|th)?,? (?=\d)"
    r"|^\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?$"
    r"|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?$"
    r"|\d{1,2}月(?:\d{1,2}[日号])?",
    re.IGNORECASE,
)


def number(value: object) -> float:
    """The number in a value, or in the first of several."""
    text = with_points(first(value))
    found = NUMBER.search(text)
    if found is None:
        UNREAD.append(text)
        return math.nan
    total, last = 0.0, math.inf
    while found is not None:
        scale = SCALED.match(text[found.end() :])
        size = SCALES[scale.group(1).lower()] if scale else 1.0
        if not size < last:  # 3亿5000万 is one number, 3万 5万 are two
            break
        total += float(found.group(0).replace(",", "").replace("−", "-")) * size
        if scale is None or scale.group(1) not in "万亿":
            break
        text, last = text[found.end() + scale.end() :], size
        found = NUMBER.match(text)
        if found is not None and SCALED.match(text[found.end() :]) is None:
            break
    return total


def with_points(text: str) -> str:
    """The text with its first number as Python writes one, where another language has other signs in it."""
    spaced = SPACED.search(text)
    if spaced:
        digits = "".join([sign for sign in spaced.group(0) if sign.isdigit()])
        text = text[: spaced.start()] + digits + text[spaced.end() :]
    found = WITH_COMMA.search(text)
    if found:
        text = text[: found.start()] + found.group(0).replace(".", "").replace(",", ".") + text[found.end() :]
    return text


def year(value: object) -> float:
    """The year in a value, or in the first of several."""
    text = first(value)
    before = BEFORE_CHRIST.search(text) is not None
    found = FOUR_DIGITS.search(text)
    if found:
        return -int(found.group(0)) if before else int(found.group(0))
    for pattern, length in ((CENTURY, 100), (MILLENNIUM, 1000)):
        span = pattern.search(text)
        if span:
            ordinal = ordinal_of(span.group(1))
            decade = int(span.group(2)) if length == 100 and span.group(2) else 1
            return -ordinal * length if before else (ordinal - 1) * length + decade
    han = HAN_YEAR.search(text)
    found = ANY_DIGITS.search(han.group(1) if han else DAY_AND_MONTH.sub("", text))
    if found is None:
        UNREAD.append(text)
        return math.nan
    return -int(found.group(0)) if before else int(found.group(0))


def first(value: object) -> str:
    """A value as text, or the first of several."""
    while isinstance(value, (list, tuple)):
        value = value[0] if value else ""
    return str(value)


def ordinal_of(text: str) -> int:
    """A small number in digits or in Chinese: 19 and 十九."""
    if text[0].isdigit():
        return int(text)
    tens, _, ones = text.rpartition("十")
    if "十" in text:
        return 10 * (HAN_DIGITS.index(tens) if tens else 1) + (HAN_DIGITS.index(ones) if ones else 0)
    return HAN_DIGITS.index(text[0])


def is_unread(value: Any) -> bool:
    """Whether a value, or a part of it, is NaN."""
    if isinstance(value, (list, tuple)):
        return any(is_unread(part) for part in value)
    return isinstance(value, float) and math.isnan(value)


def by_value(items: Any, key: Any, reverse: bool) -> tuple[list[Any], list[Any]]:
    """The items by what the key gives for them, and those for which it gives nothing."""
    ordered: list[Any] = []
    without: list[Any] = []
    for item in items:
        value = item if key is None else key(item)
        if is_unread(value):
            without.append(item)
            continue
        low, high = 0, len(ordered)
        while low < high:
            middle = (low + high) // 2
            if (ordered[middle][0] < value) if reverse else (ordered[middle][0] > value):
                high = middle
            else:
                low = middle + 1
        ordered.insert(low, (value, item))
    return [item for _, item in ordered], without


def sorted(items: Any, key: Any = None, reverse: bool = False) -> list[Any]:
    """As Python's."""
    ordered, without = by_value(items, key, reverse)
    return ordered + without


def most(items: tuple[Any, ...], key: Any, default: Any, reverse: bool) -> Any:
    """The first by value; NaN where one of several numbers that are given by themselves is."""
    if key is None and len(items) > 1 and is_unread(items):
        return math.nan
    ordered, _ = by_value(items[0] if len(items) == 1 else items, key, reverse)
    return ordered[0] if ordered else default


def max(*items: Any, key: Any = None, default: Any = None) -> Any:
    """As Python's."""
    return most(items, key, default, True)


def min(*items: Any, key: Any = None, default: Any = None) -> Any:
    """As Python's."""
    return most(items, key, default, False)


def added(items: Any) -> list[Any]:
    """The items that a sum is made of: without the empty cells, where nothing else has no number."""
    listed = list(items)
    if UNREAD and all(text == EMPTY for text in UNREAD):
        return [item for item in listed if not is_unread(item)] or listed
    return listed


def sum(items: Any, start: Any = 0) -> Any:
    """As Python's, without the empty cells."""
    total = start
    for item in added(items):
        total = total + item
    return total


def average(items: Any) -> Any:
    """The mean, without the empty cells; NaN of nothing."""
    listed = added(items)
    return sum(listed) / len(listed) if listed else math.nan


def map(function: Any, items: Any) -> list[Any]:
    """As Python's, at once."""
    return [function(item) for item in items]


def filter(function: Any, items: Any) -> list[Any]:
    """As Python's, at once."""
    return [item for item in items if function(item)]
