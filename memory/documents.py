"""Documents: a file becomes plain text, its blocks (paragraphs, headings) and from them passages.

The text is what is kept; every span counts in it. What a person can put right (a damaged, locked, scanned or unknown
file) is a `UserMistake` with one line that says what to do.
"""

import mimetypes
import os
import stat
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path, PurePath
from typing import BinaryIO

from memory.encodings import decode, storable, stream_safe
from memory.errors import UserMistake
from memory.formats.components import read_components
from memory.formats.epub import read_epub
from memory.formats.mail import read_mail, read_mbox
from memory.formats.markup import read_html
from memory.formats.others import KINDS, read_other
from memory.formats.packed import read_zip
from memory.formats.pdf.reading import read_pdf
from memory.formats.pictures import PICTURES, read_picture
from memory.formats.pieces import LARGEST, Piece
from memory.formats.plain import CODE, read_code, read_markdown, read_text
from memory.formats.records import read_csv, read_json, read_json_lines
from memory.formats.slides import read_slides
from memory.formats.spreadsheet import read_spreadsheet
from memory.formats.subtitles import read_subtitles
from memory.formats.word import read_word
from memory.passages import PARAGRAPHS_APART, Block, split
from memory.types import Passage

_Reader = Callable[[str, bytes], Iterator[Piece]]

_READERS: dict[str, _Reader] = {
    ".txt": read_text,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".pdf": read_pdf,
    ".docx": read_word,
    **dict.fromkeys((".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"), read_spreadsheet),
    ".pptx": read_slides,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".epub": read_epub,
    ".eml": lambda name, data: read_mail(name, data, _within),
    ".mbox": lambda name, data: read_mbox(name, data, _within),
    ".zip": lambda name, data: read_zip(name, data, _within),
    ".srt": read_subtitles,
    ".vtt": read_subtitles,
    ".ics": read_components,
    ".vcf": read_components,
    **dict.fromkeys(PICTURES, read_picture),
    **dict.fromkeys(KINDS, read_other),
}
SUFFIXES = (*_READERS, *CODE)
MOST_CHARACTERS = 20_000_000  # of one document: five Bibles
MOST_PASSAGES = 100_000
_LONGEST_HEADING = 300  # characters; what is longer is a paragraph, as every passage under a heading has that, too


def read_file(path: Path) -> bytes:
    """The bytes of a file on the disk, and no more of them than a document may have.

    Raises:
        UserMistake: it is too large, or it is no file but a folder, a pipe or a device.
        OSError: it cannot be read.
    """
    with open(path, "rb", opener=lambda own, flags: os.open(own, flags | os.O_NONBLOCK)) as file:  # a pipe would wait
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise UserMistake(
                "{path} is no file that can be read, but a folder, a pipe or a device; choose a file.",
                path=path,
            )
        return read_bounded(file, path.name)


def read_bounded(file: BinaryIO, name: str) -> bytes:
    """What is left to be read of a file or a pipe, of this name.

    Raises:
        UserMistake: it is more than a document may have.
    """
    data = file.read(LARGEST + 1)
    _check_size(name, len(data))
    return data


def check(name: str, size: int) -> None:
    """Refuse a file by its name and its size in bytes, before it is read.

    Raises:
        UserMistake: it is a picture, sound or the like, or it is empty or too large.
    """
    if PurePath(name).suffix.lower() not in SUFFIXES and _shown_or_played(name):
        raise _of_unknown_kind(name)
    if not size:
        raise UserMistake("{name} is empty; choose a file with something in it.", name=name)
    _check_size(name, size)


def read_document(name: str, data: bytes, most: int = MOST_CHARACTERS) -> tuple[str, list[Passage]]:
    """The text of a file and its passages; the name's suffix says what it is.

    Nobody knows how long that takes of a hostile file, nor how much memory: `parsing.Parser` bounds both. `most` is how
    many characters the text may have.

    Raises:
        UserMistake: there is nothing in it or too much, it is damaged or locked, or its kind is not known.
    """
    check(name, len(data))
    text, blocks = _joined(name, _pieces(name, data), most)
    if not blocks:
        raise UserMistake("{name} has no text in it; choose another file.", name=name)
    passages = list(islice(split(text, blocks), MOST_PASSAGES + 1))
    if len(passages) > MOST_PASSAGES:
        raise UserMistake(
            "{name} has more than {most} parts; split it and add the parts.", name=name, most=MOST_PASSAGES
        )
    return text, passages


def _pieces(name: str, data: bytes) -> Iterator[Piece]:
    """What a file is made of, read by its reader; one of a kind without is read as it was written, if it is text."""
    suffix = PurePath(name).suffix.lower()
    reader = _READERS.get(suffix)
    if reader is None and suffix not in CODE and (_shown_or_played(name) or decode(data) is None):
        raise _of_unknown_kind(name)
    yield from (reader or read_code)(name, data)


def _shown_or_played(name: str) -> bool:
    kind, _ = mimetypes.guess_type(name)
    return (kind or "").partition("/")[0] in ("image", "audio", "video", "font")


def _of_unknown_kind(name: str) -> UserMistake:
    known = ", ".join(sorted(_READERS))
    return UserMistake("{name}: files of this kind cannot be read; use one of {known}.", name=name, known=known)


def _within(name: str, data: bytes) -> Iterator[Piece]:
    """What a file that lies in another one is made of; it may hold no more files itself."""
    match PurePath(name).suffix.lower():
        case ".eml":
            return read_mail(name, data)
        case ".mbox":
            return read_mbox(name, data)
        case ".zip":
            raise UserMistake("{name} lies in another file; unpack that and add it by itself.", name=name)
    return _pieces(name, data)


def load_readers() -> None:
    """Load now what readers otherwise load with the first file that wants it."""
    import pypdfium2  # noqa: F401

    import memory.formats.hiding  # noqa: F401


def _check_size(name: str, size: int) -> None:
    if size > LARGEST:
        raise UserMistake(
            "{name} is larger than {number} MB; split it and add the parts.", name=name, number=LARGEST >> 20
        )


def _joined(name: str, pieces: Iterator[Piece], most: int) -> tuple[str, list[Block]]:
    text: list[str] = []
    blocks: list[Block] = []
    length = 0
    for piece in pieces:
        content = stream_safe(storable(piece.text).replace("\0", "")).strip()
        if content:
            level = piece.level if len(content) <= _LONGEST_HEADING else 0
            blocks.append(Block(length, length + len(content), level, piece.page))
            text.append(content)
            length += len(content) + len(PARAGRAPHS_APART)
        if length > most:
            raise UserMistake(
                "{name} has more than {most} characters of text; split it and add the parts.", name=name, most=most
            )
    return PARAGRAPHS_APART.join(text), blocks
