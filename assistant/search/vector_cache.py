"""Vectors of texts that never change, kept on disk, so that each is computed once.

A file that is damaged is begun anew; where none can be kept, vectors are computed again.

One SQLite file; a row is the vector of one text by one embedding model. Only a digest of the text is kept. Nothing
personal belongs here: nothing of it is ever forgotten. In the cache folder it serves all homes.
"""

import hashlib
import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Event as Signal

import numpy as np

from assistant.errors import Interrupted
from memory.types import Embedder, Vectors

_TABLE = "CREATE TABLE IF NOT EXISTS vector (digest BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
_BATCH = 64  # texts between two commits: what is lost when a first run is broken off
_KEYS = 500  # of one SELECT; SQLite allows 999 in its older builds
_WAIT_SECONDS = 30.0  # for another process that writes
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR})

_log = logging.getLogger(__name__)


class VectorCache:
    """The vectors of one embedding model; safe to use from several threads and processes."""

    def __init__(self, folder: Path, embedder: Embedder, *, passages: bool = False) -> None:
        """Of questions, or of `passages`, of which such models make other vectors."""
        self._path = folder / "vectors.db"
        self._embed = embedder.passage if passages else embedder.query
        self._name = f"{embedder.name}\0passage" if passages else embedder.name

    def vectors(self, texts: Sequence[str], cancel: Signal | None = None) -> Vectors:
        """Unit vectors, shape (len(texts), size); those that are not there yet are computed, and kept as they come.

        Raises:
            Interrupted: `cancel` was set before all were computed.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            return self._kept(self._path, texts, cancel)
        except (OSError, sqlite3.Error, ValueError) as error:
            _log.warning("%s cannot be used (%s).", self._path, error)
            damaged = not isinstance(error, sqlite3.Error) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
        if damaged:
            with suppress(OSError, sqlite3.Error, ValueError):
                self._path.unlink(missing_ok=True)
                return self._kept(self._path, texts, cancel)
        return self._kept(":memory:", texts, cancel)

    def _kept(self, place: Path | str, texts: Sequence[str], cancel: Signal | None) -> Vectors:
        digests = [self._digest(text) for text in texts]
        with closing(sqlite3.connect(place, timeout=_WAIT_SECONDS, isolation_level=None)) as database:
            database.execute(_TABLE)
            known = self._read(database, list(dict.fromkeys(digests)))
            missing = {d: text for d, text in zip(digests, texts, strict=True) if d not in known}
            known.update(self._computed(database, missing, cancel))
        return np.stack([known[digest] for digest in digests]) if digests else np.empty((0, 0), np.float32)

    def _digest(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._name}\0{text}".encode(errors="replace")).digest()[:16]

    def _read(self, database: sqlite3.Connection, digests: list[bytes]) -> dict[bytes, Vectors]:
        known: dict[bytes, Vectors] = {}
        for start in range(0, len(digests), _KEYS):
            some = digests[start : start + _KEYS]
            marks = ",".join("?" * len(some))
            rows = database.execute(f"SELECT digest, value FROM vector WHERE digest IN ({marks})", some)
            known.update((digest, np.frombuffer(value, np.float32)) for digest, value in rows)
        return known

    def _computed(
        self, database: sqlite3.Connection, missing: dict[bytes, str], cancel: Signal | None
    ) -> dict[bytes, Vectors]:
        computed: dict[bytes, Vectors] = {}
        digests = list(missing)
        for start in range(0, len(digests), _BATCH):
            if cancel is not None and cancel.is_set():
                raise Interrupted("Stopped.")
            some = digests[start : start + _BATCH]
            new = dict(zip(some, self._embed([missing[digest] for digest in some]), strict=True))
            rows = [(digest, vector.astype(np.float32).tobytes()) for digest, vector in new.items()]
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)
            database.execute("COMMIT")
            computed.update(new)
        return computed
