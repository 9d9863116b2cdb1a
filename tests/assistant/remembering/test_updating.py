"""Which known facts a message ends, as the model says or as what was read out of it says itself."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.remembering.updating import updated
from memory.store import Memory
from memory.types import Extraction, Fact, FactKind, Held, Mention, Span, Statement
from memory.user_memory import UserMemory
from tests.memory.samples import WordEmbedder, read

TEXT = "Anna lives in Bergen, plays the cello and is a nurse."
FACTS = (("Anna", "lives in", "Bergen"), ("Anna", "plays", "cello"), ("Anna", "job", "nurse"))


@pytest.fixture
def user(home: Path) -> Iterator[UserMemory]:
    with closing(Memory(home, WordEmbedder())) as memory:
        user = memory.of("me")
        text = "Anna lives in Bergen, plays the cello and is a nurse."
        user.note(
            text, read(text, ("Anna", "lives in", "Bergen"), ("Anna", "plays", "cello"), ("Anna", "job", "nurse"))
        )
        yield user


def told(text: str, *objects: str, denied: str = "") -> Extraction:
    whole = Span(0, len(text))
    statements = [Statement(FactKind.TRIPLE, "Anna", "is now", said, whole) for said in objects]
    if denied:
        statements.append(Statement(FactKind.TRIPLE, "Anna", "spielt", denied, whole, denied=True))
    return Extraction((Mention("Anna"),), tuple(statements))


def fact(user: UserMemory, value: str) -> Fact:
    return next(fact for fact in user.facts() if fact.object == value)


def model(*replies: str) -> LanguageModel:
    return LanguageModel(ScriptedTransport({"update": list(replies)}))


def test_the_model_names_by_number_what_is_over(user: UserMemory) -> None:
    text, known = "Anna ist jetzt in Oslo.", fact(user, "Bergen")
    update, ended = updated(model("1"), user, text, told(text, "Oslo"), [known])
    assert ended == [known]
    assert [(one.object, one.ends) for one in update.statements] == [("Oslo", (known.id,))]
    _, stored = user.note(text, update)
    assert [closed.object for closed in stored.closed] == ["Bergen"]


def test_where_it_names_none_all_stays(user: UserMemory) -> None:
    text = "Anna ist jetzt in Oslo."
    update, ended = updated(model("none"), user, text, told(text, "Oslo"), [])
    assert (ended, [one.ends for one in update.statements]) == ([], [()])


def test_what_the_message_says_to_be_over_needs_no_further_call(user: UserMemory) -> None:
    text = "Anna spielt nicht mehr cello, sondern tuba."
    update, ended = updated(model(), user, text, told(text, "tuba", denied="cello"), [])
    assert [over.object for over in ended] == ["cello"]
    assert [(one.object, one.denied, one.ends) for one in update.statements] == [("tuba", False, (ended[0].id,))]


def test_what_is_over_and_has_nothing_in_its_place_is_denied(user: UserMemory) -> None:
    text = "Anna hat das cello verkauft."
    update, ended = updated(model(), user, text, told(text, denied="cello"), [])
    _, stored = user.note(text, update)
    assert [closed.object for closed in stored.closed] == [over.object for over in ended] == ["cello"]


def test_what_is_known_and_told_as_past_ended_then(user: UserMemory) -> None:
    text, until = "Anna war bis 2019 nurse.", datetime(2019, 12, 31, tzinfo=UTC)
    past = read(text, ("Anna", "job", "nurse"), held=Held(until=until))
    update, ended = updated(model(), user, text, past, [])
    assert [over.object for over in ended] == ["nurse"]
    _, stored = user.note(text, update)
    assert [(closed.object, closed.valid_to) for closed in stored.closed] == [("nurse", until)]
    assert {known.object for known in user.facts() if known.valid_to is None} == {"Bergen", "cello"}


def test_what_is_denied_and_was_never_known_is_nothing_to_know(user: UserMemory) -> None:
    text = "Anna spielt keine harfe."
    update, ended = updated(model("none"), user, text, told(text, denied="harfe"), [])
    assert (update.statements, ended) == ((), [])


def test_what_is_said_again_is_not_asked_about(user: UserMemory) -> None:
    again = read(TEXT, *FACTS)
    assert updated(model(), user, TEXT, again, []) == (again, [])
