"""Some room that is kept on the disk for the day on which it is full: to forget something takes room, too."""

import contextlib
import os
import shutil
from pathlib import Path

SIZE = 8 << 20  # bytes
_PLENTY = 16 * SIZE  # that have to be free for some to be set aside
_LITTLE = 2 * SIZE  # free, what is set aside is given up


class Reserve:
    """A file of zeros beside the records."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "reserve"

    def keep(self) -> None:
        """Set room aside, where there is plenty; it is no failure where that cannot be."""
        with contextlib.suppress(OSError):
            if not self._file.exists() and shutil.disk_usage(self._file.parent).free > _PLENTY:
                partial = self._file.with_suffix(".partial")
                with partial.open("wb") as file:
                    os.posix_fallocate(file.fileno(), 0, SIZE)
                partial.replace(self._file)

    def give_up(self) -> bool:
        """Let what comes next have the room, where little else is left; whether there was any."""
        try:
            if shutil.disk_usage(self._file.parent).free < _LITTLE:
                self._file.unlink()
                return True
        except OSError:
            pass
        return False
