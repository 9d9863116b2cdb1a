"""Text as it is compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.folding import fold, phrases, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë  O'Neil", "ZOE O’NEIL"),
        ("Łódź", "łódź"),
        ("Ｔｏｋｙｏ", "tokyo"),
        ("straße", "STRASSE"),
        ("Ann.", "ann"),
        ("𝐀nn", "Ann"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("C", "C++"), ("C#", "C++"), ("!", "?"), ("Ann", "Anna"), ("北京", "南京")])
def test_names_that_differ(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


_WORDS = st.text(st.sampled_from("aéZ9城市 -'."), max_size=20)


@given(_WORDS, _WORDS, _WORDS)
def test_a_name_is_a_phrase_of_the_text_around_it(before: str, name: str, after: str) -> None:
    if any(character.isalnum() for character in name) and 1 < len(fold(name).split()) <= 12:
        assert fold(name) in {phrase.key for phrase in phrases(f"{before} {name} {after}")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where does Ann live?", ["ann", "live"]),
        ("张伟住在北京", ["张伟", "伟住", "住在", "在北", "北京"]),
        ("我 的 猫", ["我", "猫"]),
        ("Ann爱北京", ["ann", "爱北", "北京"]),
        ("北京，上海", ["北京", "上海"]),
        ("猫x", ["猫", "x"]),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected
