"""An answer's search program, to be edited and run again; what it then comes to stands below it.

Running it again is a look, not a turn: the conversation keeps what was said, and nothing is saved.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape

import gradio as gr

from assistant.errors import NothingThere
from assistant.history import history
from assistant.orchestrator import Assistant
from assistant.types import Answered, Event, Evidence, Failed, Found, ProgramRan, ProgramRun, Token, Turn
from memory.user_memory import UserMemory
from ui import transcript
from ui.guard import QUIET, one_line
from ui.sources import citations_as_html, sources_html
from ui.words import kb_name, some_of

# The component shows nothing itself: it carries a press on "Run again" to Python and what comes back to its box.
_CARRY = """
let runs = 0;
const run = (box) => {
  if (box.getAttribute('aria-busy') === 'true') return;
  box.dataset.run = ++runs;
  box.setAttribute('aria-busy', 'true');
  trigger('click', { turn: box.dataset.turn, run: runs, code: box.querySelector('textarea').value });
  box.querySelector('.lk-outcome').textContent = 'Running …';
};
document.addEventListener('click', (event) => {
  const button = event.target.closest('.lk-run');
  if (button) run(button.closest('.lk-program'));
});
document.addEventListener('keydown', (event) => {
  const box = event.target.matches('.lk-program textarea') && event.target.closest('.lk-program');
  if (box && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(box);
});
watch('value', () => {
  const { run, html, done } = JSON.parse(props.value);
  const box = document.querySelector(`.lk-program[data-run="${run}"]`);
  if (!box) return;  // another conversation is shown by now
  box.querySelector('.lk-outcome').innerHTML = html;
  if (done) box.setAttribute('aria-busy', 'false');
});
"""


class Rerun:
    """What the boxes of all answers are wired to."""

    def __init__(self, assistant: Assistant, user: UserMemory) -> None:
        self._assistant = assistant
        self._user = user
        self.carrier = gr.HTML("", html_template="", js_on_load=_CARRY, elem_id="lk-rerun", apply_default_css=False)

    def connect(self, session: gr.State) -> None:
        """Wire the handler; programs that are run at the same time wait for one another."""
        self.carrier.click(self.run, [session], [self.carrier], trigger_mode="multiple", **QUIET)

    def run(self, event: gr.EventData, session: str) -> Iterator[str]:
        """Run what is in the box of an answer; yields what stands below it, as JSON."""
        outcome = Outcome(f"{event.turn}r")
        try:
            for happened in self._assistant.rerun(self._turn(session, int(event.turn)), event.code):
                outcome.add(happened)
                yield json.dumps({"run": event.run, "html": outcome.html(), "done": False})
        except Exception as error:
            outcome.add(Failed("program", one_line(error)))
        yield json.dumps({"run": event.run, "html": outcome.html(), "done": True})

    def _turn(self, session: str, answer: int) -> Turn:
        """The turn that the saved message number `answer` answers."""
        saved = self._user.sessions.load(session)
        if not 0 < answer < len(saved):
            raise NothingThere("This answer is no longer saved; ask the question again.")
        answered = transcript.answered(saved[answer])
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
            case Failed() if event.message not in self.trouble:
                self.trouble.append(event.message)
            case Answered():
                self.text = event.answer

    def html(self) -> str:
        """The answer, what the program came to in each knowledge base, and the evidence."""
        answer = f'<p class="lk-reply">{citations_as_html(self.text, self.evidence, self.key)}</p>' if self.text else ""
        notices = "".join(f'<p class="lk-notice">{escape(message)}</p>' for message in self.trouble)
        runs = "".join(map(_run, self.runs))
        return f"{answer}{notices}<ul>{runs}</ul>{sources_html(self.evidence, self.text, self.key)}"


def _run(run: ProgramRun) -> str:
    found = f"<b>{escape(some_of(run.value))}</b>" if run.value else "found nothing"
    outcome = "did not answer" if run.unreachable else "broke off" if run.error else found
    error = f"<pre>{escape(run.error)}</pre>" if run.error else ""
    return f"<li>{escape(kb_name(run.kb))}: {outcome}{error}</li>"
