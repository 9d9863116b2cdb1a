"""What is another user's can be reached by no id, whatever is asked of it."""

import contextlib
import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.errors import NothingThere
from memory.sessions import Sessions
from memory.store import Memory
from memory.types import Extraction, SavedMessage
from memory.user_memory import UserMemory
from tests.memory.samples import read

LETTER = "Dear all, the harvest was good this year and the barn is full. Ann looks after the bees in {}."
NOW = datetime(2026, 1, 5, tzinfo=UTC)
# What the methods that take ids want besides.
BESIDES = {
    "answer": SavedMessage("assistant", "Oslo", NOW),
    "message": SavedMessage("user", "Where?", NOW),
    "since": NOW,
    "extraction": Extraction(),
    "place": 0,
    "thumb": {"up": True},
    "keep": 0,
    "title": "mine",
    "characters": 300,
    "pieces": 3,
    "page": 1,
}


@pytest.fixture
def alice(memory: Memory) -> tuple[UserMemory, dict[str, str]]:
    """One who has told, uploaded, changed, merged, forgotten and talked; and ids of all that, by what they are of."""
    user = memory.of("alice")
    said = "Ann lives in Oslo. Bo knows Cy."
    note, stored = user.note(said, read(said, ("Ann", "lives in", "Oslo"), ("Bo", "knows", "Cy")))
    user.add_document("letter.txt", LETTER.format("Oslo").encode())
    later = user.add_document("letter.txt", LETTER.format("Bonn").encode())
    ((passage_id, _),) = user.passages(later.id)
    ann, bo, cy = (user.find_entities(name)[0].id for name in ("Ann", "Bo", "Cy"))
    merge = user.merge(cy, bo)
    told, _ = user.note("Ann sings.", read("Ann sings.", ("Ann", "does", "sings")))
    gone = user.forget(source=told.id, undoable=True)
    session = user.sessions.new("talk")
    user.sessions.append(session.id, SavedMessage("user", "Where does Ann live?", NOW))
    return user, {
        "entity": ann,
        "into": bo,
        "source": later.id,
        "passage": passage_id,
        "fact": stored.added[0].id,
        "merge": merge,
        "undo": gone.undo_id,
        "session": session.id,
        "note": note.id,
    }


def methods(of: type) -> list[tuple[str, Callable[..., object]]]:
    """The public methods with a parameter that is named as an id."""
    found = inspect.getmembers(of, inspect.isfunction)
    ids = {name: [p for p in inspect.signature(f).parameters if p.endswith(("_id", "_ids"))] for name, f in found}
    return [(name, f) for name, f in found if ids[name] and not name.startswith("_")]


def arguments(method: Callable[..., object], ids: dict[str, str]) -> dict[str, object]:
    given: dict[str, object] = {}
    for name, parameter in inspect.signature(method).parameters.items():
        kind = name.removesuffix("s").removesuffix("_id")
        if name.endswith("_ids"):
            given[name] = [ids[kind]]
        elif name.endswith("_id"):
            given[name] = ids[kind]
        elif parameter.default is parameter.empty and name != "self":
            given[name] = BESIDES[name]
    return given


@pytest.mark.parametrize("name", [name for name, _ in methods(UserMemory)])
def test_what_takes_an_id_finds_nothing_of_another_user(
    memory: Memory, alice: tuple[UserMemory, dict[str, str]], tmp_path: Path, name: str
) -> None:
    user, ids = alice
    bob = memory.of("bob")
    user.export(tmp_path / "before.jsonld")
    _finds_nothing(lambda: getattr(bob, name)(**arguments(getattr(UserMemory, name), ids)))
    user.export(tmp_path / "after.jsonld")
    assert (tmp_path / "before.jsonld").read_bytes() == (tmp_path / "after.jsonld").read_bytes()


@pytest.mark.parametrize(
    "name", [name for name, _ in methods(Sessions) if not (name == "new" or name.endswith("_within"))]
)
def test_what_takes_a_conversations_id_finds_nothing_of_another_user(
    memory: Memory, alice: tuple[UserMemory, dict[str, str]], name: str
) -> None:
    user, ids = alice
    before = user.sessions.load(ids["session"])
    _finds_nothing(lambda: getattr(memory.of("bob").sessions, name)(**arguments(getattr(Sessions, name), ids)))
    assert user.sessions.load(ids["session"]) == before


def test_ids_that_go_by_other_names_are_of_the_user_too(
    memory: Memory, alice: tuple[UserMemory, dict[str, str]]
) -> None:
    user, ids = alice
    bob = memory.of("bob")
    for what in ({"facts": [ids["fact"]]}, {"source": [ids["note"]]}, {"source": ids["source"]}):
        _finds_nothing(lambda what=what: bob.forget(**what))
    _finds_nothing(lambda: bob.forget(entity=ids["entity"]))
    said = "No, Ann lives in Rome."
    told = read(said, ("Ann", "lives in", "Rome"), ends=[ids["fact"]])
    _, stored = bob.note(said, told, corrects=[ids["fact"]])
    assert stored.closed == ()
    assert user.facts_with_ids([ids["fact"]])[0].valid_to is None
    bob.add_document("letter.txt", LETTER.format("Oslo").encode(), beside=[ids["source"]])
    assert len(user.sources()) == 3


def _finds_nothing(reach: Callable[[], object]) -> None:
    with contextlib.suppress(NothingThere):
        assert not reach()
