"""In which language to reply to a message."""

import unicodedata

from assistant.language import language_of
from assistant.messages.catalogues import ENGLISH, LANGUAGES

_SCRIPTS = {"zh": {"CJK"}, "ja": {"CJK", "HIRAGANA", "KATAKANA"}, "ru": {"CYRILLIC"}}
_LATIN = {"LATIN"}


def reply_language(text: str, told: str = "") -> str:
    """The ISO 639-1 code of the language to reply to `text` in: one of `LANGUAGES`.

    It is what a model has `told` of the text, else what the text itself tells, else English. A small model errs on
    short texts, so that what it tells does not count where the text has letters, and none of that language's script.
    """
    return next((code for code in (told, language_of(text)) if code in LANGUAGES and _may_be(code, text)), ENGLISH)


def _may_be(language: str, text: str) -> bool:
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in set(text) if letter.isalpha()}
    return not scripts or bool(scripts & _SCRIPTS.get(language, _LATIN))
