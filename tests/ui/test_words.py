"""Numbers in words."""

import pytest

from ui.words import counted, time_left


@pytest.mark.parametrize(
    ("number", "noun", "words"), [(0, "fact", "0 facts"), (1, "entry", "1 entry"), (2000, "entry", "2,000 entries")]
)
def test_counted(number: int, noun: str, words: str) -> None:
    assert counted(number, noun) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(3, "a few seconds left"), (44, "about 40 s left"), (200, "about 3 min left"), (7300, "about 2 h left")],
)
def test_time_left(seconds: float, words: str) -> None:
    assert time_left(seconds) == words
