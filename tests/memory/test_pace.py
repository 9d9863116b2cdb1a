"""How long reading takes, and when nobody knows."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.pace import Pace


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def read(pace: Pace, clock: Clock, *seconds: float) -> None:
    """Read passages that take so long."""
    for one in seconds:
        clock.now += one
        pace.note(one, 100)


def test_nothing_is_known_before_a_passage_was_read() -> None:
    assert Pace().seconds(10) is None
    assert Pace().tokens(10) == 4500


def test_a_new_pace_is_believed_after_a_few_passages() -> None:
    clock = Clock()
    pace = Pace(clock)
    read(pace, clock, *[1.0] * 20)
    assert pace.seconds(10) == pytest.approx(10)
    read(pace, clock, *[10.0] * 4)
    slow = pace.seconds(10)
    assert slow is not None
    assert slow > 70
    read(pace, clock, *[1.0] * 6)
    quick = pace.seconds(10)
    assert quick is not None
    assert quick < 25


def test_where_nothing_is_read_for_long_nothing_is_promised() -> None:
    clock = Clock()
    pace = Pace(clock)
    read(pace, clock, 2.0, 2.0)
    clock.now += 20
    longer = pace.seconds(3)
    assert longer == pytest.approx(20 + 2 * 2.0)  # the passage at hand takes its time
    clock.now += 20
    assert pace.seconds(3) is None
    read(pace, clock, 2.0)
    assert pace.seconds(3) is not None


@given(st.lists(st.floats(0.01, 1000), min_size=1, max_size=40), st.integers(0, 10_000))
def test_an_estimate_lies_between_the_quickest_and_the_slowest(taken: list[float], passages: int) -> None:
    clock = Clock()
    pace = Pace(clock)
    read(pace, clock, *taken)
    estimate = pace.seconds(passages)
    assert estimate is not None
    lately = taken[-20:]
    assert min(lately) * passages * 0.999 <= estimate <= max(lately) * passages * 1.001
