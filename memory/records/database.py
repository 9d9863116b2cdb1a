"""Opens the file of records: migrations, transactions, the state that lasts, and wiping what was deleted.

Whatever SQLite finds wrong with the file, the disk or other programs becomes an error of one line, in `_explained`. A
file that is damaged is left as it is.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import alembic.command
import alembic.config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, Table, create_engine, delete, event, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import ExceptionContext

from memory.errors import Failure, LorekeeperError, Unavailable, UserMistake
from memory.records import tables
from memory.records.reserve import Reserve

# `secure_delete` writes zeros over what is deleted; a write-ahead log lets many read while one writes.
_PRAGMAS = (
    "foreign_keys=ON",
    "journal_mode=WAL",
    "synchronous=FULL",
    "secure_delete=ON",
    "busy_timeout=5000",  # for other programs: those who write here wait for each other
)
# With this, set before there are tables or before a VACUUM, free pages can go back to a disk too full for VACUUM.
_SHRINKING, _INCREMENTAL = "PRAGMA auto_vacuum=INCREMENTAL", 2
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_HELD = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})
_UNWRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH})
_CUT_OFF = 500  # pages at once
INDEX = "vectors"  # the folder of the vector index, which lies beside the records


class DiskFull(Failure):
    """Nothing was saved, since the disk is full or broken."""


class Database:
    """One engine for the process; reads go side by side, writes one after the other.

    Raises:
        UserMistake: the folder cannot be written, or a newer version wrote the records.
        Failure: the records are damaged or lost, another program holds them, or the disk is full; by each method, too.
    """

    def __init__(self, path: Path) -> None:
        self.writing = threading.RLock()
        self.reserve = Reserve(path.parent)
        self._path = path
        self._engine = _engine(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _check_not_lost(path)
            try:
                self._migrate()
            except (DiskFull, _Unwritable):  # SQLite needs room beside the file even to read it
                if not self.reserve.give_up():
                    raise
                self._migrate()
        except OSError as error:
            raise UserMistake(
                "The records in {path} cannot be opened: {reason}. Set LOREKEEPER_HOME to a folder of yours that can "
                "be written.",
                path=path,
                reason=error,
            ) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read from."""
        with self._engine.connect() as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection to write with; all of it is kept, or nothing."""
        with self.writing, self._engine.begin() as connection:
            yield connection

    def wipe(self) -> None:
        """Leave no byte of what was deleted in the file or its log.

        Raises:
            Failure: the disk is full, or somebody reads on in what was deleted. What is free in the file is given back
                to a full disk, so that there is room for more forgetting.
        """
        try:
            with self.writing, self._engine.connect() as connection:
                connection.exec_driver_sql("INSERT INTO words(words) VALUES ('optimize')")
                connection.commit()
                raw = connection.connection.cursor()
                if raw.execute("PRAGMA auto_vacuum").fetchone()[0] != _INCREMENTAL:  # of an earlier version
                    raw.execute(_SHRINKING)
                raw.execute("VACUUM")
                busy = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except (sqlite3.Error, DiskFull) as error:
            if isinstance(error, sqlite3.Error) and not isinstance(told := _explained(self._path, error), DiskFull):
                raise told or error from error
            self._cut_off_free_pages()
            raise Failure(
                "What was forgotten is gone from the lists, but not yet from the disk: make some space; it is finished "
                "at the next start."
            ) from error
        if busy:
            raise Failure(
                "What was forgotten is gone from the lists, but not yet from the disk, since it is being read; it is "
                "finished at the next start."
            )

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self._engine.dispose()

    def _migrate(self) -> None:
        with self._engine.begin() as connection:
            try:
                migrate(connection)
            except CommandError as error:
                raise UserMistake(
                    "The records in {path} were written by a newer version of Lorekeeper ({reason}): use that "
                    "version. Nothing was changed.",
                    path=self._path,
                    reason=error,
                ) from error

    def _cut_off_free_pages(self) -> None:
        with suppress(sqlite3.Error, Failure), self.writing, self._engine.connect() as connection:
            raw = connection.connection.cursor()
            while raw.execute("PRAGMA freelist_count").fetchone()[0]:
                raw.execute(f"PRAGMA incremental_vacuum({_CUT_OFF})").fetchall()
                if raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    break


def migrate(connection: Connection) -> None:
    """Bring the schema to this version's."""
    config = alembic.config.Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    # Python's sqlite3 begins no transaction before a change of schema, and half a schema could not be opened again.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    alembic.command.upgrade(config, "head")


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", pool_size=8, max_overflow=32, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        if not connection.execute("PRAGMA page_count").fetchone()[0]:
            connection.execute(_SHRINKING)
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        connection.create_function("lower", 1, _lower, deterministic=True)  # SQLite's own knows ASCII alone

    @event.listens_for(engine, "handle_error")
    def explain(context: ExceptionContext) -> None:
        told = _explained(path, context.original_exception)
        if told is not None:
            raise told from context.original_exception

    return engine


