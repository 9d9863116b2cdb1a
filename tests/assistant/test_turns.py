"""Turns on the server: they go on without a reader, one in a conversation, and are saved however they end."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from assistant.errors import ModelUnavailable, NothingThere, UserMistake
from assistant.llm.scripted import Scripted
from assistant.orchestrator import Assistant
from assistant.turns.kept_events import answered, from_details
from assistant.turns.log import MemoryLog
from assistant.turns.turns import RunningTurn, Turns
from assistant.types import Answered, Event, Evidence, Failed, Found, Planned, Remembered, Token, Turn
from memory.types import SavedMessage
from tests.memory.samples import read

Composed = Callable[..., Assistant]
_LONG = 60.0  # seconds: as good as for ever


class Held:
    """A reply that says its name and then waits until it may go on, or until it is stopped; or not even then."""

    def __init__(self, *, obedient: bool = True) -> None:
        self.may_go_on = threading.Event()
        self.order: list[str] = []
        self._obedient = obedient

    def reply(self, turn: Turn, cancel: threading.Event) -> Iterator[Event]:
        self.order.append(turn.text)
        yield Token(f"{turn.text}: so far")
        while not self.may_go_on.wait(0.01) and not (self._obedient and cancel.is_set()):
            pass
        stopped = cancel.is_set()
        yield Token("" if stopped else " and to the end")
        text = f"{turn.text}: so far" + ("" if stopped else " and to the end")
        yield Answered(text, "answer", turn.text, stopped=stopped)


@pytest.fixture
def assistant(composed: Composed) -> Assistant:
    return composed({})


@pytest.fixture
def held() -> Iterator[Held]:
    reply = Held()
    yield reply
    reply.may_go_on.set()


def turn(text: str, session: str = "s", **fields: object) -> Turn:
    return replace(Turn(text, "me", session, datetime.now(UTC)), **fields)  # type: ignore[arg-type]


def turns_of(assistant: Assistant, reply: Callable[..., Iterator[Event]], **more: object) -> Turns:
    for name in ("s", "t", "u", "v"):
        assistant.memory.of("me").sessions.new(name)
    return Turns(reply, lambda turn: None, assistant.memory, **more)  # type: ignore[arg-type]


def said(assistant: Assistant, session: str = "s") -> list[str]:
    return [message.content for message in assistant.memory.of("me").sessions.load(session)]


def until_said(running: RunningTurn) -> None:
    """Wait until its reply is under way."""
    assert running.log.read(0, _LONG)


def test_a_turn_goes_on_with_nobody_watching(assistant: Assistant, held: Held) -> None:
    running = turns_of(assistant, held.reply).start(turn("one"))
    until_said(running)
    assert said(assistant) == ["one"]
    held.may_go_on.set()
    assert running.ended.wait(_LONG)
    assert said(assistant) == ["one", "one: so far and to the end"]
    assert running.log.closed
    assert isinstance(running.log.read(0)[-1], Answered)


def test_a_conversation_takes_one_turn_at_a_time(assistant: Assistant, held: Held) -> None:
    turns = turns_of(assistant, held.reply)
    running = turns.start(turn("one"))
    with pytest.raises(UserMistake, match="press Stop, or wait"):
        turns.start(turn("two"))
    other = turns.start(turn("three", "t"))
    assert turns.running("me", "s") is running
    assert turns.running("somebody else", "s") is None
    assert turns.sessions("me") == {"s", "t"}
    held.may_go_on.set()
    assert running.ended.wait(_LONG) and other.ended.wait(_LONG)
    assert turns.running("me", "s") is None
    assert said(assistant) == ["one", "one: so far and to the end"]
    assert turns.start(turn("two")).ended.wait(_LONG)


def test_a_conversation_that_is_not_there_is_left_free(assistant: Assistant, held: Held) -> None:
    turns = turns_of(assistant, held.reply)
    for _ in range(2):
        with pytest.raises(NothingThere):
            turns.start(turn("one", "nowhere"))


def test_turns_wait_in_the_order_in_which_they_came(assistant: Assistant, held: Held) -> None:
    turns = turns_of(assistant, held.reply, at_once=1)
    running = [turns.start(turn(session, session)) for session in ("s", "t", "u", "v")]
    until_said(running[0])
    assert [turns.ahead(each) for each in running] == [0, 1, 2, 3]
    running[2].stop()
    assert running[2].ended.wait(_LONG)  # at once, though it has not begun
    assert [turns.ahead(each) for each in running] == [0, 1, 0, 2]
    held.may_go_on.set()
    assert all(each.ended.wait(_LONG) for each in running)
    assert held.order == ["s", "t", "v"]
    assert said(assistant, "u") == ["u", ""]
    last = answered(assistant.memory.of("me").sessions.load("u")[1])
    assert last and last.stopped


def test_stop_keeps_what_was_written(assistant: Assistant, held: Held) -> None:
    turns = turns_of(assistant, held.reply)
    running = turns.start(turn("one"))
    until_said(running)
    turns.stop("me", "s", wait_seconds=_LONG)
    assert said(assistant) == ["one", "one: so far"]


def test_a_turn_that_does_not_heed_stop_is_ended_all_the_same(assistant: Assistant) -> None:
    deaf = Held(obedient=False)
    turns = turns_of(assistant, deaf.reply, at_once=1, stop_seconds=0.1)
    running, waiting = turns.start(turn("one")), turns.start(turn("two", "t"))
    until_said(running)
    running.stop()
    assert running.ended.wait(_LONG)
    assert said(assistant) == ["one", "one: so far"]
    until_said(waiting)  # its place is free
    deaf.may_go_on.set()
    assert waiting.ended.wait(_LONG)
    assert said(assistant) == ["one", "one: so far"]  # what it says later is no part of it


@pytest.mark.parametrize("obedient", [True, False])
def test_closing_saves_what_all_turns_have(assistant: Assistant, obedient: bool) -> None:
    held = Held(obedient=obedient)
    turns = turns_of(assistant, held.reply, at_once=1)
    running, waiting = turns.start(turn("one")), turns.start(turn("two", "t"))
    until_said(running)
    begun = time.monotonic()
    turns.close()
    turns.close()
    assert time.monotonic() - begun < 30
    assert said(assistant) == ["one", "one: so far"]
    assert said(assistant, "t") == ["two", ""]
    assert waiting.ended.is_set()
    assert held.order == ["one"]
    with pytest.raises(UserMistake, match="is ending"):
        turns.start(turn("three", "u"))
    held.may_go_on.set()


def test_a_conversation_may_be_deleted_while_it_is_answered(assistant: Assistant, held: Held) -> None:
    turns = turns_of(assistant, held.reply)
    running = turns.start(turn("one"))
    assistant.memory.of("me").sessions.delete("s")
    held.may_go_on.set()
    assert running.ended.wait(_LONG)
    assert "s" not in [info.id for info in assistant.memory.of("me").sessions.list()]


def test_what_runs_while_everything_is_forgotten_is_stopped(assistant: Assistant, held: Held) -> None:
    me = assistant.memory.of("me")

    def reply(turn: Turn, cancel: threading.Event) -> Iterator[Event]:
        if turn.text != "forget":
            yield from held.reply(turn, cancel)
            return
        me.forget(everything=True)
        me.sessions.new(turn.session)
        yield Answered("Gone." if not cancel.is_set() else "Stopped.", "answer", "")

    turns = turns_of(assistant, reply)
    me.note("Ann keeps bees.", read("Ann keeps bees.", ("Ann", "keeps", "bees")))
    other = turns.start(turn("one"))
    until_said(other)
    forgetting = turns.start(turn("forget", "t"))
    assert other.ended.wait(_LONG) and forgetting.ended.wait(_LONG)
    assert [info.id for info in me.sessions.list()] == ["t"]
    assert said(assistant, "t") == ["Gone."]


def test_our_own_bug_is_one_line_and_the_conversation_goes_on(assistant: Assistant) -> None:
    def reply(turn: Turn, cancel: threading.Event) -> Iterator[Event]:
        yield Token("So far")
        raise ZeroDivisionError

    turns = turns_of(assistant, reply)
    for _ in range(2):
        running = turns.start(turn("one"))
        assert running.ended.wait(_LONG)
        *_, failed, last = running.log.read(0)
        assert isinstance(failed, Failed) and "in the log" in failed.message
        assert isinstance(last, Answered) and last.answer == "So far"
    assert said(assistant) == ["one", "So far"] * 2


def test_an_answer_that_cannot_be_saved_is_said_to_be_so(
    assistant: Assistant, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError("no room")

    turns = turns_of(assistant, held.reply)
    running = turns.start(turn("one"))
    monkeypatch.setattr(type(assistant.memory.of("me")), "keep_answer", full)
    held.may_go_on.set()
    assert running.ended.wait(_LONG)
    assert isinstance(running.log.read(0)[-1], Failed)
    assert turns.running("me", "s") is None


def test_a_turn_without_end_is_ended(assistant: Assistant) -> None:
    def reply(turn: Turn, cancel: threading.Event) -> Iterator[Event]:
        while not cancel.is_set():
            yield Planned("program", "triples", ())

    running = turns_of(assistant, reply, new_log=partial(MemoryLog, 50)).start(turn("one"))
    assert running.ended.wait(_LONG)
    *_, failed, last = running.log.read(0)
    assert isinstance(failed, Failed) and "too many steps" in failed.message
    assert isinstance(last, Answered)


_EVIDENCE = (Evidence(1, "personal", "Ann", "keeps", "bees"),)


def cut_off(assistant: Assistant, session: str = "s") -> Turns:
    """A conversation whose one answer was cut, and turns that go on with it as their history and evidence allow."""

    def reply(turn: Turn, cancel: threading.Event) -> Iterator[Event]:
        if not turn.continues:
            yield Planned("program", "triples", ("personal",))
            yield Found(_EVIDENCE, 0.1)
            yield Answered("Ann keeps", "search", turn.text, _EVIDENCE, strategy="program", cut=True)
            return
        assert (turn.text, turn.history, turn.evidence) == ("What?", (), _EVIDENCE)
        yield Token(" bees [1].")
        yield Answered(f"{turn.continues} bees [1].", "answer", turn.text)

    turns = turns_of(assistant, reply)
    assert turns.start(turn("What?", session)).ended.wait(_LONG)
    return turns


def test_a_cut_answer_that_is_continued_is_one_answer(assistant: Assistant) -> None:
    turns = cut_off(assistant)
    running = turns.start(turn("What?", continues="Ann keeps"))
    assert running.ended.wait(_LONG)
    assert "".join(e.text for e in running.log.read(0) if isinstance(e, Token)) == "Ann keeps bees [1]."
    assert said(assistant) == ["What?", "Ann keeps bees [1]."]
    saved = assistant.memory.of("me").sessions.load("s")[1]
    last = answered(saved)
    assert last and (last.route, last.strategy, last.evidence, last.cut) == ("search", "program", _EVIDENCE, False)
    assert sum(isinstance(event, Answered) for event in from_details(saved.details)) == 1
    assert sum(isinstance(event, Planned) for event in from_details(saved.details)) == 1


def test_what_is_not_the_last_answer_is_not_continued(assistant: Assistant) -> None:
    turns = cut_off(assistant)
    assert turns.start(turn("And?")).ended.wait(_LONG)
    assistant.memory.of("me").sessions.append("s", SavedMessage("user", "Later", datetime.now(UTC)))
    with pytest.raises(UserMistake, match="only its last answer"):
        turns.start(turn("What?", continues="Ann keeps"))


def test_an_answer_stays_as_it_is_where_its_continuation_fails(assistant: Assistant) -> None:
    cut_off(assistant)
    before = assistant.memory.of("me").sessions.load("s")

    def reply(turn: Turn, cancel: threading.Event) -> Iterator[Event]:
        yield Failed("answer", "The model is asleep.")
        yield Answered(turn.continues, "answer", turn.text)

    running = Turns(reply, lambda turn: None, assistant.memory).start(turn("What?", continues="Ann keeps"))
    assert running.ended.wait(_LONG)
    last = running.log.read(0)[-1]
    assert isinstance(last, Answered) and last.cut  # it can be tried again
    assert assistant.memory.of("me").sessions.load("s") == before


@pytest.mark.parametrize("breaks_off", ["by itself", "at the end of the program", "by Stop"])
def test_a_turn_tried_again_that_breaks_off_leaves_what_was_told_remembered(
    composed: Composed, breaks_off: str
) -> None:
    lives: Scripted = "Ann|lives in|Lisbon"
    asleep = [ModelUnavailable("Not there.")] if breaks_off == "by itself" else []
    assistant = composed(
        {"understand": ["en remember", *asleep, "en remember", "en remember"], "extract": [lives, lives]}
    )
    me, held = assistant.memory.of("me"), Held()
    turns = turns_of(assistant, assistant.reply)
    told = "Remember that Ann lives in Lisbon."
    assert turns.start(turn(told)).ended.wait(_LONG)
    again = Turns(assistant.reply if asleep else held.reply, lambda turn: None, assistant.memory, stop_seconds=1.0)
    running = again.start(turn(told), 0)
    assert me.is_empty() or breaks_off == "by itself"  # tried again, as if it had not been said
    if breaks_off == "by Stop":
        running.stop()
    elif breaks_off != "by itself":
        again.close()
    assert running.ended.wait(_LONG)
    assert [fact.object for fact in me.facts()] == ["Lisbon"]
    events = from_details(me.sessions.load("s")[1].details)
    assert any(isinstance(event, Remembered) for event in events)
    assert turns.start(turn(told), 0).ended.wait(_LONG)
    assert [fact.object for fact in me.facts()] == ["Lisbon"]
    assert len(me.sources()) == 1
    assert turns.start(turn("undo")).ended.wait(_LONG)
    assert me.is_empty()
