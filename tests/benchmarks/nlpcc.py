"""NLPCC-ICCPOL 2016 KBQA and NLPCC-MH: questions in Chinese over encyclopaedia triples (KnowledGPT, Table 3).

Most subjects of the file have one triple only, so that finding the subject finds the answer: `f1_three_triples` are
the rows whose subject has three or more, drawn as often as the others.
"""

import argparse
import contextlib
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from tests.benchmarks import graph_questions, product
from tests.benchmarks.f1 import f1
from tests.benchmarks.graph_baselines import BASELINES
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row

_BLOCK = re.compile(r"<question id=(\d+)>\t(.+)\n<triple id=\d+>\t(.+)\n<answer id=\d+>\t(.+)")
_MANY = 3
_Objects = dict[str, dict[str, list[str]]]


class Nlpcc:
    """`nlpcc --data DIR`: DIR has `kb.tsv.gz` and `kbqa2016.dev.txt.gz`; 60 questions by default."""

    name: ClassVar[str] = "nlpcc"
    metrics: ClassVar[dict[str, Metric]] = {
        f"f1{kind}{suffix}": Metric(f"f1{kind}{suffix}")
        for kind in ("", "_three_triples")
        for suffix in ("", "_ends", *(f"_{baseline}" for baseline in BASELINES))
    } | graph_questions.MISSES

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.set_defaults(limit=60)
        parser.add_argument(
            "--baselines", action="store_true", help="measure what they come to on the same rows, and not the product"
        )

    def __init__(self, options: argparse.Namespace) -> None:
        self._triples: Path = options.data / "kb.tsv.gz"
        self._baselines: bool = options.baselines
        self._questions: Path = options.data / "kbqa2016.dev.txt.gz"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._triples, self._questions]

    def rows(self) -> list[Row]:
        """The questions whose subject has three triples or more, and as many of the others."""
        objects = self._objects()
        with gzip.open(self._questions, "rt", encoding="utf-8") as file:
            blocks = _BLOCK.findall(file.read())
        rows = []
        for number, question, triple, answer in blocks:
            subject, relation, _ = (part.strip() for part in triple.split("|||"))
            many = sum(map(len, objects[subject].values())) >= _MANY
            data = {
                "question": question.strip(),
                "start": subject,
                "gold": [answer.strip()],
                "ends": _ends(subject, [relation], objects),
            }
            rows.append(Row(number, "three_triples" if many else "fewer", data))
        many_rows = [row for row in rows if row.kind == "three_triples"]
        return many_rows + [row for row in rows if row.kind == "fewer"][: len(many_rows)]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name(), "baselines": self._baselines}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Whole turns of someone who named this knowledge base."""
        with graph_questions.measuring(self._triples, "\t", "zh", baselines=self._baselines) as ask:
            yield lambda row: self._scored(row, ask(row))

    def _objects(self) -> _Objects:
        """The objects of each subject and relation in the file."""
        objects: _Objects = defaultdict(lambda: defaultdict(list))
        with gzip.open(self._triples, "rt", encoding="utf-8") as file:
            for line in file:
                subject, relation, value = line.rstrip("\n").split("\t")
                objects[subject][relation].append(value)
        return objects

    def _scored(self, row: Row, outcome: Outcome) -> Outcome:
        """The scores of a row, also under those kinds that are reported by themselves."""
        ends = {"f1_ends": f1(named, row.data["ends"])} if (named := _named(outcome)) is not None else {}
        scores = {
            f"f1{kind}{name.removeprefix('f1')}": score
            for name, score in {**outcome.scores, **ends}.items()
            for kind in ("", f"_{row.kind}")
            if f"f1{kind}" in self.metrics and name not in graph_questions.MISSES
        }
        return Outcome({**scores, **graph_questions.misses(outcome)}, outcome.usage, outcome.texts)


def _named(outcome: Outcome) -> list[str] | None:
    """What a turn named; none where no turn was measured, but baselines."""
    named = outcome.texts.get("named")
    return named if isinstance(named, list) else None


class NlpccMultiHop(Nlpcc):
    """`nlpcc-mh --data DIR`: DIR has `kb.tsv.gz` and `mh.train.json`; 30 questions by default."""

    name: ClassVar[str] = "nlpcc-mh"
    metrics: ClassVar[dict[str, Metric]] = {
        f"f1{kind}{suffix}": Metric(f"f1{kind}{suffix}")
        for kind in ("", "_2hop", "_3hop")
        for suffix in ("", "_ends", *(f"_{baseline}" for baseline in BASELINES))
    } | graph_questions.MISSES

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        Nlpcc.add_arguments(parser)
        parser.set_defaults(limit=30)

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self._questions = options.data / "mh.train.json"

    def rows(self) -> list[Row]:
        """One row a question; the answer is the last object of its path, without its id."""
        rows = []
        objects = self._objects()
        for number, item in enumerate(json.loads(self._questions.read_text(encoding="utf-8"))):
            steps = [[end.partition(" ||| ")[0] for end in step] for step in item["path"]]
            data = {
                "question": item["q"],
                "start": steps[0][0],
                "gold": [steps[-1][-1]],
                "ends": _ends(steps[0][0], [relation for _, relation, _ in steps], objects),
            }
            rows.append(Row(str(number), f"{len(item['path'])}hop", data))
        return rows


def _ends(subject: str, relations: Sequence[str], objects: _Objects) -> list[str]:
    """What a gold path comes to in the file."""
    ends = [subject]
    for relation in relations:
        ends = list(dict.fromkeys(value for end in ends for value in objects[end][relation]))
    return ends
