"""Which paragraphs of a corpus are found for a question: by memory (as a turn looks, and with one look), by BM25 and by
plain dense retrieval.

Memory holds each paragraph as a document of its own, and nothing was read out of them: no language model is needed.
"""

import contextlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.embedding import load_embedder
from assistant.search.vector_cache import VectorCache
from assistant.settings import Settings
from memory.store import Memory
from memory.types import Embedder, Recalled, Vectors
from memory.user_memory import UserMemory
from tests.benchmarks.graph_baselines import Bm25
from tests.benchmarks.harness import CACHE
from tests.benchmarks.rows import Outcome

FOUND = 5  # paragraphs
_WAYS = ("recall_at_5", "recall_at_5_one_look", "recall_at_5_bm25", "recall_at_5_dense")
_UNTUNED = "_untuned"
SCORES = (*_WAYS, *(f"{name}{_UNTUNED}" for name in _WAYS))
_HITS = 25  # of recall; several may lie in one paragraph
_USER = "reader"


@dataclass(frozen=True)
class Paragraph:
    """A paragraph under its title."""

    title: str
    text: str

    @property
    def whole(self) -> str:
        """Title and text, as both baselines see it."""
        return f"{self.title}\n{self.text}"

    @property
    def document(self) -> str:
        """As a file in Markdown."""
        return f"# {self.title}\n\n{self.text}"


class KeptEmbedder:
    """The product's embedding model; what it made of passages is kept in the benchmarks' cache."""

    def __init__(self) -> None:
        settings = Settings.from_environment()
        self._model = load_embedder(settings.embeddings, settings.cache)
        self._kept = VectorCache(CACHE, _Passages(self._model))
        self.name = self._model.name
        self.size = self._model.size

    def query(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return self._model.query(texts)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return self._kept.vectors(texts)


class _Passages:
    """The cache asks for questions only; here the passages are, under a name of their own."""

    def __init__(self, model: Embedder) -> None:
        self.name = f"{model.name} of passages"
        self.size = model.size
        self.query = self.passage = model.passage


class Searches:
    """The ways of searching one corpus; each gives the places of five paragraphs, best first."""

    def __init__(self, paragraphs: Sequence[Paragraph], memory: UserMemory, embedder: Embedder) -> None:
        self._memory = memory
        self._embedder = embedder
        self._bm25 = Bm25(paragraph.whole for paragraph in paragraphs)
        self._vectors = embedder.passage([paragraph.whole for paragraph in paragraphs])

    def recall_at_5(self, question: str, gold: Sequence[int]) -> dict[str, float]:
        """The share of the gold paragraphs that each way finds."""
        dense = np.argsort(-(self._vectors @ self._embedder.query([question])[0]))[:FOUND].tolist()
        found = {
            "recall_at_5": _places(self._memory.recall_further(question, _HITS)),
            "recall_at_5_one_look": _places(self._memory.recall(question, _HITS)),
            "recall_at_5_bm25": self._bm25.best(question, FOUND),
            "recall_at_5_dense": dense,
        }
        return {name: len(set(places) & set(gold)) / len(set(gold)) for name, places in found.items()}

    def asked(self, question: str, gold: Sequence[int], *, tuned: bool) -> Outcome:
        """The scores of a question, once more under names of their own where nothing was `tuned` on it."""
        scores = self.recall_at_5(question, gold)
        untuned = {} if tuned else {f"{name}{_UNTUNED}": score for name, score in scores.items()}
        return Outcome(scores | untuned, texts={"question": question})


def _places(hits: Sequence[Recalled]) -> list[int]:
    names = dict.fromkeys(hit.source for hit in hits)
    return [int(name.removesuffix(".md")) for name in names][:FOUND]


@contextlib.contextmanager
def searches(paragraphs: Sequence[Paragraph], embedder: Embedder) -> Iterator[Searches]:
    """A memory of its own that holds the paragraphs, and the baselines beside it."""
    with (
        tempfile.TemporaryDirectory(prefix="lorekeeper-bench-") as folder,
        contextlib.closing(Memory(Path(folder) / "home", embedder)) as memory,
    ):
        user = memory.of(_USER)
        for place, paragraph in enumerate(paragraphs):
            user.add_document(f"{place}.md", paragraph.document.encode())
            print(f"\r{place + 1} of {len(paragraphs)} paragraphs", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        yield Searches(paragraphs, user, embedder)
