"""Which of MuSiQue's paragraphs, those of all questions together, memory finds: `recall_at_5` of the gold ones.

BM25 and dense retrieval run beside it, on the same rows. Nothing was tuned on them.
"""

import argparse
import contextlib
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assistant.settings import Settings
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.paragraphs import KeptEmbedder, Paragraph, searches
from tests.benchmarks.rows import Outcome, Row


class MuSiQue:
    """`musique`."""

    name: ClassVar[str] = "musique"
    metrics: ClassVar[dict[str, Metric]] = {
        name: Metric(name) for name in ("recall_at_5", "recall_at_5_bm25", "recall_at_5_dense")
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """This benchmark has no options of its own."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / "questions.json.gz"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """One row a question; its kind is the number of steps, as in 2hop."""
        return [Row(line["id"], line["id"].split("_")[0], line) for line in self._lines()]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"embeddings": Settings.from_environment().embeddings or "embedded"}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Memory holds the paragraphs of all questions, also of those that were not drawn."""
        every = list(dict.fromkeys(_paragraph(part) for line in self._lines() for part in line["paragraphs"]))
        place = {paragraph: place for place, paragraph in enumerate(every)}
        with searches(every, KeptEmbedder()) as found:

            def measure(row: Row) -> Outcome:
                gold = [place[_paragraph(part)] for part in row.data["paragraphs"] if part["is_supporting"]]
                return Outcome(found.recall_at_5(row.data["question"], gold), texts={"question": row.data["question"]})

            yield measure

    def _lines(self) -> list[dict[str, Any]]:
        with gzip.open(self._file, "rt", encoding="utf-8") as file:
            lines: list[dict[str, Any]] = json.load(file)
        return lines


def _paragraph(part: dict[str, Any]) -> Paragraph:
    return Paragraph(part["title"], part["paragraph_text"])
