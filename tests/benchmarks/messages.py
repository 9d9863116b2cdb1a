"""Which messages of conversations are found for a question: by memory (as a turn looks, and with one look), by BM25,
by plain dense retrieval, and by the fusion of these two.

The conversations are uploaded as an assistant's export, and nothing is read out of them: no language model is needed.
All ways rank the very passages that memory cut them into, under their headings, so that only the ranking differs. A
passage holds a message where half of the passage, or half of the message, is in the other.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from memory.records.library import searched_text
from memory.types import Embedder, Recalled, Span
from memory.user_memory import UserMemory
from tests.benchmarks.graph_baselines import Bm25

FOUND = 10  # passages
WAYS = tuple(f"recall_at_{FOUND}{way}" for way in ("", "_one_look", "_bm25", "_dense", "_fused"))
_EXPORT = "conversations.json"  # as the file is called in such an export
_HITS = 24  # of recall, as many as a turn asks for
_RANKED = 100  # passages of each ranking that are fused
_DAMPING = 60  # of reciprocal rank fusion
_EMBEDDED_AT_ONCE = 128
_HELD = 0.5


@dataclass(frozen=True)
class Message:
    """What the user or the assistant said; on which day, where that is known."""

    by_user: bool
    day: date | None
    text: str


class Searches:
    """The ways of searching conversations; `texts` are the passages that they rank, with their headings."""

    def __init__(self, conversations: Sequence[Sequence[Message]], memory: UserMemory, embedder: Embedder) -> None:
        """The conversations are added to a memory that holds nothing else."""
        source = memory.add_document(_EXPORT, _export(conversations).encode())
        while memory.embed_waiting(_EMBEDDED_AT_ONCE):
            pass
        passages = memory.passages(source.id)
        self.texts = [searched_text(passage.heading, passage.text) for _, passage in passages]
        said = [message.text for messages in conversations for message in messages]
        spans = list(_places(memory.source_text(source.id), said))
        self._held = [{n for n, said in enumerate(spans) if _holds(passage.span, said)} for _, passage in passages]
        self._place = {passage_id: place for place, (passage_id, _) in enumerate(passages)}
        self._memory = memory
        self._embedder = embedder
        self._bm25 = Bm25(self.texts)
        self._vectors = embedder.passage(self.texts)

    def found(self, question: str) -> dict[str, list[int]]:
        """The places of the ten best passages by each way, best first."""
        dense = np.argsort(-(self._vectors @ self._embedder.query([question])[0]))[:_RANKED].tolist()
        by_words = self._bm25.best(question, _RANKED)
        further, one_look = self._memory.recall_further(question, _HITS), self._memory.recall(question, _HITS)
        ranked = (self._places(further), self._places(one_look), by_words, dense, _fused([by_words, dense]))
        return {way: places[:FOUND] for way, places in zip(WAYS, ranked, strict=True)}

    def recall_at_10(self, question: str, evidence: Iterable[int]) -> dict[str, float]:
        """The share of the messages of these numbers that the ten best passages by each way hold."""
        wanted = set(evidence)
        return {way: len(wanted & self.held(places)) / len(wanted) for way, places in self.found(question).items()}

    def by_bm25(self, question: str) -> list[str]:
        """The passages that BM25 ranks first, best first, with their headings."""
        return [self.texts[place] for place in self._bm25.best(question, FOUND)]

    def held(self, places: Iterable[int]) -> set[int]:
        """The numbers of the messages that the passages at these places hold."""
        return set[int]().union(*(self._held[place] for place in places))

    def _places(self, hits: Sequence[Recalled]) -> list[int]:
        return [self._place[hit.id] for hit in hits]


def _export(conversations: Sequence[Sequence[Message]]) -> str:
    """The conversations as Claude exports them; they have no title, and no time of day is known."""
    return json.dumps([{"name": "", "chat_messages": list(map(_exported, messages))} for messages in conversations])


def _exported(message: Message) -> dict[str, str]:
    day = message.day.isoformat() if message.day else ""
    return {"sender": "human" if message.by_user else "assistant", "created_at": day, "text": message.text}


def _places(text: str, messages: Sequence[str]) -> Iterator[Span]:
    """Where the messages stand in a text, one after the other, whatever space is in them.

    Raises:
        ValueError: one of them does not.
    """
    signs, packed = [place for place, sign in enumerate(text) if not sign.isspace()], "".join(text.split())
    after = 0
    for message in messages:
        said = "".join(message.split())
        first = packed.index(said, after)
        after = first + len(said)
        yield Span(signs[first], signs[after - 1] + 1)


def _holds(passage: Span, message: Span) -> bool:
    common = min(passage.end, message.end) - max(passage.start, message.start)
    return common >= _HELD * min(passage.end - passage.start, message.end - message.start)


def _fused(rankings: Iterable[Sequence[int]]) -> list[int]:
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, place in enumerate(ranking, 1):
            scores[place] += 1 / (_DAMPING + rank)
    return sorted(scores, key=lambda place: -scores[place])
