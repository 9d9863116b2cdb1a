"""In which language to speak: to whoever wrote a message, opened the page, or gave a command."""

import re
import unicodedata

from assistant.language import is_of_another, language_of
from assistant.messages.catalogues import ENGLISH, LANGUAGES

_SCRIPTS = {"zh": {"CJK"}, "ja": {"CJK", "HIRAGANA", "KATAKANA"}, "ru": {"CYRILLIC"}}
_LATIN = {"LATIN"}


def reply_language(text: str, told: str = "") -> str:
    """The ISO 639-1 code of the language to reply to `text` in: one of `LANGUAGES`.

    It is what a model has `told` of the text, else what the text itself tells, else English. A small model errs on
    short texts and goes by the names in them, so that what it tells does not count where the letters of the text are
    of another script, or its frequent words of other languages.
    """
    return next((code for code in (told, language_of(text)) if code in LANGUAGES and _may_be(code, text)), ENGLISH)


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
    return not scripts or (bool(scripts & _SCRIPTS.get(language, _LATIN)) and not is_of_another(text, language))
