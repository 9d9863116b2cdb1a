"""Which language a text is in, as far as choosing knowledge bases and wording needs it."""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# Of the hundred that can be told: short texts look like any of the small ones.
TOLD_APART = (
    "en",
    "zh",
    "ja",
    "ko",
    "ru",
    "uk",
    "el",
    "he",
    "ar",
    "th",
    "hi",
    "de",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "pl",
    "sv",
    "tr",
)
_TELLS = 0.35  # of 1; less is no more than a guess
_BY_FAR = 30
_QUESTION_MARK = re.compile(
    r"(?:[?？؟]|[\u0370-\u03ff]\s?;)[!！?？\s\"'”’»)）」』]*$|¿[^?]*$"
)  # Greek writes a semicolon
_NAME = re.compile(r"(?<=[^\W_][\s'’(«“„\"-])[^\W\d_]\w*")  # a word behind another, where it begins with a capital


def language_of(text: str) -> str:
    """The ISO 639-1 code of the language of most of the text; "en" where nothing tells.

    Words with a capital inside the text are names, and tell nothing; nor does a single word in Latin letters.
    """
    if len(text.split()) == 1 and is_latin(text):
        return "en"
    probable = _probable(text)
    best = max(TOLD_APART, key=lambda language: probable[language])  # the first one, of equals
    return best if probable[best] >= _TELLS * sum(probable[language] for language in TOLD_APART) else "en"


def is_of_another(text: str, language: str) -> bool:
    """Whether a text is hardly of this language, since another is by far more probable."""
    probable = _probable(text)
    return language in probable and max(probable.values()) > _BY_FAR * probable[language]


def is_latin(text: str) -> bool:
    """Whether all letters of a text are Latin ones."""
    return all(unicodedata.name(letter, "").startswith("LATIN") for letter in text if letter.isalpha())


def _probable(text: str) -> dict[str, float]:
    """How probable each of a hundred languages is."""
    text = _NAME.sub(lambda word: "" if word[0][0].isupper() else word[0], text)
    return dict(_identifier().rank(text))


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid import langid  # takes half a second, which not every command needs

    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


def has_question_mark(text: str) -> bool:
    """Whether a text ends in a question mark, of whatever script."""
    return _QUESTION_MARK.search(text) is not None
