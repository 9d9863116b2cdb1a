"""The file of records: schema, migration, state, full disks."""

import resource
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from memory.errors import Failure
from memory.records import database as module
from memory.records.database import Database, State
from memory.records.tables import metadata
from memory.records.users import user_number
from tests.memory.samples import back_to


def test_the_migrations_give_the_tables(tmp_path: Path) -> None:
    database = Database(tmp_path / "memory.db")
    with database.reading() as connection:
        context = MigrationContext.configure(connection)
        differences = compare_metadata(context, metadata)
        tables = set(connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars())
    database.close()
    beside = [item for item in differences if not str(getattr(item[-1], "name", "")).startswith("words")]
    assert beside == []
    assert set(metadata.tables) <= tables


def test_half_a_migration_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade = module.alembic.command.upgrade

    def fail_at_the_end(*arguments: object) -> None:
        upgrade(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(module.alembic.command, "upgrade", fail_at_the_end)
    with pytest.raises(KeyboardInterrupt):
        Database(tmp_path / "memory.db")
    monkeypatch.undo()
    database = Database(tmp_path / "memory.db")
    State(database).set("x", 1)
    database.close()


def test_state_under_a_name_that_nothing_reads_any_more_goes(tmp_path: Path) -> None:
    database = Database(tmp_path / "memory.db")
    with database.transaction() as connection:
        user_id = user_number(connection, "eve")
        back_to(connection, "0009")
    for name in ("chat.lately", "chat.spoken_of"):
        State(database, user_id).set(name, {})
    database.close()
    database = Database(tmp_path / "memory.db")
    with database.reading() as connection:
        assert connection.execute(text("SELECT name FROM user_state")).scalars().all() == ["chat.spoken_of"]
    database.close()


@pytest.mark.parametrize("value", [None, 0, "城市", [1, {"a": [True, 1.5]}]])
def test_state_lasts(tmp_path: Path, value: object) -> None:
    first = Database(tmp_path / "memory.db")
    State(first).set("x", "before")
    State(first).set("x", value)
    first.close()
    second = Database(tmp_path / "memory.db")
    state = State(second)
    assert state.get("x", "default") == value
    state.delete("x")
    state.delete("x")
    assert state.get("x", "default") == "default"
    second.close()


def test_what_is_deleted_leaves_the_file_without_wiping(tmp_path: Path) -> None:
    database = Database(tmp_path / "memory.db")
    state = State(database)
    state.set("x", "Quillfeather")
    state.delete("x")
    database.close()  # which also takes what the log has into the file
    assert [file.name for file in tmp_path.iterdir() if b"Quillfeather" in file.read_bytes()] == []


def test_a_full_disk_loses_nothing_and_says_so(tmp_path: Path) -> None:
    database = Database(tmp_path / "memory.db")
    state = State(database)
    state.set("kept", 1)
    with database.reading() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count = {pages}"))
        with pytest.raises(Failure, match="Free some space"):
            State(_Limited(database, pages)).set("big", "x" * 10**6)
    assert state.get("kept") == 1
    assert state.get("big") is None
    state.set("after", 2)
    database.close()


def test_wiping_a_full_disk_says_so(tmp_path: Path) -> None:
    database = Database(tmp_path / "memory.db")
    State(database).set("kept", 1)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(Failure, match="make some space"):
            database.wipe()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    database.wipe()
    assert State(database).get("kept") == 1
    database.close()


class _Limited(Database):
    """The same file, as if the disk had no page left."""

    def __init__(self, database: Database, pages: int) -> None:
        self.writing, self._engine = database.writing, database._engine
        with self._engine.begin() as connection:
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))
