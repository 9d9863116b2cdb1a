"""The log of every request that leaves this machine for a public knowledge base."""

import logging
from collections.abc import Collection, Set
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from urllib.parse import unquote_plus

from assistant.errors import Failure
from memory.folding import fold, possible_names

_TOKENS = 6  # of a name; of a longer one its beginning tells

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
        """Take out the requests that have one of the names, in any case, or are for one of them that is an address; all
        of them, where it is None.

        Raises:
            Failure: a file of the log cannot be written.
        """
        wanted = None if names is None else {" ".join(fold(name).split()[:_TOKENS]) for name in names}
        addresses = tuple(name for name in names or () if "://" in name)
        self._handler.acquire()
        try:
            self._handler.close()  # it is opened again by the next request
            for path in self._path.parent.glob("outbound.log*"):
                _take_out(path, wanted, addresses)
        except OSError as error:
            raise Failure(
                "It is forgotten, but {path} may still name it ({reason}); delete that file.",
                path=self._path,
                reason=error.strerror,
            ) from error
        finally:
            self._handler.release()

    def close(self) -> None:
        """Write no more; may be called twice."""
        outbound.removeHandler(self._handler)
        self._handler.close()


def _take_out(path: Path, wanted: Set[str] | None, addresses: Collection[str]) -> None:
    lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True)
    others = [line for line in lines if not any(address in line for address in addresses)]
    kept = [] if wanted is None else [line for line in others if not wanted & _named(line)]
    if len(kept) < len(lines):
        path.write_text("".join(kept), encoding="utf-8", errors="surrogateescape")


def _named(line: str) -> set[str]:
    """All that may be a name in a request, folded; not in the address of who was asked."""
    asked = line.partition("://")[2].partition(" ")[0].partition("/")[2]
    return possible_names(unquote_plus(asked).replace("_", " "), _TOKENS)
