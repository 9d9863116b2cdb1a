"""HTML pages."""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from bs4.exceptions import ParserRejectedMarkup

from memory.errors import UserMistake
from memory.formats.pieces import Piece, decoded, one_line

_BLOCK_TAGS = (
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "pre", "blockquote", "dt", "dd", "figcaption", "caption"),
    *("div", "section", "article", "main", "body"),
)
_UNSEEN_TAGS = ("script", "style", "noscript", "template", "head", "nav")


def read_html(name: str, data: bytes) -> Iterator[Piece]:
    """What a reader sees: title, headings and blocks; the cells of a table row in one line."""
    declared = EncodingDetector.find_declared_encoding(data, is_html=True)
    yield from pieces_of_page(name, data if declared else decoded(name, data))


def pieces_of_page(name: str, source: str | bytes) -> Iterator[Piece]:
    """As `read_html`; a string is decoded already, whatever encoding it declares."""
    try:
        soup = BeautifulSoup(source, "html.parser")
    except ParserRejectedMarkup:
        raise UserMistake(f"{name} is damaged or no HTML; save the page anew and add that.") from None
    if soup.title and soup.title.string:
        yield Piece(one_line(soup.title.string), 1)
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
            yield _piece(block, run)
            block, cell, run = own_block, own_cell, ""
        if own_cell is not cell and run.strip():
            run += " | "
        cell = own_cell
        run += string
    yield _piece(block, run)


def _piece(block: Tag | None, run: str) -> Piece:
    heading = re.fullmatch("h([1-6])", block.name) if block is not None else None
    text = run if block is not None and block.name == "pre" else one_line(run)
    return Piece(text, int(heading[1]) if heading else 0)
