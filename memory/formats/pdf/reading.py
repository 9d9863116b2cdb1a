"""PDF files."""

import contextlib
import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from ctypes import byref, c_double, c_int, c_uint
from datetime import date
from math import hypot
from typing import Any

from memory.errors import UserMistake
from memory.formats.pdf.layout import pieces_of
from memory.formats.pdf.lines import Cell, Line, Page, line_of
from memory.formats.pieces import Piece, one_line
from memory.formats.recognition import LONGEST_SIDE, SECONDS, recognised

_Box = tuple[float, float, float, float]  # left, bottom, right, top

_SMALLEST = 2.0  # points: smaller letters nobody reads
_WHITE = 250  # of 255, of each color
_A_STAMP = 200  # characters: a page with more has a text
_IMAGE = 3  # FPDF_PAGEOBJ_IMAGE
_DOTS_A_POINT = 200 / 72  # of a scan: smaller print is read worse, and larger no better
_GRID = 256  # fields of a page, in each direction
_LEVEL = 0.5  # em: so much higher or lower is another line
_LINE = re.compile(r"[^\r\n\ufffe]+\ufffe?")
_WORD = re.compile(r"\S+")
_TORN = re.compile("[\ufffe\x02]")  # how PDFium says that a hyphen ends a line
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ufeff\uffff]|\u00ad(?=.)")
_FORMS = re.compile("[\ufb00-\ufdff\ufe70-\ufefc]+")  # ligatures, and letters as they are drawn in a word
_RIGHT_TO_LEFT = re.compile("(?:[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc](?<![\u0660-\u0669\u06f0-\u06f9]))+")
# A lam and an alef of whatever kind are drawn as one.
_ALEF_LAM, _LAM_ALEF = (
    re.compile("[\u0622\u0623\u0625\u0627\u0671]\u0644"),
    re.compile("\u0644[\u0622\u0623\u0625\u0627\u0671]"),
)
_SYMBOL = re.compile("[\uf000-\uf0ff]")  # of a font of bullets and arrows
_FIELDS = ("Title", "Author", "Subject", "Keywords")
_FILE = re.compile(r"\.[a-zA-Z]\w{1,4}$| - \S+\.\w+$")
_DAY = re.compile(r"D:(\d{4})(\d\d)(\d\d)")


def read_pdf(name: str, data: bytes) -> Iterator[Piece]:
    """What the file says of itself, then the paragraphs and headings of all pages, with these. What pages say that are
    pictures is recognised.

    Raises:
        UserMistake: it is damaged or locked, or there is no text in it that can be read.
    """
    import pypdfium2 as pdfium  # loaded with the first file that wants it

    until = time.monotonic() + SECONDS
    try:
        with closing(pdfium.PdfDocument(data)) as document:
            pages = _pages(document)
            scanned = recognised(_pictures(document, pages), until)
            about = _about(document)
    except pdfium.PdfiumError as error:
        raise _mistake(name, error) from error
    if not any(map(any, pages.values())):
        scanned.check(name)
    if scanned.left:
        about = f"{about}; Pages that were not read, of pictures: {len(scanned.left)}".removeprefix("; ")
    pages |= {number: page for number, page in scanned.pages.items() if _letters(page) > _letters(pages[number])}
    yield from [Piece(about)] if about else []
    yield from pieces_of([page for _, page in sorted(pages.items())])


def _mistake(name: str, error: Any) -> UserMistake:
    match getattr(error, "err_code", None):
        case 4:  # FPDF_ERR_PASSWORD
            return UserMistake("{name} is locked with a password; save it without one and add it again.", name=name)
        case 5:  # FPDF_ERR_SECURITY
            return UserMistake("{name} is encrypted; save it without encryption and add it again.", name=name)
    return UserMistake(
        "{name} is damaged or no PDF ({reason}); open it elsewhere and save it anew.", name=name, reason=error
    )


