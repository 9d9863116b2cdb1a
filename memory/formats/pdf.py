"""PDF files."""

import io
import re
from collections.abc import Iterator

from memory.errors import UserMistake
from memory.formats.pieces import Piece, one_line, paragraphs

_TORN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")  # a word, at the end of a line


def read_pdf(name: str, data: bytes) -> Iterator[Piece]:
    """The paragraphs of all pages, and what stands in lines of its own: a heading, an entry of a list."""
    import pypdf  # loaded with the first file that wants it

    empty = True
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UserMistake("{name} is locked with a password; save it without one and add it again.", name=name)
        for page in reader.pages:
            text = page.extract_text()
            empty = empty and not text.strip()
            for paragraph in paragraphs(text):
                yield Piece(one_line(_TORN.sub("", paragraph)))
    except (UserMistake, MemoryError):
        raise
    except pypdf.errors.DependencyError:
        raise UserMistake("{name} is encrypted; save it without encryption and add it again.", name=name) from None
    except Exception as error:  # pypdf lets many kinds of error through on a damaged file
        raise UserMistake(
            "{name} is damaged or no PDF ({reason}); open it elsewhere and save it anew.",
            name=name,
            reason=error,
        ) from error
    if empty:
        raise UserMistake("{name} holds only images; run text recognition (OCR) over it and add it again.", name=name)
