"""The vector index: Chroma holds vectors and ids, never text. It can be rebuilt from the records at any time."""

import contextlib
import ctypes
import itertools
import logging
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings
from chromadb.errors import ChromaError, InternalError, NotFoundError

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

_M_PERTURB = -6  # of mallopt(3)

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Copy:
    """A collection on its way into a new one, and the ids that are not there yet."""

    new: chromadb.Collection
    left: set[str]


class VectorIndex:
    """One collection for each user, in one folder; one process a folder. Safe in several threads, which take turns:

    Chroma's file is vacuumed beside Chroma, and a read that meets that fails with an error of the disk. A folder whose
    file is damaged is emptied.

    Raises:
        Failure: by whatever reads, where the index cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._open: dict[int, chromadb.Collection] = {}
        self._copies: dict[int, _Copy] = {}
        self._connected: Any = None
        _overwrite_freed_memory()
        if _is_damaged(path / _FILE):
            _log.warning("The vector index in %s is damaged; it is made anew from the records.", path)
            shutil.rmtree(path)
        self._client()

    def prepare(self, user_id: int, model: str, size: int) -> bool:
        """Open a user's collection for vectors of this model; False where it had to be made, and is empty."""
        with contextlib.suppress(NotFoundError), self._reading():
            known = self._collection(user_id).metadata or {}
            if (known.get("model"), known.get("size")) == (model, size):
                return True
            self.drop(user_id)
        self._create(_name(user_id), model, size)
        return False

    def upsert(self, user_id: int, ids: Sequence[str], vectors: Vectors) -> None:
        """Add vectors, or put them in place of those with the same ids.

        Raises:
            Failure: the disk is full, or took no writes.
        """
        with self._writing("The vector index took no writes: free some space on the disk."):
            collection = self._collection(user_id)
            for start in range(0, len(ids), _BATCH):
                part = slice(start, start + _BATCH)
                collection.upsert(ids=list(ids[part]), embeddings=vectors[part])
            if user_id in self._copies:
                self._copies[user_id].left.update(ids)

    def nearest(self, user_id: int, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The ids nearest to one vector, shape (size,), with their cosine similarities, best first."""
        with self._reading():
            try:
                found = self._query(user_id, vector, limit)
            except (NotFoundError, AttributeError):  # rebuilt since it was opened, or by a client that is closed
                self._open.pop(user_id, None)
                found = self._query(user_id, vector, limit)
        distances = found["distances"] or [[]]
        return [(id_, 1.0 - distance) for id_, distance in zip(found["ids"][0], distances[0], strict=True)]

    def ids(self, user_id: int) -> set[str]:
        """All ids of a user's collection."""
        with self._reading():
            return set(self._collection(user_id).get(include=[])["ids"])

    def vectors(self, user_id: int, ids: Sequence[str]) -> tuple[list[str], Vectors]:
        """Those of these ids that are there, and their vectors, shape (how many, size)."""
        with self._reading():
            rows = self._collection(user_id).get(ids=list(ids), include=["embeddings"]) if ids else None
        if rows is None or not rows["ids"]:
            return [], np.empty((0, 0), dtype=np.float32)
        return rows["ids"], np.asarray(rows["embeddings"], dtype=np.float32)

    def has_vectors(self, user_id: int) -> bool:
        """Whether the oldest ids have their vectors: these lie in files of their own, which may be lost."""
        try:
            with self._reading():
                found = self._collection(user_id).get(limit=_LOOKED_AT, include=["embeddings"])
        except Failure:
            return False
        return len(found["ids"]) == len(found["embeddings"] if found["embeddings"] is not None else ())

    def count(self, user_id: int) -> int:
        """How many vectors a user has."""
        with self._reading():
            return self._collection(user_id).count()

    def remove(self, user_id: int, ids: Sequence[str]) -> int:
        """Take ids out; how many were there. Their vectors stay in the files until `rebuild` has finished.

        Raises:
            Failure: the disk is full, or took no writes.
        """
        with self._writing("The vector index took no writes: free some space on the disk."):
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

        Raises:
            Failure: the disk is full, or took no writes.
        """
        until = time.monotonic() + seconds
        while True:
            with self._writing(
                "What was forgotten is gone from the lists, but not yet from the vector index: make some space; it is"
                " finished in the background."
            ):
                finished = self._copy_some(user_id)
            if finished or time.monotonic() >= until:
                return finished

    def drop(self, user_id: int) -> None:
        """Remove a user's collection."""
        with self._lock:
            self._copies.pop(user_id, None)
            self._open.pop(user_id, None)
            self._delete(_name(user_id, "new"))
            self._delete(_name(user_id))
            self._sweep()

    def renew(self, user_id: int, model: str, size: int) -> None:
        """Put an empty collection in the place of a user's; there is no moment without one."""
        with self._lock:
            self.drop(user_id)
            self._create(_name(user_id), model, size)

    def close(self) -> None:
        """Let go of the folder; may be called twice."""
        with self._lock:
            self._open.clear()
            self._copies.clear()
            if self._connected is not None:
                self._connected.close()
                self._connected = None

    def _client(self) -> Any:
        with self._lock:
            if self._connected is None:
                try:
                    self._connected = self._connect()
                except AttributeError:  # Chroma hands out once more a client that could not be started
                    self._connected = self._connect()
                self._recover()
                with contextlib.suppress(sqlite3.DatabaseError), self._bookkeeping(_WAIT) as connection:
                    connection.execute(_INDEX)  # it goes without where the disk is full, or the file damaged or held
            return self._connected

    def _connect(self) -> Any:
        return chromadb.PersistentClient(self._path, settings=Settings(anonymized_telemetry=False))

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except InternalError as error:
                raise Failure(
                    f"The vector index cannot be read ({error}): stop the program and delete {self._path}; it is made"
                    " anew from the records."
                ) from error

    @contextlib.contextmanager
    def _writing(self, message: str) -> Iterator[None]:
        """One write at a time; after one that failed, go on with a new client.

        Chroma returns the connection of such a write to its pool, where a later write may fail on it or wait for ever.
        """
        with self._lock:
            try:
                yield
            except (ChromaError, sqlite3.OperationalError, OSError) as error:
                self.close()
                raise Failure(message) from error

    def _collection(self, user_id: int) -> chromadb.Collection:
        with self._lock:
            if user_id not in self._open:
                self._open[user_id] = self._client().get_collection(_name(user_id), embedding_function=None)
            return self._open[user_id]

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


def _overwrite_freed_memory() -> None:
    """Chroma writes memory that it has not set to its files, and with it what lay there before: texts, for one.

    So what is newly taken and what is given back is overwritten, where the C library can do that (glibc's mallopt).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_PERTURB, 0xFF)


def _is_damaged(file: Path) -> bool:
    """Whether there is a file that is no database, or one that lacks tables; what cannot be opened is no such thing."""
    if not file.exists():
        return False
    connection = sqlite3.connect(file, timeout=30)
    try:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        return True
    finally:
        connection.close()
    return bool(tables) and not tables >= _TABLES
