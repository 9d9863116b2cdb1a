"""What the environment may say, and the one line for what it may not."""

import pytest

from assistant.errors import SettingsError
from assistant.settings import DELTA, Settings


@pytest.mark.parametrize(("value", "delta"), [("", DELTA), ("1", 1.0), (" 0.05 ", 0.05)])
def test_delta_is_a_probability(value: str, delta: float) -> None:
    assert Settings.from_environment({"LOREKEEPER_DELTA": value}).delta == delta


@pytest.mark.parametrize("value", ["0", "-0.1", "1.5", "nan", "much"])
def test_what_is_no_probability_is_named(value: str) -> None:
    with pytest.raises(SettingsError, match=f"LOREKEEPER_DELTA is '{value}'; set it to a number above 0"):
        Settings.from_environment({"LOREKEEPER_DELTA": value})
