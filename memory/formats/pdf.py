"""PDF files."""

import io
import re
from collections.abc import Iterator

from memory.errors import UserMistake
from memory.formats.pieces import Piece, one_line, paragraphs


def read_pdf(name: str, data: bytes) -> Iterator[Piece]:
    """The paragraphs of all pages, and what stands in lines of its own: a heading, an entry of a list."""
    import pypdf  # loaded with the first file that wants it

    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UserMistake(f"{name} is locked with a password; save it without one and add it again.")
        pages = [page.extract_text() for page in reader.pages]
    except UserMistake:
        raise
    except pypdf.errors.DependencyError:
        raise UserMistake(f"{name} is encrypted; save it without encryption and add it again.") from None
    except Exception as error:  # pypdf lets many kinds of error through on a damaged file
        raise UserMistake(f"{name} is damaged or no PDF ({error}); open it elsewhere and save it anew.") from error
    if not any(page.strip() for page in pages):
        raise UserMistake(f"{name} holds only images; run text recognition (OCR) over it and add it again.")
    for page in pages:
        for paragraph in paragraphs(page):
            yield Piece(one_line(re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", paragraph)))
