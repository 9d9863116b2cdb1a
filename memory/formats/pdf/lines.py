"""Lines of pages: their words, and where they stand."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from memory.formats.pieces import one_line

# Of the height of letters (em), as are all lengths beside which nothing else is written.
_WIDE_GAP, _GAP = 1.0, 0.6  # between cells: one has to be wide
_EVEN = 0.25  # by how much the gaps of a justified line differ
_ALIKE = 0.08  # of a size: what belongs to one text

TORN = re.compile(r"\w[-\u2010\u00ad]$")
_LAST_WORD, _FIRST_WORD = re.compile(r"\w+$"), re.compile(r"\w+")
_IDEOGRAPH = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
_RIGHT_TO_LEFT = re.compile(r"[\W\d_]*[\u0590-\u08ff]")


class Cell(NamedTuple):
    """Words of a line and from where to where they reach, in points."""

    text: str
    left: float
    right: float


class Line(NamedTuple):
    """A line of a page: its baseline's height, the height of its letters, the width of its first word, whether its
    words are all equally far apart."""

    page: int
    y: float
    size: float
    cells: tuple[Cell, ...]
    first: float
    even: bool

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)

    @property
    def left(self) -> float:
        return self.cells[0].left if len(self.cells) == 1 else min(cell.left for cell in self.cells)

    @property
    def right(self) -> float:
        return self.cells[0].right if len(self.cells) == 1 else max(cell.right for cell in self.cells)

    @property
    def start(self) -> float:
        """Where it begins, in reading direction: what is written from the right is seen as in a mirror."""
        return -self.right if _RIGHT_TO_LEFT.match(self.text) else self.left

    @property
    def end(self) -> float:
        return -self.left if _RIGHT_TO_LEFT.match(self.text) else self.right

    def whole(self) -> "Line":
        """The line as one cell."""
        return self._replace(cells=(Cell(self.text, self.left, self.right),))


Page = tuple[Sequence[Line], Sequence[Line]]  # what stands upright on it, and what is turned


def line_of(page: int, y: float, size: float, words: Sequence[Cell]) -> Line:
    """A line of these words; where they are far apart there are cells."""
    gaps = [max(after.left - before.right, before.left - after.right) for before, after in pairwise(words)]
    apart = (_GAP if max(gaps, default=0.0) > _WIDE_GAP * size else _WIDE_GAP) * size
    groups = [[words[0]]]
    for word, gap in zip(words[1:], gaps, strict=True):
        if gap > apart:
            groups.append([word])
        else:
            groups[-1].append(word)
    cells = tuple(
        Cell(" ".join(w.text for w in group), min(w.left for w in group), max(w.right for w in group))
        for group in groups
    )
    first = size if _IDEOGRAPH.match(words[0].text) else words[0].right - words[0].left
    return Line(page, y, size, cells, first, bool(gaps) and max(gaps) - min(gaps) < _EVEN * size)


def alike(one: Line, other: Line) -> bool:
    return abs(one.size - other.size) <= _ALIKE * max(one.size, other.size)


def below(before: Line, after: Line) -> bool:
    return before.page == after.page and before.y > after.y and before.left < after.right and after.left < before.right


def begins_small(line: Line) -> bool:
    return line.text[:1].islower()


def tied_up(lines: Sequence[Line], compounds: set[str]) -> str:
    """The lines in one, with whole words."""
    text = lines[0].text
    for line in lines[1:]:
        text = _tied(text, line.text, compounds) if TORN.search(text) else f"{text}\n{line.text}"
    return one_line(text)


def _tied(text: str, after: str, compounds: set[str]) -> str:
    """Two lines, the first of which ends with a hyphen: it belongs to the word before a capital letter or a digit, and
    where the word has it elsewhere too."""
    begin, end = _LAST_WORD.search(text[:-1]), _FIRST_WORD.match(after)
    if begin and end and after[0].isalpha() and not after[0].isupper():
        return text[:-1] + after if f"{begin[0]}-{end[0]}" not in compounds else f"{text[:-1]}-{after}"
    return text + after if end else f"{text} {after}"
