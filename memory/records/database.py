"""Opens the file of records: migrations, transactions, the state that lasts, and wiping what was deleted."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import alembic.command
import alembic.config
from sqlalchemy import Connection, Engine, Table, create_engine, delete, event, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError, OperationalError

from memory.errors import Failure, UserMistake
from memory.records import tables

# `secure_delete` writes zeros over what is deleted; a write-ahead log lets many read while one writes.
_PRAGMAS = ("foreign_keys=ON", "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "busy_timeout=30000")
_BROKEN_DISK = ("disk is full", "disk I/O error", "readonly database", "unable to open")
_LEAST_BYTES = 1 << 20  # SQLite needs room beside the file even to read it
_NOT_WIPED = "What was forgotten is gone from the lists, but not yet from the disk"


class Database:
    """One engine for the process; reads go side by side, writes one after the other.

    Raises:
        UserMistake: the folder cannot be written, or the file is not one of records.
    """

    def __init__(self, path: Path) -> None:
        self.writing = threading.RLock()
        self._engine = _engine(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._engine.begin() as connection:
                migrate(connection)
        except (OSError, DatabaseError) as error:
            reason = getattr(error, "orig", error)
            full = path.parent.is_dir() and shutil.disk_usage(path.parent).free < _LEAST_BYTES
            remedy = "Make room on the disk" if full else "Set LOREKEEPER_HOME to a folder of yours"
            raise UserMistake(f"The records in {path} cannot be opened: {reason}. {remedy}.") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read from."""
        with self._engine.connect() as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection to write with; all of it is kept, or nothing.

        Raises:
            Failure: the disk is full, or took no writes.
        """
        with self.writing:
            try:
                with self._engine.begin() as connection:
                    yield connection
            except OperationalError as error:
                if not any(sign in str(error.orig) for sign in _BROKEN_DISK):
                    raise
                raise Failure(f"Nothing was saved: {error.orig}. Free some space on the disk and try again.") from error

    def wipe(self) -> None:
        """Leave no byte of what was deleted in the file or its log.

        Raises:
            Failure: the disk is full, or somebody reads on in what was deleted.
        """
        try:
            with self.writing, self._engine.connect() as connection:
                connection.exec_driver_sql("INSERT INTO words(words) VALUES ('optimize')")
                connection.commit()
                raw = connection.connection.cursor()
                raw.execute("VACUUM")
                busy = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except (OperationalError, sqlite3.OperationalError) as error:
            raise Failure(f"{_NOT_WIPED}: make some space; it is finished at the next start.") from error
        if busy:
            raise Failure(f"{_NOT_WIPED}, since it is being read; it is finished at the next start.")

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self._engine.dispose()


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
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    return engine


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
            connection.execute(delete(self._table).filter_by(**self._owner, name=name))
