"""F1 over names (KnowledGPT, Table 3)."""

from collections.abc import Sequence

from tests.benchmarks.judging import fold


def split(side: str) -> list[str]:
    """The ends that stand on one side of a piece of evidence."""
    return [end for end in side.split("; ") if end]


def f1(said: Sequence[str], gold: Sequence[str]) -> float:
    """The harmonic mean of precision and recall over names, without case, accents and width."""
    ours, theirs = {fold(name) for name in said}, {fold(name) for name in gold}
    shared = len(ours & theirs)
    return 2 * shared / (len(ours) + len(theirs)) if shared else 0.0
