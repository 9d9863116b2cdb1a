"""Documents: a file becomes plain text, its blocks (paragraphs, headings) and from them passages.

The text is what is kept; every span counts in it. What a person can put right (a damaged, locked, scanned or unknown
file) is a `UserMistake` with one line that says what to do.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from bs4.exceptions import ParserRejectedMarkup

from memory.encodings import decode
from memory.errors import UserMistake
from memory.passages import Block, split
from memory.types import Passage

if TYPE_CHECKING:  # the parsers of PDF and Word are loaded with the first file that wants them
    from docx.document import Document

_LARGEST = 100 * 2**20  # bytes, also when unpacked
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_BLOCK_TAGS = (
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "pre", "blockquote", "dt", "dd", "figcaption", "caption"),
    *("div", "section", "article", "main", "body"),
)
_UNSEEN_TAGS = ("script", "style", "noscript", "template", "head", "nav")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A paragraph, or a heading of a level from 1 on."""

    text: str
    level: int = 0


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
    if len(data) > _LARGEST:
        raise UserMistake(f"{name} is larger than {_LARGEST >> 20} MB; split it and add the parts.")
    text, blocks = _joined(_READERS[suffix](name, data))
    if not blocks:
        raise UserMistake(f"{name} has no text in it; choose another file.")
    return text, split(text, blocks)


def _joined(pieces: Iterator[_Piece]) -> tuple[str, list[Block]]:
    text: list[str] = []
    blocks: list[Block] = []
    length = 0
    for piece in pieces:
        # What cannot be written as UTF-8 (half a surrogate pair, as some PDFs have) cannot be kept.
        content = piece.text.encode(errors="replace").decode().replace("\0", "").strip()
        if content:
            blocks.append(Block(length, length + len(content), piece.level))
            text.append(content)
            length += len(content) + 2
    return "\n\n".join(text), blocks


def _plain(name: str, data: bytes) -> Iterator[_Piece]:
    for paragraph in _BLANK_LINES.split(_decoded(name, data)):
        yield _Piece(paragraph)


def _markdown(name: str, data: bytes) -> Iterator[_Piece]:
    paragraph: list[str] = []
    fenced = False
    for line in _decoded(name, data).split("\n"):
        fenced ^= line.lstrip().startswith("```")
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading or not (line.strip() or fenced):
            yield _Piece("\n".join(paragraph))
            paragraph = []
        if heading:
            yield _Piece(heading[2], len(heading[1]))
        elif line.strip() or fenced:
            paragraph.append(line)
    yield _Piece("\n".join(paragraph))


def _html(name: str, data: bytes) -> Iterator[_Piece]:
    declared = EncodingDetector.find_declared_encoding(data, is_html=True)
    source = data if declared else _decoded(name, data)
    try:
        soup = BeautifulSoup(source, "html.parser")
    except ParserRejectedMarkup:
        raise UserMistake(f"{name} is damaged or no HTML; save the page anew and add that.") from None
    if soup.title and soup.title.string:
        yield _Piece(_one_line(soup.title.string), 1)
    for unseen in soup(_UNSEEN_TAGS):
        unseen.decompose()
    for line_break in soup("br"):
        line_break.replace_with("\n")
    block: Tag | None = None
    cell: Tag | None = None
    run = ""
    for string in soup.find_all(string=True):
        if type(string).__name__ != "NavigableString":  # comments and the like
            continue
        own_block, own_cell = string.find_parent(_BLOCK_TAGS), string.find_parent(["td", "th"])
        if own_block is not block:
            yield _html_piece(block, run)
            block, cell, run = own_block, own_cell, ""
        if own_cell is not cell and run.strip():
            run += " | "
        cell = own_cell
        run += string
    yield _html_piece(block, run)


def _html_piece(block: Tag | None, run: str) -> _Piece:
    heading = re.fullmatch("h([1-6])", block.name) if block is not None else None
    text = run if block is not None and block.name == "pre" else _one_line(run)
    return _Piece(text, int(heading[1]) if heading else 0)


def _pdf(name: str, data: bytes) -> Iterator[_Piece]:
    import pypdf

    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UserMistake(f"{name} is locked with a password; save it without one and add it again.")
        pages = [page.extract_text() for page in reader.pages]
    except UserMistake:
        raise
    except pypdf.errors.DependencyError:
        raise UserMistake(f"{name} is encrypted; save it without encryption and add it again.") from None
    except Exception as error:  # pypdf lets many kinds of error through on a damaged file
        raise UserMistake(f"{name} is damaged or no PDF ({error}); open it elsewhere and save it anew.") from error
    if not any(page.strip() for page in pages):
        raise UserMistake(f"{name} holds only images; run text recognition (OCR) over it and add it again.")
    for page in pages:
        for paragraph in _BLANK_LINES.split(page):
            yield _Piece(_one_line(re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", paragraph)))


def _docx(name: str, data: bytes) -> Iterator[_Piece]:
    import docx

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(part.file_size for part in archive.infolist()) > _LARGEST:
                raise UserMistake(f"{name} unpacks to more than {_LARGEST >> 20} MB; split it and add the parts.")
        pieces = list(_word_pieces(docx.Document(io.BytesIO(data))))
    except UserMistake:
        raise
    except Exception as error:  # zip, XML and packaging each raise their own
        raise UserMistake(f"{name} is damaged or no Word document (.docx); open it and save it anew.") from error
    yield from pieces


def _word_pieces(document: "Document") -> Iterator[_Piece]:
    from docx.table import Table

    for item in document.iter_inner_content():
        if isinstance(item, Table):
            for row in item.rows:
                yield _Piece(" | ".join(_one_line(cell.text) for cell in row.cells))
        else:
            style = item.style.name if item.style is not None else ""
            heading = re.fullmatch(r"Heading ([1-9])", style or "")
            level = 1 if style == "Title" else int(heading[1]) if heading else 0
            yield _Piece(item.text, level)


def _decoded(name: str, data: bytes) -> str:
    text = decode(data)
    if text is None:
        raise UserMistake(f"{name} is not text; choose a text file, or name it by what it is.")
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split())


_READERS: dict[str, Callable[[str, bytes], Iterator[_Piece]]] = {
    ".txt": _plain,
    ".md": _markdown,
    ".markdown": _markdown,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
    ".docx": _docx,
}
