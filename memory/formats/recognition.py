"""Text in pictures of pages, recognised on this machine.

RapidOCR brings PP-OCRv6, which finds the lines in a picture and reads each of them; it knows Latin letters, Chinese and
Japanese. Where most of a line is left unread it is of other letters, and none of it is kept: within a row it is a gap.
Of two columns of small print, slanted and blurred, it has 0.997 of the words, at 960 pixels as at 1,600.
"""

import contextlib
import os
import resource
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, groupby, pairwise
from math import atan2, cos, sin
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from memory.errors import UserMistake
from memory.formats.pdf.lines import Cell, Line, Page
from memory.formats.pieces import one_line

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_SIDE = 3_000  # pixels of a picture that lines are read from
SECONDS = 150.0  # for a document: less than it may take to be read
_SEEN_SIDE = 960  # pixels that lines are looked for in: more of them find no more and take more memory
_THREADS = 4
_USUAL = 10.0  # points: the size of most letters, as whatever comes of a layout is measured in points
_LETTERS = 0.62  # of the height of a line's box: the size of its letters
_LARGER, _SHORT = 1.25, 6  # than the usual width of a letter, and characters: less is due to which letters there are
_EVEN = 0.25  # of the usual distance of two lines: a box is higher or lower by the letters in it
_ONE_ROW = 0.5  # of their height: so far apart are boxes that stand side by side
_WIDE, _LETTER, _MARK = 1.0, 0.5, 0.25  # of a letter's size: an ideograph, a letter or a digit, a mark
_IN_PART = ("GREEK", "CYRILLIC")  # scripts of which some letters are known
# Of a column of prose: its lines at least, characters of a line, the share of lines that go across two of them, and how
# many of its lines fill how much of it.
_A_COLUMN, _LONG, _ACROSS, _MANY, _FULL = 4, 20, 0.25, 0.6, 0.8
_SURE = 0.5
_PADDING = 0.6  # of a box's height, by which it is wider than its letters
_NARROW, _READ = 4.0, 0.5  # heights of a box; how much of a wider one what is read of it fills, if it is known script
_TALL, _UPRIGHT = 1.5, 0.93  # of a box: its height; of lines: how sure those are that stand upright
_GAP = "…"


class _Box(NamedTuple):
    """What was read in a box of a page that stands straight: its middle, from the top, and from where to where."""

    text: str
    y: float
    left: float
    right: float
    height: float

    @property
    def width(self) -> float:
        return self.right - self.left


class _Found(NamedTuple):
    """The texts found in a picture, how sure each is, and the corners of its box."""

    texts: Sequence[str]
    scores: Sequence[float]
    corners: Sequence[Sequence[tuple[float, float]]]

    @property
    def sureness(self) -> float:
        """How sure the letters are, on the whole."""
        return sum(len(text) * score for text, score in zip(self.texts, self.scores, strict=True))

    @property
    def is_turned(self) -> bool:
        """Whether most boxes are higher than wide."""
        tall = [abs(four[2][1] - four[0][1]) > _TALL * abs(four[2][0] - four[0][0]) for four in self.corners]
        return 2 * sum(tall) > len(tall)


class Recognised(NamedTuple):
    """The lines of pages by their numbers; whether they are of letters that are not known, and the pages for which
    there was no time."""

    pages: dict[int, Page]
    is_unknown: bool
    left: list[int]

    def check(self, name: str) -> None:
        """Raises UserMistake: there is nothing that can be read, or more than can be in the time."""
        if self.left:
            raise UserMistake(
                "{name} has more scanned pages than can be recognised in {seconds} s; split it and add the parts.",
                name=name,
                seconds=SECONDS,
            )
        if self.is_unknown or not self.pages:
            raise UserMistake(
                "{name} has no text that can be recognised; a sharp picture of Latin, Chinese or Japanese letters has.",
                name=name,
            )


def recognised(pictures: Iterable[tuple[int, "Image"]], until: float) -> Recognised:
    """The lines in the pictures of pages, which come with their numbers; of pages that cannot be read there are none.

    `until` is when no further one is begun, by `time.monotonic`.
    """
    found, read, unread = Recognised({}, False, []), 0.0, 0.0
    for number, picture in pictures:
        if time.monotonic() > until:
            found.left.append(number)
            continue
        boxes = _boxes(picture)
        known = sum(box.width for box in boxes if _is_read(box))
        other = sum(box.width for box in boxes if not _is_read(box))
        read, unread = read + known, unread + other
        if known > other:
            found.pages[number] = _lines(boxes, number), ()
    return found._replace(is_unknown=unread > read)


def allow_more_memory() -> None:
    """Let the process use all the memory that it can have, as recognition wants."""
    with contextlib.suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _boxes(picture: "Image") -> list[_Box]:
    """What is found in a picture, from the top to the bottom, as if it had been scanned straight; without a text where
    nothing sure is read."""
    found = _found(picture)
    if not found.texts:
        return []
    if found.is_turned:
        found = max((_found(picture.rotate(turn, expand=True)) for turn in (90, 270)), key=lambda one: one.sureness)
    elif found.sureness < _UPRIGHT * sum(map(len, found.texts)):
        found = max((found, _found(picture.rotate(180))), key=lambda one: one.sureness)
    slant = median(atan2(right[1] - left[1], right[0] - left[0]) for left, right, *_ in found.corners)
    read = (text if score > _SURE else "" for text, score in zip(found.texts, found.scores, strict=True))
    boxes = [_straight(one_line(text), four, slant) for text, four in zip(read, found.corners, strict=True)]
    return sorted((box for box in boxes if box.right > box.left), key=lambda box: box.y)


