"""Answers of public knowledge bases, kept for some days so that nothing is asked twice.

What somebody asked is personal, so the file lies in the home and is readable by its owner only. It is a convenience:
whatever goes wrong with it costs a request, never an answer.
"""

import hashlib
import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_log = logging.getLogger(__name__)

MAX_AGE_SECONDS = 3 * 24 * 3600
_MAX_ANSWERS = 5_000
_SCHEMA = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, body BLOB NOT NULL, at REAL NOT NULL)"


class ResponseCache:
    """Bodies by address, in one SQLite file; safe for several threads."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        try:
            try:
                self._database = _open(path)
            except sqlite3.OperationalError:  # no such folder, not writable, disk full
                raise
            except (sqlite3.DatabaseError, UnicodeDecodeError):  # not a database any more
                path.unlink()
                self._database = _open(path)
        except (OSError, sqlite3.Error) as error:
            _log.warning("Answers of public knowledge bases are kept in memory only: %s: %s", path, error)
            self._database = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
            self._database.execute(_SCHEMA)

    def get(self, url: str) -> bytes | None:
        """The body kept for an address, where it is not too old."""
        with self._lock, suppress(sqlite3.Error, zlib.error, UnicodeDecodeError, TypeError):
            oldest = self._clock() - MAX_AGE_SECONDS
            row = self._database.execute("SELECT body FROM answers WHERE key = ? AND at > ?", (_key(url), oldest))
            for (body,) in row:
                return zlib.decompress(body)
        return None

    def put(self, url: str, body: bytes) -> None:
        """Keep a body; what is too old, or too much, goes."""
        with self._lock:
            try:
                now = self._clock()
                self._database.execute("DELETE FROM answers WHERE at <= ?", (now - MAX_AGE_SECONDS,))
                self._database.execute(
                    "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY at DESC LIMIT -1 OFFSET ?)",
                    (_MAX_ANSWERS - 1,),
                )
                values = (_key(url), zlib.compress(body), now)
                self._database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", values)
            except sqlite3.Error as error:
                _log.warning("An answer could not be kept: %s", error)

    def clear(self) -> None:
        """Keep nothing of what was kept."""
        with self._lock:
            try:
                self._database.execute("DELETE FROM answers")
            except sqlite3.Error as error:
                _log.warning("Kept answers could not be removed: %s", error)

    def close(self) -> None:
        """Close the file; may be called twice."""
        with self._lock:
            self._database.close()


def _open(path: Path) -> sqlite3.Connection:
    with suppress(OSError):
        path.touch(mode=0o600)
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        database.execute("PRAGMA secure_delete = ON")
        database.execute("PRAGMA synchronous = OFF")  # a lost answer is asked again
        database.execute(_SCHEMA)
        database.execute("CREATE INDEX IF NOT EXISTS answers_at ON answers (at)")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _key(url: str) -> bytes:
    return hashlib.sha256(url.encode()).digest()
