"""The values of Wikidata's statements, as a person would write them.

Their forms: https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

import math
from collections.abc import Mapping
from datetime import date
from typing import Any, Literal

from babel.dates import format_date, format_skeleton
from pydantic import AliasPath, BaseModel, Field

_JULIAN = "http://www.wikidata.org/entity/Q1985786"


def _inside(name: str) -> Any:
    return Field(validation_alias=AliasPath("value", name))


class Value(BaseModel):
    """A value of a type that is not told apart below: a string, an address, or one that is yet to be invented."""

    type: str
    value: Any

    @property
    def ids(self) -> tuple[str, ...]:
        """The items whose labels `text` needs."""
        return ()

    def text(self, labels: Mapping[str, str], language: str) -> str:  # noqa: ARG002
        """The value in words of `language`; empty where it says nothing to a reader."""
        return self.value if isinstance(self.value, str) else ""


class EntityValue(Value):
    """An item or a property."""

    type: Literal["wikibase-entityid"]
    id: str = _inside("id")

    @property
    def ids(self) -> tuple[str, ...]:
        """Itself."""
        return (self.id,)

    def text(self, labels: Mapping[str, str], language: str) -> str:  # noqa: ARG002
        """Its label."""
        return labels[self.id]


class TextValue(Value):
    """Text in a language of its own, as a title is."""

    type: Literal["monolingualtext"]
    said: str = _inside("text")

    def text(self, labels: Mapping[str, str], language: str) -> str:  # noqa: ARG002
        """The text as it is."""
        return self.said


class QuantityValue(Value):
    """A decimal number, with the address of a unit's item, or "1" where there is no unit."""

    type: Literal["quantity"]
    amount: str = _inside("amount")
    unit: str = _inside("unit")

    @property
    def ids(self) -> tuple[str, ...]:
        """The unit."""
        return () if self.unit == "1" else (self.unit.rpartition("/")[2],)

    def text(self, labels: Mapping[str, str], language: str) -> str:  # noqa: ARG002
        """The number as it stands there, so that programs can read it, and the unit's label."""
        return " ".join([self.amount.removeprefix("+"), *(labels[unit] for unit in self.ids)])


class CoordinateValue(Value):
    """A place, in degrees, as precise as `precision` degrees."""

    type: Literal["globecoordinate"]
    latitude: float = _inside("latitude")
    longitude: float = _inside("longitude")
    precision: float | None = Field(None, validation_alias=AliasPath("value", "precision"))

    def text(self, labels: Mapping[str, str], language: str) -> str:  # noqa: ARG002
        """Latitude and longitude with as many digits as the precision bears."""
        digits = min(6, max(0, math.ceil(-math.log10(self.precision or 0.0001))))
        north_south, east_west = "N" if self.latitude >= 0 else "S", "E" if self.longitude >= 0 else "W"
        return f"{abs(self.latitude):.{digits}f}° {north_south}, {abs(self.longitude):.{digits}f}° {east_west}"


class TimeValue(Value):
    """A date and how much of it is known.

    Precision: 11 day, 10 month, 9 year, 8 decade, 7 century, 6 millennium, below that rough. Years before the common
    era are negative, and there is no year 0. Month and day are 0 where they are not known.
    """

    type: Literal["time"]
    time: str = Field(validation_alias=AliasPath("value", "time"), pattern=r"^[+-]\d+-\d\d-\d\dT")
    precision: int = _inside("precision")
    calendar: str = Field("", validation_alias=AliasPath("value", "calendarmodel"))

    def text(self, labels: Mapping[str, str], language: str) -> str:  # noqa: ARG002
        """The date to its precision: "1879", "March 1879", "14 March 1879", "44 BCE", "19th century"."""
        year, month, day = map(int, self.time[1:].partition("T")[0].split("-"))
        precision = min(self.precision, 11 if month and day else 10 if month else 9)
        if precision <= 8:
            written = _span_of_years(year, precision, language)
        else:
            written = _calendar_date(year, month, day, precision, language)
        if self.time.startswith("-"):
            written = f"公元前{written}" if language == "zh" else f"{written} BCE"
        if precision < 11 or self.calendar != _JULIAN:
            return written
        return f"{written}（儒略历）" if language == "zh" else f"{written} (Julian calendar)"


AnyValue = EntityValue | TimeValue | QuantityValue | CoordinateValue | TextValue | Value


def _calendar_date(year: int, month: int, day: int, precision: int, language: str) -> str:
    locale = "en_GB" if language == "en" else language
    try:
        at = date(year, month or 1, day or 1)
    except (ValueError, OverflowError):  # beyond the year 9999, or a 29 February that only the Julian calendar has
        parts = (year, month, day)[: precision - 8]
        if language == "zh":
            return "".join(f"{part}{unit}" for part, unit in zip(parts, "年月日", strict=False))
        return "-".join(f"{part:02d}" for part in parts)
    if precision == 11:
        written = format_date(at, "long", locale=locale)
    else:
        written = format_skeleton("y" if precision == 9 else "yMMMM", at, locale=locale)
    return written.replace("\N{NARROW NO-BREAK SPACE}", " ")


def _span_of_years(year: int, precision: int, language: str) -> str:
    decade, century, millennium = year // 10 * 10, _begun(year, 100), _begun(year, 1000)
    if language == "zh":
        return {8: f"{decade}年代", 7: f"{century}世纪", 6: f"第{millennium}个千年"}.get(precision, f"约{year}年")
    spans = {8: f"{decade}s", 7: f"{_ordinal(century)} century", 6: f"{_ordinal(millennium)} millennium"}
    return spans.get(precision, f"about {year}")


def _begun(year: int, length: int) -> int:
    """How many spans of `length` years have begun in `year`: the year 1900 is in the 19th century."""
    return -(-year // length)


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
