"""What graph searches share between turns, and for how long."""

import gc
import threading
import weakref

import numpy as np

from assistant.search.atlas import Atlas
from assistant.search.grounding import ground
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
