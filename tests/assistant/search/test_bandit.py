"""The bandit: equations (6) to (8) by another way, their invariants, and regret on a known problem."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.search.bandit import Arm, Bandit, Prior, Seen, Vector, one

SIZE = 6
BIAS = 1 / math.sqrt(2)
ARM, OTHER = Arm("program", "triples"), Arm("paths", "sentences")

directions = st.lists(st.floats(-1, 1), min_size=SIZE - 1, max_size=SIZE - 1).map(np.array)
plays = st.lists(st.tuples(directions, st.floats(0, 1)), max_size=12)


def context(direction: Vector) -> Vector:
    length = float(np.linalg.norm(direction))
    return np.concatenate([[BIAS], direction * (BIAS / length if length else 0.0)])


def bandit(**prior: float) -> Bandit:
    return Bandit(SIZE, bias=BIAS, prior=Prior({ARM: 0.8}, **{"otherwise": 0.5, "weight": 4.0, **prior}), delta=0.1)


def test_the_constant_of_exploration_is_the_papers() -> None:
    assert Bandit(SIZE, bias=BIAS, prior=Prior(), delta=0.05).gamma == pytest.approx(1 + math.sqrt(math.log(40) / 2))


@given(plays, directions)
def test_estimates_are_the_closed_form(seen: list[tuple[Vector, float]], asked: Vector) -> None:
    learning = bandit(otherwise=0.0, weight=2.0)
    contexts = np.array([context(direction) for direction, _ in seen]).reshape(-1, SIZE)
    rewards = np.array([reward for _, reward in seen])
    for c, reward in zip(contexts, rewards, strict=True):
        learning.learn(OTHER, one(c, reward))
    ridge = contexts.T @ contexts + 2.0 * np.eye(SIZE)
    c = context(asked)
    estimate = learning.estimate(OTHER, c)
    assert estimate.expected == pytest.approx(c @ np.linalg.solve(ridge, contexts.T @ rewards), abs=1e-9)
    assert estimate.bonus == pytest.approx(learning.gamma * math.sqrt(c @ np.linalg.solve(ridge, c)), abs=1e-9)


@given(plays, st.randoms(use_true_random=False), directions)
def test_the_order_of_plays_does_not_matter(seen: list[tuple[Vector, float]], random: object, asked: Vector) -> None:
    shuffled = list(seen)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = bandit(), bandit()
    for learning, order in ((first, seen), (second, shuffled)):
        for direction, reward in order:
            learning.learn(ARM, one(context(direction), reward))
    one_way, other_way = (learning.estimate(ARM, context(asked)) for learning in (first, second))
    assert one_way.expected == pytest.approx(other_way.expected, abs=1e-9)
    assert one_way.bonus == pytest.approx(other_way.bonus, abs=1e-9)


@given(plays, directions)
def test_no_play_makes_an_arm_less_known(seen: list[tuple[Vector, float]], asked: Vector) -> None:
    """CᵀC + λI stays positive definite, so that the bonus is real, positive, and never grows."""
    learning = bandit()
    bonus = learning.estimate(ARM, context(asked)).bonus
    for direction, reward in seen:
        learning.learn(ARM, one(context(direction), reward))
        now = learning.estimate(ARM, context(asked)).bonus
        assert 0 < now <= bonus + 1e-12
        bonus = now


@given(plays, plays, directions)
def test_what_was_summed_up_counts_as_what_was_played(
    before: list[tuple[Vector, float]], taken_back: list[tuple[Vector, float]], asked: Vector
) -> None:
    rewards = Seen.none(SIZE)
    for direction, reward in [*before, *taken_back]:
        rewards = rewards.plus(one(context(direction), reward))
    for direction, reward in taken_back:
        rewards = rewards.plus(one(context(direction), reward), -1.0)
    started, played = bandit(), bandit()
    started.learn(ARM, rewards)
    for direction, reward in before:
        played.learn(ARM, one(context(direction), reward))
    assert rewards.plays == len(before)
    estimate, expected = started.estimate(ARM, context(asked)), played.estimate(ARM, context(asked))
    assert estimate.expected == pytest.approx(expected.expected, abs=1e-8)
    assert estimate.bonus == pytest.approx(expected.bonus, abs=1e-8)


@given(directions)
def test_before_any_play_the_prior_holds_for_every_question(asked: Vector) -> None:
    new = bandit()
    assert new.estimate(ARM, context(asked)).expected == pytest.approx(0.8)
    assert new.estimate(OTHER, context(asked)).expected == pytest.approx(0.5)
    assert new.choose(context(asked), [OTHER, ARM]) == ARM


def test_an_arm_that_is_hardly_known_is_tried_and_not_when_frozen() -> None:
    learning = bandit(otherwise=0.75)
    c = context(np.ones(SIZE - 1))
    for _ in range(40):
        learning.learn(ARM, one(c, 0.8))
    assert learning.choose(c, [ARM, OTHER]) == OTHER
    assert learning.choose(c, [ARM, OTHER], exploring=False) == ARM


def _regret(plays: int, seed: int) -> tuple[float, float]:
    """Cumulative regret of the bandit and of chance on a linear problem with noise, after `plays` plays."""
    random = np.random.default_rng(seed)
    arms = [Arm("s", str(number)) for number in range(5)]
    truth = {arm: random.standard_normal(SIZE) / math.sqrt(SIZE) for arm in arms}
    learning = Bandit(SIZE, bias=BIAS, prior=Prior(weight=1.0), delta=0.1)
    regret = chance = 0.0
    for _ in range(plays):
        c = context(random.standard_normal(SIZE - 1))
        means = {arm: float(truth[arm] @ c) for arm in arms}
        arm = learning.choose(c, arms)
        learning.learn(arm, one(c, means[arm] + 0.1 * random.standard_normal()))
        regret += max(means.values()) - means[arm]
        chance += max(means.values()) - float(np.mean(list(means.values())))
    return regret, chance


def test_regret_grows_as_the_root_of_the_plays() -> None:
    """Theory: O(d √(T log T)); sixteen times the plays are some five times the regret, where chance has sixteen."""
    short, long = (np.array([_regret(plays, seed) for seed in range(2)]).mean(axis=0) for plays in (150, 2400))
    root = math.sqrt(16 * math.log(2400) / math.log(150))
    assert long[0] / short[0] < root
    assert long[1] / short[1] == pytest.approx(16, rel=0.1)
    assert long[0] < 0.25 * long[1]
