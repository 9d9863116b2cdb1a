"""In which language to speak: to whoever wrote a message, opened the page, or gave a command.

Babel is loaded when it is needed: a command that only says its help wants none of it.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from assistant.language import is_of_another, language_of
from assistant.messages.catalogues import ENGLISH, LANGUAGES

# Scripts whose letters Unicode calls otherwise than CLDR calls the script.
_LETTERS = {
    "Beng": {"BENGALI"},
    "Hans": {"CJK"},
    "Jpan": {"CJK", "HIRAGANA", "KATAKANA"},
    "Kore": {"HANGUL"},
    "Orya": {"ORIYA"},
}


def reply_language(text: str, told: str = "", before: Iterable[str] = ()) -> str:
    """The ISO 639-1 code of the language to reply to `text` in, whether or not there is a catalogue for it.

    It is what a model has `told` of the text, else what the text itself tells, else English. A small model errs on
    short texts and goes by the names in them, so that what it tells does not count where the letters of the text are
    of another script, or far more likely of another language; nor where the text itself tells that it is in the
    language of what its writer said `before`, which people seldom change.
    """
    own = language_of(text)
    if own != ENGLISH and own == language_of(" ".join(before)):
        return own
    return next((code for code in (told, own) if code and _may_be(code, text)), ENGLISH)


@cache
def english_name(language: str) -> str:
    """What English calls a language of this code; empty where there is none."""
    from babel import Locale

    return str(Locale(ENGLISH).languages.get(language, ""))


def browser_language(accepted: str) -> str:
    """The language of a page, by the header Accept-Language of whoever opens it.

    Only the first that the browser names counts: Gradio, which goes by that one alone, draws parts of the page.
    """
    return ours(accepted.partition(",")[0].partition(";")[0].strip())


def ours(name: str) -> str:
    """The one of `LANGUAGES` that something like "de", "de-AT" or "de_DE" names; English for any other."""
    language = re.split("[-_.@]", name)[0].lower()
    return language if language in LANGUAGES else ENGLISH


def _may_be(language: str, text: str) -> bool:
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in set(text) if letter.isalpha()}
    known = bool(english_name(language)) and (not scripts or bool(scripts & _letters(language)))
    return known and not is_of_another(text, language)


@cache
def _letters(language: str) -> set[str]:
    """The first words of Unicode's names of the letters that a language is usually written in."""
    from babel import Locale
    from babel.core import get_global

    _, script, *_ = (get_global("likely_subtags").get(language) or "en_Latn").split("_")
    return _LETTERS.get(script) or {str(Locale(ENGLISH).scripts.get(script, script)).upper().split(" ")[0]}
