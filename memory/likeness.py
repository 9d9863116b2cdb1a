"""What a cosine similarity means for one embedding model.

Models spread their similarities very differently: with multilingual E5 unrelated texts have 0.75 to 0.85. So each model
is measured on texts that have nothing to do with each other, and likeness counts from there.
"""

import numpy as np

from memory.types import Embedder

_UNRELATED = (
    "Berlin",
    "penicillin",
    "a sonata for violin",
    "my uncle's dog",
    "quarterly sales figures",
    "张伟",
    "光合作用",
    "足球比赛的结果",
)
_ALIKE = 0.45  # with multilingual-e5-small other spellings of a name have 0.5 to 0.7, other names at most 0.3


def unrelated_similarity(embedder: Embedder) -> float:
    """The mean similarity of texts that have nothing in common, with this model."""
    similarities = embedder.query(_UNRELATED) @ embedder.passage(_UNRELATED).T
    others = ~np.eye(len(_UNRELATED), dtype=bool)
    return float(similarities[others].mean())


def alike(similarity: float, unrelated: float) -> bool:
    """Whether two names of this similarity may be one thing."""
    return (similarity - unrelated) / (1.0 - unrelated) >= _ALIKE