def _about(document: Any) -> str:
    told = document.get_metadata_dict()
    fields = {label: one_line(told.get(label, "")) for label in _FIELDS}
    if _FILE.search(fields["Title"]):
        del fields["Title"]
    fields["Pages"] = str(len(document)) if len(document) > 1 else ""
    fields = {label: value for label, value in fields.items() if any(map(str.isalnum, value))}
    day = _day(told.get("CreationDate", "")) if fields else ""
    return "; ".join(f"{label}: {value}" for label, value in [*fields.items(), ("Created", day)] if value)


def _day(written: str) -> str:
    match = _DAY.match(written)
    try:
        return date(*map(int, match.groups())).isoformat() if match else ""
    except ValueError:
        return ""


def _pages(document: Any) -> dict[int, Page]:
    """Those pages that can be read, by their numbers; at least one has to be."""
    from pypdfium2 import PdfiumError

    pages, failure = dict[int, Page](), None
    for number in range(1, len(document) + 1):
        try:
            pages[number] = _page(document, number)
        except PdfiumError as error:
            failure = error
    if failure and not pages:
        raise failure
    return pages


def _pictures(document: Any, pages: Mapping[int, Page]) -> Iterator[tuple[int, Any]]:
    """The pages that are a picture, with no more text than a stamp on it, as far as they can be drawn."""
    from pypdfium2 import PdfiumError

    for number in sorted(number for number, page in pages.items() if _letters(page) < _A_STAMP):
        with contextlib.suppress(PdfiumError), closing(document[number - 1]) as page:
            if _is_picture(page, any(pages[number])):
                scale = min(_DOTS_A_POINT, LONGEST_SIDE / max(page.get_size()))
                yield number, page.render(scale=scale).to_pil()


def _is_picture(page: Any, has_text: bool) -> bool:
    """Whether something is drawn on a page; where it has a text, whether a picture covers half of it."""
    if not has_text:
        return any(page.get_objects(max_depth=1))
    width, height = page.get_size()
    bounds = (item.get_bounds() for item in page.get_objects(max_depth=2) if item.type == _IMAGE)
    return any((right - left) * (top - bottom) > width * height / 2 for left, bottom, right, top in bounds)


def _letters(page: Page) -> int:
    """How many characters the lines of a page have."""
    return sum(len(line.text) for lines in page for line in lines)


def _page(document: Any, number: int) -> Page:
    """The lines of a page, from 1, in the order in which they were written."""
    lines: dict[int, list[Line]] = {turn: [] for turn in (0, 90, 180, 270)}
    with closing(document[number - 1]) as page, closing(page.get_textpage()) as text_page:
        text = text_page.get_text_range()
        measure = _Measure(page, text_page, len(text))
        for match in _LINE.finditer(text):
            for turn, run in _runs(measure, text, *match.span()):
                measure.turn = turn
                if line := _line(measure, number, run):
                    lines[turn].append(line)
        upright = lines.pop(measure.page_turn)
    return upright, [line for turned in lines.values() for line in turned]


def _runs(measure: "_Measure", text: str, start: int, end: int) -> Iterator[tuple[int, list[re.Match[str]]]]:
    """The words of what PDFium takes for a line, by how they are turned; it ties up lines of turned text."""
    run: list[re.Match[str]] = []
    turn, level = measure.page_turn, 0.0
    for word in _WORD.finditer(text, start, end):
        before, above = turn, level
        turn = measure.turn = measure.turn_of(word.start())
        is_turned = turn != measure.page_turn
        level = measure.baseline(word.start()) if is_turned else 0.0
        if run and (turn != before or (is_turned and abs(level - above) > _LEVEL * measure.size(word.start()))):
            yield before, run
            run = []
        run.append(word)
    if run:
        yield turn, run


