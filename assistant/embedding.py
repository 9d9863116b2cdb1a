"""Text to unit vectors: the embedded multilingual model, or any model that sentence-transformers can load."""

import math
import os
import threading
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import numpy as np

from assistant.errors import UserMistake
from memory.types import Embedder, Vectors

EMBEDDED = "multilingual-e5-small-q4"
_LONGEST_TEXT = 2_000  # characters; about the 512 tokens that the models read at once
_BATCH = 8  # texts of one call of torch, whose memory it bounds; larger ones are not faster
_KEPT_QUERIES = 256
_THREADS = 1  # of torch; beside the language model, they fight
_A_TURN = 20.0  # seconds from its question's vector on, about


class Engine(Protocol):
    """A loaded model."""

    size: int

    def query(self, texts: list[str]) -> Vectors:
        """Unit vectors of questions."""

    def passage(self, texts: list[str]) -> Vectors:
        """Unit vectors of what is searched."""


def load_embedder(name: str, cache: Path) -> Embedder:
    """The embedding model called `name` ("" for the embedded one); it is loaded when it is first used.

    Another name is one of sentence-transformers: a folder, or a model of the hub, kept under `cache`. Using one that
    is not there raises a UserMistake.
    """
    if name in ("", EMBEDDED):
        return _TextEmbedder(EMBEDDED, _Multilingual)
    return _TextEmbedder(name, lambda: _SentenceTransformer(name, cache))


class _TextEmbedder:
    """An `Embedder` that takes any text; it remembers the last questions, since a turn asks for one several times."""

    def __init__(self, name: str, load: Callable[[], Engine]) -> None:
        self._name = name
        self._load = load
        self._engine: Engine | None = None
        self._queries: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._name

    @property
    def size(self) -> int:
        return self._loaded().size

    def query(self, texts: Sequence[str]) -> Vectors:
        cleaned = [_cleaned(text) for text in texts]
        with self._lock:
            known = {text: self._queries[text] for text in cleaned if text in self._queries}
        new = list(dict.fromkeys(text for text in cleaned if text not in known))
        known.update(zip(new, self._encoded(new, self._loaded().query), strict=True))
        with self._lock:
            for text in cleaned:
                self._queries[text] = known[text]
                self._queries.move_to_end(text)
            while len(self._queries) > _KEPT_QUERIES:
                self._queries.popitem(last=False)
        return np.stack([known[text] for text in cleaned]) if cleaned else np.empty((0, self.size), np.float32)

    def passage(self, texts: Sequence[str]) -> Vectors:
        return self._encoded([_cleaned(text) for text in texts], self._loaded().passage)

    def _encoded(self, texts: list[str], encode: Callable[[list[str]], Vectors]) -> Vectors:
        return encode(texts) if texts else np.empty((0, self.size), np.float32)

    def _loaded(self) -> Engine:
        with self._lock:
            if self._engine is None:
                self._engine = self._load()
            return self._engine


def _cleaned(text: str) -> str:
    """The beginning of the text, in the form that the models read: NFKC, and without lone surrogates, no UTF-8."""
    start = text[:_LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFKC", start)[:_LONGEST_TEXT]


class _Multilingual:
    """multilingual-e5-small in 4 bits. Threads need no lock: many passages are embedded by as many as there are
    processors, but by one for a while after a question was: a turn may be under way."""

    def __init__(self) -> None:
        from assistant.e5.encoder import Encoder
        from assistant.e5.weights import load

        self._encoder = Encoder(*load())
        self.size = self._encoder.size
        self._asked = -math.inf

    def query(self, texts: list[str]) -> Vectors:
        self._asked = time.monotonic()
        return np.stack([self._encoder.query(text) for text in texts])

    def passage(self, texts: list[str]) -> Vectors:
        threads = _processors() if time.monotonic() - self._asked > _A_TURN else 1
        if min(threads, len(texts)) == 1:
            return np.stack([self._encoder.passage(text) for text in texts])
        with ThreadPoolExecutor(threads) as pool:
            return np.stack(list(pool.map(self._encoder.passage, texts)))


def _processors() -> int:
    """How many this process may use, which in a container are fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _SentenceTransformer:
    """A model of sentence-transformers, with its own prompts for questions and passages where it has them."""

    def __init__(self, name: str, cache: Path) -> None:
        mistake = UserMistake(
            "The embedding model {name} cannot be loaded: set LOREKEEPER_EMBEDDINGS to a folder or a name that "
            "sentence-transformers knows, or leave it empty for the embedded one.",
            name=name,
        )
        if Path(name).is_absolute() and not Path(name).is_dir():  # the hub would be asked for it, at length
            raise mistake
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(_THREADS)
        try:
            self._model = SentenceTransformer(name, cache_folder=str(cache / "embeddings"), device="cpu")
        except (OSError, ValueError) as error:
            raise mistake from error
        self._turns = threading.Lock()  # its tokenizer is not to be used by two threads at once
        self.size = int(self._model.get_embedding_dimension() or 0)

    def query(self, texts: list[str]) -> Vectors:
        return self._encoded(self._model.encode_query, texts)

    def passage(self, texts: list[str]) -> Vectors:
        return self._encoded(self._model.encode_document, texts)

    def _encoded(self, encode: Callable[..., Vectors], texts: list[str]) -> Vectors:
        with self._turns:
            return encode(texts, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False)
