"""Whether a message is understood, and whether a follow-up is rewritten so that it stands alone.

200 turns, labelled by hand: 150 in English and Chinese, of which a third follow something said before, and 50 in eight
languages that ask something of the memory, 40 of them to forget. These are right with the kind that they were labelled
with, the others with the route; `forgetting` is of the 40 alone. An error is named by what it
costs: `missed_search` is the share of turns that need a search and get none, `needless_search` of those that need none
and get one, `wrong_remember` of those that have nothing to keep and are written to memory. `rewrite_accuracy` is over
the follow-ups that need a search: the rewritten question has all the terms that it needs to stand alone and none that
it must not have.
"""

import argparse
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assistant.llm.client import LanguageModel
from assistant.types import Message
from assistant.understanding import understand
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.judging import holds, holds_any
from tests.benchmarks.rows import Outcome, Row


class Routing:
    """`routing [--split tune|test]`; `tune` has 30 turns to look at while a prompt is written, `test` the other 170."""

    name: ClassVar[str] = "routing"
    metrics: ClassVar[dict[str, Metric]] = {
        "accuracy": Metric("right"),
        "accuracy_en": Metric("right_en"),
        "accuracy_zh": Metric("right_zh"),
        "forgetting": Metric("right_forget"),
        "missed_search": Metric("missed_search"),
        "needless_search": Metric("needless_search"),
        "wrong_remember": Metric("wrong_remember"),
        "missed_remember": Metric("missed_remember"),
        "rewrite_accuracy": Metric("rewritten"),
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--split", choices=["tune", "test"], default="test")

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / "routing.jsonl"
        self._split: str = options.split

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """One row a turn; its kind is its route."""
        lines = [json.loads(line) for line in self._file.read_text(encoding="utf-8").splitlines()]
        return [Row(line["id"], line["route"], line) for line in lines if line["split"] == self._split]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name(), "split": self._split}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Routing alone, with the assistant's own model."""
        with product.assistant() as assistant:
            yield lambda row: _route(assistant.model, row)


def _route(root: LanguageModel, row: Row) -> Outcome:
    label = row.data
    history = tuple(Message(m["role"], m["content"]) for m in label["history"])
    with root.for_turn(lambda: False) as model:
        understood = understand(model, product.turn(label["text"], "routing", history))
        usage = model.usage.total
    texts = {"text": label["text"], "wanted": label["route"], "route": understood.route, "kind": understood.kind}
    texts["question"] = understood.question
    return Outcome(judge(label, understood.route, understood.question, understood.kind), usage, texts)


def judge(label: dict[str, Any], route: str, question: str, kind: str = "") -> dict[str, float]:
    """The scores of one turn, given what it was labelled with and what it was understood as."""
    right = float(kind == label["kind"] if "kind" in label else route == label["route"])
    scores = {"right": right, f"right_{label['language']}": right}
    if label.get("kind") == "forget":
        scores["right_forget"] = right
    searches, remembers = "search" in route, "remember" in route
    if "search" in label["route"]:
        scores["missed_search"] = float(not searches)
    else:
        scores["needless_search"] = float(searches)
    if "remember" in label["route"]:
        scores["missed_remember"] = float(not remembers)
    else:
        scores["wrong_remember"] = float(remembers)
    if "must_contain" in label and "search" in label["route"]:
        stands_alone = holds(question, label["must_contain"]) and not holds_any(question, label["must_not_contain"])
        scores["rewritten"] = float(stands_alone)
    return scores
