"""Currencies, languages and the chemical elements, from CLDR, ISO 639 and the table of elements."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import periodictable
import pycountry
from babel import Locale, UnknownLocaleError
from pyoxigraph import Quad

from assistant.knowledge_bases.world import data
from assistant.knowledge_bases.world.element_names import NAMES
from assistant.knowledge_bases.world.quads import (
    Named,
    Weights,
    aliases,
    cldr_names,
    description,
    fact,
    kind,
    labels,
    locale,
    node,
)

# By which namesakes are ranked; cities weigh what they have of people.
_ELEMENT, _LANGUAGE, _CURRENCY = 5 * 10**10, 4 * 10**10, 3 * 10**10


def currencies(codes: Iterable[str], weights: Weights) -> Iterator[Quad]:
    """The currencies with these ISO 4217 codes; people say "tugrik" and 兹罗提 for the only one of that unit."""
    names = {code: cldr_names("currencies", code) | data.CURRENCY_NAMES.get(code, {}) for code in sorted(set(codes))}
    units = {code: (named["en"].split()[-1], _chinese_unit(named["zh"])) for code, named in names.items()}
    of_that_unit = Counter(unit for both in units.values() for unit in both)
    for code, named in names.items():
        subject, alone = node("currency", code), [unit for unit in units[code] if unit and of_that_unit[unit] == 1]
        weights[subject.value] = _CURRENCY
        yield from labels(subject, named)
        yield from aliases(subject, code, *alone)
        yield kind(subject, "currency")
        yield from fact(subject, "currency_code", code)
        yield from description(
            subject, f"{named['en']} is a currency with the code {code}.", f"{named['zh']}是一种货币，代码为{code}。"
        )


def _chinese_unit(name: str) -> str:
    """兹罗提 of 波兰兹罗提, whose country goes before it; empty where nothing does, or one character is left."""
    countries = [country for country in locale("zh").territories.values() if name.startswith(country)]
    unit = name.removeprefix(max(countries, key=len, default=name))
    return unit if len(unit) > 1 else ""


def language_names(code: str) -> Named:
    """The names of the language with this ISO 639 code; none of groups of languages."""
    if "en" in (names := cldr_names("languages", code)):
        return names
    known = pycountry.languages.get(**{f"alpha_{len(code)}": code})
    return names | {"en": known.name} if known else {}


def languages(codes: Iterable[str], weights: Weights) -> Iterator[Quad]:
    """The languages with these ISO 639 codes."""
    for code in sorted(set(codes)):
        subject, named = node("language", code), language_names(code)
        english, chinese = named["en"], named.get("zh", "")
        weights[subject.value] = _LANGUAGE
        yield from labels(subject, named)
        written = f"{chinese[:-1]}文" if chinese.endswith("语") else ""
        yield from aliases(
            subject, f"{english} language", written, _own_name(code), *data.LANGUAGE_ALIASES.get(code, ())
        )
        yield kind(subject, "language")
        yield from fact(subject, "language_code", code)
        yield from description(subject, f"{english} is a language.", f"{chinese or english}是一种语言。")


def _own_name(code: str) -> str:
    try:
        return str(Locale(code).languages.get(code, ""))
    except UnknownLocaleError:
        return ""


def elements(weights: Weights) -> Iterator[Quad]:
    """The elements from hydrogen to oganesson."""
    for element in periodictable.elements:
        subject, number, symbol = node("element", element.symbol), element.number, element.symbol
        weights[subject.value] = _ELEMENT
        english, chinese = element.name, data.CHINESE_ELEMENTS[number - 1]
        group, period = position(number)
        elsewhere = {language: names[number - 1] for language, names in NAMES.items()}
        yield from labels(subject, {"en": english, "zh": chinese, **elsewhere})
        yield from aliases(subject, symbol, f"{chinese}元素", *data.ELEMENT_ALIASES.get(symbol, ()))
        yield kind(subject, "element")
        yield from fact(subject, "symbol", symbol)
        yield from fact(subject, "atomic_number", str(number))
        yield from fact(subject, "atomic_mass", f"{element.mass:.8g} u")
        yield from fact(subject, "density", *_density(element))
        yield from fact(subject, "period", str(period))
        yield from fact(subject, "group", str(group) if group else "")
        yield from description(
            subject,
            f"{english.capitalize()} (symbol {symbol}) is the chemical element with atomic number {number}, in period "
            f"{period}" + (f" and group {group}." if group else "."),
            f"{chinese}（符号{symbol}）是原子序数为{number}的化学元素，位于第{period}周期"
            + (f"第{group}族。" if group else "。"),
        )


def position(number: int) -> tuple[int | None, int]:
    """Group (IUPAC's 1 to 18; None for the f-block) and period of the element with this atomic number."""
    period = next(index for index, noble in enumerate(data.NOBLE_GASES, start=1) if number <= noble)
    noble = data.NOBLE_GASES[period - 1]
    before = data.NOBLE_GASES[period - 2] if period > 1 else 0
    from_left, from_right = number - before, 18 - (noble - number)
    if from_left <= 2 and number != noble:
        return from_left, period
    return (from_right if from_right >= 3 else None), period


def _density(element: Any) -> tuple[str, str]:
    """In English and Chinese; empty where it was never measured. Gases are given as liquids at their boiling point."""
    caveat = str(element.density_caveat or "")
    if element.density is None or caveat.startswith(("unavailable", "calculated", "estimated")):
        return "", ""
    value = f"{element.density:g}"
    if caveat.startswith("T=-"):
        degrees = caveat[3:].partition(",")[0]
        return f"{value} g/cm³ (liquid at -{degrees} °C)", f"{value} 克/立方厘米（液态，-{degrees} °C）"
    return f"{value} g/cm³", f"{value} 克/立方厘米"
