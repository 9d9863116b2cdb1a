"""Chinese names of the world's cities.

GeoNames does not say in which language an alternate name is, and mixes simplified with traditional characters, Taiwan's
transcriptions with the mainland's, and names of today with those of the past.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from babel import Locale
from opencc import OpenCC

from assistant.knowledge_bases.files.names import fold
from assistant.knowledge_bases.world.data import CHINESE_CITIES

_HAN_NAME = re.compile(r"[\u4e00-\u9fff·]{2,}")


class ChineseCities:
    """Chooses the name that a reader on the mainland expects."""

    def __init__(self, cities: Iterable[Mapping[str, Any]]) -> None:
        chinese, english = Locale("zh"), Locale("en")
        zones = {zone: names["city"] for zone, names in chinese.time_zones.items() if "city" in names}
        self._simplified = OpenCC("t2s")
        # Transcriptions use few characters; those of CLDR's own names tell the usual ones.
        self._usual = Counter("".join((*chinese.territories.values(), *zones.values())))
        largest: dict[str, int] = {}
        for city in cities:
            largest.setdefault(fold(city["name"]), city["geonameid"])
        self._of_zone: dict[int, str] = {}
        for zone, name in zones.items():
            called = english.time_zones.get(zone, {}).get("city") or zone.rpartition("/")[2].replace("_", " ")
            if fold(called) in largest:
                self._of_zone[largest[fold(called)]] = name

    def name(self, city: Mapping[str, Any]) -> str:
        """Its Chinese name; empty where none is known.

        By hand where the data is wrong, else CLDR's name of its time zone, else the best of its alternate names.
        """
        known = CHINESE_CITIES.get((city["countrycode"], city["name"])) or self._of_zone.get(city["geonameid"])
        return known or self._best(city["alternatenames"])

    def _best(self, alternates: Iterable[str]) -> str:
        """Best is a name that has 市 after it elsewhere, then one that was simplified to begin with, then one of usual
        characters, then the shortest."""
        originals: dict[str, bool] = {}
        for name in filter(_HAN_NAME.fullmatch, alternates):
            simplified = self._simplified.convert(name)
            originals[simplified] = originals.get(simplified, False) or simplified == name

        def rank(name: str) -> tuple[bool, bool, float, int]:
            usual = sum(self._usual[character] > 0 for character in name) / len(name)
            return f"{name}市" in originals, originals[name], usual, -len(name)

        candidates = [name for name in originals if not (name.endswith("市") and name[:-1] in originals)]
        return max(candidates, key=rank, default="")
