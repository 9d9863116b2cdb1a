"""Whether a message says what a model read in it, which is seen without knowing its language."""

import re

from memory.folding import STOP_WORDS, fold, terms
from memory.resolution import USER_NAMES, is_pronoun
from memory.types import THE_USER

_SAID = 0.75  # of an object's terms have to stand in the message


def meant(subject: str, said: str) -> str:
    """Whom a fact is about: the user, or who is named in `said`, folded, as a message and what came before it; empty
    where it is neither, as for "she"."""
    if fold(subject) in USER_NAMES:
        return THE_USER.name
    return subject if is_named(subject, said) and not is_pronoun(subject) else ""


def is_named(name: str, said: str) -> bool:
    """Whether a name begins there, and not within a word of a script that has cases; it may be inflected."""
    folded = fold(name)
    begins = r"(?<![^\W\d_])" if name[:1].lower() != name[:1].upper() else ""
    return bool(folded) and re.search(begins + re.escape(folded), said) is not None


def is_said(value: str, text: str) -> bool:
    """Whether an object stands in a message, as it is or with most of its words; "is" and "the" are none."""
    if value.islower() and STOP_WORDS.issuperset(fold(value).split()):
        return False
    if is_named(value, fold(text)):
        return True
    wanted, held = terms(value), set(terms(text))
    return bool(wanted) and sum(term in held for term in wanted) >= _SAID * len(wanted)
