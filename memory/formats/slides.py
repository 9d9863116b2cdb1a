"""Presentations (.pptx): the slides in their order, each a page."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from memory.errors import UserMistake
from memory.formats.pieces import Piece, one_line, written_lines
from memory.formats.tables import Rows


def read_slides(name: str, data: bytes) -> Iterator[Piece]:
    """Of each slide that is shown the title as a heading, its text and tables, and what the notes say."""
    import pptx  # loaded with the first file that wants it

    try:
        for number, slide in enumerate(pptx.Presentation(io.BytesIO(data)).slides, 1):
            if slide._element.get("show") not in ("0", "false"):
                yield from (replace(piece, page=number) for piece in _slide(slide))
    except (UserMistake, MemoryError):
        raise
    except Exception as error:  # zip, XML and the library each raise their own
        raise UserMistake(
            "{name} is damaged or no presentation (.pptx); open it and save it anew.", name=name
        ) from error


def _slide(slide: Any) -> Iterator[Piece]:
    title = slide.shapes.title
    if title is not None and title.has_text_frame:
        yield Piece(one_line(title.text_frame.text), 1)
    yield from _shapes(shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id)
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
        yield from map(Piece, written_lines(notes.text.replace("\v", "\n")))


def _shapes(shapes: Iterable[Any]) -> Iterator[Piece]:
    """What shapes say, those in groups too."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        elif getattr(shape, "has_table", False):
            told = Rows()
            for row in shape.table.rows:
                yield told.row([one_line(cell.text) for cell in row.cells])
        elif shape.has_text_frame:
            for paragraph in shape.text_frame.paragraphs:
                yield Piece(one_line(paragraph.text.replace("\v", "\n")))
