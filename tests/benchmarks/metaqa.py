"""MetaQA: questions of one, two and three hops over a knowledge base of films (KnowledGPT, Table 3).

The brackets around the question's entity are taken off, since they would give linking away. `_reachable` are the rows
whose gold answers all lie within so many hops of that entity in the file at hand.
"""

import argparse
import contextlib
import gzip
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from tests.benchmarks import graph_questions, product
from tests.benchmarks.graph_baselines import BASELINES
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row

_HOPS = (1, 2, 3)


class MetaQA:
    """`metaqa --data DIR`: DIR has `kb.txt.gz` and `1hop.dev.txt` to `3hop.dev.txt`; 40 questions a hop by default."""

    name: ClassVar[str] = "metaqa"
    metrics: ClassVar[dict[str, Metric]] = {
        f"f1{hop}{suffix}": Metric(f"f1{hop}{suffix}")
        for hop in ("", *(f"_{hop}hop" for hop in _HOPS))
        for suffix in ("", "_reachable", *(f"_{baseline}" for baseline in BASELINES))
    } | graph_questions.MISSES

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.set_defaults(limit=120)
        parser.add_argument(
            "--baselines", action="store_true", help="measure what they come to on the same rows, and not the product"
        )

    def __init__(self, options: argparse.Namespace) -> None:
        self._triples: Path = options.data / "kb.txt.gz"
        self._baselines: bool = options.baselines
        self._questions = {hop: options.data / f"{hop}hop.dev.txt" for hop in _HOPS}

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._triples, *self._questions.values()]

    def rows(self) -> list[Row]:
        """One row a question; the kinds are the hops."""
        near = _neighbours(self._triples)
        rows = []
        for hop, file in self._questions.items():
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
                marked, answers = line.split("\t")
                match = re.search(r"\[(.+)\]", marked)
                assert match, marked
                gold = answers.split("|")
                data = {
                    "question": marked.replace(match[0], match[1]),
                    "start": match[1],
                    "gold": gold,
                    "reachable": set(gold) <= _within(match[1], hop, near),
                }
                rows.append(Row(f"{hop}hop-{number}", f"{hop}hop", data))
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name(), "baselines": self._baselines}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Whole turns of someone who named this knowledge base."""
        with graph_questions.measuring(self._triples, "|", "en", baselines=self._baselines) as ask:
            yield lambda row: _scored(row, ask(row))


def _scored(row: Row, outcome: Outcome) -> Outcome:
    by_suffix = {name.removeprefix("f1"): score for name, score in outcome.scores.items() if name.startswith("f1")}
    if row.data["reachable"] and "" in by_suffix:
        by_suffix["_reachable"] = outcome.scores["f1"]
    scores = {f"f1{hop}{suffix}": score for hop in ("", f"_{row.kind}") for suffix, score in by_suffix.items()}
    return Outcome({**scores, **graph_questions.misses(outcome)}, outcome.usage, outcome.texts)


def _neighbours(triples: Path) -> dict[str, set[str]]:
    near: dict[str, set[str]] = defaultdict(set)
    with gzip.open(triples, "rt", encoding="utf-8") as file:
        for line in file:
            head, _, tail = line.rstrip("\n").split("|")
            near[head].add(tail)
            near[tail].add(head)
    return near


def _within(entity: str, hops: int, near: dict[str, set[str]]) -> set[str]:
    """What can be reached in exactly so many steps."""
    ends = {entity}
    for _ in range(hops):
        ends = set().union(*(near[end] for end in ends))
    return ends
