"""Learned paths against others on the same pairs of entities: what the policy adds to what is so by construction.

The pairs are those of questions of CommonsenseQA's in-house test on ConceptNet: the entities of the text with those of
each candidate answer (the gold answer is not looked at). `policy` is the most rewarding walk of the beam, `uniform`
that of the same beam with a policy that finds all actions equally probable. Both beams are guided by exact distances,
so that they miss next to nothing that can be reached. `shortest` is the first path of breadth-first search,
`best_shortest` the most rewarding one of several such, and `random` is not guided.

`reached` is the share of pairs that a path of at most three steps joins, `length` the mean of its steps, `relatedness`
the cosine of the whole path with the question (equation 3), `reward` what the policy was trained for; the last three
are over the pairs that the way in question reaches.
"""

import argparse
import contextlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from assistant.embedding import load_embedder
from assistant.knowledge_bases.graph import Edge
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.distances import STEPS
from assistant.search.graphs.grounding import ground
from assistant.search.graphs.paths import walk_on
from assistant.search.graphs.terrain import Terrain
from assistant.search.graphs.training.data import read_graph
from assistant.search.graphs.walks import Goal, Rewards, Walk, goal, start
from assistant.settings import Settings
from assistant.types import Turn
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row

_WAYS = ("policy", "uniform", "best_shortest", "shortest", "random")
_SCORES = ("reached", "length", "relatedness", "reward")
_SOURCES = 3  # of a question, one entity each
_SHORTEST = 16  # paths of one pair

Path_ = tuple[Edge, ...]


class Paths:
    """`paths --data DIR`: DIR has `conceptnet/` and `commonsenseqa/`; 200 questions by default."""

    name: ClassVar[str] = "paths"
    metrics: ClassVar[dict[str, Metric]] = {
        f"{score}_{way}": Metric(f"{score}_{way}") for score in _SCORES for way in _WAYS
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
    uniform = replace(trained.policy, out=np.zeros_like(trained.policy.out))
    turn = _turn(row)
    grounded = ground(terrain, turn, lambda: turn.choices)
    drawn = random.Random(row.id)
    found: dict[str, list[Walk | None]] = {way: [] for way in _WAYS}
    for target in grounded.targets:
        to = goal(terrain, target.entities, grounded.context)
        for source in [concept.entities[0] for concept in grounded.sources[:_SOURCES]]:
            if source in to.entities:
                continue
            begin = start(terrain, to, source)
            shortest = [_along(terrain, begin, path) for path in islice(_shortest(terrain, to, source), _SHORTEST)]
            wandered = _random(terrain, to, source, drawn)
            found["policy"].append(_best(trained.rewards, walk_on(terrain, trained.policy, [begin])))
            found["uniform"].append(_best(trained.rewards, walk_on(terrain, uniform, [begin])))
            found["best_shortest"].append(_best(trained.rewards, shortest))
            found["shortest"].append(shortest[0] if shortest else None)
            found["random"].append(_along(terrain, begin, wandered) if wandered else None)
    scores: dict[str, float] = {}
    for way, walks in found.items():
        joined = [walk for walk in walks if walk]
        if walks:
            scores[f"reached_{way}"] = len(joined) / len(walks)
        if joined:
            scores[f"length_{way}"] = float(np.mean([len(walk.edges) for walk in joined]))
            scores[f"relatedness_{way}"] = float(np.mean([walk.cosines[-1] for walk in joined]))
            scores[f"reward_{way}"] = float(np.mean([trained.rewards.of(walk) for walk in joined]))
    return Outcome(scores, texts={"question": turn.question, "pairs": len(found["policy"])})


def _best(rewards: Rewards, walks: Sequence[Walk]) -> Walk | None:
    return max(walks, key=rewards.of, default=None)


def _turn(row: Row) -> Turn:
    turn = product.turn(row.data["stem"], "paths")
    choices = tuple(choice["text"] for choice in row.data["choices"])
    return Turn(turn.text, turn.user, turn.session, turn.at, question=turn.text, choices=choices)


def _shortest(terrain: Terrain, to: Goal, source: int) -> Iterator[Path_]:
    """All shortest paths of at most `STEPS`, in the order of the edges."""

    def onward(here: int, left: int) -> Iterator[Path_]:
        if not left:
            yield ()
            return
        near = terrain.graph.neighbours(here)
        for place in np.flatnonzero(to.distances.of(near.entities) == left - 1).tolist():
            for rest in onward(int(near.entities[place]), left - 1):
                yield (near.edge(place), *rest)

    steps = to.distances.from_source(source)
    return onward(source, steps) if steps <= STEPS else iter(())


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


def _along(terrain: Terrain, walk: Walk, path: Path_) -> Walk:
    """The walk gone on along a path."""
    for edge in path:
        entity = edge.object if edge.subject == walk.entities[-1] else edge.subject
        total = walk.total + terrain.relations[edge.relation] + terrain.entities([entity])[0]
        cosine = float(terrain.related(total, walk.goal.context))
        walk = replace(
            walk,
            entities=(*walk.entities, entity),
            total=total,
            edges=(*walk.edges, edge),
            cosines=(*walk.cosines, cosine),
        )
    return walk
