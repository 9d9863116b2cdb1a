"""What readers of files have in common: the pieces that they give, and what they refuse."""

import io
import re
import zipfile
from dataclasses import dataclass

from memory.encodings import decode
from memory.errors import UserMistake

LARGEST = 100 * 2**20  # bytes, also when unpacked
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph, or a heading of a level from 1 on."""

    text: str
    level: int = 0


def decoded(name: str, data: bytes) -> str:
    """The text of a file of characters.

    Raises:
        UserMistake: it is not text.
    """
    text = decode(data)
    if text is None:
        raise UserMistake(f"{name} is not text; choose a text file, or name it by what it is.")
    return text


def unpacked(name: str, data: bytes) -> zipfile.ZipFile:
    """The archive that a file is.

    Raises:
        UserMistake: it is too large when unpacked.
        zipfile.BadZipFile: it is none.
    """
    archive = zipfile.ZipFile(io.BytesIO(data))
    if sum(part.file_size for part in archive.infolist()) > LARGEST:
        raise UserMistake(f"{name} unpacks to more than {LARGEST >> 20} MB; split it and add the parts.")
    return archive


def paragraphs(text: str) -> list[str]:
    """The parts of a text that blank lines set apart."""
    return _BLANK_LINES.split(text)


def one_line(text: str) -> str:
    """The text without line breaks and doubled spaces."""
    return " ".join(text.split())
