"""Homes and embedding models for the memory's tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.embedding import load_embedder
from memory.store import Memory
from memory.types import Embedder
from tests.memory.samples import WordEmbedder


@pytest.fixture(scope="session")
def e5(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """The real embedding model, loaded once."""
    return load_embedder("", tmp_path_factory.mktemp("embeddings"))


@pytest.fixture
def open_memory(home: Path) -> Iterator[Callable[..., Memory]]:
    """Opens the test's home: `open_memory()` again is a restart, with another embedder too."""
    opened: list[Memory] = []

    def open_(embedder: Embedder | None = None) -> Memory:
        for memory in opened:
            memory.close()
        opened.append(Memory(home, embedder or WordEmbedder()))
        return opened[-1]

    yield open_
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: Callable[..., Memory]) -> Memory:
    """An empty memory."""
    return open_memory()
