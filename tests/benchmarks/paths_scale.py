"""How fast graphs are searched, and how much memory they take: FB15k-237, and 10 million synthetic edges.

A question names one entity and has five candidate answers, one of them two steps away, the others drawn at random. It
is timed from its text to its evidence, with its embedding; the model is not called. `cpu_ms` leaves out the time that
other processes took. `bytes_an_edge` is what the process grows by while the graph and the index of its names are made,
`load_seconds` how long that takes; `synthetic_` marks the large graph.
"""

import argparse
import contextlib
import gc
import gzip
import json
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad

from assistant.embedding import load_embedder
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import KnowledgeBase, Walkable
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.graph import Edge, Graph
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.checkpoint import SHIPPED, load
from assistant.search.graphs.graph_search import GraphSearch
from assistant.search.graphs.paths import PathSearch
from assistant.search.graphs.subgraph import SubgraphSearch
from assistant.settings import Settings
from assistant.types import Triple, Turn
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import percentile_95

_QUESTIONS = {"fb15k237": 200, "synthetic": 30}
_ENTITIES, _EDGES, _RELATIONS = 1_000_000, 10_000_000, 50
_CHOICES = 5


class PathsScale:
    """`paths-scale --data DIR`: DIR has `triples.tsv.gz` and `entities.json.gz` of FB15k-237."""

    name: ClassVar[str] = "paths-scale"
    metrics: ClassVar[dict[str, Metric]] = {
        f"{prefix}{strategy}_{unit}_p95": Metric(f"{prefix}{strategy}_{unit}", percentile_95)
        for prefix in ("", "synthetic_")
        for strategy in ("paths", "subgraph")
        for unit in ("ms", "cpu_ms")
    } | {
        f"{prefix}{score}": Metric(f"{prefix}{score}")
        for prefix in ("", "synthetic_")
        for score in ("bytes_an_edge", "load_seconds")
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """There are no options of its own."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._triples: Path = options.data / "triples.tsv.gz"
        self._entities: Path = options.data / "entities.json.gz"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._triples, self._entities]

    def rows(self) -> list[Row]:
        """A row for each loading, and one for each question."""
        loads = [Row(f"load {graph}", "load", {"graph": graph}) for graph in _QUESTIONS]
        asked = [(graph, number) for graph, count in _QUESTIONS.items() for number in range(count)]
        return loads + [Row(f"{graph} {n}", graph, {"graph": graph, "number": n}) for graph, n in asked]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"synthetic_edges": _EDGES, "synthetic_entities": _ENTITIES, "choices": _CHOICES}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each graph is loaded when the first row asks for it."""
        settings = Settings.from_environment()
        atlas = Atlas(load_embedder(settings.embeddings, settings.cache))
        atlas.trained.space.question("The embedding model is loaded before anything is timed.")
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:

            @cache
            def loaded(name: str) -> tuple[KnowledgeBase | Walkable, Outcome]:
                if name == "synthetic":
                    return _loaded(name, _Synthetic, atlas)
                build(Path(folder) / name, _quads(self._triples, self._entities), name)
                kb = Triples(name, Path(folder) / name)
                stack.callback(kb.close)
                return _loaded(name, lambda: kb, atlas)

            def measure(row: Row) -> Outcome:
                kb, load = loaded(row.data["graph"])
                return load if row.kind == "load" else _asked(kb, atlas, row)

            yield measure


class _Synthetic:
    """A graph whose entities have few or very many neighbours, as in real ones; names of two known words each."""

    name = "synthetic"

    def __init__(self) -> None:
        drawn = np.random.default_rng(0)
        words = load(SHIPPED).basis.words
        names = (f"{words[i % len(words)]} {words[(i // len(words) * 7 + i) % len(words)]}" for i in range(_ENTITIES))
        subjects = (drawn.random(_EDGES) ** 2 * _ENTITIES).astype(np.int32)
        objects = drawn.integers(0, _ENTITIES, _EDGES, np.int32)
        relations = drawn.integers(0, _RELATIONS, _EDGES, np.int32)
        self._graph = Graph(names, [f"relation {n}" for n in range(_RELATIONS)], (subjects, relations, objects))

    def graph(self) -> Graph:
        """See `Walkable.graph`."""
        return self._graph

    def stated(self, edges: Sequence[Edge], question: str) -> list[Triple]:
        """See `Walkable.stated`."""
        names, relations = self._graph.names, self._graph.relations
        return [Triple(names[e.subject], relations[e.relation], names[e.object], kb=self.name) for e in edges]


def _loaded(name: str, make: Callable[[], Any], atlas: Atlas) -> tuple[Any, Outcome]:
    gc.collect()
    before, start = _resident(), time.perf_counter()
    kb = make()
    terrain = atlas.terrain(kb)
    seconds = time.perf_counter() - start
    gc.collect()
    grown = _resident() - before
    _learned()
    prefix = "synthetic_" if name == "synthetic" else ""
    scores = {f"{prefix}bytes_an_edge": grown / terrain.graph.edges, f"{prefix}load_seconds": seconds}
    return kb, Outcome(scores)


def _asked(kb: Any, atlas: Atlas, row: Row) -> Outcome:
    graph = kb.graph()
    source, choices = _drawn(graph, random.Random(row.id))
    model = LanguageModel(ScriptedTransport([]))  # the choices are given, so that it is not asked
    scores: dict[str, float] = {}
    texts: dict[str, object] = {}
    searches: tuple[type[GraphSearch], ...] = (PathSearch, SubgraphSearch)
    for search in searches:
        prefix = ("synthetic_" if row.kind == "synthetic" else "") + search.name
        text = f"What do the {search.name} of {source} lead to?"  # each its own, since the embedder keeps questions
        turn = Turn(text, "me", "paths-scale", datetime.now(UTC), question=text, choices=choices)
        start, cpu = time.perf_counter(), time.thread_time()
        evidence = search(model, atlas).find(turn, [kb], lambda event: None, threading.Event())
        scores[f"{prefix}_ms"] = (time.perf_counter() - start) * 1000
        scores[f"{prefix}_cpu_ms"] = (time.thread_time() - cpu) * 1000
        _learned()
        texts[search.name] = [f"{e.subject} | {e.relation} | {e.object}" for e in evidence]
    return Outcome(scores, texts={"source": source, "choices": choices, **texts})


def _learned() -> None:
    """Wait until the words that were met are learned, as they are while an answer is written."""
    for thread in threading.enumerate():
        if thread.name == "words":
            thread.join()


def _drawn(graph: Graph, drawn: random.Random) -> tuple[str, tuple[str, ...]]:
    """The names of an entity and of its candidate answers."""
    source = drawn.randrange(len(graph))
    while not len(graph.neighbours(source).entities):
        source = drawn.randrange(len(graph))
    two_steps = source
    for _ in range(2):
        two_steps = int(drawn.choice(graph.neighbours(two_steps).entities))
    ends = [two_steps, *(drawn.randrange(len(graph)) for _ in range(_CHOICES - 1))]
    return graph.names[source], tuple(graph.names[end] for end in ends)


def _quads(triples: Path, entities: Path) -> Iterator[Quad]:
    graph, label = DefaultGraph(), NamedNode(rdf.LABEL)
    with gzip.open(entities, "rt", encoding="utf-8") as file:
        for key, entity in json.load(file).items():
            if entity["label"]:
                yield Quad(rdf.entity_node(key), label, Literal(entity["label"], language="en"), graph)
    with gzip.open(triples, "rt", encoding="utf-8") as file:
        for line in file:
            head, relation, tail = line.rstrip("\n").split("\t")
            yield Quad(rdf.entity_node(head), rdf.relation_node(relation), rdf.entity_node(tail), graph)


def _resident() -> int:
    """Bytes of this process in memory."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
