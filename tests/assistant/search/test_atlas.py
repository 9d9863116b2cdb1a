"""What graph searches share between turns, and for how long."""

import gc
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn

import numpy as np
import pytest

from assistant.errors import Interrupted, KnowledgeBaseUnreachable
from assistant.search.atlas import Atlas
from assistant.search.grounding import ground
from memory.types import Vectors
from tests.assistant.search.graphs import TOWN, GraphBase, question
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
        assert len(atlas.terrain(GraphBase("town", TOWN)).concepts.stems) > 5
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


def test_rare_words_are_learned_where_a_search_meets_them_and_kept() -> None:
    ring = [(f"rare{n}", "next to", f"rare{(n + 1) % 3000}") for n in range(3000)]
    base, atlas = GraphBase("ring", ring), Atlas(WordEmbedder(size=128))
    terrain = atlas.terrain(base)
    wait_for_words()
    names = list(terrain.graph.names)
    met = [names.index(f"rare{n}") for n in (2799, 2800, 2801, 2900, 2901)]
    assert not terrain.entities(met).any(), "there are too many to learn all"
    ground(terrain, question("What is rare2800?", "rare2900"), lambda: ["rare2900"])
    wait_for_words()
    assert terrain.entities(met).any(axis=1).all()
    lengths = np.linalg.norm(terrain.entities(np.arange(len(names), dtype=np.int32)), axis=1)
    assert (lengths > 0).sum() == 2000 + 6, "and no others"
