"""Documents: a file becomes plain text, its blocks (paragraphs, headings) and from them passages.

The text is what is kept; every span counts in it. What a person can put right (a damaged, locked, scanned or unknown
file) is a `UserMistake` with one line that says what to do.
"""

from collections.abc import Callable, Iterator
from pathlib import PurePath

from memory.encodings import storable
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


def read_document(name: str, data: bytes) -> tuple[str, list[Passage]]:
    """The text of a file and its passages; the name's suffix says what it is.

    Raises:
        UserMistake: there is nothing in it, it is damaged or locked, or its kind is not known.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in _READERS:
        known = ", ".join(sorted(_READERS))
        raise UserMistake(f"{name}: files of this kind cannot be read; use one of {known}.")
    if not data:
        raise UserMistake(f"{name} is empty; choose a file with something in it.")
    if len(data) > LARGEST:
        raise UserMistake(f"{name} is larger than {LARGEST >> 20} MB; split it and add the parts.")
    text, blocks = _joined(_READERS[suffix](name, data))
    if not blocks:
        raise UserMistake(f"{name} has no text in it; choose another file.")
    return text, split(text, blocks)


def _joined(pieces: Iterator[Piece]) -> tuple[str, list[Block]]:
    text: list[str] = []
    blocks: list[Block] = []
    length = 0
    for piece in pieces:
        content = storable(piece.text).replace("\0", "").strip()
        if content:
            blocks.append(Block(length, length + len(content), piece.level))
            text.append(content)
            length += len(content) + 2
    return "\n\n".join(text), blocks
