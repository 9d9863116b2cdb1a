"""BEAM: ten conversations of about 100,000 tokens with an assistant, and 20 questions on each, of ten abilities.

Which messages memory finds for a question, without the language model, as `recall_at_10` of those that the answer rests
on (see `messages`); BM25, dense retrieval and their fusion run beside it, on the same passages. Each score also by
ability; questions whose answer rests on no message, such as all those on abstention, have none. Recall was tuned on
every other conversation; `recall_at_10_untuned` is over the rest.
"""

import argparse
import contextlib
import gzip
import json
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from assistant.settings import Settings
from memory.store import Memory
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.messages import WAYS, Message, Searches
from tests.benchmarks.paragraphs import KeptEmbedder
from tests.benchmarks.rows import Outcome, Row

_ABILITIES = (
    *("contradiction_resolution", "event_ordering", "information_extraction", "instruction_following"),
    *("knowledge_update", "multi_session_reasoning", "preference_following", "summarization", "temporal_reasoning"),
)
_UNTUNED = "untuned"


class Beam:
    """`beam`."""

    name: ClassVar[str] = "beam"
    metrics: ClassVar[dict[str, Metric]] = {
        name: Metric(name) for way in WAYS for name in (way, *(f"{way}_{part}" for part in (_UNTUNED, *_ABILITIES)))
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """It has no options of its own."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._questions: Path = options.data / "questions.jsonl"
        self._conversations: Path = options.data / "conversations.jsonl.gz"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._questions, self._conversations]

    def rows(self) -> list[Row]:
        """One row a question; its kind is the ability."""
        lines = [json.loads(line) for line in self._questions.read_text(encoding="utf-8").splitlines()]
        tuned = set(list(dict.fromkeys(line["conversation"] for line in lines))[::2])
        return [Row(line["id"], line["kind"], {**line, "tuned": line["conversation"] in tuned}) for line in lines]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"embeddings": Settings.from_environment().embeddings or "embedded"}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """One home, to which each conversation is brought by a user of its own before anything is asked: how rare a
        word is, SQLite tells by all of them."""
        embedder = KeptEmbedder()
        with (
            tempfile.TemporaryDirectory(prefix="lorekeeper-bench-") as folder,
            contextlib.closing(Memory(Path(folder) / "home", embedder)) as memory,
        ):
            searches: dict[int, Searches] = {}
            for number, messages in self._messages():
                print(f"Conversation {number} is brought.", file=sys.stderr, flush=True)
                searches[number] = Searches([messages], memory.of(f"user {number}"), embedder)

            def measure(row: Row) -> Outcome:
                if not row.data["evidence"]:
                    return Outcome({})
                scores = searches[row.data["conversation"]].recall_at_10(row.data["question"], row.data["evidence"])
                parts = [row.kind] if row.data["tuned"] else [row.kind, _UNTUNED]
                by_part = {f"{way}_{part}": score for way, score in scores.items() for part in parts}
                return Outcome(scores | by_part, texts={"question": row.data["question"]})

            yield measure

    def _messages(self) -> Iterator[tuple[int, list[Message]]]:
        """Each conversation's number and its messages, whose numbers are their places."""
        with gzip.open(self._conversations, "rt", encoding="utf-8") as file:
            for line in map(json.loads, file):
                yield line["id"], list(map(_message, line["turns"]))


def _message(turn: dict[str, Any]) -> Message:
    return Message(turn["role"] == "user", datetime.strptime(turn["date"], "%B-%d-%Y").date(), turn["text"])
