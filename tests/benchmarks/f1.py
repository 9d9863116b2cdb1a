"""F1 over names (KnowledGPT, Table 3).

A value may list several names, and one list may be written in several ways: 苦，寒 and 苦、寒, 《甲》,《乙》 and 甲&乙.
What was said and what is right are taken apart and folded in the same way, and only names that are then the same count.
"""

import re
from collections.abc import Iterable, Sequence

from tests.benchmarks.judging import fold, holds_any

_HAN = "\u3400-\u9fff"
# Between the items of a list in one Chinese value; Latin commas stand in names too.
_BETWEEN = re.compile(rf"[、，；。]|(?<=[{_HAN}》）])[,;&](?=[{_HAN}《（])|(?:(?<=）)|(?<=[{_HAN}]\)))[,;](?=\w)")
_PARTING = re.compile(rf"(?<=[{_HAN}）)》])\s+(?=[{_HAN}《])")
_AROUND = " \t\xa0\u3000：:"
_QUOTES = re.compile(r"[《》〈〉「」『』“”\"]")
_UNTIL = re.compile(r"(?<=[\d日月年])\s*(?:[-–—－~～]+|到|至)\s*(?=前?\d)")
_SPACES_IN_CHINESE = re.compile(rf"(?<=[{_HAN}()])\s+|\s+(?=[{_HAN}()])")


def split(side: str) -> list[str]:
    """The ends that stand on one side of a piece of evidence."""
    return [end for end in side.split("; ") if end]


def listed(names: Iterable[str]) -> list[str]:
    """The names, each Chinese list of several in its items."""
    items = [item.strip(_AROUND) for name in names for item in _BETWEEN.split(name)]
    return [item for item in items if item]


def stands(name: str, answer: str) -> bool:
    """Whether an answer, `plain`, has the name; of a Chinese one with spaces (电影工作室 新艺城), its parts."""
    parts = _PARTING.split(name)
    return holds_any(answer, [plain(name).rstrip(".;?!")]) or (
        len(parts) > 1 and all(holds_any(answer, [plain(part)]) for part in parts)
    )


def plain(text: str) -> str:
    """A text folded, without quotation marks and without spaces beside Chinese characters and brackets; 1685年到1688年
    is 1685年-1688年."""
    return _SPACES_IN_CHINESE.sub("", _UNTIL.sub("-", fold(_QUOTES.sub("", text))))


def f1(said: Sequence[str], gold: Sequence[str]) -> float:
    """The harmonic mean of precision and recall over names as `plain` has them; of lists, their items."""
    ours, theirs = {plain(name) for name in listed(said)}, {plain(name) for name in listed(gold)}
    shared = len(ours & theirs)
    return 2 * shared / (len(ours) + len(theirs)) if shared else 0.0
