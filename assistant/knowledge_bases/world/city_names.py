"""Names of the world's cities by language.

GeoNames does not say in which language an alternate name is, so that those only serve to find a city by. What it is
called in a language, CLDR says of the cities that time zones are named after. Chinese names are chosen among the
alternate names besides, which mix simplified with traditional characters, Taiwan's transcriptions with the mainland's,
and names of today with those of the past.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from babel.core import get_global
from opencc import OpenCC

from assistant.knowledge_bases.files.names import name_key
from assistant.knowledge_bases.world.data import CHINESE_CITIES
from assistant.knowledge_bases.world.quads import Named, locale, zone_names

_HAN_NAME = re.compile(r"[\u4e00-\u9fff·]{2,}")


class CityNames:
    """Chooses the name that a reader of a language expects; in Chinese, one on the mainland."""

    def __init__(self, cities: Iterable[Mapping[str, Any]]) -> None:
        """`cities` are the most populous first."""
        zones = {zone: zone_names(zone) for zone in map(str, locale("zh").time_zones)}
        territories = locale("zh").territories.values()
        self._simplified = OpenCC("t2s")
        # Transcriptions use few characters; those of CLDR's own names tell the usual ones.
        self._usual = Counter("".join((*territories, *(names["zh"] for names in zones.values()))))
        in_zone: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for city in cities:
            in_zone[_of_today(city["timezone"])].append(city)
        named = ((_named_like(names["en"], in_zone[_of_today(zone)]), names) for zone, names in zones.items())
        self._of_zone: dict[int, Named] = {city["geonameid"]: names for city, names in named if city}

    def names(self, city: Mapping[str, Any]) -> Named:
        """GeoNames' name in English, and what is known in other languages.

        In Chinese by hand where the data is wrong, else CLDR's name of its time zone, else the best of its alternate
        names.
        """
        names = {**self._of_zone.get(city["geonameid"], {}), "en": city["name"]}
        by_hand = CHINESE_CITIES.get((city["countrycode"], city["name"]))
        chinese = by_hand or names.get("zh") or self._best(city["alternatenames"])
        return names | ({"zh": chinese} if chinese else {})

    def _best(self, alternates: Iterable[str]) -> str:
        """Best is a name that has 市 after it elsewhere, then one that was simplified to begin with, then one of usual
        characters, then the shortest; empty where none is Chinese."""
        originals: dict[str, bool] = {}
        for name in filter(_HAN_NAME.fullmatch, alternates):
            simplified = self._simplified.convert(name)
            originals[simplified] = originals.get(simplified, False) or simplified == name

        def rank(name: str) -> tuple[bool, bool, float, int]:
            usual = sum(self._usual[character] > 0 for character in name) / len(name)
            return f"{name}市" in originals, originals[name], usual, -len(name)

        candidates = [name for name in originals if not (name.endswith("市") and name[:-1] in originals)]
        return max(candidates, key=rank, default="")


def _of_today(zone: str) -> str:
    """The zone's id of today: CLDR keeps those of the past, as Asia/Calcutta."""
    return str(get_global("zone_aliases").get(zone, zone))


def _named_like(name: str, cities: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The city of that name, else the first that has it in its own ("New York City"); but Panama is no city."""
    folded, words = name_key(name), set(name_key(name).split())
    longer = [city for city in cities if words <= set(name_key(city["name"]).split())]
    called = [city for city in longer if name_key(city["name"]) == folded]
    if not called and name in locale("en").territories.values():
        return None
    return next(iter([*called, *longer]), None)
