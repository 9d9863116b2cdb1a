"""A relation that has swallowed its object, and the object that is then the next relation: a small model reads "drives
a tram and lives in Ghent" as "drives a tram | lives in". The sentence shows it: a comma or an "and" is all that is
between the two.
"""

import re

from assistant.language import language_of

_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_COMMAS = ",،，、;"
_MOST = 2  # words between them


def parted_otherwise(relation: str, value: str, text: str) -> list[tuple[str, str]]:
    """The ways to part what is called a relation into a relation and its object; none where it has swallowed none."""
    words = list(_WORD.finditer(relation))[1:]  # the first one may be inflected: "I drive", but "the user | drives"
    swallowed = relation[words[0].start() :] if words else ""
    _, said, rest = text.partition(swallowed) if swallowed else ("", "", "")
    between, stands, _ = rest.partition(value)
    others = _WORD.findall(between)
    if not (said and stands) or len(others) > _MOST:
        return []
    is_clause = any(map(str.islower, _WORD.findall(value)))  # and no name that stands behind what it is the name of
    joins = others[:1] == [_and(text)] or (between.lstrip()[:1] in tuple(_COMMAS) and is_clause)
    return [(relation[: word.start()].rstrip(), relation[word.start() :]) for word in words] if joins else []


def _and(text: str) -> str:
    """The word that joins two things in the language of a text."""
    from babel import Locale, UnknownLocaleError  # takes a while, which not every command needs

    try:
        joined = str(Locale.parse(language_of(text)).list_patterns["standard"]["2"])
    except (UnknownLocaleError, ValueError):
        return ""
    return joined.format("", "").strip()
