"""The log of every request that leaves this machine for a public knowledge base."""

import logging
from collections.abc import Callable
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

outbound = logging.getLogger("lorekeeper.outbound")


class _OwnersFile(RotatingFileHandler):
    """A log that only its owner may read, also after it was begun anew."""

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).touch(mode=0o600)
        return super()._open()


def log_outbound(home: Path) -> Callable[[], None]:
    """Write every outbound request to `home`/outbound.log (at most 4 MB) until the returned function is called."""
    handler = _OwnersFile(home / "outbound.log", maxBytes=2**20, backupCount=3, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    outbound.addHandler(handler)
    outbound.setLevel(logging.INFO)

    def stop() -> None:
        outbound.removeHandler(handler)
        handler.close()

    return stop
