"""Questions of many kinds on the built-in knowledge base, scored step by step (KnowledGPT, section 4.2 and Table 2).

33 questions of our own in the paper's six kinds, about things that everybody knows and things that few do. The columns
are the paper's, judged in code. `direct`: the model alone, asked without any knowledge base, answers rightly. `code`:
what the programs of the turn came to or gathered holds all that the answer rests on. `linking`: every thing that the
question names was linked to the right entity, and to no namesake. `answer`: the turn's answer is right.
"""

import argparse
import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from assistant.orchestrator import Assistant
from assistant.types import Answered, Event, Linked, Message, ProgramRan
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.judging import chosen, fold, holds, holds_any
from tests.benchmarks.rows import Outcome, Row

KINDS = ("one_hop", "multi_hop", "relation", "instruction", "mixed", "comparison")
_COLUMNS = ("direct", "code", "linking", "answer")
_DIRECT_TOKENS = 150


class Popular:
    """`popular`: 33 questions."""

    name: ClassVar[str] = "popular"
    metrics: ClassVar[dict[str, Metric]] = {
        column + suffix: Metric(column + suffix)
        for column in _COLUMNS
        for suffix in ("", "_known", "_obscure", *(f"_{kind}" for kind in KINDS))
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark: those that all have."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / "popular.jsonl"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """One row a question."""
        lines = [json.loads(line) for line in self._file.read_text(encoding="utf-8").splitlines()]
        return [Row(line["id"], line["kind"], line) for line in lines]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """The bare model, then a whole turn of a user of whom nothing is known."""
        with product.assistant() as assistant:
            yield lambda row: _measured(assistant, row)


def _measured(assistant: Assistant, row: Row) -> Outcome:
    with assistant.model.for_turn(lambda: False) as model:
        question = [Message("user", row.data["question"])]
        direct = model.complete(question, purpose="direct", max_tokens=_DIRECT_TOKENS)
    events = list(assistant.reply(product.turn(row.data["question"], "popular")))
    reply = events[-1]
    assert isinstance(reply, Answered)
    texts = {
        "question": row.data["question"],
        "direct": direct,
        "answer": reply.answer,
        "program": reply.program,
        "linked": [
            (event.mention, [e.description for e in event.entities]) for event in events if type(event) is Linked
        ],
        "calls": [call.message for event in events if isinstance(event, ProgramRan) for call in event.run.calls],
    }
    return Outcome(judge(row.data, direct, events), reply.usage, texts)


def judge(question: Mapping[str, Any], direct: str, events: Sequence[Event]) -> dict[str, float]:
    """The four columns of one question."""
    reply = events[-1]
    assert isinstance(reply, Answered)
    columns = {
        "direct": _right(question, direct),
        "code": holds(_gathered(reply, events), question["needs"]),
        "linking": _linked(question["links"], events),
        "answer": not reply.declined and _right(question, reply.answer),
    }
    suffixes = ("", "_known" if question["known"] else "_obscure", f"_{question['kind']}")
    return {column + suffix: float(value) for column, value in columns.items() for suffix in suffixes}


def _right(question: Mapping[str, Any], answer: str) -> bool:
    if question["kind"] == "comparison":
        right = question["answers"][0][0]
        return chosen(answer, [right, *question["wrong"]]) == right
    return holds(answer, question["answers"]) and not holds_any(answer, question["wrong"])


def _gathered(reply: Answered, events: Sequence[Event]) -> str:
    """All that the programs of a turn came to, and its evidence, in one text."""
    runs = [event.run for event in events if isinstance(event, ProgramRan)]
    told = [text for run in runs for text in (*run.value, *(call.message for call in run.calls))]
    found = [f"{e.subject} {e.relation} {e.object} {e.text}" for e in reply.evidence]
    return " \n ".join([*told, *found])


def _linked(wanted: Mapping[str, str], events: Sequence[Event]) -> bool:
    """Whether each name was linked to one entity whose name or description holds the words that tell which it is."""
    for name, words in wanted.items():
        linked = [e for event in events if isinstance(event, Linked) and event.kb == "world" for e in event.entities]
        named = [e for e in linked if fold(name) in {fold(n) for n in (e.name, *e.aliases)}]
        if not named or not all(holds_any(f"{entity.name} {entity.description}", [words]) for entity in named):
            return False
    return True
