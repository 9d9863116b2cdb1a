"""The stems of English words, by NLTK's Snowball stemmer, under which "films" and "film" are one word, and their roots,
by simplemma's dictionary, under which "children" and "child" are."""

from collections.abc import Callable
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


@lru_cache(maxsize=_CACHED)
def root(word: str) -> str:
    """The stem of the word that a folded word is a form of: "children" are more than one "child".

    For the names of common things; titles, such as "Taken", are names of their own.
    """
    return stem(_lemmatize()(word, lang="en").casefold()) if word.isascii() else word


def stems(text: str) -> set[str]:
    """The stems of a text's terms."""
    return {stem(term) for term in terms(text)}


def roots(text: str) -> set[str]:
    """The roots of a text's terms: "wrote" and "written by" have one."""
    return {root(term) for term in terms(text)}


@cache
def _stemmer() -> "EnglishStemmer":
    from nltk.stem.snowball import EnglishStemmer  # brings SciPy along: a second that no start should wait for

    return EnglishStemmer()


@cache
def _lemmatize() -> Callable[..., str]:
    from simplemma import lemmatize  # its dictionary takes a quarter of a second

    return lemmatize
