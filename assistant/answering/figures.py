"""Numbers as texts in any language write them, each in all ways to read it."""

import re
from collections.abc import Iterator
from decimal import Decimal

FIGURE = r"\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*"
_FIGURE = re.compile(FIGURE)
_SEPARATORS = re.compile(r"[.,]")


def readings(figure: str) -> frozenset[Decimal]:
    """All numbers that a figure may be: "1.234" is one thing in English and another in German; none for a date.

    A sign that stands there twice groups digits in every language.
    """
    first, *others = _parts(figure)
    signs = _SEPARATORS.findall(figure)
    grouped = len(signs) > 1 and signs[-1] in signs[:-1]
    ways = set[Decimal]()
    if not others:
        ways.add(Decimal(first))
    if others and len(first) <= 3 and all(len(part) == 3 for part in others):
        ways.add(Decimal(first + "".join(others)))
    if others and not grouped and all(len(part) == 3 for part in others[:-1]):
        ways.add(Decimal(f"{first}{''.join(others[:-1])}.{others[-1]}"))
    return frozenset(ways)


def numbers(text: str) -> Iterator[frozenset[Decimal]]:
    """The numbers of a text, each in all ways to read it; of a date its parts."""
    for match in _FIGURE.finditer(text):
        ways = readings(match[0])
        yield from (ways,) if ways else (frozenset({Decimal(part)}) for part in _parts(match[0]))


def _parts(figure: str) -> list[str]:
    return _SEPARATORS.split(re.sub(r"[^\d.,]", "", figure))
