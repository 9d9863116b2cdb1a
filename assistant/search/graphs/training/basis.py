"""Fitting the space: the words' vectors, and the paper's W from paths to questions (KnowGPT, equation 3)."""

from collections.abc import Sequence

import numpy as np

from assistant.search.graphs.concepts import function_stems, stems
from assistant.search.graphs.space import DIMENSIONS, Basis, unit
from assistant.search.graphs.training.data import Embedded, Question
from memory.types import Embedder, Vectors

_COMMON = 1e-3  # words that are more frequent than this share of all words count less than half
_RIDGE = 1.0


def fit(embedder: Embedder, embedded: Embedded, questions: Sequence[Question]) -> Basis:
    """The basis in which the path from a question's words to its right answer lies nearest to the question.

    Words are projected to the principal components of their vectors; W is the ridge regression of the questions'
    vectors on the mean of the question's and the right answer's words. With W = QR, words are multiplied by R and
    questions by Q's transpose, after which the cosine of equation (3) is that of two plain vectors.
    """
    word_mean, context_mean = embedded.words.mean(axis=0), embedded.questions.mean(axis=0)
    centred = embedded.words - word_mean
    principal = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :DIMENSIONS]
    shares = np.array(embedded.counts) / sum(embedded.counts)
    weights = (_COMMON / (_COMMON + shares))[:, None].astype(np.float32)
    words = unit(centred @ principal) * weights
    by_stem = dict(zip(embedded.stems, words, strict=True))
    paths = np.stack([_path(by_stem, question) for question in questions])
    contexts = unit(embedded.questions - context_mean)
    w = np.linalg.solve(paths.T @ paths + _RIDGE * np.eye(DIMENSIONS), paths.T @ contexts).T
    q, r = np.linalg.qr(w)
    word_map = (principal @ r.T).astype(np.float32)
    vectors = unit(centred @ word_map) * weights
    context_map = q.astype(np.float32)
    return Basis(embedder.name, embedded.stems, vectors, word_mean, word_map, context_mean, context_map)


def _path(by_stem: dict[str, Vectors], question: Question) -> Vectors:
    ends = [_mean(by_stem, question.text), _mean(by_stem, question.choices[question.gold])]
    mean: Vectors = np.mean(ends, axis=0)
    return mean


def _mean(by_stem: dict[str, Vectors], text: str) -> Vectors:
    known = [by_stem[part] for part in stems(text) if part in by_stem and part not in function_stems()]
    return unit(np.sum(known, axis=0)) if known else np.zeros(DIMENSIONS, np.float32)
