"""The chat: what is asked in it, with Stop, Retry, questions to put in other words, and thumbs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import gradio as gr

from assistant.errors import UserMistake
from assistant.feedback import Thumb
from assistant.messages import Phrase, tell
from assistant.orchestrator import MESSAGE_CHARACTERS, Assistant
from assistant.turns.kept_events import answered as answered_of
from assistant.turns.kept_events import from_details
from assistant.types import ForgetAsked, Turn
from memory.user_memory import UserMemory
from ui import transcript
from ui.guard import QUIET, guarded
from ui.watching import UNCHANGED, Tab, Watching
from ui.words import labelled

_GREETING = '<div class="lk-empty"><h1>{}</h1><p>{}</p></div>'
_GREETED = (
    Phrase("What would you like to know?"),
    Phrase("Ask about the world, or about what you have told and uploaded. Every answer shows where it comes from."),
)


def examples() -> list[dict[str, str]]:
    """Questions for the empty page."""
    texts = (
        tell("Which currency is used in the country whose capital is Nairobi?"),
        tell("Which neighbours of Austria have more than ten million people?"),
        tell("Remember that my sister Ada lives in Lisbon and keeps bees."),
        "加拿大的首都是哪座城市？",
    )
    return [{"text": text} for text in texts]


class Chat:
    """The panel: its components, and the handlers between them."""

    def __init__(self, assistant: Assistant, user: UserMemory) -> None:
        self._assistant = assistant
        self._user = user
        self._turns = assistant.turns
        self.chatbot = gr.Chatbot(
            elem_id="lk-chat",
            show_label=False,
            container=False,
            height=None,
            layout="bubble",
            autoscroll=False,  # page.js follows, and lets the reader go
            placeholder=labelled.within(_GREETING, *_GREETED),
            buttons=[],
            editable="user",
            feedback_options=("Like", "Dislike"),
            allow_tags=False,
            sanitize_html=True,
            latex_delimiters=[],
            allow_file_downloads=False,
        )

    def add_composer(self) -> None:
        """Place the line to write in, and what watches; apart from the chat: progress stands between them."""
        with gr.Row(elem_id="lk-composer"):
            self.attach = gr.UploadButton(
                labelled("Upload documents"),
                file_count="multiple",
                elem_id="lk-attach",
                scale=0,
                min_width=44,
            )
            self.composer = gr.Textbox(
                show_label=False,
                label=labelled("Message"),
                placeholder=labelled("Ask, tell, or drop a document here"),
                container=False,
                lines=1,
                max_lines=8,
                submit_btn=labelled("Send"),
                stop_btn=False,
                autofocus=True,
                elem_id="lk-message",
            )
        self.watching = Watching(self._turns, self._user, self.chatbot, self.composer)
        self.tab = self.watching.tab

    def connect(self) -> None:
        """Wire the handlers."""
        here, begun = [self.tab], self.watching.begun
        self.composer.submit(guarded(self.send), [self.composer, *here], begun, **QUIET)
        self.chatbot.example_select(guarded(self.send_example), here, begun, **QUIET)
        self.chatbot.retry(guarded(self.retry), here, begun, **QUIET)
        self.chatbot.edit(guarded(self.edit), here, begun, **QUIET)
        self.watching.carrier.click(guarded(self.go_on), here, begun, **QUIET)
        self.watching.carrier.submit(guarded(self.confirm), here, begun, **QUIET)
        self.composer.stop(guarded(self.stop), here, **QUIET)
        self.chatbot.like(guarded(self.rate), here, **QUIET)
        self.watching.connect()

    def send(self, message: str, tab: Tab) -> tuple[Any, ...]:
        """Ask; whoever watches the conversation sees the answer come."""
        if not (text := _checked(message)):
            return UNCHANGED
        session = tab.session
        if not session or not self._there(session):  # deleted in another window
            tab.session = session = self._user.sessions.new().id  # first: the page may still be loading
        turn = self._turns.start(self._turn(text, session))
        chat, busy, *rest = self.watching.begin(turn, tab)
        return chat, {**busy, "value": ""}, *rest

    def send_example(self, chosen: gr.SelectData, tab: Tab) -> tuple[Any, ...]:
        """Ask what an example of the empty page asks."""
        return self.send(chosen.value["text"], tab)

    def retry(self, retried: gr.RetryData, tab: Tab) -> Iterator[tuple[Any, ...]]:
        """Ask the last question again, in place of its answer."""
        session = tab.session
        saved = self._user.sessions.load(session)
        asked = max(i for i, message in enumerate(saved) if message.role == "user")
        if transcript.saved_index(saved, _first(retried.index)) < asked:
            yield self.watching.redrawn(session)
            raise _gone_on()
        yield self.watching.begin(self._turns.start(self._turn(saved[asked].content, session), asked), tab)

    def edit(self, edited: gr.EditData, tab: Tab) -> Iterator[tuple[Any, ...]]:
        """Ask a question in its new words, in place of all that followed the old ones."""
        session = tab.session
        yield self.watching.redrawn(session)  # the page itself has changed the message, and keeps what followed
        if text := _checked(edited.value):
            place = transcript.saved_index(self._user.sessions.load(session), _first(edited.index))
            yield self.watching.begin(self._turns.start(self._turn(text, session), place), tab)

    def go_on(self, tab: Tab) -> tuple[Any, ...]:
        """Let the last answer, which stopped before its end, go on."""
        session = tab.session
        saved = self._user.sessions.load(session)
        asked = next((message.content for message in reversed(saved) if message.role == "user"), "")
        turn = self._turns.start(replace(self._turn(asked, session), continues=saved[-1].content))
        return self.watching.begin(turn, tab)

    def confirm(self, event: gr.EventData, tab: Tab) -> Iterator[tuple[Any, ...]]:
        """Forget what the last answer asks about; what came of it stands in place of that."""
        session = tab.session
        saved = self._user.sessions.load(session)
        id_ = str(event.asked)
        last = from_details(saved[-1].details) if saved else []
        if not any(isinstance(one, ForgetAsked) and one.id == id_ for one in last):
            yield self.watching.redrawn(session)
            raise _gone_on()
        asked = max(i for i, message in enumerate(saved) if message.role == "user")
        agreed = replace(self._turn(saved[asked].content, session), agrees=id_)
        yield self.watching.begin(self._turns.start(agreed, asked), tab)

    def stop(self, tab: Tab) -> None:
        """Stop the turn under way, whoever began it; what has been written so far is kept."""
        self._turns.stop(self._user.user, tab.session)

    def rate(self, given: gr.LikeData, tab: Tab) -> None:
        """Keep a thumb, and learn from it."""
        session = tab.session
        saved = self._user.sessions.load(session)
        index = transcript.saved_index(saved, _first(given.index))
        answered = answered_of(saved[index])
        thumbs: dict[object, Thumb] = {True: "Like", False: "Dislike"}
        if answered:
            self._assistant.feedback.rate(self._user.user, session, index, answered, thumbs.get(given.liked))

    def _there(self, session: str) -> bool:
        return any(info.id == session for info in self._user.sessions.list())

    def _turn(self, text: str, session: str) -> Turn:
        return Turn(text, self._user.user, session, datetime.now(UTC))


def _gone_on() -> UserMistake:
    return UserMistake("This conversation has gone on in another window; here it is as it stands now.")


def _checked(message: str) -> str:
    text = message.strip()
    if len(text) > MESSAGE_CHARACTERS:
        raise UserMistake(
            "This message has {count} characters; {most} is the limit. "
            "Save it as a text file and upload it as a document instead.",
            count=len(text),
            most=MESSAGE_CHARACTERS,
        )
    return text


def _first(index: int | Sequence[int]) -> int:
    return index if isinstance(index, int) else index[0]
