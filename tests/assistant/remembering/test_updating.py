"""Which known facts a message ends, as the model says or as what was read out of it says itself."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.llm.client import LanguageModel
from assistant.llm.scripted import Scripted, ScriptedTransport, Weights
from assistant.remembering.updating import updated
from memory.store import Memory
from memory.types import Extraction, Fact, FactKind, Held, Mention, Span, Statement
from memory.user_memory import UserMemory
from tests.memory.samples import WordEmbedder, read

UNTIL = datetime(2019, 12, 31, tzinfo=UTC)
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


def told(text: str, *objects: str, past: str = "") -> Extraction:
    whole = Span(0, len(text))
    statements = [Statement(FactKind.TRIPLE, "Anna", "is now", said, whole) for said in objects]
    if past:
        statements.append(Statement(FactKind.TRIPLE, "Anna", "spielt", past, whole, held=Held(until=UNTIL)))
    return Extraction((Mention("Anna"),), tuple(statements))


def fact(user: UserMemory, value: str) -> Fact:
    return next(fact for fact in user.facts() if fact.object == value)


def model(*over: Scripted) -> LanguageModel:
    """One that says of each fact that it is asked about whether it is over."""
    return LanguageModel(ScriptedTransport({"over": list(over)}))


OVER, STILL = Weights({"over": 1.0}), Weights({"still": 0.8, "over": 0.2})


def test_the_model_says_whether_the_nearest_fact_is_over(user: UserMemory) -> None:
    text, known = "Anna lives in Oslo.", fact(user, "Bergen")
    update, ended = updated(model(OVER), user, text, told(text, "Oslo"), [])
    assert ended == [known]
    assert [(one.object, one.ends) for one in update.statements] == [("Oslo", (known.id,))]
    _, stored = user.note(text, update)
    assert [closed.object for closed in stored.closed] == ["Bergen"]


@pytest.mark.parametrize("over", [[STILL], ["I cannot tell"] * 3])
def test_what_is_not_over_stays(user: UserMemory, over: Sequence[Scripted]) -> None:
    text = "Anna singt jetzt auch in Oslo."
    update, ended = updated(model(*over), user, text, told(text, "Oslo"), [])
    assert (update, ended) == (told(text, "Oslo"), [])


def test_what_was_spoken_of_is_asked_about_where_it_is_of_the_very_relation(user: UserMemory) -> None:
    text = "No, a baker, and Anna lives in Bergen."
    baker = Statement(FactKind.TRIPLE, "Anna", "job", "baker", Span(0, len(text)))
    spoken_of = [fact(user, "cello"), fact(user, "nurse")]
    _, ended = updated(model(OVER), user, text, Extraction((Mention("Anna"),), (baker,)), spoken_of)
    assert ended == [spoken_of[1]]


def test_each_sentence_may_end_a_fact(user: UserMemory) -> None:
    text = "Anna lives in Oslo. Anna plays the tuba."
    _, ended = updated(model(OVER, OVER), user, text, told(text, "Oslo", "tuba"), [])
    assert {over.object for over in ended} == {"Bergen", "cello"}


def test_what_is_still_to_come_ends_nothing(user: UserMemory) -> None:
    text = "Anna moves house, she lives in Oslo."
    coming = replace(told(text, "house").statements[0], held=Held(ahead=True))
    update, _ = updated(
        model(OVER), user, text, Extraction((Mention("Anna"),), (coming, *told(text, "Oslo").statements)), []
    )
    assert [(one.object, bool(one.ends)) for one in update.statements] == [("house", False), ("Oslo", True)]


def test_what_is_told_of_others_ends_nothing_that_the_message_does_not_name(user: UserMemory) -> None:
    text = "Bo jobs in Rome."
    new = Statement(FactKind.TRIPLE, "Bo", "jobs in", "Rome", Span(0, len(text)))
    requests = ScriptedTransport({"over": [OVER]})
    updated(LanguageModel(requests), user, text, Extraction((Mention("Bo"),), (new,)), [])
    offered = [line for request in requests.requests for line in request.messages[-1].content.splitlines()]
    assert not any("cello" in line for line in offered)


def test_a_number_alone_names_no_fact(user: UserMemory) -> None:
    user.note("Plot: 3", read("Plot: 3", ("Plot", "left fallow", "3")))
    text = "Bo was born on 3 February."
    born = Statement(FactKind.TRIPLE, "Bo", "born on", "3 February", Span(0, len(text)))
    assert updated(model(OVER), user, text, Extraction((Mention("Bo"),), (born,)), [])[1] == []


def test_what_the_message_says_to_be_over_needs_no_further_call(user: UserMemory) -> None:
    text = "Anna spielt nicht mehr cello, sondern tuba."
    update, ended = updated(model(), user, text, told(text, "tuba", past="cello"), [])
    assert [over.object for over in ended] == ["cello"]
    _, stored = user.note(text, update)
    assert [(closed.relation, closed.object, closed.valid_to) for closed in stored.closed] == [
        ("plays", "cello", UNTIL)
    ]
    assert {known.object for known in user.facts() if known.valid_to is None} == {"Bergen", "nurse", "tuba"}


def test_which_of_two_alike_is_over_is_asked(user: UserMemory) -> None:
    known = "Anna tunes a cello."
    user.note(known, read(known, ("Anna", "tunes", "cello")))
    text = "Anna hat das cello verkauft."
    _, ended = updated(model(STILL), user, text, told(text, past="cello"), [])
    assert ended == []


def test_what_is_known_and_told_as_past_ended_then(user: UserMemory) -> None:
    text = "Anna war bis 2019 nurse."
    past = read(text, ("Anna", "job", "nurse"), held=Held(until=UNTIL))
    update, ended = updated(model(), user, text, past, [])
    assert [over.object for over in ended] == ["nurse"]
    _, stored = user.note(text, update)
    assert [(closed.object, closed.valid_to) for closed in stored.closed] == [("nurse", UNTIL)]
    assert {known.object for known in user.facts() if known.valid_to is None} == {"Bergen", "cello"}


def test_what_is_past_and_was_never_known_is_history(user: UserMemory) -> None:
    text = "Anna spielte harfe."
    past = told(text, past="harfe")
    assert updated(model(STILL), user, text, past, []) == (past, [])


def test_what_is_said_again_is_not_asked_about(user: UserMemory) -> None:
    again = read(TEXT, *FACTS)
    assert updated(model(), user, TEXT, again, []) == (again, [])


def test_a_question_ends_nothing(user: UserMemory) -> None:
    text = "Anna has a dog. Does Anna still play the cello?"
    requests = ScriptedTransport({"over": [OVER] * 3})
    updated(LanguageModel(requests), user, text, told(text, "dog"), [])
    assert not any("Said: Does" in request.messages[-1].content for request in requests.requests)
