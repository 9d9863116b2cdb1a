"""Questions about the world, answered from the built-in knowledge base alone.

50 questions, 30 English and 20 Chinese, with answers taken from the packages that the knowledge base is made of (a test
compares them). `answered`: all of the answer's parts stand in the answer and none of the wrong ones that are written
down for the question; a comparison has to name the greater one. `evidenced`: answered, and what the answer rests on
stands in the evidence of the turn. `declined`: it said that it does not know. `named` is the share answered with
evidence of the twelve questions that are reported by name.
"""

import argparse
import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from assistant.orchestrator import Assistant
from assistant.types import Answered
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.judging import chosen, holds, holds_any
from tests.benchmarks.rows import Outcome, Row

_KINDS = ("one_hop", "two_hop", "comparison", "counting", "filter", "superlative", "reverse")


class World:
    """`world [--split tune|test]`; `tune` has 20 questions, `test` the other 30."""

    name: ClassVar[str] = "world"
    metrics: ClassVar[dict[str, Metric]] = {
        score + suffix: Metric(score + suffix)
        for score in ("answered", "evidenced", "declined")
        for suffix in ("", "_en", "_zh", *(f"_{kind}" for kind in _KINDS))
    } | {"named": Metric("named")}

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--split", choices=["tune", "test"], default="test")

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / "world.jsonl"
        self._split: str = options.split

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """One row a question."""
        return [Row(line["id"], line["kind"], line) for line in questions(self._file) if line["split"] == self._split]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name(), "split": self._split}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Whole turns, of a user of whom nothing is known."""
        with product.assistant() as assistant:
            yield lambda row: _ask(assistant, row)


def questions(file: Path) -> list[dict[str, Any]]:
    """The lines of `world.jsonl`."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _ask(assistant: Assistant, row: Row) -> Outcome:
    reply = product.answered(assistant, product.turn(row.data["question"], "world"))
    texts = {
        "question": row.data["question"],
        "wanted": row.data["answers"],
        "answer": reply.answer,
        "route": reply.route,
        "program": reply.program,
        "evidence": [f"{e.subject} | {e.relation} | {e.object} | {e.text}" for e in reply.evidence],
    }
    return Outcome(judge(row.data, reply), reply.usage, texts)


def judge(question: Mapping[str, Any], reply: Answered) -> dict[str, float]:
    """The scores of one question."""
    answered = not reply.declined and _right(question, reply.answer)
    evidence = " \n ".join(f"{e.subject} | {e.relation} | {e.object} | {e.text}" for e in reply.evidence)
    evidenced = answered and holds(evidence, question.get("evidence", question["answers"]))
    scores = {}
    for suffix in ("", f"_{question['language']}", f"_{question['kind']}"):
        scores[f"answered{suffix}"] = float(answered)
        scores[f"evidenced{suffix}"] = float(evidenced)
        scores[f"declined{suffix}"] = float(reply.declined)
    if question["named"]:
        scores["named"] = float(evidenced)
    return scores


def _right(question: Mapping[str, Any], answer: str) -> bool:
    wrong = question.get("wrong", [])
    if question["kind"] == "comparison":
        right = question["answers"][0][0]
        return chosen(answer, [right, *wrong]) == right
    return holds(answer, question["answers"]) and not holds_any(answer, wrong)
