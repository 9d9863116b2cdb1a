"""What the tests of models share."""

import threading
from collections.abc import Iterator

import pytest

from tests.assistant.llm.openai_double import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()
