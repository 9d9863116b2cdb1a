"""What a tab shows of its conversation: as it is saved, or live while it is answered, whoever asked and wherever.

A tab only watches: closing it, or showing another conversation in it, ends nothing.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from assistant.errors import NothingThere
from assistant.turns.turns import RunningTurn, Turns
from memory.types import SavedMessage
from memory.user_memory import UserMemory
from ui import transcript
from ui.guard import QUIET, guarded
from ui.render import TurnView
from ui.words import counted

_REDRAW_SECONDS = 0.05
_LOOK_SECONDS = 2.0  # until a tab sees what another one began
_WAIT_SECONDS = 0.5  # for the next event; a closed tab is noticed between two of these
_AT_ONCE = 24  # tabs that follow turns; gradio has 40 workers for all that a page does

# The component shows nothing: it tells Python whether anybody sees the tab, and carries presses on "Continue". A
# browser has six connections to a server, for all its tabs: one that nobody sees must not keep one.
_CARRY = """
document.addEventListener('visibilitychange', () => trigger(document.hidden ? 'blur' : 'focus'));
document.addEventListener('click', (event) => {
  if (event.target.closest('.lk-continue')) trigger('click');
});
"""
_SEEN = "(session, shown, tab, hidden) => [session, shown, tab, document.hidden]"


UNCHANGED: tuple[Any, ...] = tuple(gr.skip() for _ in range(4))  # of `Watching.outputs`


@dataclass
class Tab:
    """What one tab of a browser shows; its handlers run side by side and all see the same one."""

    session: str = ""
    hidden: bool = False
    turn: RunningTurn | None = None  # which is shown live, or was about to be when it ended


class Watching:
    """Keeps the chat of each tab as its conversation is."""

    def __init__(self, turns: Turns, user: UserMemory, chatbot: gr.Chatbot, composer: gr.Textbox) -> None:
        self._turns = turns
        self._user = user
        self.session = gr.State("")
        self.shown = gr.State("")  # which state of which conversation; when it changes, the list of them is drawn anew
        self.tab = gr.State(Tab())
        self.timer = gr.Timer(_LOOK_SECONDS)
        self.carrier = gr.HTML("", html_template="", js_on_load=_CARRY, elem_id="lk-watching", apply_default_css=False)
        self._hidden = gr.Checkbox(visible=False)
        self.outputs = [chatbot, composer, self.session, self.shown]

    def connect(self) -> None:
        """Wire the handlers."""
        gr.on(
            [self.timer.tick, self.shown.change, self.carrier.focus],
            guarded(self.follow),
            [self.session, self.shown, self.tab, self._hidden],
            self.outputs,
            js=_SEEN,
            trigger_mode="always_last",
            concurrency_limit=_AT_ONCE,
            concurrency_id="watching",
            **QUIET,
        )
        self.carrier.blur(guarded(_hide), [self.tab], **QUIET)

    def show(self, session: str, tab: Tab, turn: RunningTurn | None = None) -> tuple[Any, ...]:
        """Values of `outputs` for a conversation, the empty one for "" or one that is not there any more.

        `turn` is what the tab itself has begun: its log tells more than is saved, also when it has ended by now.
        """
        tab.session, tab.turn = session, turn
        try:
            version = self._version(session)  # first, so that what comes in between is seen at the next look
            running = turn or self._turns.running(self._user.user, session)
            saved = self._user.sessions.load(session) if session else []
        except NothingThere:
            return self.show("", tab)
        if running is None:
            return self._with_thumbs(saved, session), ready(), session, version
        tab.turn, saved = running, saved[: running.exchange.answer_at]
        live = self._live(running, _view(running))
        return self._with_thumbs(saved, session, *live), busy(), session, running.id

    def follow(self, session: str, shown: str, tab: Tab, hidden: bool) -> Iterator[tuple[Any, ...]]:
        """Bring the chat in step with its conversation, and follow the turn under way to its end."""
        tab.hidden = hidden
        yield UNCHANGED  # gradio empties what a generator that yields nothing has as its outputs
        if tab.session != session:  # another one is shown by now
            return
        begun = tab.turn if tab.turn and tab.turn.id == shown else None
        running = begun or self._turns.running(self._user.user, session)
        if running is None:
            if self._version_or_none(session) != shown:
                yield self.show(session, tab)
        elif not hidden:
            if shown != running.id:
                yield self.show(session, tab)
            yield from self._followed(running, tab)

    def _followed(self, running: RunningTurn, tab: Tab) -> Iterator[tuple[Any, ...]]:
        session = running.turn.session
        before = transcript.shown(self._user.sessions.load(session)[: running.exchange.answer_at])
        view, read, closed = TurnView(str(running.exchange.answer_at)), 0, False
        while not closed:
            closed = running.log.closed  # before reading: what is there by then is all
            events = running.log.read(read, 0.0 if closed else _WAIT_SECONDS)
            read += len(events)
            for event in events:
                view.add(event)
            if tab.session != session or tab.hidden:
                return
            shown = [*before, *self._live(running, view)] if events or not read else gr.skip()
            yield shown, gr.skip(), gr.skip(), gr.skip()
            time.sleep(_REDRAW_SECONDS)
        tab.turn = None
        yield gr.skip(), ready(), gr.skip(), self._version_or_none(session) or ""

    def _live(self, running: RunningTurn, view: TurnView) -> list[gr.ChatMessage]:
        ahead = self._turns.ahead(running)
        if not ahead:
            return view.messages()
        waits = f"Waiting until {counted(ahead, 'other message')} of yours or others' had its turn …"
        return [gr.ChatMessage("", metadata={"title": waits, "status": "pending"})]

    def _with_thumbs(self, saved: Sequence[SavedMessage], session: str, *live: gr.ChatMessage) -> dict[str, Any]:
        """The messages with their thumbs, which the page forgets when it is given others."""
        thumbs = self._user.sessions.thumbs(session)
        feedback = [thumbs.get(i, {}).get("thumb") for i, m in enumerate(saved) if m.role == "assistant"]
        return gr.update(value=[*transcript.shown(saved), *live], feedback_value=feedback)

    def _version(self, session: str) -> str:
        """What changes when the conversation does, other than by its title."""
        if not session:
            return ""
        info = self._user.sessions.info(session)
        return f"{session}/{info.updated.isoformat()}/{info.messages}"

    def _version_or_none(self, session: str) -> str | None:
        try:
            return self._version(session)
        except NothingThere:
            return None


def busy() -> dict[str, Any]:
    """Send becomes Stop; what was typed stays."""
    return gr.update(submit_btn=False, stop_btn="Stop")


def ready() -> dict[str, Any]:
    """Stop becomes Send again; what was typed meanwhile stays."""
    return gr.update(submit_btn="Send", stop_btn=False)


def _view(running: RunningTurn) -> TurnView:
    view = TurnView(str(running.exchange.answer_at))
    for event in running.log.read(0):
        view.add(event)
    return view


def _hide(tab: Tab) -> None:
    tab.hidden = True
