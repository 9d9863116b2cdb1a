"""An answer's search program, to be edited and run again; what it then comes to stands below it.

Running it again is a look, not a turn: the conversation keeps what was said, and nothing is saved. So it is also over
when nobody looks any more: at Stop, when another conversation is shown, and when the page is closed.
"""

import contextlib
import json
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape

import gradio as gr

from assistant import waiting
from assistant.errors import NothingThere, notice
from assistant.history import history
from assistant.messages import tell, translated
from assistant.orchestrator import Assistant
from assistant.turns.kept_events import answered as answered_of
from assistant.types import Answered, Event, Evidence, Failed, Found, ProgramRan, ProgramRun, Token, Turn
from memory.user_memory import UserMemory
from ui.guard import QUIET, guarded
from ui.markdown import safe_html
from ui.sources import linking, sources_html
from ui.watching import Tab
from ui.words import SHOWN, kb_name, listed

_AT_ONCE = 8  # that are run at the same time; one that hangs keeps none of the others waiting
_LOOK_SECONDS = 1.0  # between two signs of life, without which nobody is told that the page is closed

# The component shows nothing itself: it carries a press on "Run again" to Python and what comes back to its box. While
# a program runs, the button stops it.
_CARRY = """
const boxOf = (run) => document.querySelector(`.lk-program[data-run="${run}"]`);
const show = (box, busy) => {
  box.setAttribute('aria-busy', String(busy));
  const button = box.querySelector('.lk-run');
  button.textContent = busy ? button.dataset.stop : button.dataset.run;
};
const run = (box) => {
  if (box.getAttribute('aria-busy') === 'true') return;
  const own = Math.random().toString(36).slice(2) + Date.now().toString(36);
  box.dataset.run = own;
  show(box, true);
  trigger('click', { turn: box.dataset.turn, run: own, code: box.querySelector('textarea').value });
  box.querySelector('.lk-outcome').textContent = box.dataset.running;
  const watching = setInterval(() => {
    const there = boxOf(own);
    if (!there) trigger('stop', { run: own });  // another conversation is shown by now
    if (!there || there.getAttribute('aria-busy') !== 'true') clearInterval(watching);
  }, 1000);
};
document.addEventListener('click', (event) => {
  const box = event.target.closest('.lk-run')?.closest('.lk-program');
  if (!box) return;
  if (box.getAttribute('aria-busy') === 'true') trigger('stop', { run: box.dataset.run });
  else run(box);
});
document.addEventListener('keydown', (event) => {
  const box = event.target.matches('.lk-program textarea') && event.target.closest('.lk-program');
  if (box && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(box);
});
watch('value', () => {
  const { run, html, done } = JSON.parse(props.value);
  const box = boxOf(run);
  if (!box) return;
  box.querySelector('.lk-outcome').innerHTML = html;
  if (done) show(box, false);
});
"""


class Rerun:
    """What the boxes of all answers are wired to."""

    def __init__(self, assistant: Assistant, user: UserMemory) -> None:
        self._assistant = assistant
        self._user = user
        self._running: dict[str, threading.Event] = {}
        self.carrier = gr.HTML("", html_template="", js_on_load=_CARRY, elem_id="lk-rerun", apply_default_css=False)

    def connect(self, tab: gr.State) -> None:
        """Wire the handlers."""
        shared = {"trigger_mode": "multiple", "concurrency_limit": _AT_ONCE, **QUIET}
        self.carrier.click(guarded(self.run), [tab], [self.carrier], **shared)
        self.carrier.stop(self.stop, **shared)

    def run(self, event: gr.EventData, tab: Tab) -> Iterator[str]:
        """Run what is in the box of an answer; yields what stands below it, as JSON."""
        outcome, cancel = Outcome(f"{event.turn}r"), threading.Event()
        happening: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        run, session = str(event.run), tab.session
        self._running[run] = cancel
        try:
            waiting.started(lambda: self._events(session, event, cancel, happening.put), "rerun")
            while True:
                with contextlib.suppress(queue.Empty):
                    if (happened := happening.get(timeout=_LOOK_SECONDS)) is None:
                        break
                    outcome.add(happened)
                yield json.dumps({"run": run, "html": outcome.html() or tell("Running …"), "done": False})
        finally:
            cancel.set()  # also where the page was closed
            del self._running[run]
        yield json.dumps({"run": run, "html": outcome.html(), "done": True})

    def stop(self, event: gr.EventData) -> None:
        """End a program under way; what it found so far stays."""
        if running := self._running.get(str(event.run)):
            running.set()

    def _events(
        self, session: str, event: gr.EventData, cancel: threading.Event, put: Callable[[Event | None], None]
    ) -> None:
        """Hand on what happens, an error as the last of it, and then nothing."""
        try:
            for happened in self._assistant.rerun(self._turn(session, int(event.turn)), event.code, cancel):
                put(happened)
        except Exception as error:
            put(Failed("program", notice(error)))
        put(None)

    def _turn(self, session: str, answer: int) -> Turn:
        """The turn that the saved message number `answer` answers."""
        saved = self._user.sessions.load(session)
        if not 0 < answer < len(saved):
            raise NothingThere("This answer is no longer saved; ask the question again.")
        answered = answered_of(saved[answer])
        return Turn(
            saved[answer - 1].content,
            self._user.user,
            session,
            datetime.now(UTC),
            history(saved[: answer - 1]),
            question=answered.question if answered else "",
            format=answered.format if answered else "",
        )


@dataclass
class Outcome:
    """What an edited program has come to so far; `key` tells its cards from those of the answer."""

    key: str
    runs: list[ProgramRun] = field(default_factory=list)
    evidence: tuple[Evidence, ...] = ()
    text: str = ""
    trouble: list[str] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Take in the next event."""
        match event:
            case ProgramRan():
                self.runs.append(event.run)
            case Found():
                self.evidence = event.evidence
            case Token():
                self.text += event.text
            case Failed() if not event.lasting and event.message not in self.trouble:
                self.trouble.append(event.message)
            case Answered():
                self.text = event.answer
                if event.stopped:
                    self.trouble.append(tell("Stopped."))

    def html(self) -> str:
        """The answer, what the program came to in each knowledge base, and the evidence; "" while there is none."""
        answer = (
            f'<div class="lk-reply">{safe_html(self.text, linking(self.evidence, self.key))}</div>' if self.text else ""
        )
        notices = "".join(f'<p class="lk-notice">{escape(translated(line))}</p>' for line in self.trouble)
        runs = f"<ul>{''.join(map(_run, self.runs))}</ul>" if self.runs else ""
        return f"{answer}{notices}{runs}{sources_html(self.evidence, self.text, self.key)}"


def _run(run: ProgramRun) -> str:
    found = f"<b>{escape(listed(run.value, SHOWN))}</b>" if run.value else tell("found nothing")
    outcome = tell("did not answer") if run.unreachable else tell("broke off") if run.error else found
    error = f"<pre>{escape(run.error)}</pre>" if run.error else ""
    return f"<li>{escape(kb_name(run.kb))}: {outcome}{error}</li>"
