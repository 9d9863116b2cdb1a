"""HTML pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from memory.formats.hiding import SHOWN, Hiding, Look
from memory.formats.pieces import Piece, decoded, one_line, written_lines
from memory.formats.tree import BLOCK_TAGS, Tree, declared_encoding

_CELLS_APART = " | "
_LINE_END = "\u2028"  # a <br>; the line breaks of the source are spaces


def read_html(name: str, data: bytes) -> Iterator[Piece]:
    """What a reader sees: title, headings and blocks; the cells of a table row in one line.

    What a browser would not show is left out, as far as `memory.formats.hiding` can tell.
    """
    encoding = declared_encoding(data)
    text = encoding.codec_info.decode(data, "replace")[0] if encoding is not None else decoded(name, data)
    yield from pieces_of_page(text)


def pieces_of_page(source: str) -> Iterator[Piece]:
    """As `read_html`, of text that is decoded already, whatever encoding it declares."""
    tree = Tree(source)
    if tree.title.strip():
        yield Piece(one_line(tree.title), 1)
    block: Element | None = None
    cell: Element | None = None
    run: list[str] = []
    empty = True
    for string, place in _strings(tree):
        if place.block is not block:
            yield from _pieces(block, "".join(run))
            block, cell, run, empty = place.block, place.cell, [], True
        if place.cell is not cell and not empty:
            run.append(_CELLS_APART)
        cell = place.cell
        run.append(string)
        empty = empty and not string.strip()
    yield from _pieces(block, "".join(run))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where text stands: in which block and which cell of a table, and how that looks."""

    block: Element | None = None
    cell: Element | None = None
    look: Look = SHOWN


def _strings(tree: Tree) -> Iterator[tuple[str, _Place]]:
    """The text that is shown, in its order."""
    if tree.root is None:
        return
    hiding = Hiding(tree.root, tree.styles)
    ways: list[tuple[Element | None, Iterator[Element], _Place]] = [(None, iter([tree.root]), _Place())]
    while ways:
        element, children, place = ways[-1]
        child = next(children, None)
        if child is None:
            ways.pop()
            if element is not None and element.tail and ways[-1][2].look.shown:
                yield element.tail, ways[-1][2]
            continue
        look = hiding.look(child, place.look)
        if look is None:
            if child.tail and place.look.shown:
                yield child.tail, place
            continue
        block = child if child.tag in BLOCK_TAGS and child not in tree.inline else place.block
        own = _Place(block, child if child.tag in ("td", "th") else place.cell, look)
        text = _LINE_END if child.tag == "br" else child.text
        if text and look.shown:
            yield text, own
        ways.append((child, iter(child), own))


def _pieces(block: Element | None, run: str) -> Iterator[Piece]:
    tag = block.tag if block is not None else ""
    heading = re.fullmatch("h([1-6])", tag)
    if heading or (tag == "tr" and _CELLS_APART in run):
        yield Piece(one_line(run), int(heading[1]) if heading else 0)
    elif tag == "pre":
        yield Piece(run.replace(_LINE_END, "\n"))
    else:
        lines = "\n".join(one_line(line) for line in run.split(_LINE_END))
        yield from map(Piece, written_lines(lines))