def _found(picture: "Image") -> _Found:
    import numpy as np

    found = _engine()(np.asarray(picture.convert("RGB"))[:, :, ::-1])
    if not getattr(found, "txts", None):
        return _Found((), (), ())
    corners = [[(float(x), float(y)) for x, y in box] for box in found.boxes]
    return _Found(found.txts, [float(score) for score in found.scores], corners)


def _straight(text: str, corners: Sequence[tuple[float, float]], slant: float) -> _Box:
    turned = [(x * cos(slant) + y * sin(slant), y * cos(slant) - x * sin(slant)) for x, y in corners]
    top, bottom = (sum(y for _, y in pair) / 2 for pair in (turned[:2], turned[2:]))
    return _Box(text, (top + bottom) / 2, min(x for x, _ in turned), max(x for x, _ in turned), abs(bottom - top))


def _is_read(box: _Box) -> bool:
    """Whether what was read of a box is what stands in it."""
    said = sum(map(_width, box.text))
    if box.width <= _NARROW * box.height:  # of few letters a box is much wider than they are
        return said > 0
    return said * _LETTERS * box.height > _READ * (box.width - _PADDING * box.height)


def _width(sign: str) -> float:
    """How wide a sign is, in sizes of letters; a letter of a script that is known in part has none."""
    if sign.isalpha() and unicodedata.name(sign, "").startswith(_IN_PART):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return _WIDE
    return _LETTER if sign.isalnum() else _MARK


def _lines(boxes: Sequence[_Box], page: int) -> list[Line]:
    """The lines of a page in reading order, what stands side by side in one, and large letters as such."""
    read = [box for box in boxes if _is_read(box)]
    scale = _USUAL / (_LETTERS * median(box.height for box in read))
    usual = median(map(_stretch, read))
    lines = list[Line]()
    for column in map(_rows, _columns(boxes)):
        for row, y in zip(column, _levels(column), strict=True):
            larger = min(_stretch(box) for box in row if _is_read(box)) / usual
            size = _USUAL * larger if larger > _LARGER and len(row[0].text) > _SHORT else _USUAL
            said = [box.text if _is_read(box) else _GAP for box in row]
            cells = tuple(Cell(text, box.left * scale, box.right * scale) for text, box in zip(said, row, strict=True))
            first = (cells[0].right - cells[0].left) * len(said[0].split()[0]) / len(said[0])
            lines.append(Line(page, -y * scale, size, cells, first, even=False))
    return lines


def _stretch(box: _Box) -> float:
    """How wide an average sign of a line is; the height of its box tells less of the size of its letters."""
    return box.width / sum(map(_width, box.text))


def _levels(rows: Sequence[Sequence[_Box]]) -> list[float]:
    """How far down each row stands, as if those that are about equally far apart were so in truth."""
    steps = [after[0].y - before[0].y for before, after in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    even = (usual if abs(step - usual) < _EVEN * usual else step for step in steps)
    return list(accumulate(even, initial=rows[0][0].y)) if rows else []


def _rows(boxes: Sequence[_Box]) -> list[list[_Box]]:
    """What stands side by side, from the left to the right, where some of it can be read."""
    rows: list[list[_Box]] = []
    for box in boxes:
        if rows and box.y - rows[-1][0].y < _ONE_ROW * min(box.height, rows[-1][0].height):
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row, key=lambda box: box.left) for row in rows if any(map(_is_read, row))]


def _columns(boxes: Sequence[_Box]) -> Iterator[Sequence[_Box]]:
    """The columns of prose, one after the other; what goes across them stands between those above and below it."""
    middle = _gutter(boxes)
    if middle is None:
        yield boxes
        return
    for across, run in groupby(boxes, key=lambda box: box.left < middle < box.right):
        group = list(run)
        if across:
            yield group
            continue
        for side in ([box for box in group if box.left < middle], [box for box in group if box.left >= middle]):
            yield from _columns(side) if side else ()


def _gutter(boxes: Sequence[_Box]) -> float | None:
    """Where the space between two columns of prose is, which few boxes go across."""
    best, fewest = None, _ACROSS * len(boxes)
    for edge in sorted({box.right + 1 for box in boxes}):
        left, right = [box for box in boxes if box.right < edge], [box for box in boxes if box.left > edge]
        across = len(boxes) - len(left) - len(right)
        if across < fewest and _is_prose(left) and _is_prose(right):
            best, fewest = edge, across
    return best


def _is_prose(boxes: Sequence[_Box]) -> bool:
    """Whether these are long lines, most of them full, of which many go on where the one before has ended: cells of a
    table are not."""
    if len(boxes) < _A_COLUMN or sum(len(box.text) for box in boxes) <= _LONG * len(boxes):
        return False
    begins = [box.text[:1] for box in boxes]
    goes_on = sum(begin.islower() or unicodedata.category(begin or " ") == "Lo" for begin in begins)
    widest = max(box.width for box in boxes)
    full = sum(box.width > _FULL * widest for box in boxes)
    return 4 * goes_on >= len(boxes) and full >= _MANY * len(boxes)


@cache
def _engine() -> Any:
    """What recognises text; the process may then use all the memory that it can have."""
    allow_more_memory()
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "Global.use_cls": False,  # it would turn each line by itself, and leave the lines in the wrong order
            "Det.limit_type": "max",
            "Det.limit_side_len": _SEEN_SIDE,
            "Rec.rec_batch_num": 1,  # more take more memory, and no less time
            "EngineConfig.onnxruntime.intra_op_num_threads": min(_THREADS, os.cpu_count() or 1),
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
        }
    )
