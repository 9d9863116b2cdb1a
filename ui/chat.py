"""The chat: one turn at a time, streamed, with Stop, Retry, questions to put in other words, and thumbs."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import gradio as gr

from assistant.errors import Failure, NothingThere, UserMistake
from assistant.feedback import Thumb
from assistant.history import history
from assistant.memory_requests.taking_back import said_all_the_same, unsaid
from assistant.orchestrator import MESSAGE_CHARACTERS, Assistant
from assistant.types import Answered, Event, Failed, Remembered, Token, Turn
from memory.types import SavedMessage
from memory.user_memory import UserMemory
from ui import transcript
from ui.guard import QUIET, guarded, one_line
from ui.markdown import literal
from ui.render import TurnView

_REDRAW_SECONDS = 0.05

EXAMPLES = (
    "Which currency is used in the country whose capital is Nairobi?",
    "Which neighbours of Austria have more than ten million people?",
    "Remember that my sister Ada lives in Lisbon and keeps bees.",
    "加拿大的首都是哪座城市？",
)
_GREETING = """
<div class="lk-empty">
<h1>What would you like to know?</h1>
<p>Ask about the world, or about what you have told and uploaded. Every answer shows where it comes from.</p>
</div>
"""


@dataclass
class _Running:
    """A turn under way; `left` is set when the page shows another conversation by now."""

    cancel: threading.Event = field(default_factory=threading.Event)
    left: bool = False


class Chat:
    """The panel: its components, and the handlers between them."""

    def __init__(self, assistant: Assistant, user: UserMemory) -> None:
        self._assistant = assistant
        self._user = user
        self._running: dict[str, _Running] = {}
        self.session = gr.State("")
        self.chatbot = gr.Chatbot(
            elem_id="lk-chat",
            show_label=False,
            container=False,
            height=None,
            layout="bubble",
            placeholder=_GREETING,
            examples=[{"text": example} for example in EXAMPLES],
            buttons=[],
            editable="user",
            feedback_options=("Like", "Dislike"),
            allow_tags=False,
            sanitize_html=True,
            latex_delimiters=[],
            allow_file_downloads=False,
        )

    def add_composer(self) -> None:
        """Place the line to write in; apart from the chat, so that progress can stand between them."""
        with gr.Row(elem_id="lk-composer"):
            self.attach = gr.UploadButton(
                "Upload documents",
                file_count="multiple",
                elem_id="lk-attach",
                scale=0,
                min_width=44,
            )
            self.composer = gr.Textbox(
                show_label=False,
                label="Message",
                placeholder="Ask, tell, or drop a document here",
                container=False,
                lines=1,
                max_lines=8,
                submit_btn="Send",
                stop_btn=False,
                autofocus=True,
                elem_id="lk-message",
            )

    def connect(self, after: Callable[[gr.events.Dependency], None]) -> None:
        """Wire the handlers; `after` is told of each event that ends with a changed conversation."""
        outputs = [self.chatbot, self.composer, self.session]
        turn: dict[str, Any] = {"outputs": outputs, "concurrency_limit": 4, "concurrency_id": "turn", **QUIET}
        after(self.composer.submit(guarded(self.send), [self.composer, self.session], **turn))
        after(self.chatbot.retry(guarded(self.retry), [self.session], **turn))
        after(self.chatbot.edit(guarded(self.edit), [self.session], **turn))
        after(self.chatbot.example_select(guarded(self.send_example), [self.session], **turn))
        self.composer.stop(guarded(self.stop), [self.session], **QUIET)
        self.chatbot.like(guarded(self.rate), [self.session], **QUIET)

    def send(self, message: str, session: str) -> Iterator[tuple[Any, ...]]:
        """Answer a message."""
        yield gr.skip(), gr.skip(), session
        if text := _checked(message):
            if not session or not self._there(session):  # deleted in another window
                session = self._user.sessions.new().id
            with self._alone(session) as running:
                yield from self._turn(session, text, running)

    def _there(self, session: str) -> bool:
        return any(info.id == session for info in self._user.sessions.list())

    def send_example(self, chosen: gr.SelectData, session: str) -> Iterator[tuple[Any, ...]]:
        """Answer an example of the empty page."""
        yield from self.send(chosen.value["text"], session)

    def retry(self, retried: gr.RetryData, session: str) -> Iterator[tuple[Any, ...]]:
        """Answer the last question again, in place of its answer."""
        with self._alone(session) as running:
            saved = self._user.sessions.load(session)
            asked = max(i for i, message in enumerate(saved) if message.role == "user")
            if transcript.saved_index(saved, _first(retried.index)) < asked:
                yield self.open(session)
                raise UserMistake("This conversation has gone on in another window; here it is as it stands now.")
            yield from self._in_place_of(session, saved, asked, saved[asked].content, running)

    def edit(self, edited: gr.EditData, session: str) -> Iterator[tuple[Any, ...]]:
        """Answer a question in its new words, in place of all that followed the old ones."""
        yield self.open(session)  # the page itself has changed the message, and keeps what followed
        if text := _checked(edited.value):
            with self._alone(session) as running:
                saved = self._user.sessions.load(session)
                place = transcript.saved_index(saved, _first(edited.index))
                yield from self._in_place_of(session, saved, place, text, running)

    def stop(self, session: str) -> None:
        """Stop the turn under way; what has been written so far is kept."""
        if running := self._running.get(session):
            running.cancel.set()

    def leave(self, session: str) -> None:
        """Stop the turn under way, since the page goes on to another conversation."""
        if running := self._running.get(session):
            running.left = True
            running.cancel.set()

    def open(self, session: str) -> tuple[Any, ...]:
        """Show a saved conversation, or an empty one for ""."""
        saved = self._user.sessions.load(session) if session else []
        return self._shown(saved, session), _ready(), session

    def rate(self, given: gr.LikeData, session: str) -> None:
        """Keep a thumb, and learn from it."""
        saved = self._user.sessions.load(session)
        index = transcript.saved_index(saved, _first(given.index))
        answered = transcript.answered(saved[index])
        thumbs: dict[object, Thumb] = {True: "Like", False: "Dislike"}
        if answered:
            self._assistant.feedback.rate(self._user.user, session, index, answered, thumbs.get(given.liked))

    def _shown(self, saved: Sequence[SavedMessage], session: str, *more: gr.ChatMessage) -> dict[str, Any]:
        """The messages with their thumbs, which the page forgets when it is given others."""
        thumbs = self._user.sessions.thumbs(session)
        feedback = [thumbs.get(i, {}).get("thumb") for i, m in enumerate(saved) if m.role == "assistant"]
        return gr.update(value=[*transcript.shown(saved), *more], feedback_value=feedback)

    @contextmanager
    def _alone(self, session: str) -> Iterator[_Running]:
        """Keep the conversation to one turn at a time; two would mix up what is saved."""
        running = _Running()
        if self._running.setdefault(session, running) is not running:
            raise UserMistake(
                "This conversation is being answered, perhaps in another window: press Stop there, or wait a moment."
            )
        try:
            yield running
        finally:
            running.cancel.set()
            del self._running[session]

    def _in_place_of(
        self, session: str, saved: Sequence[SavedMessage], place: int, text: str, running: _Running
    ) -> Iterator[tuple[Any, ...]]:
        """Answer other words, or the same again, in place of a message: what that told is remembered no longer.

        Unless the turn breaks off. What later messages told stays: only the conversation goes on without them.
        """
        notes = transcript.notes(saved[place + 1 : place + 2])
        # The same words are no secret: other conversations keep what they quote of them.
        taken = unsaid(self._user, session, notes, in_conversations=text != saved[place].content)
        self._user.sessions.cut(session, place)
        yield from self._turn(session, text, running, taken)

    def _turn(
        self, session: str, text: str, running: _Running, taken: Sequence[tuple[str, Remembered]] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Answer a message; `taken` is what `unsaid` took from memory before, and comes back if the turn breaks off."""
        sessions = self._user.sessions
        saved = sessions.load(session)
        at = datetime.now(UTC)
        turn = Turn(text, self._user.user, session, at, history(saved))
        sessions.append(session, SavedMessage("user", text, at))
        asked = gr.ChatMessage(literal(text), role="user")
        before = [*transcript.shown(saved), asked]
        view = TurnView(key=str(len(saved) + 1))
        events: list[Event] = []
        try:
            yield self._shown(saved, session, asked, *view.messages()), _emptied(), session
            for event in self._events(turn, running.cancel):
                events.append(event)
                view.add(event)
                if not running.left:
                    yield [*before, *view.messages()], gr.skip(), gr.skip()
        finally:
            if taken and _broke_off(events):
                for event in self._said_all_the_same(session, taken):
                    events.append(event)
                    view.add(event)
            if events and view.answered is None:  # the page was closed, or the turn broke off
                events.append(Answered(view.text, "answer", text, view.evidence, stopped=not view.failures))
                view.add(events[-1])
            if events:
                answer = SavedMessage("assistant", view.text, datetime.now(UTC), transcript.to_details(events))
                with suppress(NothingThere):  # the conversation was deleted meanwhile
                    self._user.keep_answer(session, answer, since=at)
        if not running.left:
            yield [*before, *view.messages()], _ready(), session

    def _said_all_the_same(self, session: str, taken: Sequence[tuple[str, Remembered]]) -> list[Event]:
        try:
            return list(said_all_the_same(self._user, session, taken))
        except Failure as failure:
            return [Failed("remember", str(failure))]

    def _events(self, turn: Turn, cancel: threading.Event) -> Iterator[Event]:
        """The turn's events, an error as the last of them; tokens that come fast are joined."""
        waiting, drawn = "", 0.0
        try:
            for event in self._assistant.reply(turn, cancel):
                if isinstance(event, Token):
                    waiting += event.text
                    if time.monotonic() - drawn < _REDRAW_SECONDS:
                        continue
                if waiting:
                    yield Token(waiting)
                    waiting, drawn = "", time.monotonic()
                if not isinstance(event, Token):
                    yield event
        except Exception as error:
            yield Failed("answer", one_line(error))


def _checked(message: str) -> str:
    text = message.strip()
    if len(text) > MESSAGE_CHARACTERS:
        raise UserMistake(
            f"This message has {len(text):,} characters; {MESSAGE_CHARACTERS:,} is the limit. "
            "Save it as a text file and upload it as a document instead."
        )
    return text


def _broke_off(events: Sequence[Event]) -> bool:
    """Whether a turn ended without an answer, and told the memory nothing."""
    ended = [event for event in events if isinstance(event, Answered)]
    failed = any(isinstance(event, Failed) and event.stage in ("answer", "model") for event in events)
    told = any(isinstance(event, Remembered) for event in events)
    return not told and (failed or not ended or ended[0].stopped)


def _first(index: int | Sequence[int]) -> int:
    return index if isinstance(index, int) else index[0]


def _emptied() -> dict[str, Any]:
    return gr.update(value="", submit_btn=False, stop_btn="Stop")


def _ready() -> dict[str, Any]:
    """Stop becomes Send again; what was typed meanwhile stays."""
    return gr.update(submit_btn="Send", stop_btn=False)
