"""What is said of a column of scores: a statistic and its 95 % interval."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Statistic = Callable[[Scores], Scores]  # shape (..., n) -> (...)

_RESAMPLES = 2000


def mean(scores: Scores) -> Scores:
    """The mean along the last axis."""
    return np.mean(scores, axis=-1)


def gain(differences: Scores) -> Scores:
    """The mean of differences between shares, from -1 to 1."""
    return np.mean(differences, axis=-1)


def median(scores: Scores) -> Scores:
    """The median along the last axis."""
    return np.median(scores, axis=-1)


def percentile_95(scores: Scores) -> Scores:
    """The 95th percentile along the last axis."""
    return np.percentile(scores, 95, axis=-1)


def largest(scores: Scores) -> Scores:
    """The largest along the last axis."""
    return np.max(scores, axis=-1)


def total(scores: Scores) -> Scores:
    """The sum along the last axis."""
    return np.sum(scores, axis=-1)


def summary(scores: Sequence[float], statistic: Statistic = mean) -> dict[str, float | int]:
    """`value`, `low`, `high` (95 % bootstrap, percentiles, 2,000 resamples) and `n` of one score or more.

    Resampling rows that are all right (or all wrong) can only give the same again, so that a share of 0 or 1 gets the
    exact binomial (Clopper-Pearson) bound instead; a gain of 0 in all rows gets it on both sides.
    """
    values = np.asarray(scores, dtype=np.float64)
    n = len(values)
    value = float(statistic(values))
    least = {mean: 0.0, gain: -1.0}.get(statistic)
    if least is not None and value in {least, 0.0, 1.0} and set(values.tolist()) == {value}:
        bound = 1 - 0.025 ** (1 / n)
        low, high = max(least, value - bound), min(1.0, value + bound)
    else:
        drawn = np.random.default_rng(0).integers(0, n, size=(_RESAMPLES, n))
        low, high = (float(edge) for edge in np.percentile(statistic(values[drawn]), [2.5, 97.5]))
    return {"value": round(value, 4), "low": round(low, 4), "high": round(high, 4), "n": n}
