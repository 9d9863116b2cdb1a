"""The vector index: Chroma holds vectors and ids, never text. It can be rebuilt from the records at any time.

So one that is damaged is thrown away. Damaged files of vectors are noticed before Chroma reads them: of some it takes
all memory that there is, or never comes to an end.
"""

import contextlib
import ctypes
import errno
import itertools
import logging
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings
from chromadb.errors import NotFoundError

from memory.checksums import Checksums
from memory.errors import Failure
from memory.types import Vectors

# The default space is L2. Of the ten nearest among 94,000 vectors an ef_search of 200 finds 0.97, of 800 0.998.
_CONFIGURATION: Any = {"hnsw": {"space": "cosine", "ef_construction": 128, "ef_search": 800}}
_BATCH = 5000  # Chroma takes at most 5,461 rows at once
_COPIED_AT_ONCE = 500  # about a third of a second, in which nobody else can write
_LOOKED_AT = 10
_FILE = "chroma.sqlite3"
_TABLES = frozenset({"migrations", "tenants", "databases", "collections", "segments", "embeddings", "embeddings_queue"})
# Chroma keeps the latest vectors of all collections in one table, and goes through it with each write to one. With
# 370 users of 1,000 facts that takes four times as long as all else.
_INDEX = "CREATE INDEX IF NOT EXISTS queue_by_collection ON embeddings_queue (topic, seq_id)"
_WAIT = 1.0  # seconds, for making it
_HELD = 5.0  # seconds, for another program that reads or writes the file
_ROOM = 8 << 20  # bytes that have to be free for a failure to be a sign of damage
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
_NOT_DAMAGED = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM}
)
_BREATH = 0.001  # seconds between two steps, for whoever waits to read
_PATIENCE = 1.0  # seconds that a question waits for a longer step; then words have to do
_SOONEST = 60.0  # seconds between two that are thrown away: what fails again at once is no damage
_UNREADABLE = "The vector index cannot be read just now; what is remembered is found by its words alone."
_UNWRITTEN = "The vector index took no writes: free some space on the disk."

_LOADED = 12  # collections, deleted ones too, each some megabytes, that Chroma may have in its memory
_M_PERTURB, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -6, -3, -8  # of mallopt(3)
_LARGE = 1 << 20  # bytes
_ARENAS = 2  # for all threads; each keeps what its threads gave back

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Copy:
    """A collection on its way into a new one, and the ids that are not there yet."""

    new: chromadb.Collection
    left: set[str]


class IndexLost(Failure):
    """The index was damaged, or a collection is missing: what lacks is to be embedded again, after `prepare`."""


