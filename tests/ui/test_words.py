"""Times in words."""

import pytest

from ui.words import time_left


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(3, "a few seconds left"), (44, "about 40 s left"), (200, "about 3 min left"), (7300, "about 2 h left")],
)
def test_time_left(seconds: float, words: str) -> None:
    assert time_left(seconds) == words
