"""What graph searches share between turns, and for how long."""

import gc
import threading
import weakref

from assistant.search.atlas import Atlas
from tests.assistant.search.graphs import TOWN, GraphBase
from tests.memory.samples import WordEmbedder


def test_a_terrain_is_made_once_and_goes_with_its_graph() -> None:
    atlas = Atlas(WordEmbedder(size=128))
    base = GraphBase("town", TOWN)
    graph = weakref.ref(base.graph())
    assert atlas.terrain(base) is atlas.terrain(base)
    for thread in threading.enumerate():
        if thread.name == "words":
            thread.join()
    del base
    gc.collect()
    assert graph() is None
