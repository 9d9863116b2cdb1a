"""Saved conversations."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.errors import NothingThere, UserMistake
from memory.folding import terms
from memory.sessions import LEARNED
from memory.store import Memory
from memory.types import SavedMessage

NOON = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)


def message(role: str, content: str, minutes: int = 0, **details: object) -> SavedMessage:
    return SavedMessage(role, content, NOON + timedelta(minutes=minutes), details)


def test_a_conversation_survives_a_restart(open_memory: Callable[..., Memory]) -> None:
    sessions = open_memory().of("eve").sessions
    info = sessions.new()
    said = [
        message("user", "Who keeps\nbees? 蜂", 1),
        message("assistant", "Marta [1].", 2, evidence=[{"id": 1, "text": "她养蜂"}], seconds=1.5, stopped=False),
    ]
    for one in said:
        sessions.append(info.id, one)
    again = open_memory().of("eve").sessions
    assert again.load(info.id) == said
    (listed,) = again.list()
    assert (listed.title, listed.messages, listed.updated) == ("Who keeps bees? 蜂", 2, said[1].at)


def test_the_latest_is_first_and_titles_are_short(memory: Memory) -> None:
    sessions = memory.of("eve").sessions
    for number in (1, 2):
        sessions.new(f"s{number}")
        sessions.append(f"s{number}", message("user", "word " * 50, number))
    sessions.append("s1", message("user", "another", 5))
    assert [info.id for info in sessions.list()] == ["s1", "s2"]
    assert all(len(info.title) <= 60 and info.title.endswith("…") for info in sessions.list())
    sessions.rename("s2", "Bees")
    assert {info.id: info.title for info in sessions.list()}["s2"] == "Bees"


def test_conversations_are_found_by_what_stands_in_them(memory: Memory) -> None:
    sessions = memory.of("eve").sessions
    for number, said in enumerate(("Who keeps bees?", "Is 100% wool warm?", "谁养蜂？")):
        sessions.new(f"s{number}")
        sessions.append(f"s{number}", message("user", said, number))
    sessions.append("s0", message("assistant", "Marta does.", 5))
    memory.of("adam").sessions.new("s0")
    found = {text: [info.id for info in sessions.list(text)] for text in ("marta", "KEEPS", "0%", "_", "养蜂", "goats")}
    assert found == {"marta": ["s0"], "KEEPS": ["s0"], "0%": ["s1"], "_": [], "养蜂": ["s2"], "goats": []}
    assert sessions.list("goats" * 12_000) == []


def test_going_back(memory: Memory) -> None:
    sessions = memory.of("eve").sessions
    sessions.new("s")
    for number in range(4):
        sessions.append("s", message("user", str(number)))
    sessions.cut("s", 2)
    assert [one.content for one in sessions.load("s")] == ["0", "1"]
    assert sessions.new("s").messages == 2


def test_thumbs_go_with_what_they_judge(memory: Memory) -> None:
    user = memory.of("eve")
    sessions = user.sessions
    for name in ("s", "t"):
        sessions.new(name)
        for number in range(4):
            sessions.append(name, message("user", str(number)))
        sessions.rate(name, 1, {"thumb": "Like"})
        sessions.rate(name, 3, {"thumb": "Dislike"})
    sessions.cut("s", 3)
    assert sessions.thumbs("s") == {1: {"thumb": "Like"}}
    sessions.rate("s", 1, None)
    assert sessions.thumbs("s") == {}
    assert set(sessions.thumbs("t")) == {1, 3}
    sessions.delete("t")
    assert sessions.thumbs("t") == {}
    sessions.rate("s", 0, {"question": "Who keeps bees?"})
    user.state.set("public", True)
    user.state.set(f"{LEARNED}taste", [1])
    user.forget(everything=True)
    assert sessions.thumbs("s") == {}
    assert user.state.get(f"{LEARNED}taste") is None
    assert user.state.get("public")


def test_a_deleted_one_is_gone(memory: Memory) -> None:
    sessions = memory.of("eve").sessions
    sessions.new("s")
    sessions.append("s", message("user", "x"))
    sessions.delete("s")
    for reach in (
        lambda: sessions.load("s"),
        lambda: sessions.append("s", message("user", "x")),
        lambda: sessions.rename("s", "x"),
        lambda: sessions.cut("s", 0),
        lambda: sessions.rate("s", 0, None),
        lambda: sessions.delete("s"),
    ):
        with pytest.raises(NothingThere):
            reach()
    assert sessions.new("s").messages == 0


@pytest.mark.parametrize("session_id", ["", "a b", "../x", "x" * 65])
def test_what_cannot_be_an_id(memory: Memory, session_id: str) -> None:
    with pytest.raises(UserMistake):
        memory.of("eve").sessions.new(session_id)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
@pytest.mark.parametrize("beside", ["mein Mann Jörg Häußler trinkt", "мой врач Иванов", "ＭＹ 妹のがく", "Κώστας"])
def test_whatever_a_message_says_is_known_to_be_said(memory: Memory, beside: str, text: str) -> None:
    sessions = memory.of("eve").sessions
    other = sessions.new()
    sessions.append(other.id, message("user", f"{text} {beside}"))
    said = set(terms(f"{text} {beside}"))
    assert sessions.saying({*said, "xylophone"}, besides="another") == said
    assert sessions.saying(said, besides=other.id) == set()
    sessions.delete(other.id)


@pytest.mark.parametrize(("said", "search"), [("ÄRGER mit Öl", "ärger mit öl"), ("Врач ИВАНОВ", "иванов")])
def test_conversations_are_searched_whatever_the_case_of_letters(memory: Memory, said: str, search: str) -> None:
    sessions = memory.of("eve").sessions
    session = sessions.new()
    sessions.append(session.id, message("user", "first"))
    sessions.append(session.id, message("user", said))
    assert [info.id for info in sessions.list(search)] == [session.id]
