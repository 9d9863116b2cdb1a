"""What returns on the pages of a document: their heads and feet, which are no text of it."""

import re
from collections.abc import Iterator, Sequence

from memory.formats.pdf.lines import Line, Page, alike

_HEADS = 3  # lines at an edge of a page that may be its head
_AROUND = 4  # pages before and behind that are looked at, as chapters have their own heads
_SHARE = 0.4  # of these: left and right pages may differ
_SAME_HEIGHT = 3.0  # points
_APART = 1.25  # of the usual distance of lines

_NUMBER = re.compile(r"(\d{1,9})")
_PAGE_NUMBER = re.compile(r"\W*\d+\W*")


def without_heads(pages: Sequence[Page], leading: float) -> list[list[Line]]:
    """What the pages hold without the lines that return at their edges, unless there is nothing else: what stands
    upright on the first one, what is turned there, and so on."""
    upright, turned = (_without_heads([page[side] for page in pages], leading) for side in (0, 1))
    left = [lines for page in zip(upright, turned, strict=True) for lines in page]
    return left if any(left) else [list(lines) for page in pages for lines in page]


def _without_heads(pages: Sequence[Sequence[Line]], leading: float) -> Iterator[list[Line]]:
    tops, feet = ([_rows(lines, top) for lines in pages] for top in (True, False))
    for place, lines in enumerate(pages):
        heights = {line.y for edges in (tops, feet) for line in _heads(edges, place, leading)}
        yield [line for line in lines if line.y not in heights]


def _rows(lines: Sequence[Line], top: bool) -> list[list[Line]]:
    """The outermost lines of a page, their cells apart, those of one height together, and one row of the text."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.y, reverse=top):
        cells = [line._replace(cells=(cell,)) for cell in line.cells]
        if rows and abs(rows[-1][0].y - line.y) <= _SAME_HEIGHT:
            rows[-1] += cells
        elif len(rows) > _HEADS:
            break
        else:
            rows.append(cells)
    return rows


def _heads(edges: Sequence[list[list[Line]]], place: int, leading: float) -> list[Line]:
    """The running heads, or feet, of a page; what stands beside the number of a page is one too."""
    rows = edges[place]
    around = edges[max(0, place - _AROUND) : place + _AROUND + 1]
    count = 0
    for rank, row in enumerate(rows[:_HEADS]):
        if not all(_returns(cell, rank, around) for cell in row) and not any(
            _PAGE_NUMBER.fullmatch(cell.text) and _returns(cell, rank, around, counting=True) for cell in row
        ):
            break
        count += 1
    while count and count < len(rows) and not _is_apart(rows[count - 1], rows[count], leading):
        count -= 1
    return [cell for row in rows[:count] for cell in row]


def _returns(cell: Line, rank: int, around: Sequence[list[list[Line]]], counting: bool = False) -> bool:
    """Whether most of the pages around have it at the same place, or also `counting` from page to page."""
    count = sum(
        any(
            (rank == place or abs(cell.y - like.y) <= _SAME_HEIGHT)
            and _same(cell, like)
            and (not counting or like.page == cell.page or like.text != cell.text)
            for place, row in enumerate(rows[:_HEADS])
            for like in row
        )
        for rows in around
    )
    return count >= max(3, _SHARE * len(around))


def _same(one: Line, other: Line) -> bool:
    """Whether two lines are the same but for the number of their page."""
    if not alike(one, other):
        return False
    parts, like = _NUMBER.split(one.text), _NUMBER.split(other.text)
    return (
        len(parts) == len(like)
        and parts[::2] == like[::2]
        and all(
            a == b or int(a) - int(b) == one.page - other.page for a, b in zip(parts[1::2], like[1::2], strict=True)
        )
    )


def _is_apart(head: Sequence[Line], inner: Sequence[Line], leading: float) -> bool:
    """Whether a head is set apart from the text, and is no head of a table."""
    return abs(head[0].y - inner[0].y) >= _APART * leading and not (
        len(head) == len(inner) > 1
        and all(a.left < b.right and b.left < a.right for a, b in zip(head, inner, strict=True))
    )
