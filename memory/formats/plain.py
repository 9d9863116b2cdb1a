"""Plain text and Markdown."""

import re
from collections.abc import Iterator

from memory.formats.pieces import Piece, decoded, paragraphs

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*")


def read_plain(name: str, data: bytes) -> Iterator[Piece]:
    """Paragraphs, set apart by blank lines."""
    for paragraph in paragraphs(decoded(name, data)):
        yield Piece(paragraph)


def read_markdown(name: str, data: bytes) -> Iterator[Piece]:
    """Paragraphs and headings."""
    paragraph: list[str] = []
    fenced = False
    for line in decoded(name, data).split("\n"):
        fenced ^= line.lstrip().startswith("```")
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading or not (line.strip() or fenced):
            yield Piece("\n".join(paragraph))
            paragraph = []
        if heading:
            yield Piece(heading[2], len(heading[1]))
        elif line.strip() or fenced:
            paragraph.append(line)
    yield Piece("\n".join(paragraph))
