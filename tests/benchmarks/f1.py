"""F1 over names (KnowledGPT, Table 3)."""

import re
from collections.abc import Iterable, Sequence

from tests.benchmarks.judging import fold

# Between the items of a list in one Chinese value; Latin commas stand in names too.
_BETWEEN = re.compile(r"[、，；]|(?<=[\u3400-\u9fff])[,;](?=[\u3400-\u9fff])")


def split(side: str) -> list[str]:
    """The ends that stand on one side of a piece of evidence."""
    return [end for end in side.split("; ") if end]


def listed(names: Iterable[str]) -> list[str]:
    """The names, each Chinese list of several in its items."""
    return [item.strip() for name in names for item in _BETWEEN.split(name) if item.strip()]


def f1(said: Sequence[str], gold: Sequence[str]) -> float:
    """The harmonic mean of precision and recall over names, without case, accents and width; of lists, their items."""
    ours, theirs = {fold(name) for name in listed(said)}, {fold(name) for name in listed(gold)}
    shared = len(ours & theirs)
    return 2 * shared / (len(ours) + len(theirs)) if shared else 0.0
