"""Multiple-choice questions over a graph: KnowGPT's Tables 1, 3 and 4.

`--split train` logs the reward of every arm, each strategy with triples and with sentences, on training questions. On
the test questions, `--rewards` names that log: the format of each strategy is the one that was right more often there,
and the bandit is the one of the product, replayed over the log in the order of its rows and then frozen. Some rows are
also asked with the graph described by the model.

`none` has no graph; `best_arm` is the single arm that was right most often on the training questions. `gain_x` is x
minus `none` on the same row, so that its interval is that of a paired test.

How near the options lie is read off the graph, neither by what a search picks nor by which option is right: `grounded`
is the share of options that have an entity, `reached` of those that the question names or a path of at most three
triples reaches, `near` of those with a path of at most two. A row is `connected` where every option has such a path.
"""

import argparse
import contextlib
import csv
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from assistant.answering import multiple_choice
from assistant.embedding import load_embedder
from assistant.knowledge_bases.base import Walkable
from assistant.orchestrator import Assistant
from assistant.search.bandit import Arm, Bandit, one
from assistant.search.choosing import Choosing
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.terrain import Terrain
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.nearness import nearness
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import gain, mean

STRATEGIES = ("subgraph", "paths")
ARMS = tuple(Arm(strategy, format) for strategy in STRATEGIES for format in ("triples", "sentences"))
DESCRIBED = tuple(Arm(strategy, "description") for strategy in STRATEGIES)
_CHOSEN = (*STRATEGIES, "bandit")
_GAINS = {f"gain_{name}": (name, "none") for name in _CHOSEN} | {
    "gain_paths_over_subgraph": ("paths", "subgraph"),
    "gain_bandit_over_best_arm": ("bandit", "best_arm"),
}
_SCORES = ("none", *(f"{a.strategy}_{a.format}" for a in (*ARMS, *DESCRIBED)), *_CHOSEN, "best_arm", *_GAINS)
_GRAPH = "graph"
_PLACES = ("grounded", "reached", "near", "connected")
TRAINING_ROWS = 200


@dataclass(frozen=True)
class Question:
    """One multiple-choice question; `right` is the index of the right option."""

    id: str
    text: str
    options: tuple[str, ...]
    right: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Question":
        """From a line as CommonsenseQA and OpenBookQA have it."""
        asked = row["question"]
        labels = [choice["label"] for choice in asked["choices"]]
        options = tuple(choice["text"] for choice in asked["choices"])
        return cls(row["id"], asked["stem"], options, labels.index(row["answerKey"]))


