"""What programs read off values, which come as text: "51,393,010", "1.3 million", "582,646 km²", "14 March 1879".

What has no number or no year is NaN: it is neither less nor more than anything, and a sum with it is none. A year
before the common era is negative, and a century stands for its first year.
"""

import math
import re
from dataclasses import dataclass

from assistant.moments import moment
from assistant.search.quantities import quantity, spelled_out

_NUMBER = re.compile(r"(?:(?<!\w)[-−])?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_BEFORE_A_SCALE = re.compile(r"(?<=\d) (?=[万亿])")
_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")
_HAN_YEAR = re.compile(r"(\d+)年")
_ANY_DIGITS = re.compile(r"\d{1,9}")
_BEFORE_CHRIST = re.compile(
    r"(?<![a-z])b\.? ?c\b|(?<![a-z])bce|v\. ?chr|av\. ?j|公元前|^\s*前|^\s*[-−]\d", re.IGNORECASE
)
_SPAN = re.compile(
    r"(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})(?:(?:st|nd|rd|th)[ -])?"
    r"(?:(?P<century>century|世纪)|millennium|个?千年)",
    re.IGNORECASE,
)
# "2 August" and "August 2," before a year of less than four digits, in whatever language.
_DAY_AND_MONTH = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?\.?(?: of)? [^\W\d_]{3,}\.?,? (?=\d)|\b[^\W\d_]{3,}\.? \d{1,2}(?:st|nd|rd|th)?,? (?=\d)"
)


@dataclass
class Values:
    """Reads the values of one run; `unread` says how many had no number or year."""

    unread: int = 0

    def number(self, value: object) -> float:
        """The number in a value, or in the first of several."""
        text = _BEFORE_A_SCALE.sub("", _first(value))
        found = _NUMBER.search(spelled_out(text))
        return float(found[0].replace(",", "").replace("−", "-")) if found else self._none()

    def year(self, value: object) -> float:
        """The year in a value, or in the first of several."""
        text = _first(value)
        if (year := _year(text)) is None:
            return self._none()
        return -year if _BEFORE_CHRIST.search(text) else year

    def _none(self) -> float:
        self.unread += 1
        return math.nan


def _first(value: object) -> str:
    while isinstance(value, list | tuple):
        value = value[0] if value else ""
    return str(value)


def _year(text: str) -> int | None:
    """The year without its sign; None where there is none, as in a date or a time of day alone."""
    if found := _FOUR_DIGITS.search(text):
        return int(found[0])
    if span := _SPAN.search(text):
        length = 100 if span["century"] else 1000
        number = int(quantity(span["number"]) or 0)
        return number * length if _BEFORE_CHRIST.search(text) else (number - 1) * length + 1
    if found := _HAN_YEAR.search(text):
        return int(found[1])
    if when := moment(text):
        return when.year
    found = _ANY_DIGITS.search(_DAY_AND_MONTH.sub("", text))
    return int(found[0]) if found else None
