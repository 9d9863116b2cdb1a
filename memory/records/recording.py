"""The rows that a part of a transaction changes: what each was before it and is after it, in memory alone.

Triggers tell of them, so that none is missed, whatever changes it: a statement, or the cascade of another table's. They
are there only meanwhile, so that other transactions cost no more for them.
"""

import sqlite3
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, TableClause, column, table

from memory.records import tables

Row = dict[str, Any]  # by column
Key = tuple[Any, ...]

# Without types, so that values are read and written as SQLite holds them.
RAW: dict[str, TableClause] = {
    of.name: table(of.name, *(column(of_it.name) for of_it in of.columns)) for of in tables.metadata.sorted_tables
}
_COLUMNS = {of.name: [of_it.name for of_it in of.columns] for of in tables.metadata.sorted_tables}
_KEYS = {of.name: [of_it.name for of_it in of.primary_key] for of in tables.metadata.sorted_tables}
_TELLING = "row_changed"
_VERSIONS = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}


@dataclass(frozen=True, slots=True)
class Image:
    """A row before and after; None where it was not there, or is there no more."""

    before: Row | None
    after: Row | None


@dataclass(frozen=True, slots=True)
class Changes:
    """The rows that were changed, by table and primary key; `newest` are the last numbers that tables had before."""

    images: dict[str, dict[Key, Image]] = field(default_factory=lambda: {name: {} for name in RAW})
    newest: dict[str, int] = field(default_factory=dict)

    def put(self, name: str, before: Row | None, after: Row | None) -> None:
        """Hold one more change of a table; of a row that was changed already, what it was first stays."""
        images = self.images[name]
        was, is_ = ({} if row is None else {key_of(name, row): row} for row in (before, after))
        for key in was | is_:
            first = images[key].before if key in images else was.get(key)
            images[key] = Image(first, is_.get(key))

    def add(self, more: "Changes") -> None:
        """Hold what was changed later, too."""
        for name, images in more.images.items():
            for image in images.values():
                self.put(name, image.before, image.after)


def key_of(name: str, row: Row) -> Key:
    """The primary key of a table's row."""
    return tuple(row[part] for part in _KEYS[name])


class _Listener:
    """What the triggers of one connection call."""

    def __init__(self) -> None:
        self.into: Changes | None = None

    def __call__(self, name: str, event: str, *values: Any) -> None:
        columns = _COLUMNS[name]
        rows = [dict(zip(columns, values[at:], strict=False)) for at in range(0, len(values), len(columns))]
        if self.into is not None:
            self.into.put(name, None if event == "INSERT" else rows[0], None if event == "DELETE" else rows[-1])


def prepare(raw: sqlite3.Connection, info: MutableMapping[Any, Any]) -> None:
    """Let a new connection be able to record; `info` is what is kept with it."""
    info[_TELLING] = listener = _Listener()
    raw.create_function(_TELLING, -1, listener)


def begin(connection: Connection) -> None:
    """Begin the transaction in SQLite, where nothing was written in it yet: Python's sqlite3 begins it no sooner."""
    raw = connection.connection.driver_connection
    if raw is not None and not raw.in_transaction:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def recording(connection: Connection) -> Iterator[Changes]:
    """Record what is changed in the block; where that fails, the transaction has to be rolled back."""
    begin(connection)
    numbers = connection.exec_driver_sql("SELECT name, seq FROM sqlite_sequence")
    changes = Changes(newest={row.name: row.seq for row in numbers})
    listener: _Listener = connection.info[_TELLING]
    triggers = [(f"{name}_{event}", name, event) for name in RAW for event in _VERSIONS]
    for trigger, name, event in triggers:
        values = ", ".join(f'{row}."{of_it}"' for row in _VERSIONS[event] for of_it in _COLUMNS[name])
        telling = f"SELECT {_TELLING}('{name}', '{event}', {values})"
        connection.exec_driver_sql(f"CREATE TEMP TRIGGER {trigger} AFTER {event} ON main.{name} BEGIN {telling}; END")
    listener.into = changes
    try:
        yield changes
    finally:
        listener.into = None
    for trigger, *_ in triggers:
        connection.exec_driver_sql(f"DROP TRIGGER temp.{trigger}")
