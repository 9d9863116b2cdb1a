"""Whether the files of a folder are as they were left, by checksums in a file beside them.

Nothing here protects from somebody who changes files on purpose; it notices what disks, copies and programs damage.
"""

import contextlib
import json
import zlib
from pathlib import Path

_NAME = "checksums.json"
_BLOCK = 1 << 20  # bytes read at once


class Checksums:
    """The checksums of one folder's files; a folder without any is taken as it is."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / _NAME
        self._known: dict[str, tuple[tuple[int, int], int]] = {}  # by name: size and time of change, and the checksum

    def agree(self) -> bool:
        """Whether every file that was noted is there, and holds what it held."""
        if not self._file.exists():
            return True
        try:
            noted = dict(json.loads(self._file.read_bytes()))
            self._known = {name: self._read(self._folder / name) for name in noted}
        except (OSError, ValueError, TypeError):
            return False
        return {name: checksum for name, (_, checksum) in self._known.items()} == noted

    def note(self, *, all_files: bool = False) -> None:
        """Note what the files of the subfolders hold now; with `all_files`, those of the folder itself as well.

        Where that cannot be written, nothing is noted.
        """
        try:
            known = {
                str(path.relative_to(self._folder)): self._current(path)
                for path in self._folder.rglob("*")
                if path.is_file() and path != self._file and (all_files or path.parent != self._folder)
            }
            told = {name: checksum for name, (_, checksum) in known.items()}
            if known != self._known or not self._file.exists():
                partial = self._file.with_suffix(".partial")
                partial.write_text(json.dumps(told))
                partial.replace(self._file)
            self._known = known
        except OSError:
            self._known = {}
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)

    def _current(self, path: Path) -> tuple[tuple[int, int], int]:
        state = _state(path)
        before = self._known.get(str(path.relative_to(self._folder)))
        return before if before is not None and before[0] == state else self._read(path)

    def _read(self, path: Path) -> tuple[tuple[int, int], int]:
        return _state(path), _checksum(path)


def _state(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_size, about.st_mtime_ns


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum
