"""The contextual bandit over (strategy, format): KnowGPT, section 3.2, equations (6) to (8).

Each arm is a ridge regression of the reward on a question's context, with an upper confidence bound. Past the paper:
the coefficients start from a prior that is not zero, and are not kept from being negative, which equation (7) does not
do either.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.floating[Any]]


class Arm(NamedTuple):
    """A way to find knowledge and a way to word it: what the bandit chooses between."""

    strategy: str
    format: str

    def __str__(self) -> str:
        return f"{self.strategy},{self.format}"


@dataclass(frozen=True)
class Prior:
    """What is expected of an arm before it was ever played: the reward, and how many plays that belief is worth (λ).

    The context's first component has to be the same for all questions: it carries the expectation.
    """

    expected: Mapping[Arm, float] = field(default_factory=dict)
    otherwise: float = 0.0
    weight: float = 1.0

    def moment(self, arm: Arm, bias: float, size: int) -> Vector:
        """λ α₀, with α₀ such that every context's expected reward is the prior one."""
        moment = np.zeros(size)
        moment[0] = self.weight * self.expected.get(arm, self.otherwise) / bias
        return moment


@dataclass(frozen=True)
class Seen:
    """What was seen of one arm: CᵀC of shape (d, d), Cᵀr of shape (d,), plays, and their rewards' sum.

    Those of the same arm from several places are added up.
    """

    gram: Vector
    moment: Vector
    plays: float = 0.0
    reward: float = 0.0

    @classmethod
    def none(cls, size: int) -> "Seen":
        """Nothing seen, for contexts of `size` components."""
        return cls(np.zeros((size, size)), np.zeros(size))

    def plus(self, other: "Seen", weight: float = 1.0) -> "Seen":
        """Both, with each of the other's plays counted `weight` times; −1 takes it out again."""
        return Seen(
            self.gram + weight * other.gram,
            self.moment + weight * other.moment,
            self.plays + weight * other.plays,
            self.reward + weight * other.reward,
        )


def one(context: Vector, reward: float) -> Seen:
    """A single play."""
    return Seen(np.outer(context, context), reward * context, 1.0, reward)


@dataclass(frozen=True)
class Estimate:
    """Equation (6): the reward that an arm is expected to earn, and what exploring it is worth on top of that."""

    expected: float
    bonus: float

    @property
    def bound(self) -> float:
        """The upper confidence bound: what arms are compared by."""
        return self.expected + self.bonus


class Bandit:
    """Ridge regressions of all arms over contexts of one size; an arm that was never played follows the prior.

    `bias` is the first component of all contexts. `delta` (0 < δ ≤ 1) is the probability with which a bound may be
    exceeded: the smaller, the longer other arms are tried.

    To learn is O(d²), to estimate O(d³): an inverse kept up by the Sherman–Morrison formula would make that O(d²) too,
    but not for sums of several users' rewards with weights of their own, and at d = 24 an arm takes 0.1 ms as it is.
    """

    def __init__(self, size: int, *, bias: float, prior: Prior, delta: float) -> None:
        self.gamma = 1 + math.sqrt(math.log(2 / delta) / 2)
        self._size = size
        self._bias = bias
        self._prior = prior
        self._seen: dict[Arm, Seen] = {}

    def learn(self, arm: Arm, rewards: Seen, weight: float = 1.0) -> None:
        """Take in what was seen of an arm, each play counted `weight` times."""
        self._seen[arm] = self._of(arm).plus(rewards, weight)

    def estimate(self, arm: Arm, context: Vector) -> Estimate:
        """Equations (6) and (8) for one arm, by the regression of equation (7)."""
        seen = self._of(arm)
        ridge = seen.gram + self._prior.weight * np.eye(self._size)
        moment = seen.moment + self._prior.moment(arm, self._bias, self._size)
        spread = np.linalg.solve(ridge, context)
        return Estimate(float(moment @ spread), self.gamma * math.sqrt(max(0.0, float(context @ spread))))

    def choose(self, context: Vector, arms: Sequence[Arm], *, exploring: bool = True) -> Arm:
        """The arm with the greatest bound (expectation, where it does not explore); the first of several such."""
        estimates = {arm: self.estimate(arm, context) for arm in arms}
        return max(arms, key=lambda arm: estimates[arm].bound if exploring else estimates[arm].expected)

    def _of(self, arm: Arm) -> Seen:
        return self._seen.get(arm, Seen.none(self._size))
