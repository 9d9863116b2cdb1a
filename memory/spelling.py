"""The words of a text and their places, as they are compared: case and accents folded, numbers however grouped."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from memory.folding import STOP_WORDS, fold

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_GROUPED = r"\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3})+(?![^\W_])"  # "5,200" and "5 200" are 5200
_WORD = re.compile(rf"{_GROUPED}|[{_IDEOGRAPHS}]|[^\W_{_IDEOGRAPHS}]+[+#]*")
# Without these the words beside them would say the opposite, so they go only with a whole phrase.
_DENIALS = "no not never neither nor none nobody nothing without isn wasn aren weren don doesn didn"
_DENYING = frozenset(_DENIALS.split())
_LONG_NUMBER = 6  # digits; "10 30" may be a time
_YEAR = re.compile(r"(?:19|20)\d\d")


class Word(NamedTuple):
    """A word as it is compared, and the characters `start` (included) to `end` (not included) where it stands."""

    key: str
    start: int
    end: int


def words_of(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """The words between two places of a text, in their order; an ideograph is one."""
    return [Word(_key(match[0]), match.start(), match.end()) for match in _WORD.finditer(text, start, end or len(text))]


def keys_of(phrase: str) -> list[str]:
    """The words of a phrase as they are compared, a long number as one: "555 12 34" gives "5551234".

    Not so a day with its year, which is many people's: "May 12, 2026".
    """
    keys: list[str] = []
    for is_number, run in groupby((word.key for word in words_of(phrase)), str.isdecimal):
        group = list(run)
        number = "".join(group)
        joined = is_number and len(number) >= _LONG_NUMBER and not any(map(_YEAR.fullmatch, group))
        keys += [number] if joined else group
    return keys


class Phrases:
    """Finds phrases in texts word by word, however they are written: in any case, with other signs, numbers grouped."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_first: dict[str, list[list[str]]] = defaultdict(list)
        for phrase in set(phrases):
            keys = keys_of(phrase)
            if keys:
                self._by_first[_beginning(keys[:1], 0)[-1]].append(keys)

    def blanked(self, text: str, instead: str) -> str:
        """The text with something else in place of each of them."""
        words = words_of(text)
        keys = [word.key for word in words]
        parts, end, place = [], 0, 0
        while place < len(keys):
            known = (own for first in _beginning(keys, place) for own in self._by_first.get(first, ()))
            length = max((_length(keys, place, own) for own in known), default=0)
            if length:
                parts += [text[end : words[place].start], instead]
                end = words[place + length - 1].end
            place += length or 1
        return "".join([*parts, text[end:]])


def _beginning(keys: Sequence[str], place: int) -> list[str]:
    """What a phrase may begin with that stands at a place: its word; and the first digits of a long number, which may
    be in groups."""
    digits = ""
    for key in keys[place:]:
        if not key.isdecimal() or len(digits) >= _LONG_NUMBER:
            break
        digits += key
    return [keys[place], *([digits[:_LONG_NUMBER]] if len(digits) >= _LONG_NUMBER else [])]


def _length(keys: Sequence[str], place: int, wanted: Sequence[str]) -> int:
    """How many words from a place on say what is wanted, none where they do not."""
    end = place
    for word in wanted:
        said = ""
        while end < len(keys) and len(said) < len(word) and (not said or (said + keys[end]).isdecimal()):
            said += keys[end]
            end += 1
        if said != word:
            return 0
    return end - place


def telling(phrase: str) -> set[str]:
    """The words of a phrase that say something each by itself; ideographs do not."""
    return {word.key for word in words_of(phrase) if len(word.key) > 1 or word.key.isdecimal()} - STOP_WORDS - _DENYING


def standing(words: Sequence[Word], phrase: str) -> set[int]:
    """The places in `words` of a phrase: where it stands as it is, or else wherever one of its telling words does."""
    keys, wanted = [word.key for word in words], keys_of(phrase)
    places = {own for place in range(len(keys)) for own in range(place, place + _length(keys, place, wanted))}
    return places or at(words, telling(phrase))


def at(words: Sequence[Word], wanted: Collection[str]) -> set[int]:
    """The places in `words` of single words."""
    return {place for place, word in enumerate(words) if word.key in wanted}


def _key(word: str) -> str:
    return fold(re.sub(r"\W", "", word) if word[0].isdecimal() else word)
