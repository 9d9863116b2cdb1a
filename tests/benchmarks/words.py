"""The words of a text as KnowledGPT's word recall has them (section 4.4): without stop words, as lemmas, by NLTK.

NLTK's reader of WordNet wants more files than Debian's package brings, so that its rules for nouns, those that its
lemmatizer goes by, are applied here to the two that they need.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nltk.corpus.reader.wordnet import NOUN, WordNetCorpusReader
from nltk.tokenize import RegexpTokenizer

from assistant.errors import UserMistake
from tests.benchmarks.harness import OWN_DATA

STOP_WORDS = OWN_DATA / "stop_words.txt"  # NLTK's English ones
WORDNET = Path("/usr/share/wordnet")
_INDEX, _EXCEPTIONS = WORDNET / "index.noun", WORDNET / "noun.exc"


def all_words(text: str) -> list[str]:
    """Every word, in its order."""
    found: list[str] = RegexpTokenizer(r"\w+(?:['’]\w+)*").tokenize(text.casefold())
    return found


def content_words(text: str) -> set[str]:
    """The lemmas of the words that are no stop words.

    Raises:
        UserMistake: WordNet is not installed.
    """
    return {_lemma(word) for word in all_words(text.replace("’", "'")) if word not in _stop_words()}


def _lemma(word: str) -> str:
    word = re.sub(r"'s?$|'s\b", "", word)
    return min([form for form in _forms(word) if form in _nouns()], key=len, default=word)


def _forms(word: str) -> Iterator[str]:
    yield word
    if word in _irregular():
        yield from _irregular()[word]
        return
    for old, new in WordNetCorpusReader.MORPHOLOGICAL_SUBSTITUTIONS[NOUN]:
        if word.endswith(old):
            yield word[: -len(old)] + new


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(STOP_WORDS.read_text(encoding="utf-8").split())


@cache
def _nouns() -> frozenset[str]:
    return frozenset(line.split(" ", 1)[0] for line in _lines(_INDEX) if not line.startswith(" "))


@cache
def _irregular() -> dict[str, list[str]]:
    return {word: forms for word, *forms in (line.split() for line in _lines(_EXCEPTIONS))}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise UserMistake(
            "The words of texts cannot be compared without WordNet: apt-get install wordnet-base."
        ) from None
