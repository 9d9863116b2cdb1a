"""F1 over names (KnowledGPT, Table 3).

A value may list several names, and one list may be written in several ways: 苦，寒 and 苦、寒, 《甲》,《乙》 and 甲&乙.
What was said and what is right are taken apart and folded in the same way, and only names that are then the same count.
"""

import re
from collections.abc import Iterable, Sequence

from tests.benchmarks.judging import fold

_HAN = "\u3400-\u9fff"
# Between the items of a list in one Chinese value; Latin commas stand in names too.
_BETWEEN = re.compile(rf"[、，；。]|(?<=[{_HAN}》）])[,;&](?=[{_HAN}《（])|(?:(?<=）)|(?<=[{_HAN}]\)))[,;](?=\w)")
_AROUND = " \t\xa0\u3000：:"
_QUOTES = re.compile(r"[《》〈〉「」『』“”\"]")
_SPACES_IN_CHINESE = re.compile(rf"(?<=[{_HAN}()])\s+|\s+(?=[{_HAN}()])")


def split(side: str) -> list[str]:
    """The ends that stand on one side of a piece of evidence."""
    return [end for end in side.split("; ") if end]


def listed(names: Iterable[str]) -> list[str]:
    """The names, each Chinese list of several in its items."""
    items = [item.strip(_AROUND) for name in names for item in _BETWEEN.split(name)]
    return [item for item in items if item]


def plain(text: str) -> str:
    """A text folded, without quotation marks and without spaces beside Chinese characters and brackets."""
    return _SPACES_IN_CHINESE.sub("", fold(_QUOTES.sub("", text)))


def f1(said: Sequence[str], gold: Sequence[str]) -> float:
    """The harmonic mean of precision and recall over names as `plain` has them; of lists, their items."""
    ours, theirs = {plain(name) for name in listed(said)}, {plain(name) for name in listed(gold)}
    shared = len(ours & theirs)
    return 2 * shared / (len(ours) + len(theirs)) if shared else 0.0
