"""Who is logged in, in the records."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from memory.logins import LONGEST, UNUSED, Logins
from memory.records.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(tmp_path / "memory.db")) as opened:
        yield opened


def set_back(database: Database, column: str, by: timedelta) -> None:
    with database.transaction() as connection:
        microseconds = by // timedelta(microseconds=1)
        connection.execute(text(f"UPDATE logins SET {column} = {column} - {microseconds}"))


def test_a_token_logs_its_user_in_until_the_login_is_ended(database: Database) -> None:
    logins = Logins(database)
    ada, eve = logins.begin("ada"), logins.begin("eve")
    assert (logins.user(ada), logins.user(eve)) == ("ada", "eve")
    assert logins.user("") is None
    assert logins.user(ada[:-1]) is None
    logins.end(ada)
    logins.end("nobody's")
    assert (logins.user(ada), logins.user(eve)) == (None, "eve")


def test_no_token_and_no_password_lie_on_the_disk(database: Database, tmp_path: Path) -> None:
    logins = Logins(database)
    logins.only_by("open sesame")
    token = logins.begin("ada")
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in held
    assert b"open sesame" not in held


@pytest.mark.parametrize(("column", "by"), [("last_seen", UNUSED), ("expires", LONGEST)])
def test_a_login_that_is_unused_or_old_ends_and_its_row_goes(database: Database, column: str, by: timedelta) -> None:
    logins = Logins(database)
    token = logins.begin("ada")
    set_back(database, column, by - timedelta(minutes=5))
    assert logins.user(token) == "ada"
    set_back(database, column, by if column == "last_seen" else timedelta(minutes=5))
    assert logins.user(token) is None
    logins.begin("ada")
    with database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM logins")).scalar_one() == 1


def test_a_login_in_use_is_seen_but_never_waits_for_who_writes(database: Database) -> None:
    logins = Logins(database)
    token = logins.begin("ada")
    set_back(database, "last_seen", timedelta(hours=1))
    with database.reading() as connection:
        before = connection.execute(text("SELECT last_seen FROM logins")).scalar_one()
    with database.writing:  # another thread would wait here
        asked = threading.Thread(target=logins.user, args=(token,))
        asked.start()
        asked.join(60)
        assert not asked.is_alive()
    assert logins.user(token) == "ada"
    with database.reading() as connection:
        assert connection.execute(text("SELECT last_seen FROM logins")).scalar_one() > before


def test_another_password_ends_what_the_old_one_earned_for_good(database: Database) -> None:
    logins = Logins(database)
    logins.only_by("one")
    token = logins.begin("ada")
    logins.only_by("one")
    assert logins.user(token) == "ada"
    logins.only_by("two")
    logins.only_by("one")
    assert logins.user(token) is None


def test_records_of_before_there_were_logins_are_opened(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    Database(path).close()
    with closing(sqlite3.connect(path)) as old, old:
        old.execute("INSERT INTO users (name) VALUES ('ada')")
        old.execute("DROP TABLE logins")
        old.execute("ALTER TABLE fact_sources DROP COLUMN since")
        old.execute("ALTER TABLE fact_sources DROP COLUMN ahead")
        old.execute("ALTER TABLE passages DROP COLUMN page")
        old.execute("UPDATE alembic_version SET version_num = '0013'")
    with closing(Database(path)) as database:
        logins = Logins(database)
        assert logins.user(logins.begin("ada")) == "ada"
