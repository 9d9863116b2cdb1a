"""The log of every request that leaves this machine for a public knowledge base."""

import logging
import re
from collections.abc import Callable, Collection
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from urllib.parse import unquote_plus

from assistant.errors import Failure
from memory.mentions import saying

outbound = logging.getLogger("lorekeeper.outbound")


class _OwnersFile(RotatingFileHandler):
    """A log that only its owner may read, also after it was begun anew."""

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).touch(mode=0o600)
        return super()._open()


class OutboundLog:
    """Writes every outbound request to `home`/outbound.log (at most 4 MB) until it is closed."""

    def __init__(self, home: Path) -> None:
        self._path = home / "outbound.log"
        self._handler = _OwnersFile(self._path, maxBytes=2**20, backupCount=3, encoding="utf-8", delay=True)
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        outbound.addHandler(self._handler)
        outbound.setLevel(logging.INFO)

    def forget(self, names: Collection[str] | None) -> None:
        """Take out the requests that have one of the names; all of them, where it is None.

        Raises:
            Failure: a file of the log cannot be written.
        """
        named = saying(names) if names is not None else re.compile("")
        if named is None:
            return
        self._handler.acquire()
        try:
            self._handler.close()  # it is opened again by the next request
            for path in self._path.parent.glob("outbound.log*"):
                _take_out(path, named.search)
        except OSError as error:
            raise Failure(
                f"It is forgotten, but {self._path} may still name it ({error.strerror}); delete that file."
            ) from error
        finally:
            self._handler.release()

    def close(self) -> None:
        """Write no more; may be called twice."""
        outbound.removeHandler(self._handler)
        self._handler.close()


def _take_out(path: Path, named: Callable[[str], object]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not named(unquote_plus(line).replace("_", " "))]
    if len(kept) < len(lines):
        path.write_text("".join(kept), encoding="utf-8")
