"""In which language a message is, and in which to reply to it."""

import unicodedata
from functools import cache

from babel import Locale
from babel.core import get_global

from assistant.language import is_of_another, language_of
from assistant.messages.catalogues import ENGLISH

# Scripts whose letters Unicode calls otherwise than CLDR calls the script.
_LETTERS = {"Hans": {"CJK"}, "Jpan": {"CJK", "HIRAGANA", "KATAKANA"}, "Kore": {"HANGUL"}}


def reply_language(text: str, told: str = "") -> str:
    """The ISO 639-1 code of the language to reply to `text` in, whether or not there is a catalogue for it.

    It is what a model has `told` of the text, else what the text itself tells, else English. A small model errs on
    short texts and goes by the names in them, so that what it tells does not count where the letters of the text are
    of another script, or its frequent words of other languages.
    """
    return next((code for code in (told, language_of(text)) if code and _may_be(code, text)), ENGLISH)


@cache
def english_name(language: str) -> str:
    """What English calls a language of this code; empty where there is none."""
    return str(Locale(ENGLISH).languages.get(language, ""))


def _may_be(language: str, text: str) -> bool:
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in set(text) if letter.isalpha()}
    known = bool(english_name(language)) and (not scripts or bool(scripts & _letters(language)))
    return known and not is_of_another(text, language)


@cache
def _letters(language: str) -> set[str]:
    """The first words of Unicode's names of the letters that a language is usually written in."""
    _, script, *_ = (get_global("likely_subtags").get(language) or "en_Latn").split("_")
    return _LETTERS.get(script) or {str(Locale(ENGLISH).scripts.get(script, script)).upper().split(" ")[0]}
