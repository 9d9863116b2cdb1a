"""Every row that is changed is recorded, as it was before and as it is after: in memory, and only meanwhile."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, update

from memory.records.database import Database
from memory.records.recording import Changes, recording
from memory.records.tables import conversations, messages, users
from tests.memory.test_forgetting import found_in

SECRET = "Quillfeather hides the brass key."
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = Database(tmp_path / "memory.db")
    with database.transaction() as connection:
        connection.execute(insert(users).values(id=1, name="eve"))
        connection.execute(insert(conversations).values(user_id=1, id="s", title="Keys", updated=NOW))
        said = {"role": "user", "content": SECRET, "at": NOW, "details": {}}
        connection.execute(insert(messages).values(user_id=1, conversation_id="s", id=7, **said))
    return database


def told(changes: Changes, name: str) -> list[tuple[object, object]]:
    """The contents of a table's rows, before and after."""
    column = "content" if name == "messages" else "title"
    images = changes.images[name].values()
    return [tuple(row and row[column] for row in (image.before, image.after)) for image in images]  # type: ignore[misc]


def test_a_cascade_is_recorded_too(database: Database, tmp_path: Path) -> None:
    with database.transaction() as connection, recording(connection) as changes:
        connection.execute(delete(conversations))
    assert told(changes, "conversations") == [("Keys", None)]
    assert told(changes, "messages") == [(SECRET, None)]
    assert changes.newest["messages"] == 7
    database.wipe()
    assert found_in(tmp_path, SECRET) == []


def test_of_several_changes_of_a_row_the_first_and_the_last_count(database: Database) -> None:
    with database.transaction() as connection:
        with recording(connection) as changes:
            for content in ("one", "two"):
                connection.execute(update(messages).values(content=content))
        connection.execute(update(messages).values(content="three"))
        with recording(connection) as more:
            connection.execute(delete(messages))
    assert told(changes, "messages") == [(SECRET, "two")]
    changes.add(more)
    assert told(changes, "messages") == [(SECRET, None)]


def test_what_fails_leaves_nothing_behind(database: Database) -> None:
    with pytest.raises(KeyError), database.transaction() as connection, recording(connection) as changes:
        connection.execute(update(messages).values(content="one"))
        raise KeyError
    for _ in range(2):
        with database.transaction() as connection, recording(connection) as again:
            connection.execute(update(messages).values(content="two"))
        assert told(again, "messages")[0][1] == "two"
    assert told(changes, "messages") == [(SECRET, "one")]
