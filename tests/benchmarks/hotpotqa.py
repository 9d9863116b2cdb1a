"""Which of HotpotQA's 4,937 paragraphs memory finds for a question: `recall_at_5` of the gold ones.

BM25 and dense retrieval run beside it, on the same rows. Recall was tuned on 100 of the 250 questions;
`recall_at_5_untuned` is over the others.
"""

import argparse
import contextlib
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from assistant.settings import Settings
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.paragraphs import KeptEmbedder, Paragraph, searches
from tests.benchmarks.rows import Outcome, Row

_TUNED = 100  # questions


class HotpotQA:
    """`hotpotqa`."""

    name: ClassVar[str] = "hotpotqa"
    metrics: ClassVar[dict[str, Metric]] = {
        name: Metric(name)
        for ending in ("", "_untuned")
        for name in (f"recall_at_5{ending}", f"recall_at_5_bm25{ending}", f"recall_at_5_dense{ending}")
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """This benchmark has no options of its own."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._questions: Path = options.data / "questions.jsonl"
        self._corpus: Path = options.data / "corpus.jsonl.gz"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._questions, self._corpus]

    def rows(self) -> list[Row]:
        """One row a question; its kind is bridge or comparison."""
        lines = [json.loads(line) for line in self._questions.read_text(encoding="utf-8").splitlines()]
        tuned = set(np.random.default_rng(0).permutation(len(lines))[:_TUNED].tolist())
        return [Row(line["id"], line["type"], {**line, "tuned": n in tuned}) for n, line in enumerate(lines)]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"embeddings": Settings.from_environment().embeddings or "embedded"}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Memory holds the whole corpus."""
        with gzip.open(self._corpus, "rt", encoding="utf-8") as file:
            paragraphs = [Paragraph(**json.loads(line)) for line in file]
        titles = {paragraph.title: place for place, paragraph in enumerate(paragraphs)}
        with searches(paragraphs, KeptEmbedder()) as found:

            def measure(row: Row) -> Outcome:
                gold = [titles[title] for title in row.data["gold_titles"]]
                scores = found.recall_at_5(row.data["question"], gold)
                untuned = {} if row.data["tuned"] else {f"{name}_untuned": score for name, score in scores.items()}
                return Outcome(scores | untuned, texts={"question": row.data["question"]})

            yield measure
