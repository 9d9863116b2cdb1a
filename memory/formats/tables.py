"""Tables: each row is one piece that says what its values are, so that a sentence means something by itself.

An empty cell says so: left out, the value of the next column would stand in its place. `read_back` reads from the text
of a document, which is all that is kept of it, the rows that stand in it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, repeat
from typing import NamedTuple

from memory.formats.pieces import Piece, one_line

EMPTY, CELLS_APART = "–", " | "
_FEW = 12  # columns; of wider rows only what is there is told
_LONGEST_NAME = 200  # characters; it is said again with each value
_OF, _NEXT = ": ", "; "  # between a name and its value, and between two of them
_LONGEST_ROW, _MOST_CELLS = 20_000, 4_000_000  # characters of a row, and cells of a text, that are read back
_HEADED = 3  # columns from which on a first row without a mark names them: two may as well be a name and its value


def records(rows: Iterable[Sequence[str]]) -> Iterator[Piece]:
    """The rows of a sheet or a file of values: titles, and below the names of its columns the rows of each table.

    A cell alone in its row is a title where no table has begun, or one has ended; the row behind such a title may name
    columns anew.
    """
    names: Sequence[str] = ()
    ended, titled, untold = True, False, False
    for row, after in pairwise(chain(rows, [()])):
        filled = sum(map(bool, row))
        wide = max(len(row), len(after)) if not names else len(row)
        if filled == 1 and row[0] and ended and wide >= (_HEADED if names else 2):
            yield from [lined(names)] if untold else []
            yield Piece(row[0])
            titled, untold = True, False
        elif filled and (not names or (titled and names_columns(row))):
            names, titled, untold = [name_of(cell) for cell in row], False, True
        elif filled:
            yield named(names, row)
            titled = untold = False
        ended = not filled or (ended and (titled or not names))
    if untold:
        yield lined(names)


class Rows:
    """The rows of one table of a document, told as they come."""

    def __init__(self) -> None:
        self._names: Sequence[str] = ()
        self._any = False

    def row(self, cells: Sequence[str | None], *, header: bool | None = None) -> Piece:
        """The piece that a row is. A cell is None where the one before it spans its column, too.

        `header` is None where nothing says whether the row names the columns.
        """
        said = [cell for cell in cells if cell is not None]
        spread = _spread(cells)
        if not (header or (header is None and not self._any and names_columns(said))):
            self._any = True
            return named(self._names, spread) if self._names else lined(said)
        above = chain([] if self._any else self._names, repeat(""))
        self._names = [name_of(_joined(over, cell)) for over, cell in zip(above, spread, strict=False)]
        self._any |= header is None
        return lined(said)


def named(names: Sequence[str], cells: Sequence[str]) -> Piece:
    """A row as "name: value; name: value"; a cell beyond the names has none."""
    row = [*cells, *[""] * (len(names) - len(cells))]
    few = len(row) <= _FEW
    said = ((names[place] if place < len(names) else "", cell) for place, cell in enumerate(row))
    return Piece(
        _NEXT.join(f"{name}{_OF}{cell or EMPTY}" if name else cell for name, cell in said if cell or (name and few))
    )


def lined(cells: Sequence[str]) -> Piece:
    """A row as "value | value"."""
    if sum(map(bool, cells)) < 2:  # nothing stands beside it
        return Piece("".join(cells))
    return Piece(CELLS_APART.join(cell or EMPTY for cell in cells if cell or len(cells) <= _FEW))


def read_back(paragraphs: Iterable[str]) -> Iterator[tuple[list[str], list[tuple[int, list[str]]]]]:
    """The tables in a text: the names of the columns, and of each row the number of its paragraph and its cells.

    A table has two columns and two rows at least, which follow one another; what was blanked between them is passed
    over, and so is what follows very many cells. What has the form of a name and a value in one row alone is part of
    the value before it: a value may have any signs.
    """
    run: list[tuple[int, list[_Cell]]] = []
    seen: set[str] = set()  # of wide rows, empty cells are left out
    room = _MOST_CELLS
    for number, paragraph in enumerate(paragraphs):
        if not paragraph.strip():
            continue
        cells = _cells(paragraph) if len(paragraph) <= _LONGEST_ROW else []
        names = {cell.name for cell in cells}
        full = (len(run) + 1) * len(names | seen) > room
        if run and (full or len(names) < 2 or 3 * len(names & seen) < len(names)):
            yield from _table(run)
            room -= len(run) * len(seen)
            run, seen = [], set()
        if full:
            break
        if len(names) > 1:
            run.append((number, cells))
            seen |= names
    yield from _table(run)


def fields(paragraph: str) -> list[tuple[str, str]]:
    """What a paragraph has of the form "name: value; name: value"; nothing where it is no such thing."""
    cells = _cells(paragraph)
    return [(cell.name, cell.value) for cell in cells] if all(cell.name for cell in cells) else []


class _Cell(NamedTuple):
    """What may be a cell, and how it is written."""

    name: str
    value: str
    written: str


def _cells(paragraph: str) -> list[_Cell]:
    """What may be cells; only the first one may have no name, and of several of one name the others are numbered."""
    parts: list[list[str]] = []
    for part in paragraph.split(_NEXT):
        name, of, _ = part.partition(_OF)
        if parts and not (of and name and len(name) <= _LONGEST_NAME):
            parts[-1].append(part)
        else:
            parts.append([part])
    cells, times = list[_Cell](), Counter[str]()
    for written in map(_NEXT.join, parts):
        name, of, value = written.partition(_OF)
        name, value = (name, value) if of and len(name) <= _LONGEST_NAME else ("", written)
        times[name] += 1
        cells.append(_Cell(name if times[name] == 1 else f"{name} {times[name]}", value.strip(), written))
    return cells


def _table(run: Sequence[tuple[int, Sequence[_Cell]]]) -> Iterator[tuple[list[str], list[tuple[int, list[str]]]]]:
    counts = Counter(cell.name for _, cells in run for cell in cells)
    columns = [name for name, count in counts.items() if count > 1]
    if len(run) < 2 or len(columns) < 2:
        return
    rows = []
    for number, cells in run:
        said, last = dict[str, list[str]](), columns[0]
        for cell in cells:
            if counts[cell.name] > 1:
                last = cell.name
                said[last] = ["" if cell.value == EMPTY else cell.value]
            else:
                said.setdefault(last, []).append(cell.written)
        rows.append((number, [_NEXT.join(said.get(column, ())) for column in columns]))
    yield columns, rows


def name_of(said: str) -> str:
    """A name in one line; of an endless one its end, which in a path says most."""
    return one_line(said)[-_LONGEST_NAME:]


def names_columns(cells: Sequence[str]) -> bool:
    """Whether a row without a mark looks as if it named columns: one that has values, or names for them, does not."""
    named = all(cell and not any(map(str.isdecimal, cell)) and not cell.endswith((":", "：")) for cell in cells)
    return len(cells) >= _HEADED and named and len(set(cells)) == len(cells)


def _spread(cells: Sequence[str | None]) -> list[str]:
    spread: list[str] = []
    for cell in cells:
        spread.append(cell if cell is not None else spread[-1] if spread else "")
    return spread


def _joined(over: str, name: str) -> str:
    """The name of a column below one that spans several."""
    return name if not over or over == name else f"{over} {name}".strip()
