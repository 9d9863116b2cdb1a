"""A relation that has swallowed its object, and the object that is then the next relation: a small model reads "drives
a tram and lives in Ghent" as "drives a tram | lives in". The sentence shows it: a comma or an "and" is all that is
between the two. Or what it calls the object is a part of the relation, "plays the trumpet | plays", or the subject.
"""

import re

from assistant.language import language_of
from memory.folding import STOP_WORDS, fold

_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_COMMAS = (",", "،", "，", "、", ";")
_MOST = 2  # words between them


def parted_otherwise(subject: str, relation: str, value: str, text: str) -> list[tuple[str, str]]:
    """The ways to part what is called a relation into a relation and its object; none where it has swallowed none."""
    words = list(_WORD.finditer(relation))[1:]  # the first one may be inflected: "I drive", but "the user | drives"
    ways = [(relation[: word.start()].rstrip(), relation[word.start() :]) for word in words]
    ways = [(shorter, swallowed) for shorter, swallowed in ways if not STOP_WORDS.issuperset(fold(swallowed).split())]
    if not ways or is_within(value, relation):
        return ways
    if fold(value) == fold(subject):  # "Ann takes dance lessons" has no other object
        return [(shorter, swallowed) for shorter, swallowed in ways if swallowed in text]
    stands = re.search(rf"(?<!\w){re.escape(ways[0][1])}(?!\w)(.*?)(?<!\w){re.escape(value)}", text)
    others = _WORD.findall(stands[1]) if stands else []
    if stands is None or len(others) > _MOST:
        return []
    is_clause = any(map(str.islower, _WORD.findall(value)))  # and no name that stands behind what it is the name of
    joins = (is_clause and stands[1].lstrip().startswith(_COMMAS)) or others[:1] == [_and(text)]
    return ways if joins else []


def is_within(value: str, relation: str) -> bool:
    """Whether what is called the object is nothing but words of the relation."""
    return set(fold(value).split()) <= set(fold(relation).split())


def _and(text: str) -> str:
    """The word that joins two things in the language of a text."""
    from babel import Locale, UnknownLocaleError  # takes a while, which not every command needs

    try:
        joined = str(Locale.parse(language_of(text)).list_patterns["standard"]["2"])
    except (UnknownLocaleError, ValueError):
        return ""
    return joined.format("", "").strip()