class VectorIndex:
    """One collection for each user, in one folder; one process a folder. Safe in several threads, which take turns:

    Chroma's file is vacuumed beside Chroma, and a read that meets that fails with an error of the disk. A folder that
    turns out to be damaged, at whatever call, is emptied; `begun_anew` says that this was so at the start.

    Raises:
        IndexLost: by each method but `close`, where the index was damaged, and is empty now.
        Failure: by each, where it cannot be used: the disk is full, or another program holds the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._open: dict[int, chromadb.Collection] = {}
        self._copies: dict[int, _Copy] = {}
        self._connected: Any = None
        self._checksums = Checksums(path)
        self._loaded = 0
        self._written = False  # since the checksums were noted
        self._emptied = -_SOONEST
        self.begun_anew = False
        _govern_memory()
        try:
            with self._at_work(_UNREADABLE):
                self._client()
        except IndexLost:
            self.begun_anew = True
        except Failure as failure:  # tried again at each call; records are found by their words meanwhile
            _log.warning("%s", failure)

    def prepare(self, user_id: int, model: str, size: int) -> bool:
        """Open a user's collection for vectors of this model; False where it had to be made, and is empty."""
        with self._at_work(_UNREADABLE):
            with contextlib.suppress(NotFoundError):
                known = self._collection(user_id).metadata or {}
                if (known.get("model"), known.get("size")) == (model, size):
                    return True
                self.drop(user_id)
            self._create(_name(user_id), model, size)
            return False

    def upsert(self, user_id: int, ids: Sequence[str], vectors: Vectors) -> None:
        """Add vectors, or put them in place of those with the same ids."""
        with self._at_work(_UNWRITTEN, writes=True):
            collection = self._collection(user_id)
            for start in range(0, len(ids), _BATCH):
                part = slice(start, start + _BATCH)
                collection.upsert(ids=list(ids[part]), embeddings=vectors[part])
            if user_id in self._copies:
                self._copies[user_id].left.update(ids)

    def nearest(self, user_id: int, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The ids nearest to one vector, shape (size,), with their cosine similarities, best first."""
        with self._at_work(_UNREADABLE, patience=_PATIENCE):
            try:
                found = self._query(user_id, vector, limit)
            except (NotFoundError, AttributeError):  # rebuilt since it was opened, or by a client that is closed
                self._open.pop(user_id, None)
                found = self._query(user_id, vector, limit)
        distances = found["distances"] or [[]]
        return [(id_, 1.0 - distance) for id_, distance in zip(found["ids"][0], distances[0], strict=True)]

    def ids(self, user_id: int) -> set[str]:
        """All ids of a user's collection."""
        with self._at_work(_UNREADABLE):
            return set(self._collection(user_id).get(include=[])["ids"])

    def vectors(self, user_id: int, ids: Sequence[str]) -> tuple[list[str], Vectors]:
        """Those of these ids that are there, and their vectors, shape (how many, size)."""
        present, vectors = list[str](), list[Vectors]()
        with self._at_work(_UNREADABLE):
            for start in range(0, len(ids), _BATCH):
                rows = self._collection(user_id).get(ids=list(ids[start : start + _BATCH]), include=["embeddings"])
                embeddings = rows["embeddings"] if rows["embeddings"] is not None else ()
                if rows["ids"] and len(embeddings) == len(rows["ids"]):  # else their files are damaged
                    present += rows["ids"]
                    vectors.append(np.asarray(embeddings, dtype=np.float32))
        return present, np.concatenate(vectors) if vectors else np.empty((0, 0), dtype=np.float32)

    def has_vectors(self, user_id: int) -> bool:
        """Whether the oldest ids have their vectors: these lie in files of their own, which may be lost."""
        with self._at_work(_UNREADABLE):
            found = self._collection(user_id).get(limit=_LOOKED_AT, include=["embeddings"])
        return len(found["ids"]) == len(found["embeddings"] if found["embeddings"] is not None else ())

    def count(self, user_id: int) -> int:
        """How many vectors a user has."""
        with self._at_work(_UNREADABLE):
            return self._collection(user_id).count()

    def remove(self, user_id: int, ids: Sequence[str]) -> int:
        """Take ids out; how many were there. Their vectors stay in the files until `rebuild` has finished."""
        with self._at_work(_UNWRITTEN, writes=True):
            collection = self._collection(user_id)
            before = collection.count()
            for start in range(0, len(ids), _BATCH):
                collection.delete(ids=list(ids[start : start + _BATCH]))
            if self._copies.pop(user_id, None):  # the copy may have them too
                self._delete(_name(user_id, "new"))
            return before - collection.count()

    def rebuild(self, user_id: int, seconds: float) -> bool:
        """Copy a user's vectors into a new collection, since an old one keeps those that were removed.

        Works for about so many seconds, one step at least, and goes on from there when called again.

        Returns:
            whether the new collection has taken the old one's place, and the old files are gone.
        """
        until = time.monotonic() + seconds
        while True:
            with self._at_work(
                "What was forgotten is gone from the lists, but not yet from the vector index: make some space; it is"
                " finished in the background.",
                writes=True,
            ):
                finished = self._copy_some(user_id)
            if finished or time.monotonic() >= until:
                return finished
            time.sleep(_BREATH)

    def drop(self, user_id: int) -> None:
        """Remove a user's collection."""
        with self._at_work(_UNWRITTEN, writes=True):
            self._copies.pop(user_id, None)
            self._open.pop(user_id, None)
            self._delete(_name(user_id, "new"))
            self._delete(_name(user_id))
            self._sweep()

    def renew(self, user_id: int, model: str, size: int) -> None:
        """Put an empty collection in the place of a user's; there is no moment without one."""
        with self._at_work(_UNWRITTEN, writes=True):
            self.drop(user_id)
            self._create(_name(user_id), model, size)

    def close(self) -> None:
        """Let go of the folder; may be called twice."""
        with self._lock:
            if self._connected is not None:
                with contextlib.suppress(Exception):  # what is damaged is noticed at the next start
                    self._disconnect()
                self._checksums.note(all_files=True)

    def _client(self) -> Any:
        with self._lock:
            if self._connected is None:
                if self._is_damaged():
                    raise _Damaged(f"the files in {self._path} are not as they were left")
                self._checksums.note()  # from now on, Chroma's own file changes with each write
                self._connected = self._connect()
                self._recover()
                with contextlib.suppress(sqlite3.DatabaseError), self._bookkeeping(_WAIT) as connection:
                    connection.execute(_INDEX)  # it goes without where the disk is full, or the file damaged or held
            return self._connected

    def _connect(self) -> Any:
        settings = Settings(anonymized_telemetry=False)
        self._loaded = 0
        try:
            return chromadb.PersistentClient(self._path, settings=settings)
        except AttributeError:  # Chroma hands out once more a client that could not be started
            return chromadb.PersistentClient(self._path, settings=settings)

    def _disconnect(self) -> None:
        self._open.clear()
        self._copies.clear()
        connected, self._connected = self._connected, None
        if connected is not None:
            connected.close()

    @contextlib.contextmanager
    def _at_work(self, trouble: str, *, writes: bool = False, patience: float = -1) -> Iterator[None]:
        """One call at a time, for which others wait `patience` seconds, or as long as it takes.

        After one that failed, the next goes on with a new client, in an empty folder where the old one is damaged.

        Chroma returns the connection of a write that failed to its pool, where a later one may fail on it or wait for
        ever. What a damaged file leads to may be any exception, a panic of Chroma's, which is no `Exception`, included.
        """
        if not self._lock.acquire(timeout=patience):
            raise Failure(trouble)
        with contextlib.ExitStack() as held:
            held.callback(self._lock.release)
            try:
                yield
            except (Failure, KeyboardInterrupt, SystemExit, GeneratorExit):
                raise
            except NotFoundError as error:
                raise IndexLost("A part of the vector index is missing; it is made anew from the records.") from error
            except BaseException as error:
                with contextlib.suppress(BaseException):  # it may be in no state to be closed
                    self._disconnect()
                if not isinstance(error, _Damaged) and self._is_in_the_way(error):
                    raise Failure(trouble) from error
                self._empty(error)
                raise IndexLost("The vector index was damaged; it is made anew from the records.") from error
            finally:
                if writes or self._written:  # what was written may come into the files with the next reading
                    self._written = writes
                    self._checksums.note()

    def _is_in_the_way(self, error: BaseException) -> bool:
        """Whether a call failed for another reason than a damaged file: a full disk, or another program."""
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_DAMAGED:
            return True
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _NO_ROOM):
            return True
        return not _has_room(self._path.parent) or _is_held(self._path / _FILE)

    def _empty(self, error: BaseException) -> None:
        now = time.monotonic()
        if now - self._emptied < _SOONEST:
            raise Failure(
                "The vector index cannot be used ({reason}); what is remembered is found by words.", reason=error
            ) from error
        self._emptied = now
        _log.warning("The vector index in %s is damaged (%s); it is made anew from the records.", self._path, error)
        try:
            if self._path.is_dir() and not self._path.is_symlink():
                shutil.rmtree(self._path)
            else:
                self._path.unlink(missing_ok=True)
        except OSError as trouble:
            raise Failure(
                "The vector index is damaged and cannot be removed ({reason}): stop the program and delete {path}; it "
                "is made anew from the records.",
                reason=trouble.strerror,
                path=self._path,
            ) from error

    def _is_damaged(self) -> bool:
        if not os.path.lexists(self._path):
            return False
        if not self._path.is_dir():
            return True
        file = self._path / _FILE
        if not file.exists():
            return any(self._path.iterdir())  # vectors of which nobody knows whose they are
        return not self._checksums.agree() or _is_broken(file)

    def _collection(self, user_id: int) -> chromadb.Collection:
        with self._lock:
            if user_id not in self._open:
                self._make_room()
                self._open[user_id] = self._client().get_collection(_name(user_id), embedding_function=None)
                self._loaded += 1
            return self._open[user_id]

    def _make_room(self) -> None:
        """Begin with a new client where this one has loaded many collections: it lets go of none, deleted or not, and a
        user whose memory was emptied has a new one."""
        if self._loaded >= _LOADED and not self._copies:
            self._disconnect()
            self._connected = self._connect()

    def _copy_some(self, user_id: int) -> bool:
        """Copy some vectors; whether that was all."""
        old = self._collection(user_id)
        if user_id not in self._copies:
            known = old.metadata or {}
            self._delete(_name(user_id, "new"))
            new = self._create(_name(user_id, "new"), known["model"], known["size"])
            self._copies[user_id] = _Copy(new, set(old.get(include=[])["ids"]))
        copy = self._copies[user_id]
        ids = list(itertools.islice(copy.left, _COPIED_AT_ONCE))
        if ids:
            rows = old.get(ids=ids, include=["embeddings"])
            copy.new.upsert(ids=rows["ids"], embeddings=rows["embeddings"])
            copy.left.difference_update(ids)
        if copy.left:
            return False
        self._delete(_name(user_id))
        copy.new.modify(name=_name(user_id))
        self._open[user_id] = copy.new
        self._loaded += 1
        del self._copies[user_id]
        self._sweep()
        return True

    def _query(self, user_id: int, vector: Vectors, limit: int) -> Any:
        collection = self._collection(user_id)
        return collection.query(query_embeddings=vector[np.newaxis], n_results=limit, include=["distances"])

    def _create(self, name: str, model: str, size: int) -> chromadb.Collection:
        known = {"model": model, "size": size}
        made: chromadb.Collection = self._client().create_collection(
            name, configuration=_CONFIGURATION, metadata=known, embedding_function=None
        )
        return made

    def _delete(self, name: str) -> None:
        with contextlib.suppress(NotFoundError):
            self._client().delete_collection(name)

    def _recover(self) -> None:
        """Finish what an earlier process was doing when it ended in the middle of `rebuild`."""
        present = {collection.name for collection in self._client().list_collections()}
        for name in (name for name in present if name.endswith("-new")):
            final = name.removesuffix("-new")
            if final in present:
                self._delete(name)
            else:  # all of it had been copied
                self._client().get_collection(name, embedding_function=None).modify(name=final)

    def _sweep(self) -> None:
        """Chroma leaves the files of deleted collections behind, and their rows in free pages."""
        with self._bookkeeping() as connection:
            used = {row[0] for row in connection.execute("SELECT id FROM segments")}
            connection.execute("VACUUM")
        for folder in self._path.iterdir():
            if folder.is_dir() and folder.name not in used:
                shutil.rmtree(folder)

    @contextlib.contextmanager
    def _bookkeeping(self, seconds: float = 30) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._path / _FILE, timeout=seconds)
        try:
            yield connection
        finally:
            connection.close()


def _name(user_id: int, suffix: str = "") -> str:
    return f"user-{user_id}-{suffix}" if suffix else f"user-{user_id}"


def _govern_memory() -> None:
    """Have the C library (glibc's mallopt) overwrite what is newly taken and what is given back, and give large pieces
    back to the system at once.

    Chroma writes memory that it has not set to its files, and with it what lay there before: texts, for one. And each
    of its collections begins with megabytes, which glibc would keep in pieces once some of them were given back.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_PERTURB, 0xFF)
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        mallopt(_M_ARENA_MAX, _ARENAS)


class _Damaged(Exception):
    """The files are not what they have to be."""


def _is_broken(file: Path) -> bool:
    """Whether a file is no database, or one that lacks tables; what is held by another program is no such thing."""
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=_HELD)) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF not in _NOT_DAMAGED
    except UnicodeDecodeError:
        return True
    return found != "ok" or (bool(tables) and not tables >= _TABLES)


def _is_held(file: Path) -> bool:
    """Whether another program keeps the file from being written."""
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=_HELD, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_DAMAGED
    return False


def _has_room(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            os.posix_fallocate(probe.fileno(), 0, _ROOM)
    except OSError:
        return False
    return True