def _line(measure: "_Measure", number: int, run: Sequence[re.Match[str]]) -> Line | None:
    """A line of what is seen of some words of a page."""
    words, places = [], []
    for match in run:
        cell = measure.seen(match[0], match.start(), match.end() - 1)
        if cell and (word := _cleaned(cell.text)):
            words.append(cell._replace(text=word))
            places += [match.start(), match.end() - 1]
    if not words:
        return None
    sizes = sorted(measure.size(places[len(places) * part // 5]) for part in range(5))
    line = line_of(number, measure.baseline(places[0]), sizes[-2], words)  # not that of one large letter
    cells = tuple(cell for cell in line.cells if measure.is_on_page(cell, line.y))
    return line._replace(cells=cells) if cells else None


def _cleaned(word: str) -> str:
    if word.isascii() and word.isprintable():
        return word
    word = _UNSEEN.sub("", _TORN.sub("-", word))
    return _SYMBOL.sub("•", _FORMS.sub(lambda forms: unicodedata.normalize("NFKC", forms[0]), word))


def _turned(turn: int, x: float, y: float) -> tuple[float, float]:
    """Where a point is, if a page is turned to the right by 0, 90, 180, or 270 degrees."""
    match turn:
        case 90:
            return y, -x
        case 180:
            return -x, -y
        case 270:
            return -y, x
    return x, y


class _Ground:
    """Where on a page something lies, as bits of a grid: looking there costs the same however much that is."""

    def __init__(self, page: _Box, boxes: Iterable[_Box]) -> None:
        self._left, self._bottom, right, top = page
        self._width, self._height = max(right - self._left, 1.0) / _GRID, max(top - self._bottom, 1.0) / _GRID
        self._rows = [0] * _GRID
        for x, y, other_x, other_y in boxes:
            (left, bottom), (right, top) = self._field(x, y), self._field(other_x, other_y)
            bits = (1 << right + 1) - (1 << left)
            for row in range(bottom, top + 1):
                self._rows[row] |= bits

    def lies_at(self, x: float, y: float) -> bool:
        column, row = self._field(x, y)
        return bool(self._rows[row] >> column & 1)

    def _field(self, x: float, y: float) -> tuple[int, int]:
        column, row = (x - self._left) / self._width, (y - self._bottom) / self._height
        return int(min(max(0.0, column), _GRID - 1)), int(min(max(0.0, row), _GRID - 1))


class _Measure:
    """Where the characters of a page stand, in points, if it is turned so that some of them are upright."""

    def __init__(self, page: Any, text_page: Any, length: int) -> None:
        """`length` is that of the page's text."""
        from pypdfium2 import raw

        self._raw = raw
        self._page = text_page.raw
        self._same = text_page.count_chars() == length
        self.page_turn: int = page.get_rotation()
        self.turn = self.page_turn
        self._box, self._matrix, self._x, self._y = raw.FS_RECTF(), raw.FS_MATRIX(), c_double(), c_double()
        self._color = tuple(c_uint() for _ in range(4))
        self._references = tuple(map(byref, self._color))
        self._whole = page
        self._frame = page.get_bbox()
        self._ground: _Ground | None = None

    def turn_of(self, place: int) -> int:
        """By how much a page is to be turned to the right so that a character is upright; mirrored ones stay."""
        index, matrix = self._index(place), self._matrix
        if not self._raw.FPDFText_GetMatrix(self._page, index, byref(matrix)):
            return self.page_turn
        if matrix.a > 0 and abs(matrix.b) <= matrix.a:
            turn = 0
        elif abs(matrix.b) > abs(matrix.a):
            turn = 90 if matrix.b > 0 else 270
        else:
            turn = 180 if matrix.d < 0 else 0
        return (turn + 180) % 360 if self._raw.FPDFText_GetFontSize(self._page, index) < 0 else turn

    def seen(self, word: str, first: int, last: int) -> Cell | None:
        """A word of these characters, if it can be read: neither tiny nor white on white."""
        x, y, other_x, other_y = self._rectangle(first)
        if other_y - y < _SMALLEST:
            return None
        if last != first:
            left, _, right, _ = self._rectangle(last)
            x, other_x = min(x, left), max(other_x, right)
        if self._is_white(first) and not self._has_ground((x + other_x) / 2, (y + other_y) / 2):
            return None
        return Cell(word if word.isascii() else self._as_written(word, first), x, other_x)

    def is_on_page(self, cell: Cell, baseline: float) -> bool:
        """Whether a part of some words is, at this height."""
        left, bottom, right, top = self._turned_box(*self._frame)
        return cell.left < right and left < cell.right and bottom <= baseline <= top

    def _as_written(self, word: str, first: int) -> str:
        """The word, with its letters from the right to the left turned around if they come as they were drawn."""
        letters = _RIGHT_TO_LEFT.search(word)
        if not letters:
            return word
        start, end = letters.span()
        if self._rectangle(first + start)[0] >= self._rectangle(first + end - 1)[0]:
            return _ALEF_LAM.sub(lambda two: self._in_order(two, first), word)
        word = _LAM_ALEF.sub(lambda two: self._in_order(two, first), word)
        return word[:start] + word[start:end][::-1] + word[end:]

    def _in_order(self, two: re.Match[str], first: int) -> str:
        """Two letters; turned around if they are of one glyph, whose letters come the other way than a line's."""
        one, other = (self._rectangle(first + place) for place in (two.start(), two.start() + 1))
        return two[0][::-1] if one == other else two[0]

    def size(self, place: int) -> float:
        """The height of a character's font."""
        index = self._index(place)
        self._raw.FPDFText_GetMatrix(self._page, index, byref(self._matrix))
        size = self._raw.FPDFText_GetFontSize(self._page, index) * hypot(self._matrix.c, self._matrix.d)
        _, bottom, _, top = self._rectangle(place)
        height = top - bottom
        return size if height / 2 < size < height * 2 else height  # fonts of pictures have their own measure

    def baseline(self, place: int) -> float:
        self._raw.FPDFText_GetCharOrigin(self._page, self._index(place), byref(self._x), byref(self._y))
        return _turned(self.turn, self._x.value, self._y.value)[1]

    def _rectangle(self, place: int) -> _Box:
        box = self._box
        self._raw.FPDFText_GetLooseCharBox(self._page, self._index(place), byref(box))
        return self._turned_box(box.left, box.bottom, box.right, box.top)

    def _is_white(self, place: int) -> bool:
        """Whether a character is white, or nothing of it is drawn; in the text under a scanned picture all are."""
        index = self._index(place)
        self._raw.FPDFText_GetFillColor(self._page, index, *self._references)
        red, green, blue, alpha = self._color
        if alpha.value and min(red.value, green.value, blue.value) < _WHITE:
            return False
        text = self._raw.FPDFText_GetTextObject(self._page, index)
        return bool(self._raw.FPDFTextObj_GetTextRenderMode(text) == self._raw.FPDF_TEXTRENDERMODE_FILL)

    def _has_ground(self, x: float, y: float) -> bool:
        """Whether something that is not white lies at a point of the page."""
        if self._ground is None:
            drawn = (item for item in self._whole.get_objects(max_depth=1) if self._is_ground(item))
            self._ground = _Ground(self._frame, (item.get_bounds() for item in drawn))
        return self._ground.lies_at(*_turned(-self.turn % 360, x, y))

    def _is_ground(self, item: Any) -> bool:
        raw = self._raw
        if item.type != raw.FPDF_PAGEOBJ_PATH:
            return bool(item.type != raw.FPDF_PAGEOBJ_TEXT)
        mode, stroke = c_int(), c_int()
        raw.FPDFPath_GetDrawMode(item, byref(mode), byref(stroke))
        raw.FPDFPageObj_GetFillColor(item, *self._references)
        red, green, blue, alpha = (value.value for value in self._color)
        return bool(mode.value and alpha and min(red, green, blue) < _WHITE)

    def _index(self, place: int) -> int:
        """What PDFium counts as a character's place, where it has characters without a text."""
        return place if self._same else int(self._raw.FPDFText_GetCharIndexFromTextIndex(self._page, place))

    def _turned_box(self, left: float, bottom: float, right: float, top: float) -> _Box:
        if not self.turn:
            return left, bottom, right, top
        (x, y), (other_x, other_y) = _turned(self.turn, left, bottom), _turned(self.turn, right, top)
        return min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y)
