"""What happens in a turn, step by step: each event as a line, with Markdown to unfold below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from reprlib import Repr

from assistant.messages import Phrase, tell, translated
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
from ui.words import SHOWN, kb_name, listed, relation

_SHORT = Repr()  # six of a list
_SHORT.maxstring = 80
_ROUTES = {
    "answer": Phrase("Can be answered directly"),
    "search": Phrase("Needs to look something up"),
    "remember": Phrase("Has something to remember"),
    "search+remember": Phrase("Has something to remember and to look up"),
}
_VALUES = Phrase("{n} value", "{n} values")
_ROWS = Phrase("{n} row", "{n} rows")
_CHAINS = Phrase("{n} chain of facts", "{n} chains of facts")
_EVIDENCE = Phrase("Found {n} piece of evidence", "Found {n} pieces of evidence")
_REMEMBERED = Phrase("Remembered {n} fact", "Remembered {n} facts")
_FORGOT = Phrase("Forgot {n} fact", "Forgot {n} facts")
_RESTORED = Phrase("Brought back {n} fact", "Brought back {n} facts")


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
    understood = tell("Understood as: {question}", question=literal(event.question)) if event.question else ""
    return Step(tell(_ROUTES[event.route]), understood, event.seconds)


@step.register
def _(event: Planned) -> Step:
    names = [kb_name(name) for name in event.knowledge_bases]
    again = event.chosen_by == "fallback"
    title = tell("Found nothing that way: asks {names}", names=names) if again else tell("Asks {names}", names=names)
    return Step(title, literal_line(planned(event)))


@step.register
def _(event: ProgramWritten) -> Step:
    if event.by == "question":
        title = tell("Read a search program from the question itself")
    elif event.round == 1:
        title = tell("Wrote a search program")
    else:
        title = tell("Wrote a better program (round {round})", round=event.round)
    return Step(title, fenced(event.code, "python"), event.seconds)


@step.register
def _(event: ProgramRan) -> Step:
    run = event.run
    found = tell(_VALUES, n=len(run.value)) if run.value else tell("found nothing")
    outcome = tell("it did not answer") if run.unreachable else tell("broke off") if run.error else found
    title = tell("Ran it on {name}: {outcome}", name=kb_name(run.kb), outcome=outcome)
    lines = [_call(call) for call in run.calls]
    if run.value:
        lines.append(f"{_result()} {literal_line(listed(run.value, SHOWN))}")
    if run.error:
        lines.append(fenced(run.error, "text"))
    return Step(title, "\n\n".join(lines), run.seconds)


@step.register
def _(event: QueryRan) -> Step:
    rows = [" · ".join(row) for row in event.rows]
    parts = [fenced(event.query, "sparql")]
    if event.examples:
        after = tell("Written after these questions, whose queries are known:")
        parts.insert(0, f"{after}\n\n{bulleted(event.examples)}")
    if rows:
        parts.append(f"{_result()}\n\n{bulleted(rows[:SHOWN])}")
    if len(rows) > SHOWN:
        parts.append(tell("… and more."))
    if event.error:
        parts.append(literal_line(translated(event.error)))
    title = tell("Queried {name}: {outcome}", name=kb_name(event.kb), outcome=_outcome(event))
    return Step(title, "\n\n".join(parts), event.seconds)


def _outcome(event: QueryRan) -> str:
    if not event.rows:
        return tell("broke off") if event.error else tell("found nothing")
    return tell("more rows than can be read") if event.error else tell(_ROWS, n=event.total or len(event.rows))


def _result() -> str:
    return "**" + tell("Result:") + "**"


@step.register
def _(event: Linked) -> Step:
    names = [entity.name for entity in event.entities[:3]]
    mention, kb = event.mention, kb_name(event.kb)
    if not names:
        title = tell("“{mention}” is not known in {name}", mention=mention, name=kb)
    elif names == [mention]:
        title = tell("Found “{mention}” in {name}", mention=mention, name=kb)
    else:
        title = tell("Took “{mention}” in {name} to be {names}", mention=mention, name=kb, names=names)
    described = [f"{e.name} — {e.description}" if e.description else e.name for e in event.entities[:SHOWN]]
    content = "\n".join(f"- {literal_line(line)}" for line in described)
    return Step(title, content)


@step.register
def _(event: Walked) -> Step:
    content = bulleted([_chain(path) for path in event.paths[:SHOWN]])
    if event.unreached:
        missed = literal_line(listed(event.unreached))
        instead = tell("Found no short chain of facts to {names}: took what there is around it instead.", names=missed)
        content += f"\n\n{instead}"
    chains = tell(_CHAINS, n=len(event.paths))
    outcome = chains if event.paths or event.unreached else tell("the facts around what is named")
    title = tell("Followed links in {name}: {outcome}", name=kb_name(event.kb), outcome=outcome)
    return Step(title, content.strip(), event.seconds)


@step.register
def _(event: Found) -> Step:
    number = len(event.evidence)
    if not number:
        return Step(tell("Found nothing that helps"), "", event.seconds)
    lines = [f"{e.id}. {literal_line(_statement(e))}" for e in event.evidence[:SHOWN]]
    return Step(tell(_EVIDENCE, n=number), "\n".join(lines), event.seconds)


@step.register
def _(event: Remembered) -> Step:
    no_longer = tell("No longer so:")
    closed = f"\n\n{no_longer}\n\n{bulleted(event.closed)}" if event.closed else ""
    return Step(tell(_REMEMBERED, n=len(event.facts)), bulleted(event.facts) + closed)


@step.register
def _(event: Forgot) -> Step:
    return Step(tell(_FORGOT, n=len(event.facts)), bulleted(event.facts))


@step.register
def _(event: Restored) -> Step:
    return Step(tell(_RESTORED, n=len(event.facts)), bulleted(event.facts))


@step.register
def _(event: Failed) -> Step | None:
    if event.lasting:
        return None
    ours = _TROUBLE.get(event.stage)
    title = tell(ours) if ours else tell("Trouble with {name}", name=kb_name(event.knowledge_base or event.stage))
    return Step(title, literal_line(translated(event.message)))


_TROUBLE = {
    "model": Phrase("The language model is not there"),
    "program": Phrase("Could not search with a program"),
    "sparql": Phrase("Could not search with a query"),
    "paths": Phrase("Could not follow chains of facts"),
    "subgraph": Phrase("Could not look around what is named"),
    "answer": Phrase("Could not finish the answer"),
    "remember": Phrase("Could not remember it"),
    "saving": Phrase("Could not save the conversation"),
}


def _call(call: Call) -> str:
    """A call as a program would make it, long lists and names cut short, and what came of it."""
    arguments = [_SHORT.repr(list(given) if isinstance(given, tuple) else given) for given in call.arguments]
    signature = f"{call.function}({', '.join(arguments)})"
    return f"{fenced(signature, 'python')}\n{literal_line(call.message)}"


def _statement(evidence: Evidence) -> str:
    parts = [part for part in (evidence.subject, relation(evidence), evidence.object) if part]
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
