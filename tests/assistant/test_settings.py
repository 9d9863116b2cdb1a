"""What the environment may say, and the one line for what it may not."""

import pytest

from assistant.errors import SettingsError
from assistant.settings import DELTA, Settings, environment_language


@pytest.mark.parametrize(("value", "delta"), [("", DELTA), ("1", 1.0), (" 0.05 ", 0.05)])
def test_delta_is_a_probability(value: str, delta: float) -> None:
    assert Settings.from_environment({"LOREKEEPER_DELTA": value}).delta == delta


@pytest.mark.parametrize("value", ["0", "-0.1", "1.5", "nan", "much"])
def test_what_is_no_probability_is_named(value: str) -> None:
    with pytest.raises(SettingsError, match=f"LOREKEEPER_DELTA is “{value}”; set it to a number above 0"):
        Settings.from_environment({"LOREKEEPER_DELTA": value})


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u2003"])
def test_a_blank_password_protects_nothing_and_is_refused(blank: str) -> None:
    with pytest.raises(SettingsError, match="LOREKEEPER_PASSWORD is blank"):
        Settings.from_environment({"LOREKEEPER_PASSWORD": blank})


@pytest.mark.parametrize("unusable", ["two\nlines", "\udcff", "x" * 1025])
def test_a_password_that_no_browser_can_send_is_refused(unusable: str) -> None:
    with pytest.raises(SettingsError, match=r"^LOREKEEPER_PASSWORD cannot be typed into a browser[^\n]*$"):
        Settings.from_environment({"LOREKEEPER_PASSWORD": unusable})


def test_a_password_is_taken_as_it_stands() -> None:
    assert Settings.from_environment({"LOREKEEPER_PASSWORD": " a b "}).password == " a b "
    assert Settings.from_environment({}).password == ""


def test_proxies_are_addresses_or_networks() -> None:
    given = Settings.from_environment({"LOREKEEPER_PROXIES": "127.0.0.1, 10.0.0.0/24 ::1"})
    assert given.proxies == ("127.0.0.1", "10.0.0.0/24", "::1")
    for wrong in ("*", "nginx", "10.0.0.1/24"):
        with pytest.raises(SettingsError, match="LOREKEEPER_PROXIES has"):
            Settings.from_environment({"LOREKEEPER_PROXIES": wrong})


@pytest.mark.parametrize(
    ("value", "read"),
    [("", None), ("on", "marked"), ("OFF", "never"), ("never", "never"), ("marked", "marked"), (" free ", "free")],
)
def test_own_knowledge_is_never_marked_or_free(value: str, read: str | None) -> None:
    assert Settings.from_environment({"LOREKEEPER_OWN_KNOWLEDGE": value}).own_knowledge == read


@pytest.mark.parametrize(
    ("name", "told"),
    [("LOREKEEPER_OWN_KNOWLEDGE", "never, marked, free"), ("LOREKEEPER_PROFILE", "small, capable")],
)
def test_what_is_none_of_the_choices_is_one_clear_line(name: str, told: str) -> None:
    with pytest.raises(SettingsError, match=rf"^{name} is “large”; set it to one of {told}\.$"):
        Settings.from_environment({name: "large"})


def test_a_profile_is_what_the_operator_says() -> None:
    assert Settings.from_environment({}).profile is None
    assert Settings.from_environment({"LOREKEEPER_PROFILE": "Capable"}).profile == "capable"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LANGUAGE": "ja:en", "LC_ALL": "de_DE"}, "ja"),
        ({"LC_ALL": "", "LC_MESSAGES": "ru_RU@x", "LANG": "fr"}, "ru"),
        ({"LANG": "ko_KR"}, "en"),
        ({"LANGUAGE": "ko:de", "LANG": "ko_KR.UTF-8"}, "de"),
        ({"LANGUAGE": "en_GB:de", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANGUAGE": "de", "LC_ALL": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_command_line_is_in_the_language_of_its_environment(environment: dict[str, str], language: str) -> None:
    assert environment_language(environment) == language
