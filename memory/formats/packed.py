"""Archives (.zip): each file in one is read as by itself, under its name."""

import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from memory.errors import UserMistake
from memory.formats.pieces import LARGEST, Piece

_MOST_NAMED = 200  # files that are not read


def read_zip(name: str, data: bytes, inner: Callable[[str, bytes], Iterator[Piece]]) -> Iterator[Piece]:
    """What `inner` gives of each file, by its path; hidden ones are left out.

    Those that it refuses, and those for which there is no room, are named at the end.
    """
    unread: list[str] = []
    left = left_for_nothing = LARGEST  # bytes that may be read, and those of files that `inner` refuses: photos
    any_read = too_large = False
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        for info in archive.infolist():
            path = info.filename
            if info.is_dir() or any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(path).parts):
                continue
            content = _content(archive, info, left if left_for_nothing >= 0 else -1)
            if content is None:
                too_large = True
                unread.append(path)
                continue
            try:
                pieces = list(inner(path, content))
            except UserMistake:
                left_for_nothing -= len(content)
                unread.append(path)
                continue
            left -= len(content)
            any_read = True
            if any(piece.text.strip() for piece in pieces):
                yield Piece(path, 1)
            yield from (replace(piece, level=piece.level and piece.level + 1) for piece in pieces)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        raise UserMistake(
            "{name} is damaged or locked, or no archive (.zip); choose another copy.", name=name
        ) from error
    if too_large and not any_read:
        raise UserMistake(
            "{name} unpacks to more than {number} MB; split it and add the parts.", name=name, number=LARGEST >> 20
        )
    if unread:
        yield Piece(f"Within, not read: {'; '.join(unread[:_MOST_NAMED])}")


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes | None:
    """What a file in an archive holds; None where that is more than `most` bytes, whatever it says of its size."""
    if info.file_size > most:
        return None
    with archive.open(info) as file:
        content = file.read(most + 1)
    return content if len(content) <= most else None
