"""MuSiQue: questions of two to four steps, each with 20 paragraphs.

`answers`: 10 questions, each answered from a memory that was built from its paragraphs; scores as in
`reading.answering`. `passages`: the 60 questions that recall was not tuned on, each answered from the passages of its
paragraphs alone; scores as in `over_passages`. `recall`: which of the paragraphs of all questions together memory
finds, without the language model, as `recall_at_5` of the gold ones; BM25 and dense retrieval run beside it, on the
same rows. Recall was tuned on 40 of the 100 questions; `recall_at_5_untuned` is over the others.
"""

import argparse
import contextlib
import gzip
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from assistant.settings import Settings
from tests.benchmarks import over_passages, product, reading
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.paragraphs import SCORES, KeptEmbedder, Paragraph, searches
from tests.benchmarks.rows import Outcome, Row, draw

_TUNED = 40  # questions
_ANSWERED = {"answers": 10, "passages": 60}


class MuSiQue:
    """`musique [--part recall|passages|answers ...]`."""

    name: ClassVar[str] = "musique"
    metrics: ClassVar[dict[str, Metric]] = {
        **{name: Metric(name) for name in (*reading.SCORES, *SCORES)},
        **over_passages.METRICS,
        **{f"{name}_2hop": Metric(f"{name}_2hop") for name in over_passages.ACCURACIES},
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parts = ["recall", *_ANSWERED]
        parser.add_argument("--part", nargs="+", choices=parts, default=parts, help="default: all")

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / "questions.json.gz"
        self._parts: list[str] = options.part
        self._seed: int = options.seed

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """One row a question and part; its kind is the number of steps, as in 2hop, behind the part if that answers."""
        lines = self._lines()
        order = list(range(len(lines)))
        random.Random(7).shuffle(order)
        tuned = set(order[:_TUNED])
        asked = [
            Row(line["id"], line["id"].split("_")[0], {**line, "tuned": place in tuned})
            for place, line in enumerate(lines)
        ]
        rows = asked if "recall" in self._parts else []
        for part in [part for part in _ANSWERED if part in self._parts]:
            judged = [row for row in asked if part == "answers" or not row.data["tuned"]]
            drawn = draw(judged, _ANSWERED[part], self._seed)
            rows = rows + [replace(row, id=f"{row.id}-{part}", kind=f"{part}-{row.kind}") for row in drawn]
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        embeddings = Settings.from_environment().embeddings or "embedded"
        return {"embeddings": embeddings, "model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each part is set up when its first row comes."""
        with contextlib.ExitStack() as stack:
            measures: dict[str, Measure] = {}

            def measure(row: Row) -> Outcome:
                part = row.kind.partition("-")[0] if "-" in row.kind else "recall"
                if part not in measures:
                    measures[part] = stack.enter_context(self._recalling() if part == "recall" else _answering(part))
                return measures[part](row)

            yield measure

    @contextlib.contextmanager
    def _recalling(self) -> Iterator[Measure]:
        """Memory holds the paragraphs of all questions, also of those that were not drawn."""
        every = list(
            dict.fromkeys(paragraph for line in self._lines() for paragraph in _paragraphs(line["paragraphs"]))
        )
        place = {paragraph: place for place, paragraph in enumerate(every)}
        with searches(every, KeptEmbedder()) as found:

            def measure(row: Row) -> Outcome:
                gold = _paragraphs(part for part in row.data["paragraphs"] if part["is_supporting"])
                places = [place[paragraph] for paragraph in gold]
                return found.asked(row.data["question"], places, tuned=row.data["tuned"])

            yield measure

    def _lines(self) -> list[dict[str, Any]]:
        with gzip.open(self._file, "rt", encoding="utf-8") as file:
            lines: list[dict[str, Any]] = json.load(file)
        return lines


@contextlib.contextmanager
def _answering(part: str) -> Iterator[Measure]:
    with (reading if part == "answers" else over_passages).answering() as ask:

        def measure(row: Row) -> Outcome:
            gold = [row.data["answer"], *row.data["answer_aliases"]]
            outcome = ask(row.id, row.data["question"], gold, _paragraphs(row.data["paragraphs"]))
            if part == "answers" or not row.kind.endswith("2hop"):
                return outcome
            of_two_steps = {f"{name}_2hop": outcome.scores[name] for name in over_passages.ACCURACIES}
            return replace(outcome, scores={**outcome.scores, **of_two_steps})

        yield measure


def _paragraphs(parts: Iterable[dict[str, Any]]) -> list[Paragraph]:
    return [Paragraph(part["title"], part["paragraph_text"]) for part in parts]
