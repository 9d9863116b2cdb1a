"""What can be said of one country on its own, from its row in GeoNames' table: names, codes, figures, languages."""

from collections.abc import Iterator
from typing import Any

import pycountry
from babel.languages import get_official_languages
from pyoxigraph import NamedNode, Quad

from assistant.knowledge_bases.world import data
from assistant.knowledge_bases.world.quads import Named, cldr_names, fact, zone_names
from assistant.knowledge_bases.world.things import language_names

Country = dict[str, Any]

_SUBREGION_OF = {code: region for region, codes in data.SUBREGIONS.items() for code in codes.split()}


def subregion_of(country: Country) -> str:
    """The UN M49 code of its subregion."""
    return _SUBREGION_OF[country["iso"]]


def region_names(code: str) -> Named:
    """The names of a UN M49 region."""
    return cldr_names("territories", code)


def country_names(country: Country) -> Named:
    """The names that are shown."""
    code = country["iso"]
    zone = data.NAMED_AS_ZONES.get(code)
    names = zone_names(zone) if zone else cldr_names("territories", code)
    english = data.ENGLISH_NAMES.get(code) or country["name"].strip()
    return names | {"en": english, "zh": data.CHINESE_NAMES.get(code) or names["zh"]}


def country_aliases(country: Country) -> tuple[str, ...]:
    """Its other names: formal, short, by code."""
    code = country["iso"]
    iso = pycountry.countries.get(alpha_2=code)  # none for Kosovo, whose code XK is not ISO's
    formal = [getattr(iso, field, "") for field in ("name", "common_name", "official_name")] if iso else []
    cldr = cldr_names("territories", code).values()
    return (*data.OTHER_NAMES.get(code, ()), *formal, *cldr, code, country["iso3"])


def with_article(country: Country, *, begins: bool = False) -> str:
    """Its English name within a sentence: "the Netherlands", "Kenya"."""
    name = country_names(country)["en"]
    article = ("The " if begins else "the ") if country["iso"] in data.WITH_ARTICLE else ""
    return article + name


def currency_code(country: Country) -> str:
    """ISO 4217; empty where there is none."""
    return data.CURRENCY_CODES.get(country["iso"]) or str(country["currencycode"])


def official_languages(country: Country) -> tuple[str, ...]:
    """ISO 639 codes."""
    code = country["iso"]
    tags = data.OFFICIAL_LANGUAGES.get(code) or get_official_languages(code, regional=False, de_facto=True)
    return tuple(dict.fromkeys(tag.partition("_")[0] for tag in tags))  # CLDR adds the script: zh_Hant


def spoken_languages(country: Country) -> tuple[str, ...]:
    """ISO 639 codes, the most spoken first; groups of languages are left out."""
    codes = (tag.partition("-")[0] for tag in country["languages"].split(","))
    return tuple(code for code in dict.fromkeys(codes) if code and language_names(code))


def country_facts(subject: NamedNode, country: Country) -> Iterator[Quad]:
    """Its figures and codes."""
    people, area = country["population"], country["areakm2"]
    if people:
        yield from fact(subject, "population", f"{people:,}")
    if area:
        yield from fact(subject, "area", f"{area:,} km²", f"{area:,} 平方公里")
    if people and area:
        density = f"{people / area:,.1f}"
        yield from fact(subject, "population_density", f"{density} people per km²", f"每平方公里{density}人")
    calling = country["phone"].strip()
    yield from fact(subject, "calling_code", f"+{calling}" if calling[:1].isdigit() else calling)
    yield from fact(subject, "internet_domain", country["tld"])
    yield from fact(subject, "currency_code", currency_code(country))
    yield from fact(subject, "iso_code", country["iso"])
    yield from fact(subject, "iso_alpha3", country["iso3"])
    if country["isonumeric"]:
        yield from fact(subject, "iso_numeric", f"{country['isonumeric']:03}")
    iso = pycountry.countries.get(alpha_2=country["iso"])
    yield from fact(subject, "official_name", getattr(iso, "official_name", ""))
