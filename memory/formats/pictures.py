"""Photos and scans of text."""

import io
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memory.errors import UserMistake
from memory.formats.pdf.layout import pieces_of
from memory.formats.pieces import Piece
from memory.formats.recognition import LONGEST_SIDE, SECONDS, allow_more_memory, recognised

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp")

_MOST_PIXELS = 80_000_000


def read_picture(name: str, data: bytes) -> Iterator[Piece]:
    """What stands in a photo or a scan; a TIFF of several pages has the page with each piece.

    Raises:
        UserMistake: it is damaged or too large, there is no text in it, or none that can be read.
    """
    found = recognised(pages(name, data), time.monotonic() + SECONDS)
    found.check(name)
    yield from pieces_of(list(found.pages.values()))


def pages(name: str, data: bytes, only: int = 0) -> Iterator[tuple[int, "Image"]]:
    """The pages of a TIFF that has several, from 1, or else the picture, as 0; upright, and none larger than lines are
    read from. With `only`, that page of several alone.

    Raises:
        UserMistake: it is damaged or too large.
    """
    from PIL import Image, ImageOps, ImageSequence

    allow_more_memory()
    try:
        with Image.open(io.BytesIO(data)) as picture:
            # Other formats have frames that are no pages: a moving picture's, or the same one smaller.
            several = picture.format == "TIFF" and getattr(picture, "n_frames", 1) > 1
            for number, frame in enumerate(ImageSequence.Iterator(picture) if several else [picture], 1):
                if several and only not in (0, number):
                    continue
                if frame.width * frame.height > _MOST_PIXELS:
                    raise UserMistake(
                        "{name} has more than {number} million pixels; make it smaller.",
                        name=name,
                        number=_MOST_PIXELS // 1_000_000,
                    )
                frame.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
                ImageOps.exif_transpose(frame, in_place=True)
                yield number if several else 0, _on_white(frame)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise UserMistake("{name} is damaged or no picture; open it elsewhere and save it anew.", name=name) from error


def _on_white(picture: Any) -> "Image":
    """The picture in colours or greys, as large as lines are read from, with white behind what can be seen through."""
    from PIL import Image

    if picture.mode in ("I;16", "I;16B", "I", "F"):  # which Pillow would cut off at 255
        low, high = picture.getextrema()
        picture = picture.convert("F").point(lambda value: (value - low) * (255.0 / max(high - low, 1)) + 0.0)
    if picture.mode in ("1", "F", "L"):
        picture = picture.convert("L")
    elif picture.mode != "RGB":
        picture = picture.convert("RGBA")
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    if picture.mode != "RGBA":
        return picture  # type: ignore[no-any-return]
    ground = Image.new("RGB", picture.size, "white")
    ground.paste(picture, mask=picture.getchannel("A"))
    return ground
