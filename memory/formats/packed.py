"""Archives (.zip): each file in one is read as by itself, under its name."""

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from memory.errors import UserMistake
from memory.formats.pieces import Archive, Piece

_MOST_NAMED = 200  # files that are not read


def read_zip(name: str, data: bytes, inner: Callable[[str, bytes], Iterator[Piece]]) -> Iterator[Piece]:
    """What `inner` gives of each file; those that it refuses are named at the end, hidden ones are left out."""
    unread: list[str] = []
    try:
        archive = Archive(name, data)
        for path in archive.files():
            if any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(path).parts):
                continue
            content = archive.read(path)
            try:
                pieces = list(inner(PurePosixPath(path).name, content))
            except UserMistake:
                unread.append(path)
                continue
            yield Piece(path, 1)
            yield from (replace(piece, level=piece.level and piece.level + 1) for piece in pieces)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        raise UserMistake(
            "{name} is damaged or locked, or no archive (.zip); choose another copy.", name=name
        ) from error
    if unread:
        yield Piece(f"Within, not read: {'; '.join(unread[:_MOST_NAMED])}")
