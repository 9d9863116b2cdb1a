"""The chat's handlers, without a browser."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import gradio as gr
import pytest

from app import compose
from assistant.errors import Failure, UserMistake
from assistant.llm.client import Request
from assistant.llm.scripted import Scripted, ScriptedTransport, Weights
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from memory.redaction import BLANK
from memory.types import SavedMessage
from tests.memory.samples import read
from tests.memory.test_forgetting import found_in
from ui import transcript
from ui.chat import Chat
from ui.watching import Tab

_TALKS = Weights({"no": 1.0})
LAST = gr.RetryData(None, {"index": 10**6, "value": ""})  # behind all, as the page has it


def chat_of(assistant: Assistant) -> Chat:
    """Gradio makes event loops that nobody closes, unless one runs while the page is built."""

    async def build() -> Chat:
        with gr.Blocks():
            chat = Chat(assistant, assistant.memory.of("me"))
            chat.add_composer()
            return chat

    return asyncio.run(build())


class Person:
    """Whoever uses one tab of the page: each act ends when the turn that it begins has ended."""

    def __init__(self, assistant: Assistant) -> None:
        self.chat = chat_of(assistant)
        self.turns = assistant.turns
        self.tab = Tab()

    def send(self, message: str, session: str) -> str:
        """Send a message; what the page shows at the end."""
        self.tab.session = session
        return self._watched(self.chat.send(message, self.tab))

    def retry(self, session: str, data: gr.RetryData = LAST) -> str:
        """Try the last answer again."""
        self.tab.session = session
        return self._watched([*self.chat.retry(data, self.tab)][-1])

    def edit(self, session: str, index: int, before: str, now: str) -> str:
        """Put a question in other words."""
        data = gr.EditData(None, {"index": index, "previous_value": before, "value": now})
        self.tab.session = session
        return self._watched([*self.chat.edit(data, self.tab)][-1])

    def opened(self, session: str) -> str:
        """What a conversation shows when it is opened."""
        return str(list(self.chat.watching.follow("", Tab(session), False)))

    def _watched(self, outputs: tuple[Any, ...]) -> str:
        _, _, drawn, _ = outputs
        return str(list(self.chat.watching.follow(drawn, self.tab, False)))


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    """Says hello, whatever is said."""
    model = ScriptedTransport({"understand": ["en chat"], "facts": [_TALKS], "answer": ["Hello!"]}, repeat=True)
    with closing(compose(settings, model)) as assistant:
        yield assistant


def test_a_turn_that_is_tried_again_takes_the_place_of_its_answer(assistant: Assistant) -> None:
    me, person = assistant.memory.of("me"), Person(assistant)
    session = me.sessions.new().id
    person.send("hi", session)
    me.sessions.rate(session, 1, {"thumb": "Like"})
    person.retry(session)
    assert [message.content for message in me.sessions.load(session)] == ["hi", "Hello!"]
    assert me.sessions.thumbs(session) == {}


def told(settings: Settings, *towns: str) -> Assistant:
    """Reads out of each message that somebody lives in the next of the towns."""
    read: list[Scripted] = [f"Ann|lives in|{town}" for town in towns]
    return compose(
        settings, ScriptedTransport({"understand": ["en remember"] * len(towns), "extract": read, "date": [""] * 9})
    )


def test_what_a_message_told_goes_where_the_message_is_edited(settings: Settings) -> None:
    with closing(told(settings, "Lisbon", "Rome")) as assistant:
        me, person = assistant.memory.of("me"), Person(assistant)
        session = me.sessions.new().id
        before, now = (f"Remember that Ann lives in {town}." for town in ("Lisbon", "Rome"))
        person.send(before, session)
        person.edit(session, 0, before, now)
        assert [fact.object for fact in me.facts()] == ["Rome"]
        assert len(me.sources()) == 1


def test_a_conversation_that_was_deleted_in_another_window_begins_anew(assistant: Assistant) -> None:
    me, person = assistant.memory.of("me"), Person(assistant)
    session = me.sessions.new().id
    me.sessions.delete(session)
    person.send("hi", session)
    now = person.tab.session
    assert now != session
    assert [message.content for message in me.sessions.load(now)] == ["hi", "Hello!"]


def test_an_answer_that_another_window_shows_is_not_tried_again(assistant: Assistant) -> None:
    me, person = assistant.memory.of("me"), Person(assistant)
    session = me.sessions.new().id
    person.send("hi", session)
    first_answer = gr.RetryData(None, {"index": len(transcript.shown(me.sessions.load(session))) - 1, "value": ""})
    person.send("hi again", session)
    with pytest.raises(UserMistake, match="has gone on in another window"):
        person.retry(session, first_answer)
    assert len(me.sessions.load(session)) == 4
    person.retry(session)
    assert len(me.sessions.load(session)) == 4


def test_what_is_told_in_a_turn_that_is_tried_again_is_noted_once(settings: Settings) -> None:
    with closing(told(settings, "Lisbon", "Lisbon")) as assistant:
        me, person = assistant.memory.of("me"), Person(assistant)
        session = me.sessions.new().id
        person.send("Remember that Ann lives in Lisbon.", session)
        person.retry(session)
        assert [fact.object for fact in me.facts()] == ["Lisbon"]
        assert len(me.sources()) == 1
        person.send("undo", session)
        assert me.is_empty()


def test_a_turn_tried_again_leaves_what_other_conversations_say(settings: Settings) -> None:
    with closing(told(settings, "Lisbon", "Lisbon")) as assistant:
        me, person = assistant.memory.of("me"), Person(assistant)
        session, other = me.sessions.new().id, me.sessions.new().id
        said = SavedMessage("user", "Ann lives in Lisbon, and so does Bob.", datetime.now(UTC))
        me.sessions.append(other, said)
        person.send("Remember that Ann lives in Lisbon.", session)
        person.retry(session)
        assert [message.content for message in me.sessions.load(other)] == [said.content]


@pytest.mark.parametrize("now", ["cello", "harp"])
def test_a_correction_that_is_tried_again_or_put_in_other_words_still_corrects(settings: Settings, now: str) -> None:
    plays: list[Scripted] = [f"Anna|plays|the {what}" for what in ("violin", "cello", now)]
    understand = ["en remember", "en correct", "en correct"]
    model = ScriptedTransport(
        {
            "understand": understand,
            "extract": plays,
            "date": [""] * 3,
            "over": [Weights({"over": 1.0})] * 2,
        }
    )
    with closing(compose(settings, model)) as assistant:
        me, person = assistant.memory.of("me"), Person(assistant)
        session = me.sessions.new().id
        person.send("Remember that Anna plays the violin.", session)
        person.send(before := "No, she plays the cello.", session)
        place = len(transcript.shown(me.sessions.load(session)[:2]))
        person.retry(session) if now == "cello" else person.edit(session, place, before, f"No, she plays the {now}.")
        assert [fact.object for fact in me.facts() if fact.valid_to is None] == [f"the {now}"]
        assert len(me.sources()) == 2


def test_an_answer_does_not_keep_what_is_forgotten_while_it_is_given(settings: Settings) -> None:
    heron = "Quilla Farn keeps a blue heron."
    forget: list[Callable[[], object]] = []

    def answer(_: Request) -> str:
        forget[0]()
        return f"I think that {heron}"

    script: dict[str, list[Scripted]] = {"understand": ["en chat"], "facts": [_TALKS], "answer": [answer]}
    with closing(compose(settings, ScriptedTransport(script))) as assistant:
        me, person = assistant.memory.of("me"), Person(assistant)
        session = me.sessions.new().id
        note, _ = me.note(heron, read(heron, ("Quilla Farn", "keeps", "blue heron")))
        forget.append(lambda: me.forget(source=note.id))
        person.send("Tell me something.", session)
        assert [message.content for message in me.sessions.load(session)] == [
            "Tell me something.",
            f"I think that {BLANK}",
        ]


def test_what_stays_on_the_disk_for_now_is_said_and_can_be_brought_back(settings: Settings) -> None:
    def fail(_: object) -> None:
        raise Failure("The log of errors stays.")

    with closing(told(settings, "Lisbon")) as assistant:
        me, person = assistant.memory.of("me"), Person(assistant)
        assistant.memory.when_forgotten(fail)
        session = me.sessions.new().id
        person.send("Remember that Ann lives in Lisbon.", session)
        for forget, back in (("forget that", "bring it back"), ("undo", "bring it back")):
            assert "The log of errors stays" in person.send(forget, session)
            assert me.is_empty()
            person.send(back, session)
            assert [fact.object for fact in me.facts()] == ["Lisbon"]


def test_what_a_turn_forgets_is_shown_and_not_saved(settings: Settings) -> None:
    sister: Scripted = "the user|sister|Annalotta\nAnnalotta|lives in|Bergenstad"
    with closing(
        compose(settings, ScriptedTransport({"understand": ["en remember"], "extract": [sister], "date": [""]}))
    ) as assistant:
        person = Person(assistant)
        session = assistant.memory.of("me").sessions.new().id
        person.send("My sister Annalotta lives in Bergenstad.", session)
        assert found_in(settings.home, "Bergenstad")
        assert "Bergenstad" in person.send("forget that", session)
        assert found_in(settings.home, "Annalotta", "Bergenstad") == []
        assert "Bergenstad" not in person.opened(session)
