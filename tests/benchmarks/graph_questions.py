"""Questions over a file of triples, asked in whole turns, scored by the F1 of the answers named (KnowledGPT, Table 3).

What a turn named is read off its answer: of what the program came to, what stands in the answer and not in the
question; where that is nothing, of the ends of the evidence, and then what stands in both.

A row that does not have all and only the gold answers is counted under the first stage that went wrong: `missed_code`,
no program ran that asked anything; `missed_linking`, the entity that the gold path starts at was not linked;
`missed_relation`, the calls did not give all gold answers; `missed_answer`, the answer leaves some out or has others.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.embedding import load_embedder
from assistant.orchestrator import Assistant
from assistant.types import Answered, Event, Linked, ProgramRan
from tests.benchmarks import product
from tests.benchmarks.f1 import f1, listed, plain, split, stands
from tests.benchmarks.graph_baselines import Baselines, read_facts
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row

KNOWLEDGE_BASE = "graph"
_STAGES = ("code", "linking", "relation", "answer")
MISSES = {f"missed_{stage}": Metric(f"missed_{stage}") for stage in _STAGES}


@contextlib.contextmanager
def measuring(triples: Path, separator: str, language: str, *, baselines: bool) -> Iterator[Measure]:
    """Measures rows on an assistant that knows one file of triples and nothing else; or, instead, the `baselines`."""
    with product.assistant() as assistant:
        if baselines:
            embedder = load_embedder(assistant.settings.embeddings, assistant.settings.cache)
            compared = Baselines(read_facts(triples, separator), assistant.model, embedder)
            yield lambda row: Outcome({f"f1_{name}": f1 for name, f1 in compared.f1(**_question(row)).items()})
            return
        assistant.knowledge_bases.add(KNOWLEDGE_BASE, triples, languages=[language])
        yield lambda row: ask(assistant, **_question(row), start=row.data["start"])


def _question(row: Row) -> dict[str, Any]:
    return {"question": row.data["question"], "gold": row.data["gold"]}


def ask(assistant: Assistant, question: str, gold: Sequence[str], start: str) -> Outcome:
    """One turn; its scores are `f1` and the four of `MISSES`. `start` is the entity that the gold path starts at."""
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
    score = f1(said, gold)
    at = missed_at(start, gold, events) if score < 1.0 else None
    return Outcome({"f1": score, **{f"missed_{stage}": float(stage == at) for stage in _STAGES}}, reply.usage, texts)


def misses(outcome: Outcome) -> dict[str, float]:
    """The scores of `MISSES` alone, which are of all rows whatever their kind."""
    return {name: score for name, score in outcome.scores.items() if name in MISSES}


def missed_at(start: str, gold: Sequence[str], events: Sequence[Event]) -> str:
    """The first stage at which a turn went wrong that did not give the gold answers."""
    calls = [call for event in events if isinstance(event, ProgramRan) for call in event.run.calls]
    if not calls:
        return "code"
    linked = {plain(entity.name) for event in events if isinstance(event, Linked) for entity in event.entities}
    if plain(start) not in linked:
        return "linking"
    found = {plain(name) for call in calls for name in listed([*call.results, *values_of(events)])}
    return "answer" if found >= {plain(name) for name in listed(gold)} else "relation"


def values_of(events: Sequence[Event]) -> list[str]:
    """What the last program to come to something came to."""
    return next((list(e.run.value) for e in reversed(events) if isinstance(e, ProgramRan) and e.run.value), [])


def named(question: str, reply: Answered, values: Sequence[str]) -> list[str]:
    """The answers that a reply gives."""
    if reply.declined:
        return []
    ends = [end for e in reply.evidence for side in (e.subject, e.object) for end in split(side)]
    asked, answer = plain(question), plain(reply.answer)
    both: list[str] = []
    for candidates in (values, ends):
        said = [name for name in dict.fromkeys(listed(candidates)) if stands(name, answer)]
        if answers := [name for name in said if plain(name) not in asked]:
            return answers
        both = both or (said if candidates is values else [])
    return both
