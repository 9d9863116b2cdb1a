"""The process that a page is drawn in; `drawing` is its parent's side.

What is said is looked for in a PDF's text by its letters and digits alone: lines, hyphens, ligatures and marks may
differ from those of the text that was kept.
"""

import io
import json
import signal
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import closing
from difflib import SequenceMatcher
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from memory.confining import confine
from memory.formats.pictures import pages

if TYPE_CHECKING:
    from PIL.Image import Image

_SIDE = 1_600  # pixels of the longer one
_MEMORY_BYTES = 700 * 2**20  # as much as a picture may take to be read
_MOST_CHARACTERS = 100_000  # of a page, in which something is looked for
_FOUND = 0.5  # of what is said: the rest may stand on the next page
_APART = 1.5  # heights of a line, between two words of it
_YELLOW, _OPACITY = (255, 205, 0), 96  # of 255


class _Box(NamedTuple):
    """In pixels, from the left and from the top."""

    left: float
    top: float
    right: float
    bottom: float


def drawn(file: Path, name: str, page: int, said: str) -> "Image":
    """A page, from 1, with what is `said` marked where the page has a text."""
    if PurePath(name).suffix.lower() == ".pdf":
        return _page_of_pdf(file, page, said)
    _, picture = next(pages(name, file.read_bytes(), only=page))
    picture.thumbnail((_SIDE, _SIDE))
    return picture


def _page_of_pdf(file: Path, number: int, said: str) -> "Image":
    import pypdfium2 as pdfium

    with closing(pdfium.PdfDocument(file)) as document:
        document.init_forms()  # what is filled in is drawn
        with closing(document[number - 1]) as page, closing(page.get_textpage()) as text:
            bitmap = page.render(scale=_SIDE / max(page.get_size()))
            place = bitmap.get_posconv(page).to_bitmap
            boxes = (_box(place, text.get_charbox(index, loose=True)) for index in _found(text, said))
            return _marked(bitmap.to_pil().convert("RGB"), _lines(boxes))


def _found(text: Any, said: str) -> list[int]:
    """Which characters of a page say it, or at least most of it at one go."""
    from pypdfium2 import raw

    wanted = [letter for character in said for letter in _letters(character)]
    there = [
        (letter, index)
        for index in range(min(text.count_chars(), _MOST_CHARACTERS))
        for letter in _letters(chr(raw.FPDFText_GetUnicode(text, index)))
    ]
    match = SequenceMatcher(None, wanted, [letter for letter, _ in there], autojunk=False).find_longest_match()
    if match.size < max(1.0, _FOUND * len(wanted)):
        return []
    return [index for _, index in there[match.b : match.b + match.size]]


def _letters(character: str) -> Iterator[str]:
    return filter(str.isalnum, unicodedata.normalize("NFKD", character).casefold())


def _box(place: Any, bounds: tuple[float, float, float, float]) -> _Box:
    left, bottom, right, top = bounds  # in points, of a page that may be shown turned
    (x, y), (other_x, other_y) = place(left, bottom), place(right, top)
    return _Box(min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y))


def _lines(boxes: Iterable[_Box]) -> list[_Box]:
    """The boxes of characters, those that follow each other in a line joined."""
    lines: list[_Box] = []
    for box in boxes:
        last = lines.pop() if lines else box
        between = max(box.left - last.right, last.left - box.right)
        in_line = last.top < (box.top + box.bottom) / 2 < last.bottom
        if in_line and between < _APART * (last.bottom - last.top):
            lines.append(_Box(*map(min, last[:2], box[:2]), *map(max, last[2:], box[2:])))
        else:
            lines += [last, box]
    return lines


def _marked(image: "Image", boxes: Iterable[_Box]) -> "Image":
    from PIL import Image, ImageDraw

    mask = Image.new("L", image.size)
    for box in boxes:
        ImageDraw.Draw(mask).rectangle(box, fill=_OPACITY)
    image.paste(_YELLOW, mask=mask)
    return image


def main() -> None:
    """Draw the page that is asked for."""
    confine(_MEMORY_BYTES)
    signal.alarm(int(sys.argv[1]))
    asked = json.load(sys.stdin)
    image = io.BytesIO()
    drawn(Path(asked["file"]), asked["name"], asked["page"], asked["said"]).save(image, "PNG")
    sys.stdout.buffer.write(image.getvalue())


if __name__ == "__main__":
    main()