class _Unwritable(UserMistake):
    """The file, or what SQLite keeps beside it, cannot be opened or written."""


def _lower(value: object) -> str | None:
    return None if value is None else str(value).lower()


def _explained(path: Path, error: BaseException) -> LorekeeperError | None:
    """The error for a person; None where it says that a statement is wrong, which is our bug."""
    if not isinstance(error, sqlite3.DatabaseError):
        return None
    no_text = isinstance(error, sqlite3.OperationalError) and not hasattr(error, "sqlite_errorcode")  # Python's own
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if no_text or code in _DAMAGED:
        return Failure(
            "The records in {path} are damaged ({reason}): stop the program and put a copy of that file in its place. "
            "What can still be read, export writes to a file.",
            path=path,
            reason=error,
        )
    if code in _HELD:
        return Unavailable(
            "Another program holds the records in {path} ({reason}): close it and try again.",
            path=path,
            reason=error,
        )
    if code in _FULL:
        return DiskFull("Nothing was saved: {reason}. Free some space on the disk and try again.", reason=error)
    if code in _UNWRITABLE:
        return _Unwritable(
            "The records in {path} cannot be opened or written: {reason}. Set LOREKEEPER_HOME to a folder of yours "
            "that can be written.",
            path=path,
            reason=error,
        )
    return None


def _check_not_lost(path: Path) -> None:
    """An empty file, or none, where the vector index of a memory lies: whoever began anew would lose what was there.

    Raises:
        Failure: it is so.
    """
    index = path.with_name(INDEX)
    empty = not path.exists() or not path.stat().st_size
    if empty and index.is_dir() and any(index.iterdir()):
        raise Failure(
            "The records in {path} are empty or missing, though there was a memory: put a copy of that file in its "
            "place, or delete {index} to begin with nothing remembered.",
            path=path,
            index=index,
        )


class State:
    """Lasting values by name: the installation's own, or one user's. A value is anything that JSON can hold."""

    def __init__(self, database: Database, user_id: int | None = None) -> None:
        self._database = database
        self._table: Table = tables.installation_state if user_id is None else tables.user_state
        self._owner: dict[str, Any] = {} if user_id is None else {"user_id": user_id}

    def get(self, name: str, default: Any = None) -> Any:
        """The value, or `default` where none was set."""
        with self._database.reading() as connection:
            query = select(self._table.c.value).filter_by(**self._owner, name=name)
            row = connection.execute(query).first()
        return default if row is None else row.value

    def set(self, name: str, value: Any) -> None:
        """Keep `value` in place of the one before."""
        with self._database.transaction() as connection:
            self.set_within(connection, name, value)

    def set_within(self, connection: Connection, name: str, value: Any) -> None:
        """As `set`, together with whatever else the transaction writes."""
        statement = insert(self._table).values(**self._owner, name=name, value=value)
        keys = [column.name for column in self._table.primary_key]
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_={"value": value}))

    def change(self, name: str, to: Callable[[Any], Any]) -> None:
        """Keep what `to` makes of the value that is there, or of None; nobody else changes it meanwhile."""
        with self._database.transaction() as connection:
            self.set_within(connection, name, to(self.get(name)))

    def delete(self, name: str) -> None:
        """Forget the value, where there is one."""
        with self._database.transaction() as connection:
            self.delete_within(connection, name)

    def delete_within(self, connection: Connection, name: str) -> None:
        """As `delete`, together with whatever else the transaction writes."""
        connection.execute(delete(self._table).filter_by(**self._owner, name=name))
