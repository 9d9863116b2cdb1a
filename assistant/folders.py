"""Folders that are watched: what lies in them is in memory as it lies there now."""

import logging
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from assistant.errors import Failure, UserMistake
from memory.documents import SUFFIXES, read_file
from memory.ingestion import Ingestion
from memory.user_memory import UserMemory

_LOOK_SECONDS = 20.0  # not every disk says when something on it changes
_TRY_AGAIN_SECONDS = 5.0

_log = logging.getLogger(__name__)

_State = tuple[int, int]  # when a file was changed, in nanoseconds, and its bytes


def files_in(folder: Path) -> Iterator[Path]:
    """All files below a folder but hidden ones; links to other folders are not followed."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(parent) / name for name in sorted(names) if not name.startswith("."))


class Folders:
    """Keeps one user's memory as some folders are, in a thread of its own: new and changed files are read, a renamed
    one stays, and one that was deleted is forgotten.

    A folder that is not there, or in which nothing is left, as where a disk is not mounted, changes nothing.
    """

    def __init__(self, folders: Sequence[Path], memory: UserMemory, ingestion: Ingestion) -> None:
        self.folders = tuple(Path(os.path.realpath(folder)) for folder in folders)
        self._memory = memory
        self._ingestion = ingestion
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None
        self._taken: dict[str, _State] = {}
        self._refused: dict[str, str] = {}

    @property
    def refused(self) -> dict[str, str]:
        """The files that cannot be read, with a line that says why."""
        return dict(self._refused)

    def start(self) -> None:
        """Begin to watch, in the background; nothing where there are no folders."""
        if self.folders and self._worker is None:
            self._worker = threading.Thread(target=self._watch, name="folders", daemon=True)
            self._worker.start()

    def close(self) -> None:
        """Stop, also in the middle of a document; may be called twice."""
        self._stop.set()
        if self._worker is not None:
            self._worker.join()

    def look(self) -> None:
        """Take in what has changed in the folders since the last look."""
        for folder in self.folders:
            there = {str(path): state for path in files_in(folder) if (state := _state(path))}
            if not there:
                continue
            for path, state in there.items():
                if self._stop.is_set():
                    return
                if self._taken.get(path) != state and self._take(Path(path)):
                    self._taken[path] = state
            gone = self._memory.places_in(str(folder)) - there.keys()
            for path in gone:
                self._taken.pop(path, None)
            self._refused = {path: why for path, why in self._refused.items() if Path(path).exists()}
            if gone:
                self._memory.leave(gone)

    def _take(self, path: Path) -> bool:
        """Have a file read; whether that is done with, also where it cannot be."""
        try:
            self._ingestion.add(self._memory.user, path.name, read_file(path), str(path), stopped=self._stop.is_set)
        except (UserMistake, OSError) as error:
            self._refused[str(path)] = str(error)
            return True
        except Failure:  # of the memory or the machine, which may be over soon; or it was stopped
            return False
        self._refused.pop(str(path), None)
        return True

    def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                self.look()
                for _ in self._changes():
                    self.look()
            except Exception:  # ours, or the disk's; whoever keeps notes there must not wait for a dead thread
                _log.exception("A watched folder could not be looked at; it is tried again.")
                self._stop.wait(_TRY_AGAIN_SECONDS)

    def _changes(self) -> Iterator[object]:
        """Something whenever a folder has changed, and once in a while; ends where a folder has come or gone."""
        from watchfiles import watch

        there = [folder for folder in self.folders if folder.is_dir()]
        if not there:
            self._stop.wait(_TRY_AGAIN_SECONDS)
            return
        wait_ms = int(_LOOK_SECONDS * 1000)
        for changes in watch(
            *there,
            stop_event=self._stop,
            rust_timeout=wait_ms,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            yield changes
            if there != [folder for folder in self.folders if folder.is_dir()]:
                return


def _state(path: Path) -> _State | None:
    """What tells whether a file is as it was; None where it is of a kind that is not read, or has gone."""
    if path.suffix.lower() not in SUFFIXES:
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
