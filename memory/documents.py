"""Documents: a file becomes plain text, its blocks (paragraphs, headings) and from them passages.

The text is what is kept; every span counts in it. What a person can put right (a damaged, locked, scanned or unknown
file) is a `UserMistake` with one line that says what to do.
"""

import os
import stat
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path, PurePath
from typing import BinaryIO

from memory.encodings import storable, stream_safe
from memory.errors import UserMistake
from memory.formats.epub import read_epub
from memory.formats.mail import read_mail
from memory.formats.markup import read_html
from memory.formats.pdf import read_pdf
from memory.formats.pieces import LARGEST, Piece
from memory.formats.plain import read_markdown, read_plain
from memory.formats.records import read_csv, read_json
from memory.formats.word import read_word
from memory.passages import Block, split
from memory.types import Passage

_READERS: dict[str, Callable[[str, bytes], Iterator[Piece]]] = {
    ".txt": read_plain,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
    ".docx": read_word,
    ".csv": read_csv,
    ".json": read_json,
    ".epub": read_epub,
    ".eml": read_mail,
}
SUFFIXES = tuple(_READERS)
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
        UserMistake: its kind is not known, or it is empty or too large.
    """
    if PurePath(name).suffix.lower() not in _READERS:
        known = ", ".join(sorted(_READERS))
        raise UserMistake("{name}: files of this kind cannot be read; use one of {known}.", name=name, known=known)
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
    text, blocks = _joined(name, _READERS[PurePath(name).suffix.lower()](name, data), most)
    if not blocks:
        raise UserMistake("{name} has no text in it; choose another file.", name=name)
    passages = list(islice(split(text, blocks), MOST_PASSAGES + 1))
    if len(passages) > MOST_PASSAGES:
        raise UserMistake(
            "{name} has more than {most} parts; split it and add the parts.", name=name, most=MOST_PASSAGES
        )
    return text, passages


def load_readers() -> None:
    """Load now what readers otherwise load with the first file that wants it."""
    import pypdf  # noqa: F401

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
            length += len(content) + 2
        if length > most:
            raise UserMistake(
                "{name} has more than {most} characters of text; split it and add the parts.", name=name, most=most
            )
    return "\n\n".join(text), blocks
