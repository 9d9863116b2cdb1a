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
_LOOKED_AT = 100_000  # bytes, to tell one encoding from another
_DAMAGED = 10  # characters for each that is none, in UTF-8 of which a part is lost
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_ALONE = re.compile(
    rb"(?<![\x80-\xff])(?:[\x80-\xff]|(?<=[A-Za-z])[\x80-\xff]{2}|[\x80-\xff]{2}(?=[A-Za-z]))(?![\x80-\xff])"
)
_FEW, _MOST = 60, 0.8  # characters beyond ASCII; the share of them that stand alone, or two in a word
_MARKS_OF_TEXT = frozenset("€‘’“”„–—…«»°§£·©®™¿¡\xa0")
_ACCENTED = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÍÎÏÑÓÔÕÖØÚÛÜßàáâãäåæçèéêëíîïñóôõöøùúûüœŒºª")
# The Latin encodings of Europe's east and south, and the languages that are written in them.
_EASTERN = re.compile(r"cp1250|cp1257|cp775|iso8859-(?:2|3|4|10|13|16)")
_EASTERN_LANGUAGES = re.compile(r"bs|cs|eo|et|hr|hu|lt|lv|mt|pl|ro|sk|sl|sq|sr")
_WITHIN_WORD = re.compile(r"[^\W\d_][“”„«»…°§£©®™¿¡€][^\W\d_]")  # where no such mark stands
_MOST_CONTROLS = 0.01  # of all characters; text has none but tabs, line ends and page ends
_CONTROLS = [character for character in map(chr, range(0xA0)) if unicodedata.category(character) == "Cc"]
_MOST_MARKS = 30  # in a row, as in Unicode's stream-safe text
_SIGNS = re.compile(rf"[^\w\s\0-\x7f]{{{_MOST_MARKS + 1},}}")


def decode(data: bytes) -> str | None:
    """The text with line ends as "\\n", or None where this is no text.

    By byte order mark, else UTF-8, else what chardet takes it for, if it is in a language that is written so.
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
    if b"\x1b$" not in data:  # as ISO 2022 has it, which looks like UTF-8
        if (text := _try(data, "utf-8")) is not None:
            return text
        if _is_damaged_utf_8(data):
            return data.decode("utf-8", "replace")
    if _is_western(data):
        return _try(data, "cp1252")
    guess = chardet.detect(data)["encoding"]
    text = _try(data, guess) if guess else None
    if text is None or not _EASTERN.fullmatch(_encoding(guess)) or not _is_western(data, most=len(data)):
        return text
    return text if _is_eastern(text) else _try(data, "cp1252")


def _encoding(name: str | None) -> str:
    """An encoding by the name that Python has for it."""
    try:
        return codecs.lookup(name or "").name
    except LookupError:
        return ""


def _is_eastern(text: str) -> bool:
    """Whether a text is in a language of Europe's east: of a list of names, chardet tells that by its accents alone."""
    import py3langid  # takes a second, which few documents need

    return bool(_EASTERN_LANGUAGES.fullmatch(py3langid.classify(text[:_LOOKED_AT])[0]))


def _is_damaged_utf_8(data: bytes) -> bool:
    """Whether nearly all that is not ASCII is UTF-8; other encodings have hardly a character that may be it."""
    text = data[:_LOOKED_AT].decode("utf-8", "replace")
    return text.count("\ufffd") * _DAMAGED < sum(not character.isascii() for character in text)


def _is_western(data: bytes, most: int = _FEW) -> bool:
    """Whether bytes beyond ASCII are such as Western Europe's accents, quotation marks and signs of money, one by one
    among ASCII letters: in other alphabets and in Chinese they stand side by side. A short text tells no more; where
    there are more than `most` accents, it is chardet's to say what they are.
    """
    sample = data[:_LOOKED_AT]
    text = _try(sample, "cp1252") or ""
    foreign = [character for character in text if not character.isascii()]
    runs, alone = len(_BEYOND_ASCII.findall(sample)), len(_ALONE.findall(sample))
    few = len(foreign) < most and alone >= _MOST * runs
    known = all(character in _MARKS_OF_TEXT or (few and character in _ACCENTED) for character in foreign)
    return bool(foreign) and known and "\0" not in text and not _WITHIN_WORD.search(text)


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _is_binary(text: str) -> bool:
    controls = sum(text.count(control) for control in _CONTROLS if control not in "\t\n\r\f\v")
    return "\0" in text or controls > _MOST_CONTROLS * len(text)
