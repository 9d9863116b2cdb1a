"""The catalogues of messages, read from their files at the first use of a language; Babel is loaded when needed."""

import gettext
import io
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

ENGLISH = "en"
LANGUAGES = (ENGLISH, "zh", "de", "fr", "es", "pt", "ja", "ru")
_FILE = "LC_MESSAGES/lorekeeper.po"
# How English writes days and lists: "3 May 2026", "A, B and C".
_ENGLISH_LOCALE = "en_GB"


def path(language: str) -> Path:
    """The file of a language's catalogue; English, in which messages stand in the code, has none."""
    return Path(__file__).parent / language / _FILE


def catalogue(language: str) -> gettext.NullTranslations:
    """The translations into a language by its ISO 639-1 code; of one that has none, what leaves all in English."""
    return _read(language) if language in LANGUAGES else _read(ENGLISH)


@cache
def locale(language: str) -> "Locale":
    """How a language writes numbers, days and lists; as English where it has no catalogue."""
    from babel import Locale

    return Locale.parse(language if language in LANGUAGES and language != ENGLISH else _ENGLISH_LOCALE)


@cache
def _read(language: str) -> gettext.NullTranslations:
    if language == ENGLISH:
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with path(language).open("rb") as file:
        read = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
