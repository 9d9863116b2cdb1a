"""Paragraphs and headings, by the places of lines on pages."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

from memory.formats.pdf.columns import laid_out
from memory.formats.pdf.heads import without_heads
from memory.formats.pdf.lines import TORN, Line, Page, alike, begins_small, below, tied_up
from memory.formats.pieces import Piece
from memory.formats.tables import EMPTY, lined, named, names_columns

# Of the height of letters (em), as are all lengths beside which nothing else is written.
_SET_IN = 0.8
_SPACE = 0.25
_WIDE, _WIDER = 20, 30  # lines of prose are; those of a list hardly
_FULL = 0.9  # of a line: where somebody counted letters, they are of many widths
_LARGER = 1.12  # of the usual size: a heading
_APART = 1.25  # of the usual distance of lines
_TABLES_APART = 1.8  # of the usual distance of rows
_LONGEST_HEADING = 200  # characters
_A_LIST = 4  # lines

_HYPHENATED = re.compile(r"\w+(?:[-\u2010]\w+)+")
_ENDED = re.compile(r"[.!?…。！？:：][\"'”’»)\]」』）]*$")
_MARK = re.compile(r"[,.;!?،؛؟।。，、；！？]")
_LEADERS = re.compile(r"(?:\s*\.){5,}")  # of a table of contents
_BULLET = re.compile(r"[•▪▫◦●○■□◆➢➤✓‣⁃]")
_ITEM = re.compile(r"(?:[-–—*+]|\(?(?:\d{1,3}|[^\W\d_])[.)])\s")


def pieces_of(pages: Sequence[Page]) -> Iterator[Piece]:
    """The paragraphs, headings and rows of tables of the lines of all pages, which are in reading order."""
    sides = [lines for page in pages for lines in page]
    leading = _usual_leading(line for lines in sides for line in lines)
    inner = _usual_leading(line for lines in sides for line in lines[1:-1])  # heads have their own distance
    body = _usual_size(line for lines in sides for line in lines)
    lines = [line for side in without_heads(pages, inner * body) for line in laid_out(side)]
    compounds = {word.replace("\u2010", "-") for line in lines for word in _HYPHENATED.findall(line.text)}
    paragraphs = list(_paragraphs(lines, leading, body))
    levels = _levels(paragraphs, body)
    heads: set[tuple[str, ...]] = set()
    for is_row, run in groupby(paragraphs, key=lambda paragraph: len(paragraph.lines[0].cells) > 1):
        group = list(run)
        if is_row:
            for table in _tables([paragraph.lines[0] for paragraph in group]):
                yield from _rows(table, heads)
            continue
        for paragraph in group:
            text = _LEADERS.sub(" …", tied_up(paragraph.lines, compounds))
            yield Piece(text, levels.get(id(paragraph), 0), paragraph.lines[0].page)


def _tables(rows: Sequence[Line]) -> Iterator[list[Line]]:
    """Rows that stand as close below each other as those before, or go on on the next page."""
    table, steps = [rows[0]], list[float]()
    for before, after in pairwise(rows):
        step = before.y - after.y
        if before.page == after.page:
            if steps and step > _TABLES_APART * median(steps):
                yield table
                table, steps = [], []
            steps.append(step)
        table.append(after)
    yield table


def _rows(table: Sequence[Line], heads: set[tuple[str, ...]]) -> Iterator[Piece]:
    """The rows of a table. They have names for their columns where the first row can be nothing else: it was that of
    another one, or has no digit where most of those below have one. `heads` are the first rows of that kind so far."""
    rows = [tuple(_LEADERS.sub(" …", "" if cell.text == EMPTY else cell.text) for cell in line.cells) for line in table]
    first, others = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    numbers = [sum(any(map(str.isdigit, row[place])) for row in others) for place in range(len(first))]
    if names_columns(first) and 2 * max(numbers) > len(others):
        heads.add(first)
    for row, line in zip(rows, table, strict=True):
        is_named = first in heads and row != first and len(row) == len(first)
        yield replace(named(first, row) if is_named else lined(row), page=line.page)


def _usual_size(lines: Iterable[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return max(sizes, key=sizes.__getitem__, default=1.0)


def _usual_leading(lines: Iterable[Line]) -> float:
    """The distance of baselines, in heights of letters."""
    steps = Counter(
        round((before.y - after.y) / before.size, 1)
        for before, after in pairwise(lines)
        if alike(before, after) and below(before, after) and before.y - after.y < 3 * before.size
    )
    return max(steps, key=steps.__getitem__, default=1.2)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Lines of one size below each other, and what they say together of whether they were wrapped."""

    lines: list[Line]
    left: float  # where most of them begin
    right: float  # where the longest ones end, but for a tenth
    small: bool  # whether one of them begins with a small letter
    listed: bool  # whether several of them are, and none begins with a small one
    loose: bool  # whether many of them end for no reason

    @classmethod
    def of(cls, lines: list[Line]) -> "_Block":
        starts = Counter(round(line.start) for line in lines)
        left = max(sorted(starts), key=starts.__getitem__)
        right = sorted(line.end for line in lines)[len(lines) * 9 // 10]
        begins = [line.text[:1] for line in lines[1:]]
        small = any(map(str.islower, begins))
        shouted = all(line.text.isupper() for line in lines)
        listed = len(lines) >= _A_LIST and not small and not shouted and any(map(str.isupper, begins))
        full = [_is_full(before, after, left, right) for before, after in pairwise(lines)]
        short = [
            not is_full and not _ENDED.search(line.text) and not TORN.search(line.text)
            for line, is_full in zip(lines, full, strict=False)
        ]
        return cls(lines, left, right, small, listed, 3 * sum(short) > sum(full))

    @property
    def width(self) -> float:
        return (self.right - self.left) / self.lines[0].size


@dataclass(frozen=True, slots=True, eq=False)
class _Paragraph:
    lines: list[Line]
    block: _Block

    @property
    def is_item(self) -> bool:
        text = self.lines[0].text
        return bool(_BULLET.match(text) or _ITEM.match(text))


def _paragraphs(lines: Sequence[Line], leading: float, body: float) -> Iterator[_Paragraph]:
    """The lines of each paragraph, also of those that go on in the next column or on the next page."""
    last: _Paragraph | None = None
    for block in map(_Block.of, _blocks(lines, leading)):
        paragraphs = _within(block)
        first = paragraphs[0]
        if last and _is_elsewhere(last.lines[-1], first.lines[0]) and _carries_over(last, first, body):
            last.lines.extend(first.lines)
            paragraphs = [_Paragraph(last.lines, block), *paragraphs[1:]]
        elif last:
            yield last
        yield from paragraphs[:-1]
        last = paragraphs[-1]
    if last:
        yield last


def _blocks(lines: Sequence[Line], leading: float) -> Iterator[list[Line]]:
    around = [None, *lines, None, None]
    block: list[Line] = []
    for place, line in enumerate(lines):
        if block and not _is_near(around[place - 1], block[-1], line, around[place + 2], leading):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _is_near(earlier: Line | None, before: Line, after: Line, later: Line | None, leading: float) -> bool:
    """Whether a line stands as close below another one as lines of one text do."""
    if len(before.cells) > 1 or len(after.cells) > 1 or not alike(before, after) or not below(before, after):
        return False
    step = before.y - after.y
    if step <= _APART * leading * before.size:
        return True
    steps = [
        one.y - other.y
        for one, other in ((earlier, before), (after, later))
        if one and other and alike(one, other) and below(one, other)
    ]
    return step <= 1.8 * before.size and step <= _APART * min(steps, default=0)


def _within(block: _Block) -> list[_Paragraph]:
    paragraphs = [_Paragraph(block.lines[:1], block)]
    for before, after in pairwise(block.lines):
        if _goes_on(before, after, paragraphs[-1]):
            paragraphs[-1].lines.append(after)
        else:
            paragraphs.append(_Paragraph([after], block))
    return paragraphs


def _goes_on(before: Line, after: Line, paragraph: _Paragraph) -> bool:
    """Whether a line goes on in the one below: there was no room in it for the first word of that."""
    block = paragraph.block
    full = _is_full(before, after, block.left, block.right)
    item = paragraph.is_item
    if _LEADERS.search(before.text) or _begins_item(after, item or not full or bool(_ENDED.search(before.text))):
        return False
    shifted = abs(after.start - block.left) > _SET_IN * after.size
    if shifted and not item and abs(before.start - block.left) <= _SET_IN * after.size:
        return False
    torn = TORN.search(before.text) is not None
    if torn and begins_small(after):
        return True
    return full and (torn or _is_prose(before, after, block))


def _is_prose(before: Line, after: Line, block: _Block) -> bool:
    """Whether a full line goes on in the next one: it does in wide lines, and in narrow ones if they are no list."""
    if begins_small(after):
        return block.width > _WIDE or not block.loose
    if block.listed or before.text.endswith((":", "：")):
        return False
    if unicodedata.category(after.text[0]) == "Lo":  # there are no small letters
        return not block.loose and (block.width > _WIDE or any(_MARK.search(line.text) for line in block.lines))
    return block.width > _WIDER or (block.small and not block.loose)


def _carries_over(paragraph: _Paragraph, other: _Paragraph, body: float) -> bool:
    """Whether a paragraph at the end of a column or page goes on at the beginning of the next."""
    before, after, block = paragraph.lines[-1], other.lines[0], paragraph.block
    if len(before.cells) > 1 or len(after.cells) > 1 or not alike(before, after) or before.size > _LARGER * body:
        return False
    small = begins_small(after)
    if TORN.search(before.text) and small:
        return True
    if _ENDED.search(before.text) or other.is_item or (block.loose and block.width < _WIDE):
        return False
    return small or (
        len(block.lines) > 1 and _is_full(before, after, block.left, block.right) and _is_prose(before, after, block)
    )


def _is_elsewhere(before: Line, after: Line) -> bool:
    return after.page != before.page or after.y > before.y


def _is_full(before: Line, after: Line, left: float, right: float) -> bool:
    return before.end + _SPACE * before.size + after.first - left > _FULL * (right - left)


def _begins_item(line: Line, likely: bool) -> bool:
    return bool(_BULLET.match(line.text) or (likely and _ITEM.match(line.text)))


def _levels(paragraphs: Sequence[_Paragraph], body: float) -> dict[int, int]:
    """The levels of the headings among them, by id: the larger, the higher."""
    large = [paragraph for paragraph in paragraphs if _is_large(paragraph, body)]
    by_page: dict[int, list[_Paragraph]] = {}
    for paragraph in large:
        by_page.setdefault(paragraph.lines[0].page, []).append(paragraph)
    counts = Counter(line.page for paragraph in paragraphs for line in paragraph.lines)
    headings: list[_Paragraph] = []
    for page, found in by_page.items():
        is_title_page = len(found) >= 3 and 2 * sum(len(paragraph.lines) for paragraph in found) > counts[page]
        largest = max(round(paragraph.lines[0].size) for paragraph in found) if is_title_page else 0
        headings += [paragraph for paragraph in found if round(paragraph.lines[0].size) >= largest]
    sizes = sorted({round(paragraph.lines[0].size) for paragraph in headings}, reverse=True)
    return {id(paragraph): sizes.index(round(paragraph.lines[0].size)) + 1 for paragraph in headings}


def _is_large(paragraph: _Paragraph, body: float) -> bool:
    lines = paragraph.lines
    length = sum(len(line.text) for line in lines)
    return (
        lines[0].size >= _LARGER * body
        and len(lines[0].cells) == 1
        and 1 < length <= _LONGEST_HEADING
        and not _LEADERS.search(lines[-1].text)
        and (len(lines) == 1 or not _ENDED.search(lines[-1].text))
    )
