"""Sums that an answer writes out, as "12 × 29 € = 348 €": right or wrong in every language.

Only what surely is one is looked at: no percentages, no brackets or powers, nothing that is in other units than what it
was computed from ("4 × 15 min = 1 h"), and nothing that an operator goes on from or leads to.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product

from assistant.answering.figures import FIGURE, readings

_SIGNS = r"×*·÷+−–/:^\-"
_UNIT = rf"\s?([^\s\d.,;!?%‰¹²³⁴-⁹()\[\]=≈<>|{_SIGNS}]{{0,12}})"
_TERM = rf"[$€£¥]?({FIGURE}){_UNIT}"
_SIGN = r"\s*([×*·÷+])\s*|\s([x−–/:-])\s"
_SUM = re.compile(
    rf"(?<![\w.,:%$€£¥])((?:{_TERM}(?:{_SIGN})){{1,7}}){_TERM}\s*=\s*(?>{_TERM})(?!\s*[%‰(¹²³⁴-⁹{_SIGNS}\d])"
)
_TERMS = re.compile(rf"{_TERM}(?:{_SIGN}|\s*$)")
_BEFORE = re.compile(rf"[(x{_SIGNS}]\s*$")
_ADDING = ("+", "−", "–", "-")
_WAYS = 64  # to read the numbers of one sum

_Term = tuple[str, str, str | None]  # a number, its unit, and the sign behind it


def miscalculated(text: str) -> Iterator[str]:
    """The sums of a text that come to something else, however their numbers are read."""
    for match in _SUM.finditer(text):
        terms = [(term[1], term[2], term[3] or term[4]) for term in _TERMS.finditer(match[0].partition("=")[0])]
        result, unit = match.groups()[-2:]
        if _BEFORE.search(text[: match.start()]) or not _is_of_one_unit(terms, unit):
            continue
        if not _comes_to(terms, result):
            yield match[0]


def _is_of_one_unit(terms: list[_Term], unit: str) -> bool:
    """Whether only the like is added up, and the result is of a unit that was in it."""
    added, own = list[set[str]](), set[str]()
    for _, of, sign in terms:
        own |= {of} - {""}
        if sign is None or sign in _ADDING:
            added.append(own)
            own = set()
    alike = len(added) == 1 or all(units == added[0] and len(units) <= 1 for units in added)
    return alike and (not unit or any(unit.startswith(own) for own in set().union(*added)))


def _comes_to(terms: list[_Term], result: str) -> bool:
    ways = [readings(figure) for figure, *_ in terms]
    signs = [sign for *_, sign in terms]
    if not all(ways):  # a date
        return True
    for number, values in enumerate(product(*ways)):
        if number >= _WAYS:
            return True
        value = _value(values, signs)
        if value is None or any(_is_about(value, told) for told in readings(result)):
            return True
    return False


def _value(values: tuple[Decimal, ...], signs: Sequence[str | None]) -> Decimal | None:
    """Products before sums; None where something is divided by nothing."""
    total, part = Decimal(0), values[0]
    for sign, value in zip(signs, values[1:], strict=False):
        if sign in _ADDING:
            total, part = total + part, value if sign == "+" else -value
        elif sign in ("÷", "/", ":"):
            if not value:
                return None
            part /= value
        else:
            part *= value
    return total + part


def _is_about(value: Decimal, told: Decimal) -> bool:
    """Whether it is told as far as its digits go; a span of years may be told without its sign."""
    exponent = told.as_tuple().exponent
    half = Decimal(1).scaleb(exponent) / 2 if isinstance(exponent, int) else Decimal(0)
    return abs(abs(value) - told) <= half
