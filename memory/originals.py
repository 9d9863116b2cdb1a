"""The bytes of PDFs and pictures that were added, beside the records: their pages can be shown as they look.

A file is named by the digest of its bytes, which its sources keep. A source in which something was blanked has another
digest: what was forgotten is not found here either, and a file that no source has is removed. Undoing brings a text
back, and not its pages; these come back with the same file added again.
"""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path, PurePath

from memory.errors import Failure
from memory.formats.pictures import PICTURES
from memory.records import library
from memory.records.database import Database

_KINDS = (".pdf", *PICTURES)
_SPARE = 64 * 2**20  # bytes that are left free on the disk: for the records, and to forget something


class Originals:
    """The files of all users in one folder, of which a crash may have left some that nobody has any more."""

    def __init__(self, folder: Path, database: Database) -> None:
        self._folder = folder
        self._database = database
        with contextlib.suppress(OSError, Failure):  # tried again when something is forgotten
            for partial in folder.glob("*.*"):
                partial.unlink()
            self.sweep()

    def find(self, digest: str) -> Path | None:
        """The file with these bytes; None where there is none."""
        file = self._folder / digest
        return file if file.is_file() else None

    def keep(self, name: str, digest: str, data: bytes) -> None:
        """Keep the bytes of a document that is in the records, if its pages can be drawn and the disk has room."""
        if PurePath(name).suffix.lower() not in _KINDS or self.find(digest):
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            if shutil.disk_usage(self._folder).free > len(data) + _SPARE:
                self._write(digest, data)

    def sweep(self) -> None:
        """Remove the files that no source has.

        Raises:
            Failure: one cannot be removed.
        """
        with self._database.writing:  # nothing is added meanwhile
            files = [file for file in self._folder.glob("*") if file.is_file()]
            names = {file: file.name.partition(".")[0] for file in files}
            with self._database.reading() as connection:
                held = library.held_digests(connection, set(names.values())) if names else set()
            try:
                for file, digest in names.items():
                    if digest not in held:
                        file.unlink(missing_ok=True)
            except OSError as error:
                raise Failure(
                    "What was forgotten is gone from the lists, but not yet from the disk ({reason}); it is finished "
                    "at the next start.",
                    reason=error,
                ) from error

    def _write(self, digest: str, data: bytes) -> None:
        handle, path = tempfile.mkstemp(prefix=f"{digest}.", dir=self._folder)
        partial = Path(path)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(handle)
            with self._database.writing, self._database.reading() as connection:
                if library.held_digests(connection, {digest}):  # else it was forgotten just now
                    partial.replace(self._folder / digest)
        finally:
            partial.unlink(missing_ok=True)
