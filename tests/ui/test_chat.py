"""The chat's handlers, without a browser."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import gradio as gr
import pytest

from app import compose
from assistant.errors import Failure, ModelUnavailable, UserMistake
from assistant.llm.scripted import Scripted, ScriptedTransport
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from memory.redaction import BLANK
from memory.types import SavedMessage
from tests.memory.samples import read
from tests.memory.test_forgetting import found_in
from ui import transcript
from ui.chat import Chat

LAST = gr.RetryData(None, {"index": 10**6, "value": ""})  # behind all, as the page has it


def chat_of(assistant: Assistant) -> Chat:
    """Gradio makes event loops that nobody closes, unless one runs while the page is built."""

    async def build() -> Chat:
        with gr.Blocks():
            return Chat(assistant, assistant.memory.of("me"))

    return asyncio.run(build())


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    """Says hello, whatever is said."""
    model = ScriptedTransport({"route": ["answer"], "answer": ["Hello!"]}, repeat=True)
    with closing(compose(settings, model)) as assistant:
        yield assistant


def test_a_conversation_takes_one_turn_at_a_time(assistant: Assistant) -> None:
    me = assistant.memory.of("me")
    chat = chat_of(assistant)
    session = me.sessions.new().id
    turn = chat.send("hi", session)
    assert [next(turn)[2] for _ in range(2)] == [session] * 2
    for other in (chat.send("hi again", session), chat.retry(LAST, session)):
        with pytest.raises(UserMistake, match="press Stop there, or wait"):
            list(other)
    assert [message.content for message in me.sessions.load(session)] == ["hi"]
    turn.close()  # type: ignore[attr-defined]  # as when the page is closed
    list(chat.send("hi again", session))
    me.sessions.rate(session, 2, {"thumb": "Like"})
    list(chat.retry(LAST, session))
    assert [message.content for message in me.sessions.load(session)] == ["hi", "hi again", "Hello!"]
    assert me.sessions.thumbs(session) == {}


def told(settings: Settings, *towns: str) -> Assistant:
    """Reads out of each message that somebody lives in the next of the towns."""
    read: list[Scripted] = [{"lines": [f"Ann|lives in|{town}"]} for town in towns]
    return compose(settings, ScriptedTransport({"route": ["remember"] * len(towns), "extract": read}))


def test_what_a_message_told_goes_where_the_message_is_edited(settings: Settings) -> None:
    with closing(told(settings, "Lisbon", "Rome")) as assistant:
        me, chat = assistant.memory.of("me"), chat_of(assistant)
        session = me.sessions.new().id
        before, now = (f"Remember that Ann lives in {town}." for town in ("Lisbon", "Rome"))
        list(chat.send(before, session))
        edit = gr.EditData(None, {"index": 0, "previous_value": before, "value": now})
        list(chat.edit(edit, session))
        assert [fact.object for fact in me.facts()] == ["Rome"]
        assert len(me.sources()) == 1


def test_a_conversation_that_was_deleted_in_another_window_begins_anew(assistant: Assistant) -> None:
    me, chat = assistant.memory.of("me"), chat_of(assistant)
    session = me.sessions.new().id
    me.sessions.delete(session)
    *_, (_, _, now) = chat.send("hi", session)
    assert now != session
    assert [message.content for message in me.sessions.load(now)] == ["hi", "Hello!"]


def test_an_answer_that_another_window_shows_is_not_tried_again(assistant: Assistant) -> None:
    me, chat = assistant.memory.of("me"), chat_of(assistant)
    session = me.sessions.new().id
    list(chat.send("hi", session))
    first_answer = gr.RetryData(None, {"index": len(transcript.shown(me.sessions.load(session))) - 1, "value": ""})
    list(chat.send("hi again", session))
    with pytest.raises(UserMistake, match="has gone on in another window"):
        list(chat.retry(first_answer, session))
    assert len(me.sessions.load(session)) == 4
    list(chat.retry(LAST, session))
    assert len(me.sessions.load(session)) == 4


def test_what_is_told_in_a_turn_that_is_tried_again_is_noted_once(settings: Settings) -> None:
    with closing(told(settings, "Lisbon", "Lisbon")) as assistant:
        me, chat = assistant.memory.of("me"), chat_of(assistant)
        session = me.sessions.new().id
        list(chat.send("Remember that Ann lives in Lisbon.", session))
        list(chat.retry(LAST, session))
        assert [fact.object for fact in me.facts()] == ["Lisbon"]
        assert len(me.sources()) == 1
        list(chat.send("undo", session))
        assert me.is_empty()


@pytest.mark.parametrize("breaks_off", ["by itself", "when the page is closed", "by Stop"])
def test_a_turn_tried_again_that_breaks_off_leaves_what_was_told_remembered(
    settings: Settings, breaks_off: str
) -> None:
    lives: Scripted = {"lines": ["Ann|lives in|Lisbon"]}
    routes: list[Scripted] = [
        "remember",
        *([ModelUnavailable("Not there.")] if breaks_off == "by itself" else []),
        "remember",
    ]
    model = ScriptedTransport({"route": routes, "extract": [lives, lives]}, token_delay_seconds=0.01)
    with closing(compose(settings, model)) as assistant:
        me, chat = assistant.memory.of("me"), chat_of(assistant)
        session = me.sessions.new().id
        list(chat.send("Remember that Ann lives in Lisbon.", session))
        for shown in (turn := chat.retry(LAST, session)):
            if breaks_off == "by Stop":
                chat.stop(session)
            elif breaks_off != "by itself":
                assert shown
                turn.close()  # type: ignore[attr-defined]
        assert [fact.object for fact in me.facts()] == ["Lisbon"]
        assert "Remembered 1 fact" in str(chat.open(session))
        list(chat.retry(LAST, session))
        assert [fact.object for fact in me.facts()] == ["Lisbon"]
        assert len(me.sources()) == 1
        list(chat.send("undo", session))
        assert me.is_empty()


def test_a_turn_tried_again_leaves_what_other_conversations_say(settings: Settings) -> None:
    with closing(told(settings, "Lisbon", "Lisbon")) as assistant:
        me, chat = assistant.memory.of("me"), chat_of(assistant)
        session, other = me.sessions.new().id, me.sessions.new().id
        said = SavedMessage("user", "Ann lives in Lisbon, and so does Bob.", datetime.now(UTC))
        me.sessions.append(other, said)
        list(chat.send("Remember that Ann lives in Lisbon.", session))
        list(chat.retry(LAST, session))
        assert [message.content for message in me.sessions.load(other)] == [said.content]


@pytest.mark.parametrize("now", ["cello", "harp"])
def test_a_correction_that_is_tried_again_or_put_in_other_words_still_corrects(settings: Settings, now: str) -> None:
    plays: list[Scripted] = [{"lines": [f"Anna|plays|the {what}"]} for what in ("violin", "cello", now)]
    model = ScriptedTransport({"route": ["remember"], "extract": plays})
    with closing(compose(settings, model)) as assistant:
        me, chat = assistant.memory.of("me"), chat_of(assistant)
        session = me.sessions.new().id
        list(chat.send("Remember that Anna plays the violin.", session))
        list(chat.send(before := "No, she plays the cello.", session))
        place = len(transcript.shown(me.sessions.load(session)[:2]))
        edit = gr.EditData(None, {"index": place, "previous_value": before, "value": f"No, she plays the {now}."})
        list(chat.retry(LAST, session) if now == "cello" else chat.edit(edit, session))
        assert [fact.object for fact in me.facts() if fact.valid_to is None] == [f"the {now}"]
        assert len(me.sources()) == 2


def test_an_answer_does_not_keep_what_is_forgotten_while_it_is_given(settings: Settings) -> None:
    heron = "Quilla Farn keeps a blue heron."
    model = ScriptedTransport({"route": ["answer"], "answer": [f"I think that {heron}"]})
    with closing(compose(settings, model)) as assistant:
        me, chat = assistant.memory.of("me"), chat_of(assistant)
        session = me.sessions.new().id
        note, _ = me.note(heron, read(heron, ("Quilla Farn", "keeps", "blue heron")))
        turn = chat.send("Tell me something.", session)
        assert [next(turn)[2] for _ in range(2)] == [session] * 2
        me.forget(source=note.id)
        list(turn)
        assert [message.content for message in me.sessions.load(session)] == [
            "Tell me something.",
            f"I think that {BLANK}",
        ]


def test_what_stays_on_the_disk_for_now_is_said_and_can_be_brought_back(settings: Settings) -> None:
    def fail(_: object) -> None:
        raise Failure("The log of errors stays.")

    with closing(told(settings, "Lisbon")) as assistant:
        me, chat = assistant.memory.of("me"), chat_of(assistant)
        assistant.memory.when_forgotten(fail)
        session = me.sessions.new().id
        list(chat.send("Remember that Ann lives in Lisbon.", session))
        for forget, back in (("forget that", "bring it back"), ("undo", "bring it back")):
            assert "The log of errors stays." in str(list(chat.send(forget, session))[-1])
            assert me.is_empty()
            list(chat.send(back, session))
            assert [fact.object for fact in me.facts()] == ["Lisbon"]


def test_a_conversation_may_be_deleted_while_it_is_answered(assistant: Assistant) -> None:
    me = assistant.memory.of("me")
    chat = chat_of(assistant)
    session = me.sessions.new().id
    turn = chat.send("hi", session)
    assert [next(turn)[2] for _ in range(2)] == [session] * 2
    chat.leave(session)
    me.sessions.delete(session)
    assert list(turn) == []
    assert me.sessions.list() == []


def test_what_a_turn_forgets_is_shown_and_not_saved(settings: Settings) -> None:
    sister: Scripted = {"lines": ["the user|sister|Annalotta", "Annalotta|lives in|Bergenstad"]}
    with closing(compose(settings, ScriptedTransport({"route": ["remember"], "extract": [sister]}))) as assistant:
        chat = chat_of(assistant)
        session = assistant.memory.of("me").sessions.new().id
        list(chat.send("My sister Annalotta lives in Bergenstad.", session))
        assert found_in(settings.home, "Bergenstad")
        shown = list(chat.send("forget that", session))
        assert "Bergenstad" in str(shown[-1])
        assert found_in(settings.home, "Annalotta", "Bergenstad") == []
        assert "Bergenstad" not in str(chat.open(session))
