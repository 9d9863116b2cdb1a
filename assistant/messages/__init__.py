r"""What Lorekeeper says in words of its own, in the language of whoever it talks to.

    FOUND = Phrase("I found {n}: {names}")
    say("de", FOUND, n=2, names=["Lima", "Cusco"])  # "Ich habe 2 gefunden: Lima und Cusco"

The English text stands where it is said and is what its translations are found by: whoever reads the code reads what
is said, and what a catalogue lacks is said in English. The page and the command line speak the language of whoever is
there:

    speak("de")  # in this thread or task
    tell("Conversations")  # "Gespräche"

Catalogues are gettext's, one a language, without a compiled form: `<language>/LC_MESSAGES/lorekeeper.po`. After a
phrase was changed or added, from the root of the project:

    pybabel extract -k Phrase:1,1t -k Phrase:1,2,2t -k Phrase:1,2,3t -k tell:1 -k labelled:1 -k Notice:1 \
        -k UserMistake:1 -k NothingThere:1 -k SettingsError:1 -k Failure:1 -k Interrupted:1 -k Unavailable:1 \
        -k ModelUnavailable:1 -k ModelTooSlow:1 -k ModelReplyUnreadable:1 -k QueryRefused:1 -k DiskFull:1 \
        -k _Ended:1 -k _Unwritable:1 --add-location file -o lorekeeper.pot app.py assistant memory ui
    pybabel update -D lorekeeper -i lorekeeper.pot -d assistant/messages -w 120

That finds no text within an f-string.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date

from assistant.messages.catalogues import ENGLISH, catalogue, locale
from memory.errors import Notice

Value = str | int | float | date | Sequence[str]
_spoken = ContextVar("spoken", default=ENGLISH)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something to say, in English, with names of values in braces.

    One that counts has a second text, `many`, for all numbers but one; the value `n` says how many.
    """

    text: str
    many: str = ""


_MORE = Phrase("{n} more")


def say(language: str, phrase: Phrase | str, /, **values: Value) -> str:
    """The phrase with its values, in a language by its ISO 639-1 code; in English where that has no catalogue.

    One that is said in one place alone may stand there as its text. Numbers, days and lists of
    names are written as the language has it.
    """
    said = catalogue(language)
    match phrase, values.get("n"):
        case str(), _:
            text = said.gettext(phrase)
        case Phrase(one, many), int(n) if many:
            text = said.ngettext(one, many, n)
        case _:
            text = said.gettext(phrase.text)
    return text.format(**{name: _written(language, value) for name, value in values.items()}) if values else text


def speak(language: str) -> None:
    """From here on `tell` and `translated` use a language; only in this thread or task."""
    _spoken.set(language)


def spoken() -> str:
    """The language of whoever is at the page or the command line."""
    return _spoken.get()


def tell(phrase: Phrase | str, /, **values: Value) -> str:
    """What `say` says, in the language that is spoken."""
    return say(spoken(), phrase, **values)


def translated(line: str) -> str:
    """A line that was made where no language is known, in the one that is spoken; other text as it is."""
    if not isinstance(line, Notice):
        return line
    return tell(line.text, **{name: translated(v) if isinstance(v, str) else v for name, v in line.values.items()})


def listed(language: str, names: Sequence[str], most: int | None = None) -> str:
    """The names in one line, as in "A, B and C"; of more than `most` the first, and how many more there are."""
    from babel.lists import format_list

    most = len(names) if most is None else most
    more = [say(language, _MORE, n=len(names) - most)] if len(names) > most else []
    return format_list([*names[:most], *more], locale=locale(language))


def _written(language: str, value: Value) -> str:
    match value:
        case str():
            return value
        case int() | float():
            from babel.numbers import format_decimal

            return format_decimal(value, locale=locale(language))
        case date():
            from babel.dates import format_date

            return format_date(value, "long", locale=locale(language))
        case _:
            return listed(language, value)
