"""The whole product without its page, composed with a scripted model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from app import compose
from assistant.llm.scripted import Scripted, ScriptedTransport
from assistant.orchestrator import Assistant
from assistant.settings import Settings


@pytest.fixture
def composed(home: Path) -> Iterator[Callable[..., Assistant]]:
    """`composed(replies)`: by purpose or in order; closed at the end of the test."""
    with ExitStack() as stack:

        def make(replies: Mapping[str, Sequence[Scripted]] | Sequence[Scripted], **more: str) -> Assistant:
            settings = Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off", **more})
            if isinstance(replies, Mapping):  # what a test does not say more of is asked
                replies = {**replies, "understand": [*replies.get("understand", ()), *["en ask"] * 20]}
            assistant = compose(settings, ScriptedTransport(replies))
            stack.callback(assistant.close)
            return assistant

        yield make
