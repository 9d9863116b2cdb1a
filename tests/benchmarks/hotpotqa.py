"""HotpotQA: questions of two steps, over paragraphs of Wikipedia.

`answers` (KnowledGPT, Table 4): 25 questions, each answered from a memory that was built from its 10 documents; scores
as in `reading.answering`, the accuracy also by kind. `passages`: 100 questions that recall was not tuned on, each
answered from the passages of its 10 documents alone; scores as in `over_passages`. `recall`: which of the corpus's
4,937 paragraphs memory finds for a question, without the language model, as `recall_at_5` of the gold ones; BM25 and
dense retrieval run beside it, on the same rows. Recall was tuned on 100 of the 250 questions; `recall_at_5_untuned` is
over the others.
"""

import argparse
import contextlib
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from assistant.settings import Settings
from tests.benchmarks import over_passages, product, reading
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.paragraphs import SCORES, KeptEmbedder, Paragraph, searches
from tests.benchmarks.rows import Outcome, Row, draw

_TUNED = 100  # questions
_ANSWERED = {"answers": 25, "passages": 100}
_KINDS = ("bridge", "comparison")
_ACCURACIES = (*reading.ACCURACIES, *over_passages.ACCURACIES)


class HotpotQA:
    """`hotpotqa [--part recall|passages|answers ...]`."""

    name: ClassVar[str] = "hotpotqa"
    metrics: ClassVar[dict[str, Metric]] = {
        **{name: Metric(name) for name in (*reading.SCORES, *SCORES)},
        **over_passages.METRICS,
        **{f"{name}_{kind}": Metric(f"{name}_{kind}") for name in _ACCURACIES for kind in _KINDS},
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parts = ["recall", *_ANSWERED]
        parser.add_argument("--part", nargs="+", choices=parts, default=parts, help="default: all")

    def __init__(self, options: argparse.Namespace) -> None:
        self._questions: Path = options.data / "questions.jsonl"
        self._corpus: Path = options.data / "corpus.jsonl.gz"
        self._parts: list[str] = options.part
        self._seed: int = options.seed

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._questions, self._corpus]

    def rows(self) -> list[Row]:
        """One row a question and part; its kind is bridge or comparison, before which stands a part that answers."""
        rows = _asked(self._questions) if "recall" in self._parts else []
        for part in [part for part in _ANSWERED if part in self._parts]:
            rows += answered(self._questions, self._seed, part)
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        embeddings = Settings.from_environment().embeddings or "embedded"
        return {"embeddings": embeddings, "model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each part is set up when its first row comes."""
        corpus = paragraphs(self._corpus)
        with contextlib.ExitStack() as stack:
            measures: dict[str, Measure] = {}

            def measure(row: Row) -> Outcome:
                part = row.kind.partition("-")[0] if "-" in row.kind else "recall"
                if part not in measures:
                    by_part = _recalling(corpus) if part == "recall" else _answering(part, corpus)
                    measures[part] = stack.enter_context(by_part)
                return measures[part](row)

            yield measure


def paragraphs(corpus: Path) -> list[Paragraph]:
    """The whole corpus."""
    with gzip.open(corpus, "rt", encoding="utf-8") as file:
        return [Paragraph(**json.loads(line)) for line in file]


def answered(questions: Path, seed: int, part: str = "answers") -> list[Row]:
    """The questions that are answered in a part."""
    asked = [row for row in _asked(questions) if part == "answers" or not row.data["tuned"]]
    drawn = draw(asked, _ANSWERED[part], seed)
    return [replace(row, id=f"{row.id}-{part}", kind=f"{part}-{row.kind}") for row in drawn]


def _asked(questions: Path) -> list[Row]:
    lines = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    tuned = set(np.random.default_rng(0).permutation(len(lines))[:_TUNED].tolist())
    return [Row(line["id"], line["type"], {**line, "tuned": n in tuned}) for n, line in enumerate(lines)]


@contextlib.contextmanager
def _answering(part: str, corpus: Sequence[Paragraph]) -> Iterator[Measure]:
    by_title = {paragraph.title: paragraph for paragraph in corpus}
    with (reading if part == "answers" else over_passages).answering() as ask:

        def measure(row: Row) -> Outcome:
            context = [by_title[title] for title in row.data["context_titles"]]
            outcome = ask(row.id, row.data["question"], [row.data["answer"]], context)
            kind = row.kind.removeprefix(f"{part}-")
            by_kind = {f"{name}_{kind}": outcome.scores[name] for name in _ACCURACIES if name in outcome.scores}
            return replace(outcome, scores={**outcome.scores, **by_kind})

        yield measure


@contextlib.contextmanager
def _recalling(corpus: Sequence[Paragraph]) -> Iterator[Measure]:
    titles = {paragraph.title: place for place, paragraph in enumerate(corpus)}
    with searches(corpus, KeptEmbedder()) as found:

        def measure(row: Row) -> Outcome:
            gold = [titles[title] for title in row.data["gold_titles"]]
            return found.asked(row.data["question"], gold, tuned=row.data["tuned"])

        yield measure
