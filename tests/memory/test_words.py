"""The keyword index: which records it finds, and in which order."""

from pathlib import Path

import pytest
from sqlalchemy import text as sql

from memory.records import words
from memory.records.database import Database
from memory.records.keys import FACT
from memory.store import Memory
from tests.memory.samples import read

_MANY = 1200  # more than a term may have to be looked for by itself


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Many people who like tea, as many who bake bread, three things about Zelda, and one of another user's."""
    folder: Path = tmp_path_factory.mktemp("words")
    database = Database(folder / "memory.db")
    told = [(number, f"Person{number} likes tea") for number in range(1, _MANY)]
    told += [(number, f"Person{number} bakes bread") for number in range(2 * _MANY, 4 * _MANY)]
    told += [(_MANY, "Zelda likes coffee"), (_MANY + 1, "Zelda drank tea"), (_MANY + 2, "Zelda sings loud songs")]
    with database.transaction() as connection:
        words.put(connection, 1, FACT, told)
        words.put(connection, 2, FACT, [(_MANY + 3, "Zelda likes coffee")])
    return database


def found(database: Database, question: str, limit: int = 5000, *, every: bool = False) -> list[str]:
    """The ids of the first user's records for a question."""
    with database.reading() as connection:
        return words.search(connection, 1, FACT, question, limit, every=every)


def test_a_term_that_many_records_have_ranks_those_with_a_rarer_one(database: Database) -> None:
    assert set(found(database, "Does Zelda like tea?")) == {f"f{_MANY + number}" for number in range(3)}
    assert found(database, "Has Zelda any tea?")[0] == f"f{_MANY + 1}"


def test_terms_that_all_are_common_are_looked_for_by_themselves(database: Database) -> None:
    assert len(found(database, "Who likes tea?")) == _MANY + 1


def test_an_unknown_term_leaves_nobody_out(database: Database) -> None:
    assert len(found(database, "Who likes marzipan?")) == _MANY


def test_all_terms_may_be_asked_for(database: Database) -> None:
    assert found(database, "Zelda likes", every=True) == [f"f{_MANY}"]


def test_nothing_is_found_for_function_words(database: Database) -> None:
    assert found(database, "Who are you?") == []


def test_what_the_keyword_index_lost_is_noticed_and_put_in_again(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Ann lives in Oslo."
    user.note(text, read(text, ("Ann", "lives in", "Oslo")))
    assert memory.status().agrees
    with memory._database.transaction() as connection:
        connection.execute(sql("DELETE FROM words"))
    assert not memory.status().agrees
    assert memory.repair().agrees
    assert user.find_entities("Ann") and {hit.text for hit in user.recall("Oslo")} == {text}
