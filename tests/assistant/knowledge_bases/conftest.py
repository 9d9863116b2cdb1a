"""Real servers on loopback: one that misbehaves as it is told, and real wikis."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.knowledge_bases.http import Http
from tests.assistant.knowledge_bases.loopback import LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    """A server of this test's own."""
    started = LoopbackServer()
    yield started
    started.close()


@pytest.fixture
def http(tmp_path: Path) -> Iterator[Http]:
    """The way out, with a contact set, so that no test waits for the pace of strangers."""
    client = Http("operator@example.org", tmp_path)
    yield client
    client.close()
