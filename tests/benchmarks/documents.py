"""Documents, in three parts: what they say, asked of the assistant; what is read of them; and how fast.

`questions`: `--data` has a folder for each kind; its `expected.txt` has the questions, each after "Q:". What has to
stand in a reply, and what must not, is told for each question in our own data. Each folder has a home of its own, into
which all of its documents are uploaded; a question is asked in a conversation of its own.

`texts`, without a model: a text in each of ten languages, written as each kind of file by the libraries of people's
programs. `text_recall` is the share of its words that are read, in their order, `cells_right` that of the cells of its
table that are told under the name of their column.

`speed`: a PDF of 1,000 pages, from when it is added until it is found by words (`searchable_seconds_1000_pages`) and by
meaning, and the most memory of the process that read it.
"""

import argparse
import concurrent.futures
import contextlib
import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assistant.errors import UserMistake
from assistant.llm.scripted import ScriptedTransport
from memory.documents import read_document
from tests.benchmarks import product
from tests.benchmarks.dialogues import Holding
from tests.benchmarks.harness import OWN_DATA, Measure, Metric
from tests.benchmarks.rows import Outcome, Row
from tests.memory.formats.written import LANGUAGES, WRITERS, cells_right, in_order, long_pdf, sample

_KINDS = ("chat", "table", "heading", "encoding", "mail", "collection", "page", "text")
_READ = ("text_recall", "cells_right")
_SPEED = ("searchable_seconds_1000_pages", "meant_seconds_1000_pages", "parser_mb_1000_pages")
_QUESTIONS, _TEXTS, _FAST = _PARTS = ("questions", "texts", "speed")
_SEEDS, _PAGES, _EMBEDDED_AT_ONCE = 2, 1_000, 128
_LOOK_SECONDS = 0.05
_QUESTION = re.compile(r"Q:\s*(.+?)\s*(?:->|$)", re.MULTILINE)
_EXPECTED = "expected.txt"
_ASKED_AT = "2026-11-20T10:00:00"


class Documents:
    """`documents --data DIR [--only FOLDER ...] [--part questions|texts|speed ...]`."""

    name: ClassVar[str] = "documents"
    metrics: ClassVar[dict[str, Metric]] = {
        name: Metric(name) for name in ("right", *(f"right_{kind}" for kind in _KINDS), *_READ, *_SPEED)
    }

    def __init__(self, options: argparse.Namespace) -> None:
        self._folder: Path = options.data
        lines = (OWN_DATA / "documents.jsonl").read_text(encoding="utf-8").splitlines()
        judged = {one["id"]: one for one in map(json.loads, lines)}
        for folder in set(options.only or ()) - judged.keys():
            raise UserMistake(f"There is no folder {folder}; there are: {', '.join(judged)}.")
        self._judged = [judged[folder] for folder in options.only or judged] if _QUESTIONS in options.part else []
        self._parts = options.part

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--only", nargs="+", help="folders (default: all)")
        parser.add_argument("--part", nargs="+", choices=_PARTS, default=list(_PARTS), help="default: all")

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [OWN_DATA / "documents.jsonl", *(self._folder / one["id"] / _EXPECTED for one in self._judged)]

    def rows(self) -> list[Row]:
        """One row for each question, each kind of file in each language, and the PDF."""
        rows = [Row(f"pdf-{_PAGES}", _FAST)] if _FAST in self._parts else []
        if _TEXTS in self._parts:
            rows += [
                Row(f"{kind}-{language}-{seed}", _TEXTS, {"kind": kind, "language": language, "seed": seed})
                for kind in WRITERS
                for language in LANGUAGES
                for seed in range(_SEEDS)
            ]
        for one in self._judged:
            dialogue = self._dialogue(one["id"], one["turns"])
            rows += [
                Row(f"{one['id']}-{number + 1}", turn["kind"], {"dialogue": dialogue, "number": number})
                for number, turn in enumerate(dialogue["turns"])
            ]
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name() if _QUESTIONS in self._parts else ""}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each folder has an empty home; the questions before one that is measured are asked, too."""
        with contextlib.ExitStack() as stack:
            holding = Holding(stack)

            def measure(row: Row) -> Outcome:
                if row.kind == _TEXTS:
                    return Outcome(_as_read(**row.data))
                if row.kind == _FAST:
                    return Outcome(_speed())
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


def _as_read(kind: str, language: str, seed: int) -> dict[str, float]:
    name, write, (has_prose, has_table) = WRITERS[kind]
    of = sample(language, seed)
    found, _ = read_document(name, write(of))
    scores = {"text_recall": in_order("\n".join(of.paragraphs), found)} if has_prose else {}
    return scores | ({"cells_right": cells_right(of, found)} if has_table else {})


def _speed() -> dict[str, float]:
    data = long_pdf(_PAGES)
    with product.assistant(ScriptedTransport([])) as made:
        me, start = made.memory.of("me"), time.monotonic()
        with _watched() as most:
            me.add_document("long.pdf", data)
        by_words = time.monotonic() - start
        while me.embed_waiting(_EMBEDDED_AT_ONCE):
            pass
        by_meaning = time.monotonic() - start
    return dict(zip(_SPEED, (by_words, by_meaning, max(most, default=0) / 1024), strict=True))


@contextlib.contextmanager
def _watched() -> Iterator[list[int]]:
    """The most memory in kB that each process started by this one has had, looked at while the block runs (Linux).

    What the system itself keeps of children begins with what this process had when it started them.
    """
    most, over = list[int](), threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK_SECONDS):
            for children in Path("/proc/self/task").glob("*/children"):
                with contextlib.suppress(OSError):  # a thread, or a child, that has just ended
                    for child in children.read_text().split():
                        status = Path("/proc", child, "status").read_text()
                        most.extend(map(int, re.findall(r"^VmHWM:\s*(\d+)", status, re.MULTILINE)))

    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        thread.submit(watch)
        try:
            yield most
        finally:
            over.set()
