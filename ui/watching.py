"""What a tab shows of its conversation: as it is saved, or live while it is answered, whoever asked and wherever.

A tab only watches: closing it, or showing another conversation in it, ends nothing.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from assistant.errors import NothingThere
from assistant.messages import Phrase, tell
from assistant.turns.turns import RunningTurn, Turns
from memory.types import SavedMessage
from memory.user_memory import UserMemory
from ui import transcript
from ui.guard import QUIET, guarded
from ui.render import TurnView

_REDRAW_SECONDS = 0.05
_LOOK_SECONDS = 2.0  # until a tab sees what another one began
_WAIT_SECONDS = 0.25  # for the next event; that the tab was closed, or shows another conversation, is seen between
_AT_ONCE = 24  # tabs that follow turns; gradio has 40 workers for all that a page does

# The component shows nothing: it tells Python whether anybody sees the tab, and carries presses on "Continue" and
# "Forget". A browser has six connections to a server, for all its tabs: one that nobody sees must not keep one.
_CARRY = """
document.addEventListener('visibilitychange', () => trigger(document.hidden ? 'blur' : 'focus'));
document.addEventListener('click', (event) => {
  if (event.target.closest('.lk-continue')) trigger('click');
  const asked = event.target.closest('.lk-forget');
  if (asked) trigger('submit', {asked: asked.dataset.asked});
});
"""
_WAITS = Phrase("Waiting for {n} other answer to end first …", "Waiting for {n} other answers to end first …")
_SEEN = "(drawn, tab, hidden) => [drawn, tab, document.hidden]"


UNCHANGED: tuple[Any, ...] = tuple(gr.skip() for _ in range(4))  # of `Watching.begun`


@dataclass
class Tab:
    """What one tab of a browser shows; its handlers run side by side and all see the same one.

    A value that each handler is given and gives back would not do: one that began before another conversation was
    chosen, and ends after it, would bring the old one back.
    """

    session: str = ""  # id of the conversation, "" for the empty one
    hidden: bool = False
    turn: RunningTurn | None = None  # which it began, until that is followed
    followed: str = ""  # id of the turn that it follows just now


class Watching:
    """Keeps the chat of each tab as its conversation is.

    But for the question of a tab's own, `follow` alone draws the chat, one run after the other: what is drawn late of
    a conversation that was left could else stand in the next one. Steps that a browser comes to together are one
    object to it, the last of them: what one step changes of a component, the next ones say again.
    """

    def __init__(self, turns: Turns, user: UserMemory, chatbot: gr.Chatbot, composer: gr.Textbox) -> None:
        self._turns = turns
        self._user = user
        self.tab = gr.State(Tab())
        self.drawn = gr.State("")  # which state of which conversation the chat shows
        self._wanted = gr.State("")  # and which it should; the chat is drawn when this changes
        self.timer = gr.Timer(_LOOK_SECONDS)
        self.carrier = gr.HTML("", html_template="", js_on_load=_CARRY, elem_id="lk-watching", apply_default_css=False)
        self._hidden = gr.Checkbox(visible=False)
        self._outputs = [chatbot, composer, self.drawn]
        self.opened = self._wanted  # what `open` gives a value for
        self.begun = [*self._outputs, self._wanted]  # what `begin` gives values for

    def connect(self) -> None:
        """Wire the handlers."""
        gr.on(
            [self._wanted.change, self.carrier.focus],
            guarded(self.follow),
            [self.drawn, self.tab, self._hidden],
            self._outputs,
            js=_SEEN,
            trigger_mode="always_last",
            concurrency_limit=_AT_ONCE,
            concurrency_id="watching",
            **QUIET,
        )
        self.carrier.blur(guarded(_hide), [self.tab], **QUIET)
        self.timer.tick(guarded(self._look), [self.drawn, self.tab], [self._wanted], **QUIET)

    def open(self, session: str, tab: Tab) -> str:
        """Have a conversation shown, the empty one for ""; the value of `opened`."""
        tab.session = session
        return f"{session}/opened"

    def begin(self, running: RunningTurn, tab: Tab) -> tuple[Any, ...]:
        """Show a turn that the tab itself began; values of `begun`. Its log tells more than is saved, also once it
        has ended."""
        tab.session, tab.turn = running.turn.session, running
        return *self._drawn(running.turn.session, running), running.id

    def redrawn(self, session: str) -> tuple[Any, ...]:
        """The chat as it is, where the page has changed it by itself; values of `begun`."""
        return *self._drawn(session, self._turns.running(self._user.user, session)), gr.skip()

    def follow(self, drawn: str, tab: Tab, hidden: bool) -> Iterator[tuple[Any, ...]]:
        """Bring the chat in step with its conversation, and follow the turn under way to its end."""
        session, tab.hidden = tab.session, hidden
        yield UNCHANGED[:3]  # gradio empties what a generator that yields nothing has as its outputs
        running = self._running(session, tab, drawn)
        if running is not None and hidden:
            return
        try:
            if drawn != (running.id if running else self._version(session)):
                yield self._drawn(session, running)
            if running is not None:
                tab.followed = running.id
                yield from self._followed(running, tab)
        except NothingThere:  # deleted in another window
            if tab.session == session:
                tab.session = ""
                yield self._drawn("", None)
        finally:
            tab.followed = ""

    def _running(self, session: str, tab: Tab, drawn: str) -> RunningTurn | None:
        begun, tab.turn = tab.turn, None
        if begun is not None and begun.id == drawn:
            return begun
        return self._turns.running(self._user.user, session)

    def _drawn(self, session: str, running: RunningTurn | None) -> tuple[Any, ...]:
        version = running.id if running else self._version(session)  # first: what changes now is seen at the next look
        saved = self._user.sessions.load(session) if session else []
        if running is None:
            return self._with_thumbs(saved, session), ready(), version
        view = TurnView(str(running.exchange.answer_at))
        for event in running.log.read(0):
            view.add(event)
        saved = saved[: running.exchange.answer_at]
        return self._with_thumbs(saved, session, *self._live(running, view)), busy(), version

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
            yield shown, busy(), gr.skip()
            time.sleep(_REDRAW_SECONDS)
        yield gr.skip(), ready(), self._version(session)

    def _look(self, drawn: str, tab: Tab) -> Any:
        """Whether the conversation is another than the chat shows: asked, answered or deleted in another tab; or its
        turn is not followed, as where the browser missed that it should be."""
        session = tab.session
        running = self._turns.running(self._user.user, session)
        if running and running.id == drawn and not (tab.hidden or tab.followed):
            return f"{running.id}/{time.monotonic()}"
        try:
            now = running.id if running else self._version(session)
        except NothingThere:
            now = f"{session}/gone"
        return gr.skip() if now == drawn else now

    def _live(self, running: RunningTurn, view: TurnView) -> list[gr.ChatMessage]:
        ahead = self._turns.ahead(running)
        if not ahead:
            return view.messages()
        return [gr.ChatMessage("", metadata={"title": tell(_WAITS, n=ahead), "status": "pending"})]

    def _with_thumbs(self, saved: Sequence[SavedMessage], session: str, *live: gr.ChatMessage) -> dict[str, Any]:
        """The messages with their thumbs, which the page forgets when it is given others."""
        thumbs = self._user.sessions.thumbs(session)
        feedback = [thumbs.get(i, {}).get("thumb") for i, m in enumerate(saved) if m.role == "assistant"]
        return gr.update(value=[*transcript.shown(saved), *live], feedback_value=feedback)

    def _version(self, session: str) -> str:
        """What changes when the conversation does, other than by its title. Raises NothingThere."""
        if not session:
            return ""
        info = self._user.sessions.info(session)
        return f"{session}/{info.updated.isoformat()}/{info.messages}"


def busy() -> dict[str, Any]:
    """Send becomes Stop; what was typed stays."""
    return gr.update(submit_btn=False, stop_btn=tell("Stop"))


def ready() -> dict[str, Any]:
    """Stop becomes Send again; what was typed meanwhile stays."""
    return gr.update(submit_btn=tell("Send"), stop_btn=False)


def _hide(tab: Tab) -> None:
    tab.hidden = True
