"""HTML pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from memory.formats.hiding import SHOWN, Hiding, Look
from memory.formats.pieces import Piece, decoded, one_line, written_lines
from memory.formats.tables import CELLS_APART, Rows
from memory.formats.tree import BLOCK_TAGS, Tree, declared_encoding

_WIDEST = 100  # columns or rows that one cell spans
_LINE_END = "\u2028"  # a <br>; the line breaks of the source are spaces


def read_html(name: str, data: bytes) -> Iterator[Piece]:
    """What a reader sees: title, headings and blocks; a row of a table is one of them.

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
    tables = _Tables()
    block: Element | None = None
    run = _Run()
    for string, place in _strings(tree):
        if place.block is not block:
            yield from _pieces(block, run, tables)
            block, run = place.block, _Run()
        run.add(string, place)
    yield from _pieces(block, run, tables)


class _Run:
    """The text of one block, cell by cell where it is a row of a table."""

    def __init__(self) -> None:
        self.cells: list[tuple[Element | None, list[str]]] = []
        self.table: Element | None = None

    def add(self, string: str, place: "_Place") -> None:
        self.table = place.table
        if not self.cells or self.cells[-1][0] is not place.cell:
            self.cells.append((place.cell, []))
        self.cells[-1][1].append(string)

    def text(self) -> str:
        return CELLS_APART.join(text for _, strings in self.cells if (text := "".join(strings)).strip())


class _Tables:
    """The tables of a page, each with what its rows need of those above."""

    def __init__(self) -> None:
        self._rows: dict[Element | None, Rows] = {}
        self._from_above: dict[Element | None, dict[int, tuple[str, int]]] = {}

    def has_row(self, run: _Run) -> bool:
        """Whether a run is a row of several cells, be it by those that span down into it."""
        return (
            len([element for element, _ in run.cells if element is not None]) + len(self._from_above.get(run.table, ()))
            > 1
        )

    def row(self, run: _Run) -> Piece:
        """A row, in which a cell that spans several columns or rows stands in each of them."""
        above = self._from_above.setdefault(run.table, {})
        cells: list[str | None] = []
        for element, strings in run.cells:
            if element is None:  # white space between cells
                continue
            _fill(cells, above)
            text, down = one_line("".join(strings)), _span(element, "rowspan") - 1
            for column in range(_span(element, "colspan")):
                if down:
                    above[len(cells)] = (text, down)
                cells.append(None if column else text)
        _fill(cells, above)
        header = all(element.tag == "th" for element, _ in run.cells if element is not None)
        return self._rows.setdefault(run.table, Rows()).row(cells, header=header and len(cells) > 1)


def _is_whole(row: Element, run: _Run) -> bool:
    """Whether all cells of a row are in its run; paragraphs and lists within a cell are blocks of their own."""
    own = [child for child in row if child.tag in ("td", "th")]
    told = {element: "".join(strings).strip() for element, strings in run.cells if element is not None}
    return own == list(told) and all(told[cell] or not len(cell) for cell in own)


def _fill(cells: list[str | None], above: dict[int, tuple[str, int]]) -> None:
    """Put in what spans down from the rows above, as far as it stands at the next columns."""
    while len(cells) in above:
        text, left = above.pop(len(cells))
        if left > 1:
            above[len(cells)] = (text, left - 1)
        cells.append(text)


def _span(element: Element, name: str) -> int:
    said = element.get(name, "1").strip()
    return min(max(int(said), 1), _WIDEST) if said.isdecimal() and len(said) < 5 else 1


@dataclass(frozen=True, slots=True)
class _Place:
    """Where text stands: in which block, table and cell, and how that looks."""

    block: Element | None = None
    table: Element | None = None
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
        a_cell = child.tag in ("td", "th")
        table = child if child.tag == "table" else place.table
        own = _Place(block, table, child if a_cell else place.cell, look)
        text = _LINE_END if child.tag == "br" else child.text
        if (text or a_cell) and look.shown:  # an empty cell is one, too
            yield text or "", own
        ways.append((child, iter(child), own))


def _pieces(block: Element | None, run: _Run, tables: _Tables) -> Iterator[Piece]:
    tag = block.tag if block is not None else ""
    heading = re.fullmatch("h([1-6])", tag)
    if block is not None and tag == "tr" and _is_whole(block, run) and tables.has_row(run):
        yield tables.row(run)
        return
    text = run.text()
    if heading:
        yield Piece(one_line(text), int(heading[1]))
    elif tag == "pre":
        yield Piece(text.replace(_LINE_END, "\n"))
    else:
        lines = "\n".join(one_line(line) for line in text.split(_LINE_END))
        yield from map(Piece, written_lines(lines))
