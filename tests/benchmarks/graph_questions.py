"""Questions over a file of triples, asked in whole turns, scored by the F1 of the answers named (KnowledGPT, Table 3).

What a turn named is read off its answer: of what the program came to, what stands in the answer and not in the
question; where that is nothing, of the ends of the evidence.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from assistant.orchestrator import Assistant
from assistant.types import Answered, Event, ProgramRan
from tests.benchmarks import product
from tests.benchmarks.judging import fold, holds_any
from tests.benchmarks.rows import Outcome, Row

KNOWLEDGE_BASE = "graph"


@contextlib.contextmanager
def assistant_with(triples: Path, languages: Sequence[str]) -> Iterator[Assistant]:
    """An assistant that knows one file of triples, and nothing else."""
    with product.assistant() as made:
        made.knowledge_bases.add(KNOWLEDGE_BASE, triples, languages=languages)
        yield made


def ask(assistant: Assistant, row: Row, gold: Sequence[str]) -> Outcome:
    """One turn; its score is `f1`."""
    question: str = row.data["question"]
    events = list(assistant.reply(replace(product.turn(question, "graph"), knowledge_bases=(KNOWLEDGE_BASE,))))
    reply = events[-1]
    assert isinstance(reply, Answered)
    said = named(question, reply, values_of(events))
    texts = {
        "question": question,
        "gold": list(gold),
        "named": said,
        "answer": reply.answer,
        "program": reply.program,
        "calls": [call.message for event in events if isinstance(event, ProgramRan) for call in event.run.calls],
        "route": reply.route,
    }
    return Outcome({"f1": f1(said, gold)}, reply.usage, texts)


def values_of(events: Sequence[Event]) -> list[str]:
    """What the last program to come to something came to."""
    return next((list(e.run.value) for e in reversed(events) if isinstance(e, ProgramRan) and e.run.value), [])


def named(question: str, reply: Answered, values: Sequence[str]) -> list[str]:
    """The answers that a reply gives."""
    if reply.declined:
        return []
    ends = [end for e in reply.evidence for side in (e.subject, e.object) for end in side.split("; ") if end]
    asked = fold(question)
    for candidates in (values, ends):
        said = [name for name in dict.fromkeys(candidates) if holds_any(reply.answer, [name])]
        if answers := [name for name in said if fold(name) not in asked]:
            return answers
    return []


def f1(said: Sequence[str], gold: Sequence[str]) -> float:
    """The harmonic mean of precision and recall over names, without case, accents and width."""
    ours, theirs = {fold(name) for name in said}, {fold(name) for name in gold}
    shared = len(ours & theirs)
    return 2 * shared / (len(ours) + len(theirs)) if shared else 0.0
