"""What stands side by side on a page: cells of the rows of a table, or columns of prose."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import inf

from memory.formats.pdf.lines import Cell, Line, alike, begins_small, below, tied_up
from memory.formats.tables import EMPTY

_LEVEL = 0.1  # em, between what stands on one baseline
_ABOVE = 4.0  # em: so much higher than the first cell another one may begin, as cells stand in the middle of a row
_SAME_EDGE = 1.5  # points
_A_ROW = 24  # lines at most, where its cells have several
_A_COLUMN = 4  # lines at least


def laid_out(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of a page: those of justified text in one cell, of columns one column after the other, of tables with
    all their cells."""
    whole = [
        line.whole() if len(line.cells) > 1 and _is_justified(line, lines[max(0, place - 3) : place + 4]) else line
        for place, line in enumerate(lines)
    ]
    rows = _in_rows([cell for line in whole for cell in _cells(line)])
    for is_row, run in groupby(rows, key=lambda line: len(line.cells) > 1):
        group = list(run)
        if is_row and len(group) > 1:
            group = _columns(group) or _with_empty_cells(group)
        yield from group


def _cells(line: Line) -> list[Line]:
    """The cells of a line, each as a line."""
    if len(line.cells) == 1:
        return [line]
    return [line._replace(cells=(cell,), first=_first_width(cell)) for cell in line.cells]


def _in_rows(cells: Sequence[Line]) -> list[Line]:
    """Lines of what stands in one row; in a table, a cell of several lines is in one row with those beside it."""
    found: list[list[list[Line]]] = []
    start = 0
    while start < len(cells):
        found.append(_row_from(cells[start : start + _A_ROW]))
        start += sum(map(len, found[-1]))
    rows: list[Line] = []
    for place, row in enumerate(found):
        beside = found[max(0, place - 1) : place] + found[place + 1 : place + 2]
        if all(len(cell) == 1 and _is_level(cell[0], row[0][0]) for cell in row) or any(
            _in_one_table(row, other) for other in beside
        ):
            rows.append(_row_of(row))
        else:
            for _, level in groupby((line for cell in row for line in cell), key=lambda line: line.y):
                rows.append(_row_of([[line] for line in level]))
    return rows


def _row_from(cells: Sequence[Line]) -> list[list[Line]]:
    """The lines of each cell of the row that begins with the first of some cells."""
    first = cells[0]
    row = [[first]]
    right, reach = -inf, first.right  # of the cells before the last one, and of all
    left, bottom = first.left, first.y
    for cell in cells[1:]:
        if _is_level(cell, first) and cell.right < left:  # written from the right
            row.append([cell])
        elif cell.left > reach and bottom - _LEVEL * first.size < cell.y < first.y + _ABOVE * first.size:
            row.append([cell])
            right = reach
        elif _goes_down(row[-1][-1], cell) and cell.left > right:
            row[-1].append(cell)
        else:
            break
        left, reach, bottom = min(left, cell.left), max(reach, cell.right), min(bottom, cell.y)
    return row if len(row) > 1 else [[first]]


def _is_level(one: Line, other: Line) -> bool:
    return abs(one.y - other.y) < _LEVEL * other.size


def _goes_down(before: Line, after: Line) -> bool:
    """Whether a cell may go on in a line below."""
    close = alike(before, after) and below(before, after) and before.y - after.y < 1.6 * after.size
    return close and any(map(str.isalpha, after.text))


def _in_one_table(row: Sequence[Sequence[Line]], other: Sequence[Sequence[Line]]) -> bool:
    """Whether two rows have their cells below each other."""
    fewer, more = sorted(([_reach(cell) for cell in cells] for cells in (row, other)), key=len)
    return len(fewer) > 1 and all(any(a < right and left < b for left, right in more) for a, b in fewer)


def _reach(cell: Sequence[Line]) -> tuple[float, float]:
    return min(line.left for line in cell), max(line.right for line in cell)


def _row_of(row: Sequence[Sequence[Line]]) -> Line:
    if len(row) == len(row[0]) == 1:
        return row[0][0]
    return row[0][0]._replace(cells=tuple(Cell(tied_up(cell, set()), *_reach(cell)) for cell in row))


def _is_justified(line: Line, around: Sequence[Line]) -> bool:
    """Whether the words of a line of prose are far apart so that it reaches both margins, as those around do."""
    if not line.even or not any(map(str.isalpha, line.text[len(line.cells[0].text) :])):
        return False
    small = sum(cell.text[0].islower() for cell in line.cells)
    if small >= 3 and 2 * small > len(line.cells):
        return True
    near = [like for like in around if like is not line and alike(like, line) and abs(like.y - line.y) < 6 * line.size]
    beside = [like for like in near if abs(like.start - line.start) < _SAME_EDGE]
    return any(map(begins_small, beside)) and any(abs(like.end - line.end) < _SAME_EDGE for like in beside)


def _columns(rows: Sequence[Line]) -> list[Line]:
    """The lines of columns of prose that were written side by side; none if that is a table."""
    count = len(rows[0].cells)
    if len(rows) < _A_COLUMN or any(len(row.cells) != count for row in rows):
        return []
    columns = [
        [row._replace(cells=(row.cells[place],), first=_first_width(row.cells[place])) for row in rows]
        for place in range(count)
    ]
    for column in columns:
        long = sum(len(line.text) for line in column) > 15 * len(column)
        if not long or sum(map(begins_small, column)) * 4 < len(column):
            return []
    return [line for column in columns for line in column]


def _first_width(cell: Cell) -> float:
    """About how wide the first word of a cell is."""
    return (cell.right - cell.left) * len(cell.text.split()[0]) / len(cell.text)


def _with_empty_cells(rows: Sequence[Line]) -> list[Line]:
    """The rows of a table; where one has fewer cells than others, a sign stands for each that is empty."""
    most = max(len(row.cells) for row in rows)
    full = [row for row in rows if len(row.cells) == most]
    columns = [
        (min(row.cells[place].left for row in full), max(row.cells[place].right for row in full))
        for place in range(most)
    ]
    if most < 3 and len(full) < 2:
        return list(rows)
    return [row if len(row.cells) == most else _placed(row, columns) for row in rows]


def _placed(row: Line, columns: Sequence[tuple[float, float]]) -> Line:
    """A row with all columns, if each of its cells is within one of them."""
    cells: list[Cell | None] = [None] * len(columns)
    for cell in row.cells:
        within = [n for n, (left, right) in enumerate(columns) if cell.left < right and left < cell.right]
        if len(within) != 1 or cells[within[0]]:
            return row
        cells[within[0]] = cell
    return row._replace(cells=tuple(cell or Cell(EMPTY, *column) for cell, column in zip(cells, columns, strict=True)))
