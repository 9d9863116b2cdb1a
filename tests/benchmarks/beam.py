"""BEAM: ten conversations of about 100,000 tokens with an assistant, and 20 questions on each, of ten abilities.

`recall`: which messages memory finds for a question, without the language model, as `recall_at_10` of those that the
answer rests on (see `messages`); BM25, dense retrieval and their fusion run beside it, on the same passages. Each score
also by ability; questions whose answer rests on no message, such as all those on abstention, have none. Recall was
tuned on every other conversation; `recall_at_10_untuned` is over the rest. `answers`: see `beam_answers`; how many
questions of its abilities were left out stands in the result's settings.
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
from tests.benchmarks import beam_answers, product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.messages import WAYS, Message, Searches
from tests.benchmarks.paragraphs import KeptEmbedder
from tests.benchmarks.rows import Outcome, Row

_ABILITIES = (
    *("contradiction_resolution", "event_ordering", "information_extraction", "instruction_following"),
    *("knowledge_update", "multi_session_reasoning", "preference_following", "summarization", "temporal_reasoning"),
)
_UNTUNED = "untuned"
_PARTS = (_UNTUNED, *_ABILITIES)
_ANSWERS = "answers-"


class Beam:
    """`beam [--part recall|answers ...]`."""

    name: ClassVar[str] = "beam"
    metrics: ClassVar[dict[str, Metric]] = {
        **{name: Metric(name) for way in WAYS for name in (way, *(f"{way}_{part}" for part in _PARTS))},
        **{
            name: Metric(name)
            for way in beam_answers.WAYS
            for name in (way, *(f"{way}_{ability}" for ability in beam_answers.ABILITIES))
        },
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parts = ["recall", "answers"]
        parser.add_argument("--part", nargs="+", choices=parts, default=parts, help="default: both")

    def __init__(self, options: argparse.Namespace) -> None:
        self._parts: list[str] = options.part
        self._questions: Path = options.data / "questions.jsonl"
        self._conversations: Path = options.data / "conversations.jsonl.gz"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._questions, self._conversations]

    def rows(self) -> list[Row]:
        """One row a question and part; its kind is the ability, behind the part if that answers."""
        lines = self._lines()
        tuned = set(list(dict.fromkeys(line["conversation"] for line in lines))[::2])
        rows = [Row(line["id"], line["kind"], {**line, "tuned": line["conversation"] in tuned}) for line in lines]
        judged = [line for line in lines if beam_answers.wanted(line) is not None]
        answers = [Row(f"{line['id']}-answers", f"{_ANSWERS}{line['kind']}", line) for line in judged]
        return [*(rows if "recall" in self._parts else ()), *(answers if "answers" in self._parts else ())]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        embeddings = Settings.from_environment().embeddings or "embedded"
        asked = [line for line in self._lines() if line["kind"] in beam_answers.ABILITIES]
        left_out = sum(beam_answers.wanted(line) is None for line in asked)
        return {"embeddings": embeddings, "model": product.model_name(), "answers_left_out": left_out}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each part is set up when its first row comes."""
        with contextlib.ExitStack() as stack:
            measures: dict[bool, Measure] = {}

            def measure(row: Row) -> Outcome:
                answers = row.kind.startswith(_ANSWERS)
                if answers not in measures:
                    measures[answers] = stack.enter_context(self._answering() if answers else self._recalling())
                return measures[answers](row)

            yield measure

    @contextlib.contextmanager
    def _answering(self) -> Iterator[Measure]:
        with beam_answers.answering(dict(self._messages())) as ask:
            yield lambda row: ask(row.data)

    @contextlib.contextmanager
    def _recalling(self) -> Iterator[Measure]:
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

    def _lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._questions.read_text(encoding="utf-8").splitlines()]

    def _messages(self) -> Iterator[tuple[int, list[Message]]]:
        """Each conversation's number and its messages, whose numbers are their places."""
        with gzip.open(self._conversations, "rt", encoding="utf-8") as file:
            for line in map(json.loads, file):
                yield line["id"], list(map(_message, line["turns"]))


def _message(turn: dict[str, Any]) -> Message:
    return Message(turn["role"] == "user", datetime.strptime(turn["date"], "%B-%d-%Y").date(), turn["text"])
