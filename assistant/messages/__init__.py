"""What Lorekeeper says in words of its own, in the language of whoever it talks to.

    FOUND = Phrase("I found {n}: {names}")
    say("de", FOUND, n=2, names=["Lima", "Cusco"])  # "Ich habe 2 gefunden: Lima und Cusco"

The English text stands where it is said and is what its translations are found by: whoever reads the code reads what
is said, and what a catalogue lacks is said in English. Catalogues are gettext's, one a language, without a compiled
form: `<language>/LC_MESSAGES/lorekeeper.po`. After a phrase was changed or added, from the root of the project:

    pybabel extract -k Phrase:1,1t -k Phrase:1,2,2t -k Phrase:1,2,3t --add-location file -o lorekeeper.pot assistant
    pybabel update -D lorekeeper -i lorekeeper.pot -d assistant/messages -w 120
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal

from assistant.messages.catalogues import catalogue, locale

Value = str | int | date | Sequence[str]


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something to say, in English, with names of values in braces.

    One that counts has a second text, `many`, for all numbers but one; the value `n` says how many.
    """

    text: str
    many: str = ""


_MORE = Phrase("{n} more")


def say(language: str, phrase: Phrase, **values: Value) -> str:
    """The phrase with its values, in a language by its ISO 639-1 code; in English where that has no catalogue.

    Numbers, days and lists of names are written as the language has it.
    """
    said = catalogue(language)
    match values.get("n"):
        case int(n) if phrase.many:
            text = said.ngettext(phrase.text, phrase.many, n)
        case _:
            text = said.gettext(phrase.text)
    return text.format(**{name: _written(language, value) for name, value in values.items()})


def listed(language: str, names: Sequence[str], most: int | None = None) -> str:
    """The names in one line, as in "A, B and C"; of more than `most` the first, and how many more there are."""
    most = len(names) if most is None else most
    more = [say(language, _MORE, n=len(names) - most)] if len(names) > most else []
    return format_list([*names[:most], *more], locale=locale(language))


def _written(language: str, value: Value) -> str:
    match value:
        case str():
            return value
        case int():
            return format_decimal(value, locale=locale(language))
        case date():
            return format_date(value, "long", locale=locale(language))
        case _:
            return listed(language, value)