class Choices(ABC):
    """What the data sets have in common."""

    name: ClassVar[str]
    described: ClassVar[float]  # the share of rows that are also asked with the graph described
    test_rows: ClassVar[int]
    metrics: ClassVar[dict[str, Metric]] = {
        (score if score in _GAINS else f"accuracy_{score}") + suffix: Metric(
            score + suffix, gain if score in _GAINS else mean
        )
        for score in _SCORES
        for suffix in ("", "_connected")
    } | {score: Metric(score) for score in _PLACES}

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of these benchmarks."""
        parser.add_argument("--split", choices=["train", "test"], default="test")
        parser.add_argument("--rewards", type=Path, help="the .rows.csv of a run with --split train")

    def __init__(self, options: argparse.Namespace) -> None:
        self._data: Path = options.data
        self._split: str = options.split
        self._rewards: Path | None = options.rewards
        if options.limit is None:
            options.limit = TRAINING_ROWS if self._split == "train" else self.test_rows

    @abstractmethod
    def questions(self, split: str) -> Iterable[Question]:
        """Those of "train" or "test"."""

    @abstractmethod
    def question_files(self) -> list[Path]:
        """Where they are from."""

    @abstractmethod
    def graph_file(self) -> Path:
        """The graph's triples."""

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [*self.question_files(), self.graph_file(), *([self._rewards] if self._rewards else [])]

    def rows(self) -> list[Row]:
        """One row a question; those to be described are a kind of their own, so that each draw has its share."""
        questions = {question.id: question for question in self.questions(self._split)}
        shuffled = sorted(questions, key=lambda id_: hashlib.sha256(id_.encode()).digest())
        described = set(shuffled[: round(self.described * len(shuffled))]) if self._split == "test" else set()
        return [
            Row(question.id, "described" if question.id in described else "plain", {"question": question})
            for question in questions.values()
        ]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name(), "split": self._split}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Turns of someone who named this graph, a strategy and a format."""
        with product.assistant() as assistant:
            assistant.knowledge_bases.add(_GRAPH, self.graph_file())
            log = self._log(assistant.choosing) if self._rewards else None
            terrain = terrain_of(assistant)
            yield lambda row: ask(assistant, terrain, row.data["question"], log, described=row.kind == "described")

    def _log(self, choosing: Choosing) -> "Log":
        assert self._rewards
        return Log(self._rewards, {question.id: question.text for question in self.questions("train")}, choosing)


class Log:
    """The rewards of every arm on training questions, and what is learned from them."""

    def __init__(self, file: Path, texts: Mapping[str, str], choosing: Choosing) -> None:
        """`file` is the rows of a run over training questions, whose texts are in `texts` by their ids."""
        with file.open(encoding="utf-8", newline="") as opened:
            self._lines = list(csv.DictReader(opened))
        self._texts = texts
        self._choosing = choosing

    def best(self, arms: Sequence[Arm]) -> Arm:
        """The arm that was right most often; of several such the first."""
        return max(arms, key=lambda arm: sum(self._reward(line, arm) for line in self._lines))

    def chosen(self, question: str) -> Arm:
        """The arm that the frozen bandit plays."""
        return self._bandit.choose(self._choosing.context(question), ARMS, exploring=False)

    @cached_property
    def _bandit(self) -> Bandit:
        bandit = self._choosing.fresh()
        for line in self._lines:
            context = self._choosing.context(self._texts[line["row"]])
            arm = bandit.choose(context, ARMS)
            bandit.learn(arm, one(context, self._reward(line, arm)))
        return bandit

    def _reward(self, line: Mapping[str, str], arm: Arm) -> float:
        return float(line[f"{arm.strategy}_{arm.format}"])


def terrain_of(assistant: Assistant) -> Terrain:
    """The graph as the assistant's searches see it."""
    settings = assistant.settings
    [kb] = assistant.knowledge_bases.choose("choices", "en", (_GRAPH,))
    assert isinstance(kb, Walkable)
    return Terrain.of(kb.graph(), Atlas(load_embedder(settings.embeddings, settings.cache)).trained.space)


def ask(assistant: Assistant, terrain: Terrain, question: Question, log: Log | None, *, described: bool) -> Outcome:
    """All scores of one question."""
    with assistant.model.for_turn(lambda: False) as alone:
        weights = multiple_choice.weigh(alone, question.text, question.options, "")
    right = {"none": float(weights.index(max(weights)) == question.right)}
    texts: dict[str, object] = {"question": question.text, "options": question.options, "right": question.right}
    usage = alone.usage.total
    turn = replace(product.turn(question.text, "choices"), question=question.text, choices=question.options)
    near = nearness(terrain, turn)
    for arm in (*ARMS, *(DESCRIBED if described else ())):
        asked = replace(turn, question="", knowledge_bases=(_GRAPH,), strategy=arm.strategy, format=arm.format)
        answered = product.answered(assistant, asked)
        right[f"{arm.strategy}_{arm.format}"] = float(answered.answer == question.options[question.right])
        texts[f"{arm.strategy}_{arm.format}"] = answered.answer
        texts[f"{arm.strategy}_evidence"] = [f"{e.subject} | {e.relation} | {e.object}" for e in answered.evidence]
        usage = usage + answered.usage
    scores = with_gains(right | (_by_log(log, question.text, right) if log else {}))
    if near.connected == 1:
        scores |= {f"{name}_connected": score for name, score in scores.items()}
    places = (near.grounded, near.reached, near.connected, float(near.connected == 1))
    return Outcome(scores | dict(zip(_PLACES, places, strict=True)), usage, texts)


def _by_log(log: Log, question: str, right: Mapping[str, float]) -> dict[str, float]:
    """What the training questions choose for this one."""
    arms = {s: log.best([arm for arm in ARMS if arm.strategy == s]) for s in STRATEGIES}
    arms |= {"bandit": log.chosen(question), "best_arm": log.best(ARMS)}
    return {name: right[f"{arm.strategy}_{arm.format}"] for name, arm in arms.items()}


def with_gains(scores: Mapping[str, float]) -> dict[str, float]:
    """The scores, and the differences of those that are there."""
    gains = {
        name: scores[better] - scores[worse]
        for name, (better, worse) in _GAINS.items()
        if better in scores and worse in scores
    }
    return {**scores, **gains}
