"""Events of a turn to messages of the page. Pure: the same events always give the same messages.

A turn is shown as one folded step with a child for each thing that happened, then the answer, then its sources and the
reasons for it. The page calls `TurnView.add` as events come; a saved turn is shown by adding its events again.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from html import escape

import gradio as gr
from gradio.components.chatbot import MetadataDict

from assistant.types import (
    Answered,
    Call,
    Event,
    Evidence,
    Failed,
    Forgot,
    Found,
    Linked,
    Planned,
    ProgramRan,
    ProgramWritten,
    QueryRan,
    Remembered,
    Restored,
    Routed,
    Token,
    Triple,
    Walked,
)
from ui.sources import citations_linked, sources_html
from ui.why import planned, why_html
from ui.words import SHOWN, counted, kb_name, listed, some_of

# Where Markdown reads an entity or a tag; elsewhere & and < are themselves, as in "AT&T" and "3 < 4".
_ENTITY = re.compile(r"&(?=#?\w{1,40};)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened in a turn: a line, and Markdown to unfold below it."""

    title: str
    content: str = ""
    seconds: float | None = None


@singledispatch
def step(_: object) -> Step | None:
    """The step that an event is shown as; None for those that are not a step (tokens, the end)."""
    return None


@step.register
def _(event: Routed) -> Step:
    title = {
        "answer": "Can be answered directly",
        "search": "Needs to look something up",
        "remember": "Has something to remember",
        "search+remember": "Has something to remember and to look up",
    }[event.route]
    return Step(title, f"Understood as: {safe_markdown(event.question)}", event.seconds)


@step.register
def _(event: Planned) -> Step:
    again = "Found nothing that way: asks" if event.chosen_by == "fallback" else "Asks"
    title = safe_markdown(f"{again} {listed([kb_name(name) for name in event.knowledge_bases])}")
    return Step(title, planned(event))


@step.register
def _(event: ProgramWritten) -> Step:
    title = "Wrote a search program" if event.round == 1 else f"Wrote a better program (round {event.round})"
    return Step(title, _fenced(event.code, "python"), event.seconds)


@step.register
def _(event: ProgramRan) -> Step:
    run = event.run
    outcome = "broke off" if run.error else counted(len(run.value), "value") if run.value else "found nothing"
    lines = [_call(call) for call in run.calls]
    if run.value:
        lines.append(f"**Result:** {safe_markdown(some_of(run.value))}")
    if run.error:
        lines.append(_fenced(run.error, "text"))
    return Step(f"Ran it on {safe_markdown(kb_name(run.kb))}: {outcome}", "\n\n".join(lines), run.seconds)


@step.register
def _(event: QueryRan) -> Step:
    rows = [" · ".join(row) for row in event.rows]
    parts = [_fenced(event.query, "sparql")]
    if event.examples:
        parts.insert(0, f"Written after these questions, whose queries are known:\n\n{_bulleted(event.examples)}")
    if rows:
        parts.append(f"**Result:**\n\n{_bulleted(rows[:SHOWN])}")
    if len(rows) > SHOWN:
        parts.append("… and more.")
    if event.error:
        parts.append(safe_markdown(event.error))
    return Step(f"Queried {safe_markdown(kb_name(event.kb))}: {_outcome(event)}", "\n\n".join(parts), event.seconds)


def _outcome(event: QueryRan) -> str:
    if not event.rows:
        return "broke off" if event.error else "found nothing"
    return "more rows than can be read" if event.error else counted(len(event.rows), "row")


@step.register
def _(event: Linked) -> Step:
    names = [entity.name for entity in event.entities[:3]]
    if not names:
        title = f"“{event.mention}” is not known in {kb_name(event.kb)}"
    elif names == [event.mention]:
        title = f"Found “{event.mention}” in {kb_name(event.kb)}"
    else:
        title = f"Took “{event.mention}” in {kb_name(event.kb)} to be {listed(names)}"
    described = [f"{e.name} — {e.description}" if e.description else e.name for e in event.entities[:SHOWN]]
    content = "\n".join(f"- {safe_markdown(line)}" for line in described)
    return Step(safe_markdown(title), content)


@step.register
def _(event: Walked) -> Step:
    content = _bulleted([_chain(path) for path in event.paths[:SHOWN]])
    if event.unreached:
        content += f"\n\nNothing leads to {safe_markdown(listed(event.unreached))}: took the facts around it instead."
    chains = counted(len(event.paths), "chain") + " of facts"
    outcome = chains if event.paths or event.unreached else "the facts around what is named"
    return Step(f"Followed links in {safe_markdown(kb_name(event.kb))}: {outcome}", content.strip(), event.seconds)


@step.register
def _(event: Found) -> Step:
    number = len(event.evidence)
    if not number:
        return Step("Found nothing that helps", "", event.seconds)
    lines = [f"{e.id}. {safe_markdown(_statement(e))}" for e in event.evidence[:SHOWN]]
    return Step(f"Found {counted(number, 'piece')} of evidence", "\n".join(lines), event.seconds)


@step.register
def _(event: Remembered) -> Step:
    closed = f"\n\nNo longer so:\n\n{_bulleted(event.closed)}" if event.closed else ""
    return Step(f"Remembered {counted(len(event.facts), 'fact')}", _bulleted(event.facts) + closed)


@step.register
def _(event: Forgot) -> Step:
    return Step(f"Forgot {counted(len(event.facts), 'fact')}", _bulleted(event.facts))


