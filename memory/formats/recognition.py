"""Text in pictures of pages, recognised on this machine.

RapidOCR brings PP-OCRv6, which finds the lines in a picture and reads each of them; it knows Latin letters, Chinese and
Japanese. What it makes of others is not kept: a line of which most is left unread is a gap, and a document of gaps is
refused. Of two columns of small print, slanted and blurred, it has 0.997 of the words, at 960 pixels as at 1,600.
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
_SEEN_SIDE = 960  # pixels that lines are looked for in: more of them find no more and take more memory
_SECONDS = 150.0  # for all pages: less than a document may take to be read
_THREADS = 4
_USUAL = 10.0  # points: the size of most letters, as whatever comes of a layout is measured in points
_LETTERS = 0.62  # of the height of a line's box: the size of its letters
_LARGER, _SHORT = 1.25, 6  # than the usual width of a letter, and characters: less is due to which letters there are
_EVEN = 0.25  # of the usual distance of two lines: a box is higher or lower by the letters in it
_ONE_ROW = 0.5  # of their height: so far apart are boxes that stand side by side
_WIDTHS = {"LATIN": 0.5, "CJK": 1.0, "HIRAGANA": 1.0, "KATAKANA": 1.0, "KATAKANA-HIRAGANA": 1.0, "FULLWIDTH": 1.0}
# Of a column of prose: its lines at least, characters of a line, and the share of lines that go across two of them.
_A_COLUMN, _LONG, _ACROSS = 4, 15, 0.25
_DIGIT, _MARK = 0.5, 0.25
_SURE = 0.5
_READ = 0.45  # of a line's width that what was read of it fills: less is a script that is not known


class _Box(NamedTuple):
    """What was read in a box of a page that stands straight: its middle, from the top, and from where to where."""

    text: str
    y: float
    left: float
    right: float
    height: float


def recognized(name: str, pictures: Iterable[tuple[int, "Image"]]) -> dict[int, Page]:
    """The lines in the pictures of pages, by their numbers; pages without any are left out.

    Raises:
        UserMistake: there is no text in them that can be read, or more than can be in the time.
    """
    pages, read, unread = dict[int, Page](), 0.0, 0.0
    until = time.monotonic() + _SECONDS
    for number, picture in pictures:
        if time.monotonic() > until:
            raise UserMistake(
                "{name} has more scanned pages than can be recognised in {seconds} s; split it and add the parts.",
                name=name,
                seconds=_SECONDS,
            )
        boxes = _boxes(picture)
        known = [box for box in boxes if _is_read(box)]
        read += sum(box.right - box.left for box in known)
        unread += sum(box.right - box.left for box in boxes if not _is_read(box))
        if known:
            pages[number] = _lines(known, number), ()
    if unread > read or not pages:
        raise UserMistake(
            "{name} has no text that can be recognised; a sharp picture of Latin, Chinese or Japanese letters has.",
            name=name,
        )
    return pages


def _boxes(picture: "Image") -> list[_Box]:
    """What is found in a picture, from the top to the bottom, as if it had been scanned straight; without a text where
    nothing sure is read."""
    from PIL import Image

    ground = Image.new("RGB", picture.size, "white")
    shown = picture.convert("RGBA")
    ground.paste(shown, mask=shown.getchannel("A"))
    import numpy as np

    pixels = np.asarray(ground)[:, :, ::-1]
    found = _engine()(pixels)
    if not getattr(found, "txts", None):
        return []
    corners = [[(float(x), float(y)) for x, y in box] for box in found.boxes]
    slant = median(atan2(right[1] - left[1], right[0] - left[0]) for left, right, *_ in corners)
    read = (text if score > _SURE else "" for text, score in zip(found.txts, found.scores, strict=True))
    boxes = [_straight(one_line(text), four, slant) for text, four in zip(read, corners, strict=True)]
    return sorted((box for box in boxes if box.right > box.left), key=lambda box: box.y)


def _straight(text: str, corners: Sequence[tuple[float, float]], slant: float) -> _Box:
    turned = [(x * cos(slant) + y * sin(slant), y * cos(slant) - x * sin(slant)) for x, y in corners]
    top, bottom = (sum(y for _, y in pair) / 2 for pair in (turned[:2], turned[2:]))
    return _Box(text, (top + bottom) / 2, min(x for x, _ in turned), max(x for x, _ in turned), abs(bottom - top))


def _is_read(box: _Box) -> bool:
    return sum(map(_width, box.text)) * _LETTERS * box.height > _READ * (box.right - box.left)


def _width(sign: str) -> float:
    """How wide a sign is, in sizes of letters; a letter of a script that is not known has none."""
    script = unicodedata.name(sign, "").partition(" ")[0]
    if sign.isalpha():
        return _WIDTHS.get(script, 0.0)
    return _WIDTHS["CJK"] if unicodedata.east_asian_width(sign) in "WF" else _MARK if not sign.isdigit() else _DIGIT


def _lines(boxes: Sequence[_Box], page: int) -> list[Line]:
    """The lines of a page in reading order, what stands side by side in one, and large letters as such."""
    scale = _USUAL / (_LETTERS * median(box.height for box in boxes))
    usual = median(map(_stretch, boxes))
    lines = list[Line]()
    for column in map(_rows, _columns(boxes)):
        for row, y in zip(column, _levels(column), strict=True):
            larger = min(map(_stretch, row)) / usual
            size = _USUAL * larger if larger > _LARGER and len(row[0].text) > _SHORT else _USUAL
            cells = tuple(Cell(box.text, box.left * scale, box.right * scale) for box in row)
            first = (cells[0].right - cells[0].left) * len(row[0].text.split()[0]) / len(row[0].text)
            lines.append(Line(page, -y * scale, size, cells, first, even=False))
    return lines


def _stretch(box: _Box) -> float:
    """How wide an average sign of a line is; the height of its box tells less of the size of its letters."""
    return (box.right - box.left) / sum(map(_width, box.text))


def _levels(rows: Sequence[Sequence[_Box]]) -> list[float]:
    """How far down each row stands, as if those that are about equally far apart were so in truth."""
    steps = [after[0].y - before[0].y for before, after in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    even = (usual if abs(step - usual) < _EVEN * usual else step for step in steps)
    return list(accumulate(even, initial=rows[0][0].y))


def _rows(boxes: Sequence[_Box]) -> list[list[_Box]]:
    """What stands side by side, from the left to the right."""
    rows: list[list[_Box]] = []
    for box in boxes:
        if rows and box.y - rows[-1][0].y < _ONE_ROW * min(box.height, rows[-1][0].height):
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row, key=lambda box: box.left) for row in rows]


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
    goes_on = sum(box.text[0].islower() or unicodedata.category(box.text[0]) == "Lo" for box in boxes)
    return (
        len(boxes) >= _A_COLUMN
        and 4 * goes_on >= len(boxes)
        and sum(len(box.text) for box in boxes) > _LONG * len(boxes)
    )


@cache
def _engine() -> Any:
    """What recognises text; the process may then use all the memory that it can have."""
    with contextlib.suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "Det.limit_type": "max",
            "Det.limit_side_len": _SEEN_SIDE,
            "Rec.rec_batch_num": 1,  # more take more memory, and no less time
            "EngineConfig.onnxruntime.intra_op_num_threads": min(_THREADS, os.cpu_count() or 1),
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
        }
    )
