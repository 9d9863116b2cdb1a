"""What a search strategy is: a way to turn a question into evidence."""

from collections.abc import Callable, Sequence
from threading import Event as Signal
from typing import Protocol

from assistant.errors import Failure, KnowledgeBaseAway
from assistant.knowledge_bases.base import KnowledgeBase
from assistant.types import Event, Evidence, Failed, Turn

Emit = Callable[[Event], None]


def unreached(kb: str, failure: Failure) -> Failed:
    """What a turn reports of a knowledge base that did not answer."""
    return Failed("knowledge base", str(failure), isinstance(failure, KnowledgeBaseAway), knowledge_base=kb)


class SearchStrategy(Protocol):
    """One of program, sparql, subgraph, paths."""

    @property
    def name(self) -> str:
        """The name that `--strategy` takes."""

    def available(self, knowledge_bases: Sequence[KnowledgeBase]) -> bool:
        """Whether any of these knowledge bases can be searched this way."""

    def find(self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], emit: Emit, cancel: Signal) -> list[Evidence]:
        """Evidence for `turn.question`, best first, numbered from 1; calls `emit` as things happen.

        Raises:
            Interrupted: `cancel` was set.
            Failure: it cannot go on, and has found nothing.
        """
