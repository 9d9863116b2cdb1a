"""The space in which entities, relations, paths and questions are compared (KnowGPT, section 3.1).

An entity is the mean of its name's words, a word the vector that the memory's embedder gives it; words of one stem
share that of one of them. The paper embeds each entity by the triples that it stands in, verbalised: a call for each,
14 minutes for ConceptNet's. Of the words only the frequent ones of a graph are embedded, and those that searches meet;
they are kept. The paper's W, which maps paths to the space of questions, is part of the basis: all vectors lie in its
image, 128 dimensions, where the relatedness of equation (3) is a plain cosine.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from assistant.errors import Failure
from assistant.knowledge_bases.graph import Numbers
from assistant.search.contexts import kinds_of_questions
from assistant.search.graphs.concepts import Concepts, has_content
from assistant.search.vector_cache import VectorCache
from assistant.stemming import root
from memory.folding import fold
from memory.types import Embedder, Vectors

DIMENSIONS = 128
_AT_ONCE = 64
_EVERY = 8  # question of many kinds is taken, with its words: together they take a second


@dataclass(frozen=True)
class Basis:
    """What training leaves behind of the space; `embedder` names the model whose vectors it maps.

    `words` are stems with their vectors, shape (n, 128), shorter for frequent ones. `word_map` (size, 128) and
    `context_map` (size, 128) map the embedder's vectors of words and questions, less their means.
    """

    embedder: str
    words: tuple[str, ...]
    vectors: Vectors
    word_mean: Vectors
    word_map: Vectors
    context_mean: Vectors
    context_map: Vectors

    @classmethod
    def untrained(cls, embedder: Embedder) -> "Basis":
        """A space for an embedder that nothing was trained for: a fixed random projection, and no word known.

        What all vectors have in common is taken off, by the means of some words and questions: with many embedders any
        two texts have a cosine of 0.8.
        """
        drawn = np.random.default_rng(0).standard_normal((embedder.size, min(DIMENSIONS, embedder.size)))
        map_ = np.zeros((embedder.size, DIMENSIONS), np.float32)
        map_[:, : drawn.shape[1]] = np.linalg.qr(drawn)[0]
        questions = kinds_of_questions()[::_EVERY]
        words = sorted({word for word in fold(" ".join(questions)).split() if has_content([word])})
        word_mean, context_mean = embedder.passage(words).mean(axis=0), embedder.query(questions).mean(axis=0)
        return cls(embedder.name, (), np.empty((0, DIMENSIONS), np.float32), word_mean, map_, context_mean, map_)


class Space:
    """Vectors of names and questions by the memory's embedder. Safe to use from several threads."""

    def __init__(self, embedder: Embedder, basis: Basis) -> None:
        self._embedder = embedder
        self._basis = basis
        self._lock = threading.RLock()
        self._rows = {part: row for row, part in enumerate(basis.words, 1)}
        self._table: Vectors = np.concatenate([np.zeros((1, DIMENSIONS), np.float32), basis.vectors])
        self._of_graph: WeakKeyDictionary[Concepts, Numbers] = WeakKeyDictionary()

    def question(self, text: str) -> Vectors:
        """The context embedding c of a question; shape (128,), of length 1."""
        vector = self._embedder.query([text])[0] - self._basis.context_mean
        return unit(vector @ self._basis.context_map)

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Names that stand in no graph, such as relations; shape (n, 128). Words not seen before are embedded."""
        words = {text: fold(text).split() for text in texts}
        content = {text: [word for word in own if has_content([word])] or own for text, own in words.items()}
        self.learn(word for own in content.values() for word in own)
        with self._lock:
            sums = [self._table[[self._rows[root(word)] for word in own]].sum(axis=0) for own in content.values()]
        by_text = dict(zip(content, unit(np.stack(sums)), strict=True)) if sums else {}
        return np.stack([by_text[text] for text in texts]) if texts else np.empty((0, DIMENSIONS), np.float32)

    def entities(self, concepts: Concepts, entities: Numbers) -> Vectors:
        """The embeddings e of a graph's entities; shape (n, 128), of length 1, or 0 where no word is known yet."""
        words, lengths = concepts.words_of(entities)
        with self._lock:
            vectors = self._table[self._rows_of(concepts)[words]]
        sums = np.zeros((len(entities), DIMENSIONS), np.float32)
        filled = lengths > 0
        if filled.any():
            sums[filled] = np.add.reduceat(vectors, (np.cumsum(lengths) - lengths)[filled])
        return unit(sums)

    def learn(self, words: Iterable[str], kept: VectorCache | None = None) -> None:
        """Embed those of the folded `words`, one of each stem, whose stems are not known yet: some 8 ms each, in
        batches, unless they are `kept`."""
        by_stem = {root(word): word for word in words}
        with self._lock:
            new = {part: word for part, word in by_stem.items() if part not in self._rows}
        parts = list(new)
        for start in range(0, len(parts), _AT_ONCE):
            self._learn({part: new[part] for part in parts[start : start + _AT_ONCE]}, kept)

    def _learn(self, new: Mapping[str, str], kept: VectorCache | None) -> None:
        basis = self._basis
        vectors = unit((self._embedded(list(new.values()), kept) - basis.word_mean) @ basis.word_map)
        with self._lock:
            rows = {part: row for row, part in enumerate(new, len(self._table))}
            self._table = np.concatenate([self._table, vectors])
            self._rows.update(rows)
            for concepts, of_graph in self._of_graph.items():
                for part, row in rows.items():
                    if (number := concepts.number(part)) is not None:
                        of_graph[number] = row

    def _embedded(self, words: Sequence[str], kept: VectorCache | None) -> Vectors:
        if kept is not None:
            with suppress(Failure):  # what cannot be kept can be made
                return kept.vectors(words)
        return self._embedder.passage(words)

    def unknown(self, concepts: Concepts, words: Numbers | NDArray[np.int64], most: int) -> list[str]:
        """Words for the first `most` of some stems of a graph's names, given by their numbers, that are not known."""
        with self._lock:
            unknown = words[self._rows_of(concepts)[words] == 0]
        _, first = np.unique(unknown, return_index=True)
        return [concepts.spellings[number] for number in unknown[np.sort(first)[:most]].tolist()]

    def nearest(self, concepts: Concepts, texts: Sequence[str], most: int, least: float) -> list[list[str]]:
        """For each text the words of the graph's names that are most like it, by a cosine of at least `least`."""
        wanted = self.texts(texts)
        with self._lock:
            rows = self._rows_of(concepts)
            known = np.flatnonzero(rows)
            likeness = wanted @ unit(self._table[rows[known]]).T
        best = np.argsort(-likeness, axis=1, kind="stable")[:, :most]
        spelled = concepts.spellings
        return [
            [spelled[known[place]] for place in places if of_text[place] >= least]
            for places, of_text in zip(best.tolist(), likeness, strict=True)
        ]

    def _rows_of(self, concepts: Concepts) -> Numbers:
        """The table's row of each of the graph's stems; row 0 is zero, for those that are not known."""
        if concepts not in self._of_graph:
            rows = [self._rows.get(part, 0) for part in concepts.stems]
            self._of_graph[concepts] = np.array(rows, np.int32)
        return self._of_graph[concepts]


def unit(vectors: NDArray[np.floating[Any]]) -> Vectors:
    """The vectors at length 1 (0 stays 0); the last axis is theirs."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled
