"""The stems of English words, by Snowball's stemmer, under which "films" and "film" are one word."""

import threading
from functools import lru_cache

import Stemmer

_CACHED = 200_000
_stemmer = Stemmer.Stemmer("english")
_one_at_a_time = threading.Lock()


@lru_cache(maxsize=_CACHED)
def stem(word: str) -> str:
    """The stem of a folded word; words with accents or in another script stay as they are."""
    if not word.isascii():
        return word
    with _one_at_a_time:
        return str(_stemmer.stemWord(word))
