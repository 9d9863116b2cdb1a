"""What real documents say, asked of the assistant: a folder for each kind of document, with its questions.

`--data` has a folder for each kind; its `expected.txt` has the questions, each after "Q:". What has to stand in a
reply, and what must not, is told for each question in our own data. Each folder has a home of its own, into which all
of its documents are uploaded; a question is asked in a conversation of its own.
"""

import argparse
import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assistant.errors import UserMistake
from tests.benchmarks import product
from tests.benchmarks.dialogues import Holding
from tests.benchmarks.harness import OWN_DATA, Measure, Metric
from tests.benchmarks.rows import Outcome, Row

_KINDS = ("chat", "table", "heading", "encoding", "mail", "collection", "page", "text")
_QUESTION = re.compile(r"Q:\s*(.+?)\s*(?:->|$)", re.MULTILINE)
_EXPECTED = "expected.txt"
_ASKED_AT = "2026-11-20T10:00:00"


class Documents:
    """`documents --data DIR [--only FOLDER ...]`."""

    name: ClassVar[str] = "documents"
    metrics: ClassVar[dict[str, Metric]] = {
        name: Metric(name) for name in ("right", *(f"right_{kind}" for kind in _KINDS))
    }

    def __init__(self, options: argparse.Namespace) -> None:
        self._folder: Path = options.data
        lines = (OWN_DATA / "documents.jsonl").read_text(encoding="utf-8").splitlines()
        judged = {one["id"]: one for one in map(json.loads, lines)}
        for folder in set(options.only or ()) - judged.keys():
            raise UserMistake(f"There is no folder {folder}; there are: {', '.join(judged)}.")
        self._judged = [judged[folder] for folder in options.only or judged]

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--only", nargs="+", help="folders (default: all)")

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [OWN_DATA / "documents.jsonl", *(self._folder / one["id"] / _EXPECTED for one in self._judged)]

    def rows(self) -> list[Row]:
        """One row for each question."""
        rows = []
        for one in self._judged:
            dialogue = self._dialogue(one["id"], one["turns"])
            rows += [
                Row(f"{one['id']}-{number + 1}", turn["kind"], {"dialogue": dialogue, "number": number})
                for number, turn in enumerate(dialogue["turns"])
            ]
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each folder has an empty home; the questions before one that is measured are asked, too."""
        with contextlib.ExitStack() as stack:
            holding = Holding(stack)

            def measure(row: Row) -> Outcome:
                for held in holding.up_to(row):
                    turn = held.coming
                    _, answered, wrong = held.next()
                texts = {"said": turn["say"], "answer": answered.answer, "wrong": wrong, "route": answered.route}
                scores = {name: float(not wrong) for name in ("right", f"right_{turn['kind']}")}
                return Outcome(scores, answered.usage, texts | {"program": answered.program})

            yield measure

    def _dialogue(self, folder: str, judged: list[dict[str, Any]]) -> dict[str, Any]:
        place = self._folder / folder
        questions = _QUESTION.findall((place / _EXPECTED).read_text(encoding="utf-8"))
        if len(questions) != len(judged):
            raise UserMistake(f"{place / _EXPECTED} has {len(questions)} questions, {len(judged)} are judged.")
        documents = [
            {"name": file.name, "file": str(file)}
            for file in sorted(place.iterdir())
            if file.is_file() and file.name != _EXPECTED
        ]
        turns = [
            {"say": question, "later_session": True, **turn} for question, turn in zip(questions, judged, strict=True)
        ]
        return {"id": folder, "at": _ASKED_AT, "documents": documents, "turns": turns}
