"""HTML pages."""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from bs4.exceptions import ParserRejectedMarkup

from memory.errors import UserMistake
from memory.formats.pieces import Piece, decoded, one_line, written_lines

_BLOCK_TAGS = (
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "pre", "blockquote", "dt", "dd", "figcaption", "caption"),
    *("div", "section", "article", "main", "body"),
)
_CELLS_APART = " | "
_LINE_END = "\u2028"  # a <br>; the line breaks of the source are spaces
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
        line_break.replace_with(_LINE_END)
    for data in soup(["td", "th"]):  # a row is a line, also where its cells hold a paragraph each
        blocks = data(_BLOCK_TAGS)
        if len(blocks) == 1 and blocks[0].name in {"p", "div"}:
            blocks[0].unwrap()
    block: Tag | None = None
    cell: Tag | None = None
    run = ""
    for string in soup.find_all(string=True):
        if type(string).__name__ != "NavigableString":  # comments and the like
            continue
        own_block, own_cell = string.find_parent(_BLOCK_TAGS), string.find_parent(["td", "th"])
        if own_block is not block:
            yield from _pieces(block, run)
            block, cell, run = own_block, own_cell, ""
        if own_cell is not cell and run.strip():
            run += _CELLS_APART
        cell = own_cell
        run += string
    yield from _pieces(block, run)


def _pieces(block: Tag | None, run: str) -> Iterator[Piece]:
    tag = block.name if block is not None else ""
    heading = re.fullmatch("h([1-6])", tag)
    if heading or (tag == "tr" and _CELLS_APART in run):
        yield Piece(one_line(run), int(heading[1]) if heading else 0)
    elif tag == "pre":
        yield Piece(run.replace(_LINE_END, "\n"))
    else:
        lines = "\n".join(one_line(line) for line in run.split(_LINE_END))
        yield from map(Piece, written_lines(lines))
