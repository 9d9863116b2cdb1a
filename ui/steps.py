"""What happens in a turn, step by step: each event as a line, with Markdown to unfold below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from reprlib import Repr

from assistant.types import (
    Call,
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
    Triple,
    Walked,
)
from ui.markdown import bulleted, fenced, literal, literal_line
from ui.why import planned
from ui.words import SHOWN, counted, kb_name, listed, some_of

_SHORT = Repr()  # six of a list
_SHORT.maxstring = 80


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened in a turn: a line of plain text, and Markdown to unfold below it."""

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
    understood = f"Understood as: {literal(event.question)}" if event.question else ""
    return Step(title, understood, event.seconds)


@step.register
def _(event: Planned) -> Step:
    again = "Found nothing that way: asks" if event.chosen_by == "fallback" else "Asks"
    title = f"{again} {listed([kb_name(name) for name in event.knowledge_bases])}"
    return Step(title, literal_line(planned(event)))


@step.register
def _(event: ProgramWritten) -> Step:
    if event.by == "question":
        title = "Read a search program from the question itself"
    else:
        title = "Wrote a search program" if event.round == 1 else f"Wrote a better program (round {event.round})"
    return Step(title, fenced(event.code, "python"), event.seconds)


@step.register
def _(event: ProgramRan) -> Step:
    run = event.run
    found = counted(len(run.value), "value") if run.value else "found nothing"
    outcome = "it did not answer" if run.unreachable else "broke off" if run.error else found
    lines = [_call(call) for call in run.calls]
    if run.value:
        lines.append(f"**Result:** {literal_line(some_of(run.value))}")
    if run.error:
        lines.append(fenced(run.error, "text"))
    return Step(f"Ran it on {kb_name(run.kb)}: {outcome}", "\n\n".join(lines), run.seconds)


@step.register
def _(event: QueryRan) -> Step:
    rows = [" · ".join(row) for row in event.rows]
    parts = [fenced(event.query, "sparql")]
    if event.examples:
        parts.insert(0, f"Written after these questions, whose queries are known:\n\n{bulleted(event.examples)}")
    if rows:
        parts.append(f"**Result:**\n\n{bulleted(rows[:SHOWN])}")
    if len(rows) > SHOWN:
        parts.append("… and more.")
    if event.error:
        parts.append(literal_line(event.error))
    return Step(f"Queried {kb_name(event.kb)}: {_outcome(event)}", "\n\n".join(parts), event.seconds)


def _outcome(event: QueryRan) -> str:
    if not event.rows:
        return "broke off" if event.error else "found nothing"
    return "more rows than can be read" if event.error else counted(event.total or len(event.rows), "row")


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
    content = "\n".join(f"- {literal_line(line)}" for line in described)
    return Step(title, content)


@step.register
def _(event: Walked) -> Step:
    content = bulleted([_chain(path) for path in event.paths[:SHOWN]])
    if event.unreached:
        missed = literal_line(listed(event.unreached))
        content += f"\n\nFound no short chain of facts to {missed}: took what there is around it instead."
    chains = counted(len(event.paths), "chain") + " of facts"
    outcome = chains if event.paths or event.unreached else "the facts around what is named"
    return Step(f"Followed links in {kb_name(event.kb)}: {outcome}", content.strip(), event.seconds)


@step.register
def _(event: Found) -> Step:
    number = len(event.evidence)
    if not number:
        return Step("Found nothing that helps", "", event.seconds)
    lines = [f"{e.id}. {literal_line(_statement(e))}" for e in event.evidence[:SHOWN]]
    return Step(f"Found {counted(number, 'piece')} of evidence", "\n".join(lines), event.seconds)


@step.register
def _(event: Remembered) -> Step:
    closed = f"\n\nNo longer so:\n\n{bulleted(event.closed)}" if event.closed else ""
    return Step(f"Remembered {counted(len(event.facts), 'fact')}", bulleted(event.facts) + closed)


@step.register
def _(event: Forgot) -> Step:
    return Step(f"Forgot {counted(len(event.facts), 'fact')}", bulleted(event.facts))


@step.register
def _(event: Restored) -> Step:
    return Step(f"Brought back {counted(len(event.facts), 'fact')}", bulleted(event.facts))


@step.register
def _(event: Failed) -> Step | None:
    if event.lasting:
        return None
    other = f"Trouble with {kb_name(event.knowledge_base or event.stage)}"
    return Step(_TROUBLE.get(event.stage, other), literal_line(event.message))


_TROUBLE = {
    "model": "The language model is not there",
    "program": "Could not search with a program",
    "sparql": "Could not search with a query",
    "paths": "Could not follow chains of facts",
    "subgraph": "Could not look around what is named",
    "answer": "Could not finish the answer",
    "remember": "Could not remember it",
}


def _call(call: Call) -> str:
    """A call as a program would make it, long lists and names cut short, and what came of it."""
    arguments = [_SHORT.repr(list(given) if isinstance(given, tuple) else given) for given in call.arguments]
    signature = f"{call.function}({', '.join(arguments)})"
    return f"{fenced(signature, 'python')}\n{literal_line(call.message)}"


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
