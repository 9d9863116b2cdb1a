"""PersonaMem: what suits a user best of four replies, by what 95 sessions with an assistant told of 18 users.

150 of the 266 questions. `accuracy`: a turn with the replies as choices, where memory holds the sessions of the user,
uploaded as an assistant's export, and nothing was read out of them. `accuracy_hybrid`: the same choice by the passages
that the fusion of BM25 and dense retrieval ranks first, as many as a turn reads. `accuracy_no_memory`: without any.
"""

import argparse
import contextlib
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from assistant.answering import multiple_choice
from assistant.orchestrator import Assistant
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.messages import Message, Searches
from tests.benchmarks.paragraphs import KeptEmbedder
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import gain

_ASKED = 150
_READ = 4  # passages
_WAYS = ("accuracy", "accuracy_hybrid", "accuracy_no_memory")
_FUSED = "recall_at_10_fused"
_TURN = re.compile(r"^\[(SYSTEM|USER|ASSISTANT)\] (?:User: |Assistant: )?", re.MULTILINE)
_OPTION = re.compile(r"\n\([a-z]\) ")
_WHO = re.compile(r"\A(?:User: .{1,60}\n\n)?(?:User: )?")


@dataclass(frozen=True)
class _Asked:
    """What a user says, four replies, and which of them is right."""

    text: str
    options: tuple[str, ...]
    right: int

    @classmethod
    def of(cls, line: dict[str, Any]) -> "_Asked":
        text, *options = map(str.strip, _OPTION.split(line["question"]))
        return cls(_WHO.sub("", text), tuple(options), ord(line["answer"]) - ord("a"))


class PersonaMem:
    """`personamem`."""

    name: ClassVar[str] = "personamem"
    metrics: ClassVar[dict[str, Metric]] = {
        **{way: Metric(way) for way in _WAYS},
        "gain": Metric("gain", gain),
        "gain_over_hybrid": Metric("gain_over_hybrid", gain),
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """It has no options of its own."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._questions: Path = options.data / "questions.jsonl"
        self._conversations: Path = options.data / "conversations.jsonl.gz"
        if options.limit is None:
            options.limit = _ASKED

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._questions, self._conversations]

    def rows(self) -> list[Row]:
        """One row a question; its kind is what it tries."""
        lines = [json.loads(line) for line in self._questions.read_text(encoding="utf-8").splitlines()]
        return [Row(line["id"], line["kind"], line) for line in lines]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each user's sessions are brought with their first question."""
        with gzip.open(self._conversations, "rt", encoding="utf-8") as file:
            sessions = {line["id"]: _messages(line["text"]) for line in map(json.loads, file)}
        embedder, brought = KeptEmbedder(), dict[str, Searches]()
        with product.assistant() as assistant:

            def measure(row: Row) -> Outcome:
                user = row.data["user"]
                if user not in brought:
                    said = [sessions[id_] for id_ in row.data["conversations"]]
                    brought[user] = Searches(said, assistant.memory.of(user), embedder)
                return _asked(assistant, brought[user], user, _Asked.of(dict(row.data)))

            yield measure


def _asked(assistant: Assistant, searches: Searches, user: str, asked: _Asked) -> Outcome:
    turn = replace(product.turn(asked.text, user), choices=asked.options)
    reply = product.answered(assistant, turn)
    fused = searches.found(asked.text)[_FUSED][:_READ]
    passages = "\n".join(f"[{number}] {searches.texts[place]}" for number, place in enumerate(fused, 1))
    chosen = {
        "accuracy": reply.answer,
        "accuracy_hybrid": _best(assistant, asked, passages),
        "accuracy_no_memory": _best(assistant, asked, ""),
    }
    scores = {way: float(option == asked.options[asked.right]) for way, option in chosen.items()}
    scores["gain"] = scores["accuracy"] - scores["accuracy_no_memory"]
    scores["gain_over_hybrid"] = scores["accuracy"] - scores["accuracy_hybrid"]
    evidence = [f"{item.relation} | {item.object} | {item.text}" for item in reply.evidence]
    texts = {"text": asked.text, "options": asked.options, "right": asked.right, "chosen": chosen}
    return Outcome(scores, reply.usage, texts | {"evidence": evidence, "program": reply.program, "fused": passages})


def _best(assistant: Assistant, asked: _Asked, knowledge: str) -> str:
    weights = multiple_choice.weigh(assistant.model, asked.text, asked.options, knowledge)
    return asked.options[weights.index(max(weights))]


def _messages(text: str) -> list[Message]:
    """What a session's text says, but for what the assistant was told beforehand."""
    _, *parts = _TURN.split(text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [Message(who == "USER", None, said.strip()) for who, said in pairs if who != "SYSTEM"]
