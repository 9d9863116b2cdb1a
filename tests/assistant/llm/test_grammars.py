"""The parts of grammars that several calls share."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.llm.grammars import foreign, numbered, numbers, runs


@pytest.mark.parametrize(
    ("reply", "named"),
    [("none", []), ("2", [2]), ("1, 3", [1, 3]), ("3, 3", [3]), ("2, 9", [2]), ("0", []), ("1.", [1]), ("the 2nd", [])],
)
def test_numbers_are_read_where_they_are_all_that_is_said(reply: str, named: list[int]) -> None:
    assert numbers(reply, 3) == named


def test_there_are_as_many_numbers_as_things() -> None:
    assert [f'"{number}"' in numbered(3) for number in range(5)] == [False, True, True, True, False]


@given(st.text(max_size=80), st.integers(1, 6))
def test_runs_are_of_the_texts_own_words(text: str, longest: int) -> None:
    told = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", " ", text).split())
    for run in runs(text, longest):
        assert run in told


def test_runs_have_so_many_words_at_most() -> None:
    assert set(runs("I like tea", 2)) == {"I", "like", "tea", "I like", "like tea"}
    assert "喝茶" in runs("我喜欢喝茶", 2)
    assert runs("word " * 200, 2) == []


@pytest.mark.parametrize(
    ("text", "own", "others"),
    [
        ("Ich wohne in Jena.", "", "жあ中ก"),
        ("Я живу в Казани.", "ж", "あ中ก"),
        ("妹は大阪にいます。", "あ中", "жก한"),
        ("我住在上海。", "中", "жあก"),
    ],
)
def test_foreign_are_the_scripts_that_a_text_has_none_of(text: str, own: str, others: str) -> None:
    letters = re.compile(f"[{foreign(text)}]")
    assert [letter for letter in own + "aé" if letters.match(letter)] == []
    assert [letter for letter in others if not letters.match(letter)] == []
