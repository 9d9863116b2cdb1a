"""Word documents (.docx)."""

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory.errors import UserMistake
from memory.formats.pieces import Piece, one_line, unpacked, written_lines

if TYPE_CHECKING:
    from docx.document import Document


def read_word(name: str, data: bytes) -> Iterator[Piece]:
    """Paragraphs, headings, and the rows of tables."""
    import docx  # loaded with the first file that wants it

    try:
        unpacked(name, data).close()
        pieces = list(_word_pieces(docx.Document(io.BytesIO(data))))
    except UserMistake:
        raise
    except Exception as error:  # zip, XML and packaging each raise their own
        raise UserMistake(f"{name} is damaged or no Word document (.docx); open it and save it anew.") from error
    yield from pieces


def _word_pieces(document: "Document") -> Iterator[Piece]:
    from docx.table import Table

    for item in document.iter_inner_content():
        if isinstance(item, Table):
            for row in item.rows:
                cells = {
                    cell._tc: one_line(cell.text) for cell in row.cells
                }  # one that spans columns is there for each
                yield Piece(" | ".join(text for text in cells.values() if text))
        else:
            style = item.style.name if item.style is not None else ""
            heading = re.fullmatch(r"Heading ([1-9])", style or "")
            level = 1 if style == "Title" else int(heading[1]) if heading else 0
            yield from [Piece(one_line(item.text), level)] if level else map(Piece, written_lines(item.text))
