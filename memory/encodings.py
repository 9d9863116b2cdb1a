"""Bytes to text where nobody says which encoding it is."""

import codecs
import re
import unicodedata

import chardet

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MOST_CONTROLS = 0.01  # of all characters; text has none but tabs, line ends and page ends
_CONTROLS = [character for character in map(chr, range(0xA0)) if unicodedata.category(character) == "Cc"]
_MOST_MARKS = 30  # in a row, as in Unicode's stream-safe text
_SIGNS = re.compile(rf"[^\w\s\0-\x7f]{{{_MOST_MARKS + 1},}}")


def decode(data: bytes) -> str | None:
    """The text with line ends as "\\n", or None where this is no text.

    By byte order mark, else UTF-8, else what chardet takes it for.
    """
    text = _decoded(data)
    if text is None or _is_binary(text):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")


def storable(text: str) -> str:
    """The text as it can be kept: what cannot be written as UTF-8 (half a surrogate pair) is a "?", one for one."""
    return text.encode(errors="replace").decode()


def stream_safe(text: str) -> str:
    """The text with no more than 30 accents on one letter: sorting them, as whoever compares texts has to, takes the
    square of their number."""
    return text if text.isascii() else _SIGNS.sub(lambda run: _fewer_marks(run[0]), text)


def _fewer_marks(run: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in run:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def storable_name(name: str) -> str:
    """A file's name as it can be kept; bytes that are no UTF-8 are written out, so that two such names stay two."""
    return name.encode(errors="backslashreplace").decode()


def _decoded(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _try(data, encoding)
    if b"\x1b$" not in data and (text := _try(data, "utf-8")) is not None:  # which ISO 2022 looks like
        return text
    guess = chardet.detect(data)["encoding"]
    return _try(data, guess) if guess else None


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _is_binary(text: str) -> bool:
    controls = sum(text.count(control) for control in _CONTROLS if control not in "\t\n\r\f\v")
    return "\0" in text or controls > _MOST_CONTROLS * len(text)
