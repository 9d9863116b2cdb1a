"""Photos and scans of text."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory.errors import UserMistake
from memory.formats.pdf.layout import pieces_of
from memory.formats.pieces import Piece
from memory.formats.recognition import LONGEST_SIDE, recognized

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp")

_MOST_PIXELS = 80_000_000


def read_picture(name: str, data: bytes) -> Iterator[Piece]:
    """What stands in a photo or a scan; a picture of several pages, as TIFF may be, has the page with each piece.

    Raises:
        UserMistake: it is damaged or too large, there is no text in it, or none that can be read.
    """
    yield from pieces_of(list(recognized(name, _pages(name, data)).values()))


def _pages(name: str, data: bytes) -> Iterator[tuple[int, "Image"]]:
    from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                raise UserMistake(
                    "{name} has more than {number} million pixels; make it smaller.",
                    name=name,
                    number=_MOST_PIXELS // 1_000_000,
                )
            several = getattr(picture, "n_frames", 1) > 1
            picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            for number, frame in enumerate(ImageSequence.Iterator(picture), 1):
                upright = ImageOps.exif_transpose(frame)
                upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
                yield number if several else 0, upright
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise UserMistake("{name} is damaged or no picture; open it elsewhere and save it anew.", name=name) from error
