"""What graph searches share between turns, and for how long."""

import gc
import sqlite3
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from assistant.errors import Interrupted, KnowledgeBaseUnreachable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.subgraph import SubgraphSearch
from memory.types import Vectors
from tests.assistant.search.graphs.toys import TOWN, GraphBase, question
from tests.memory.samples import WordEmbedder


def wait_for_words() -> None:
    for thread in threading.enumerate():
        if thread.name == "words":
            thread.join()


def test_a_terrain_is_made_once_and_goes_with_its_graph() -> None:
    atlas = Atlas(WordEmbedder(size=128))
    base = GraphBase("town", TOWN)
    graph = weakref.ref(base.graph())
    assert atlas.terrain(base) is atlas.terrain(base)
    wait_for_words()
    del base
    gc.collect()
    assert graph() is None


class SlowEmbedder(WordEmbedder):
    """Takes as long for the word "slow" as `go` is not set."""

    def __init__(self) -> None:
        super().__init__(size=128)
        self.go, self.asked = threading.Event(), threading.Event()

    def passage(self, texts: Sequence[str]) -> Vectors:
        if "slow" in texts:
            self.asked.set()
            self.go.wait(10)
        return super().passage(texts)


def test_a_graph_that_is_made_ready_holds_up_neither_other_graphs_nor_a_stop() -> None:
    embedder, cancel = SlowEmbedder(), threading.Event()
    atlas, slow = Atlas(embedder), GraphBase("slow", [("door", "slow", "bank")])
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(atlas.terrain, slow, cancel)
        assert embedder.asked.wait(10)
        assert len(atlas.terrain(GraphBase("town", TOWN)).concepts.spellings) > 5
        assert not waiting.done()
        cancel.set()
        with pytest.raises(Interrupted):
            waiting.result(5)
        embedder.go.set()
        assert atlas.terrain(slow).graph is slow.graph(), "what was begun is kept"


def test_a_graph_that_cannot_be_read_is_told() -> None:
    base = GraphBase("town", TOWN)
    base.graph = lambda: _raise(KnowledgeBaseUnreachable("town", "It is gone."))  # type: ignore[method-assign]
    with pytest.raises(KnowledgeBaseUnreachable):
        Atlas(WordEmbedder(size=128)).terrain(base, threading.Event())


def _raise(error: Exception) -> NoReturn:
    raise error


class RecordingEmbedder(WordEmbedder):
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__(size=128)
        self.asked: set[str] = set()

    def passage(self, texts: Sequence[str]) -> Vectors:
        self.asked.update(texts)
        return super().passage(texts)


@pytest.mark.parametrize(("name", "again"), [("town", False), ("personal", True)])
def test_words_are_kept_for_a_restart_but_for_personal_ones(tmp_path: Path, name: str, again: bool) -> None:
    vectors = []
    for restart in (False, True):
        embedder = RecordingEmbedder()
        terrain = Atlas(embedder, tmp_path).terrain(GraphBase(name, TOWN))
        wait_for_words()
        vectors.append(terrain.entities(np.arange(len(terrain.graph), dtype=np.int32)))
        assert ({"unicorn", "myth"} <= embedder.asked) == (again or not restart)
    assert np.linalg.norm(vectors[0], axis=1).all()
    assert vectors[1] == pytest.approx(vectors[0], abs=1e-5)
    assert (tmp_path / "vectors.db").exists() == (not again)


def test_where_words_cannot_be_kept_they_are_learned_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "vectors.db").write_bytes(b"no database at all" * 100)
    terrain = Atlas(WordEmbedder(size=128), tmp_path).terrain(GraphBase("town", TOWN))
    wait_for_words()
    assert np.linalg.norm(terrain.entities([0, 1, 2]), axis=1).all()


def test_rare_words_are_learned_where_a_search_meets_them(tmp_path: Path) -> None:
    ring = [(f"rare{n}", "next to", f"rare{(n + 1) % 3000}") for n in range(3000)]
    base, atlas = GraphBase("ring", ring), Atlas(WordEmbedder(size=128), tmp_path)
    terrain = atlas.terrain(base)
    wait_for_words()
    names = list(terrain.graph.names)
    kept = vectors_kept(tmp_path)
    met = [names.index(f"rare{n}") for n in (2799, 2800, 2801, 2900, 2901)]
    assert not terrain.entities(met).any(), "there are too many to learn all"
    model = LanguageModel(ScriptedTransport([]))
    turn = question("What is rare2800?", "rare2900")
    SubgraphSearch(model, atlas).find(turn, [base], lambda event: None, threading.Event())
    wait_for_words()
    assert terrain.entities(met).any(axis=1).all()
    lengths = np.linalg.norm(terrain.entities(np.arange(len(names), dtype=np.int32)), axis=1)
    assert (lengths > 0).sum() == 2000 + 6, "and no others"
    assert vectors_kept(tmp_path) == kept == 2000, "what was asked is not to be told by them"


def vectors_kept(home: Path) -> int:
    with sqlite3.connect(home / "vectors.db") as database:
        return int(database.execute("SELECT count(*) FROM vector").fetchone()[0])
