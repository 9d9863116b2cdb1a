"""Learned paths against breadth-first shortest paths and random walks, on the same pairs of entities.

The pairs are those of questions of CommonsenseQA's in-house test on ConceptNet: the entities of the text with those of
each candidate answer (the gold answer is not looked at). `reached` is the share of pairs that a path of at most three
steps joins, `length` the mean of its steps, `relatedness` the cosine of the whole path with the question (equation 3);
the last two are over the pairs that the way in question reaches.
"""

import argparse
import contextlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from assistant.embedding import load_embedder
from assistant.knowledge_bases.graph import Edge
from assistant.search.atlas import Atlas
from assistant.search.grounding import ground
from assistant.search.paths import walk_on
from assistant.search.terrain import Terrain
from assistant.search.training.data import read_graph
from assistant.search.walks import STEPS, Goal, goal, in_reach, start
from assistant.settings import Settings
from assistant.types import Turn
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row

_WAYS = ("policy", "shortest", "random")
_SOURCES = 3  # of a question, one entity each

Path_ = tuple[Edge, ...]


class Paths:
    """`paths --data DIR`: DIR has `conceptnet/` and `commonsenseqa/`; 200 questions by default."""

    name: ClassVar[str] = "paths"
    metrics: ClassVar[dict[str, Metric]] = {
        f"{score}_{way}": Metric(f"{score}_{way}") for score in ("reached", "length", "relatedness") for way in _WAYS
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.set_defaults(limit=200)

    def __init__(self, options: argparse.Namespace) -> None:
        self._graph: Path = options.data / "conceptnet" / "triples.txt.gz"
        self._questions: Path = options.data / "commonsenseqa" / "train.jsonl"
        self._training_ids: Path = options.data / "commonsenseqa" / "inhouse_train_qids.txt"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._graph, self._questions, self._training_ids]

    def rows(self) -> list[Row]:
        """One row a question of the in-house test."""
        training = set(self._training_ids.read_text(encoding="utf-8").split())
        lines = map(json.loads, self._questions.read_text(encoding="utf-8").splitlines())
        return [Row(line["id"], "question", line["question"]) for line in lines if line["id"] not in training]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"steps": STEPS, "sources": _SOURCES}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """The graph alone is searched; no model is called."""
        settings = Settings.from_environment()
        atlas = Atlas(load_embedder(settings.embeddings, settings.cache))
        terrain = Terrain.of(read_graph(self._graph), atlas.trained.space)
        yield lambda row: _measure(atlas, terrain, row)


def _measure(atlas: Atlas, terrain: Terrain, row: Row) -> Outcome:
    trained = atlas.trained
    assert trained.policy is not None, trained.trouble
    turn = _turn(row)
    grounded = ground(terrain, turn, lambda: turn.choices)
    drawn = random.Random(row.id)
    found: dict[str, list[tuple[int, Path_ | None]]] = {way: [] for way in _WAYS}
    for target in grounded.targets:
        to = goal(terrain, target.entities, grounded.context)
        for source in [concept.entities[0] for concept in grounded.sources[:_SOURCES]]:
            if source in to.entities:
                continue
            walks = walk_on(terrain, trained.policy, [start(terrain, to, source)])
            best = max(walks, key=trained.rewards.of, default=None)
            found["policy"].append((source, best.edges if best else None))
            found["shortest"].append((source, _shortest(terrain, to, source)))
            found["random"].append((source, _random(terrain, to, source, drawn)))
    scores: dict[str, float] = {}
    for way, paths in found.items():
        joined = [(source, path) for source, path in paths if path]
        if paths:
            scores[f"reached_{way}"] = len(joined) / len(paths)
        if joined:
            scores[f"length_{way}"] = float(np.mean([len(path) for _, path in joined]))
            related = [_relatedness(terrain, source, path, grounded.context) for source, path in joined]
            scores[f"relatedness_{way}"] = float(np.mean(related))
    return Outcome(scores, texts={"question": turn.question, "pairs": len(found["policy"])})


def _turn(row: Row) -> Turn:
    turn = product.turn(row.data["stem"], "paths")
    choices = tuple(choice["text"] for choice in row.data["choices"])
    return Turn(turn.text, turn.user, turn.session, turn.at, question=turn.text, choices=choices)


def _shortest(terrain: Terrain, to: Goal, source: int) -> Path_ | None:
    """The first shortest path, as breadth-first search finds it."""
    path: list[Edge] = []
    here = source
    for left in range(in_reach(terrain.graph, to, source), 0, -1):
        if left > STEPS:
            return None
        near = terrain.graph.neighbours(here)
        nearer = int(np.flatnonzero(to.distances[near.entities] == left - 1)[0])
        path.append(near.edge(nearer))
        here = int(near.entities[nearer])
    return tuple(path)


def _random(terrain: Terrain, to: Goal, source: int, drawn: random.Random) -> Path_ | None:
    """A walk to neighbours that it has not been to, until it is at the target."""
    path: list[Edge] = []
    been = [source]
    for _ in range(STEPS):
        near = terrain.graph.neighbours(been[-1])
        new = np.flatnonzero(~np.isin(near.entities, been))
        if not len(new):
            return None
        taken = int(drawn.choice(new.tolist()))
        path.append(near.edge(taken))
        been.append(int(near.entities[taken]))
        if been[-1] in to.entities:
            return tuple(path)
    return None


def _relatedness(terrain: Terrain, source: int, path: Sequence[Edge], context: "np.ndarray[Any, Any]") -> float:
    entities = [source]
    for edge in path:
        entities.append(edge.object if edge.subject == entities[-1] else edge.subject)
    total = terrain.entities(entities).sum(axis=0) + terrain.relations[[edge.relation for edge in path]].sum(axis=0)
    return float(terrain.related(total, context))
