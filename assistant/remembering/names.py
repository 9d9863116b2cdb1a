"""What a sentence may be about, as its script shows it: runs of words with capital letters, and numbers behind them.

A small model that may take any run of words for a name takes "Her doctoral thesis on the" for one.
"""

import re
from collections.abc import Iterator, Sequence

from memory.folding import STOP_WORDS, fold
from memory.resolution import USER_NAMES, is_pronoun
from memory.speakers import speaker

_WORD = re.compile(r"\w(?:[\w.-]*\w)?")
_LONGEST = 6  # words of a name
_JOINING = 3  # letters of a small word that may stand within a name, as in "Bay of Fundy"


def has_capitals(text: str) -> bool:
    """Whether most letters of a text are of scripts that tell capitals from small ones."""
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(letter.lower() != letter.upper() for letter in letters) > len(letters)


def names(sentence: str, text: str) -> list[str]:
    """The runs of a sentence's words that may be names, each also without its first words.

    The word that begins the sentence begins no name where the `text` around also has it with a small letter.
    """
    words = list(_WORD.finditer(sentence))
    small = set(filter(str.islower, _WORD.findall(text)))
    found = dict[str, None]()
    for first, word in enumerate(words):
        if not (is_nobody(word[0]) or (first == 0 and word[0].lower() in small)):
            found |= dict.fromkeys(sentence[word.start() : words[last].end()] for last in _ends(sentence, words, first))
    return list(found)


def is_nobody(name: str) -> bool:
    """Whether a name is that of nobody known: "she", "I" of a document, or who speaks in a talk."""
    return is_pronoun(name) or bool(speaker(name)) or fold(name) in USER_NAMES | STOP_WORDS


def _ends(sentence: str, words: Sequence[re.Match[str]], first: int) -> Iterator[int]:
    """Where names may end that begin with a word: wherever words with capitals do, or the numbers behind them."""
    if not words[first][0][0].isupper():
        return
    last = first
    for place, word in enumerate(words[first + 1 : first + _LONGEST], first + 1):
        apart = sentence[words[place - 1].end() : word.start()] != " "
        belongs = not apart and (word[0][0].isupper() or (word[0].isdigit() and last == place - 1))
        if not belongs:
            yield last
        if apart or not (belongs or (last == place - 1 and len(word[0]) <= _JOINING)):
            return
        if belongs:
            last = place
    yield last