@step.register
def _(event: Restored) -> Step:
    return Step(f"Brought back {counted(len(event.facts), 'fact')}", _bulleted(event.facts))


@step.register
def _(event: Failed) -> Step:
    other = f"Trouble with {kb_name(event.stage.removeprefix('knowledge base '))}"
    return Step(_TROUBLE.get(event.stage, other), safe_markdown(event.message))


_TROUBLE = {
    "model": "The language model is not there",
    "program": "Could not search with a program",
    "sparql": "Could not search with a query",
    "paths": "Could not follow chains of facts",
    "answer": "Could not finish the answer",
    "remember": "Could not remember it",
}


@dataclass
class TurnView:
    """What the page shows of one turn so far; `key` tells its cards from those of other turns."""

    key: str
    steps: list[Step] = field(default_factory=list)
    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    failures: list[str] = field(default_factory=list)
    answered: Answered | None = None

    def add(self, event: Event) -> None:
        """Take in the next event of the turn."""
        shown = step(event)
        if shown:
            self.steps.append(shown)
        match event:
            case Token():
                self.text += event.text
            case Found():
                self.evidence = event.evidence
            case Failed() if event.message not in self.failures:
                self.failures.append(event.message)
            case Answered():
                self.answered = event
                self.text = event.answer
                self.evidence = event.evidence

    def messages(self) -> list[gr.ChatMessage]:
        """The assistant's messages: the steps, the answer, and what it rests on."""
        shown = self._step_messages()
        text = self.text or ("\n\n".join(self.failures) if self.answered else "")
        if text:
            shown.append(gr.ChatMessage(citations_linked(safe_markdown(text), self.evidence, self.key)))
        if self.answered:
            shown.append(gr.ChatMessage(gr.HTML(self._footer(self.answered))))
        return shown

    def _step_messages(self) -> list[gr.ChatMessage]:
        if not self.steps:
            return []
        parent = gr.ChatMessage("", metadata={"id": self.key, "title": self._headline(), "status": "pending"})
        if self.answered or self.text:
            parent.metadata["status"] = "done"
        if self.answered:
            parent.metadata["duration"] = round(sum(self.answered.seconds.values()), 1)
        return [parent, *(self._step_message(i, s) for i, s in enumerate(self.steps))]

    def _step_message(self, index: int, shown: Step) -> gr.ChatMessage:
        metadata: MetadataDict = {
            "id": f"{self.key}.{index}",
            "parent_id": self.key,
            "title": shown.title,
            "status": "done",
        }
        if shown.seconds is not None:
            metadata["duration"] = round(shown.seconds, 1)
        return gr.ChatMessage(shown.content, metadata=metadata)

    def _headline(self) -> str:
        if self.answered or self.text:
            return counted(len(self.steps), "step")
        return self.steps[-1].title

    def _footer(self, answered: Answered) -> str:
        told = self.failures if self.text else []
        notices = "".join(f'<p class="lk-notice">{escape(message)}</p>' for message in told)
        if answered.stopped:
            notices += '<p class="lk-notice">Stopped.</p>'
        copy = f'<button type="button" class="lk-copy" data-text="{escape(self.text, quote=True)}">Copy</button>'
        folds = sources_html(self.evidence, self.text, self.key) + why_html(answered, self.key)
        return f'<div class="lk-footer">{notices}{folds}{copy if self.text else ""}</div>'


def safe_markdown(text: str) -> str:
    """Markdown whose raw HTML, images and diagrams are shown as the characters that they are.

    The page sanitises what it renders and its policy forbids foreign images; this keeps the text readable besides.
    """
    parts = _CODE.split(text)
    return "".join(_plain_fence(part) if i % 2 else _escaped_markdown(part) for i, part in enumerate(parts))


def as_typed(markdown: str) -> str:
    """The text that `safe_markdown` made this of."""
    parts = _CODE.split(markdown)
    return "".join(part if i % 2 else _unescaped_markdown(part) for i, part in enumerate(parts))


def _escaped_markdown(text: str) -> str:
    text = _ENTITY.sub("&amp;", text)
    return _TAG.sub("&lt;", text).replace("![", "!\\[")


def _unescaped_markdown(markdown: str) -> str:
    return markdown.replace("!\\[", "![").replace("&lt;", "<").replace("&amp;", "&")


def _plain_fence(code: str) -> str:
    return re.sub(r"\A```\s*mermaid\b", "```text", code)


def _fenced(code: str, language: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
    return f"{fence}{language}\n{code.strip()}\n{fence}"


def _call(call: Call) -> str:
    signature = f"{call.function}({', '.join(call.arguments)})"
    return f"{_fenced(signature, 'python')}\n{safe_markdown(call.message)}"


def _statement(evidence: Evidence) -> str:
    parts = [part for part in (evidence.subject, evidence.relation, evidence.object) if part]
    return f"{' · '.join(parts)} ({kb_name(evidence.kb)})"[:300]


def _chain(path: Sequence[Triple]) -> str:
    """A path as it was walked: "door → at location → bank"; a triple walked from its object has arrows back."""
    at = ""
    words = ""
    for this, after in zip(path, (*path[1:], None), strict=True):
        if not at:  # the end that the next triple does not share
            at = this.object if after and this.subject in (after.subject, after.object) else this.subject
            words = at
        onward = this.subject == at
        at = this.object if onward else this.subject
        words += f" → {this.relation} → {at}" if onward else f" ← {this.relation} ← {at}"
    return words


def _bulleted(facts: Sequence[str]) -> str:
    return "\n".join(f"- {safe_markdown(fact)}" for fact in facts)
