"""The whole product without its page, composed with a scripted model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from app import compose
from assistant.llm.client import Request
from assistant.llm.scripted import Scripted, ScriptedTransport, Weights
from assistant.orchestrator import Assistant
from assistant.settings import Settings


@pytest.fixture
def composed(home: Path) -> Iterator[Callable[..., Assistant]]:
    """`composed(replies)`: by purpose or in order; closed at the end of the test."""
    with ExitStack() as stack:

        def make(replies: Mapping[str, Sequence[Scripted]] | Sequence[Scripted], **more: str) -> Assistant:
            settings = Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off", **more})
            if isinstance(replies, Mapping):  # what a test does not say more of is asked, and follows
                understand = [*replies.get("understand", ()), *["en ask"] * 20]
                follows = [Weights({"yes": 1.0})] * 20
                usual = {
                    "standalone": [_as_it_stands] * 20,
                    "over": [Weights({"over": 1.0})] * 20,
                    "date": [""] * 40,
                }
                usual |= {"entailment": follows, "erase": follows, "address": [_last] * 20}
                usual |= {"earlier": [Weights({"no": 1.0})] * 20, "asks": [Weights({"yes": 1.0})] * 20}
                usual |= {"tells": follows, "facts": [Weights({"no": 1.0})] * 20}
                usual |= {"scope": [Weights({"all": 1.0})] * 20}
                replies = {**usual, **replies, "understand": understand}
            assistant = compose(settings, ScriptedTransport(replies))
            stack.callback(assistant.close)
            return assistant

        yield make


def _last(request: Request) -> str:
    return request.messages[-1].content


def _as_it_stands(request: Request) -> str:
    """The last message, for a question that needs no other words."""
    return request.messages[-1].content.rpartition("Last message")[2].partition(": ")[2].partition("\n")[0]
