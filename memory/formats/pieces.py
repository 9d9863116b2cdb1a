"""What readers of files have in common: the pieces that they give, and what they refuse."""

import io
import re
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from memory.encodings import decode
from memory.errors import UserMistake

LARGEST = 100 * 2**20  # bytes, also when unpacked
_CHUNK = 2**16  # bytes
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_CHINESE = "\u3000-\u30ff\u3400-\u9fff\uf900-\uffef"
_WITHIN_CHINESE = re.compile(rf"(?<=[{_CHINESE}])[ \t]*\n\s*(?=[{_CHINESE}])")
_FIRST_WORD = re.compile(rf"[{_CHINESE}]|[^\s{_CHINESE}]+")
_NARROW, _WIDE = 40, 60  # columns; who wraps lines leaves more of them, and a list hardly
_FULL = 0.85  # of the longest lines: letters are of many widths, and words are long
_A_LIST = 4  # lines
_RULE = re.compile(r"[\s|:=*_~-]*")  # or nothing at all, or what stands under the head of a table
_SET_IN = "> \t"  # also as a quotation
_ITEM = re.compile(r"\s*(?:(?:[-*+•▪◦●]|\d{1,3}[.)])\s|\|)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph, or a heading of a level from 1 on; pages count from 1, and 0 is that of what has none."""

    text: str
    level: int = 0
    page: int = 0


def decoded(name: str, data: bytes) -> str:
    """The text of a file of characters.

    Raises:
        UserMistake: it is not text.
    """
    text = decode(data)
    if text is None:
        raise UserMistake("{name} is not text; choose a text file, or name it by what it is.", name=name)
    return text


class Archive:
    """A ZIP file whose parts are unpacked bit by bit, since what it says of their sizes may be a lie."""

    def __init__(self, name: str, data: bytes) -> None:
        """`name` is the file's, for messages.

        Raises:
            zipfile.BadZipFile: it is no such file.
        """
        self._name = name
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        self._left = LARGEST

    def read(self, part: str) -> bytes:
        """A part of it.

        Raises:
            UserMistake: all that was read of it so far is too much.
            KeyError: there is no such part.
            zipfile.BadZipFile: the part is damaged.
        """
        chunks = []
        with self._zip.open(part) as file:
            while chunk := file.read(_CHUNK):
                self._left -= len(chunk)
                if self._left < 0:
                    raise UserMistake(
                        "{name} unpacks to more than {number} MB; split it and add the parts.",
                        name=self._name,
                        number=LARGEST >> 20,
                    )
                chunks.append(chunk)
        return b"".join(chunks)


def each_line(text: str) -> Iterator[str]:
    """The lines of a text with their ends, one after the other: it may have millions of them."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def paragraphs(text: str) -> list[str]:
    """The parts of a text that blank lines set apart, and in these what was written line by line."""
    return [part for paragraph in _BLANK_LINES.split(text) for part in written_lines(paragraph)]


def written_lines(paragraph: str) -> list[str]:
    """The lines of a paragraph as they were written: one that was wrapped is in one part, with its line breaks.

    A wrapped line is about as long as the longest ones, and the next one's first word had no room in it. Where none of
    several lines goes on with a small letter, they are a list, however long they are. Rules are left out.
    """
    lines = [line for line in paragraph.split("\n") if not _RULE.fullmatch(line)]
    if not lines:
        return []
    begins = [line.lstrip(_SET_IN)[:1] for line in lines[1:]]
    small = any(map(str.islower, begins))
    if len(lines) >= _A_LIST and not small and any(map(str.isupper, begins)) and not paragraph.isupper():
        return lines
    longest = sorted(map(_columns, lines))[len(lines) * 9 // 10]  # but a tenth: the title of a page
    full = max(_NARROW if small else _WIDE, _FULL * longest)
    parts = [lines[:1]]
    for line, after in pairwise(lines):
        if _goes_on(line, after, full) or (_ITEM.match(parts[-1][0]) and _is_within_item(after)):
            parts[-1].append(after)
        else:
            parts.append([after])
    return [_WITHIN_CHINESE.sub("", "\n".join(part)) for part in parts]


def one_line(text: str) -> str:
    """The text without line breaks and doubled spaces."""
    return " ".join(_WITHIN_CHINESE.sub("", text).split())


def _goes_on(line: str, after: str, full: float) -> bool:
    """Whether a line has no room for the first word of the next one, and neither leads to a list nor is followed by an
    item of one."""
    if line.rstrip().endswith((":", "：")) or _ITEM.match(after):
        return False
    word = _FIRST_WORD.search(after.lstrip(_SET_IN))
    return word is not None and _columns(line) + 1 + _columns(word.group()) > full


def _is_within_item(line: str) -> bool:
    """Whether a line is set in, as what goes on in the item of a list is."""
    return line[0].isspace() and not _ITEM.match(line)


def _columns(line: str) -> int:
    """How wide a line is; an ideograph takes two columns."""
    if line.isascii():
        return len(line.strip())
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line.strip())
