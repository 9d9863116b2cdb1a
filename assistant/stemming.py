"""The stems of English words, by NLTK's Snowball stemmer, under which "films" and "film" are one word."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memory.folding import terms

if TYPE_CHECKING:
    from nltk.stem.snowball import EnglishStemmer

_CACHED = 200_000


@lru_cache(maxsize=_CACHED)
def stem(word: str) -> str:
    """The stem of a folded word; words with accents or in another script stay as they are."""
    return str(_stemmer().stem(word)) if word.isascii() else word


def stems(text: str) -> set[str]:
    """The stems of a text's terms."""
    return {stem(term) for term in terms(text)}


@cache
def _stemmer() -> "EnglishStemmer":
    from nltk.stem.snowball import EnglishStemmer  # brings SciPy along: a second that no start should wait for

    return EnglishStemmer()
