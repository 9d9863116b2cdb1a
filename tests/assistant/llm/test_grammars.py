"""The parts of grammars that several calls share."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.llm.grammars import foreign, own_words


def written(grammar: str) -> re.Pattern[str]:
    """What literals, brackets and bars of a grammar may write."""
    parts = re.findall(r'"(?:[^"\\]|\\.)*"|[|()?]', grammar)
    return re.compile("".join(re.escape(json.loads(part)) if part[0] == '"' else part for part in parts))


@given(st.text(max_size=80), st.integers(1, 6))
def test_a_run_may_be_of_the_texts_own_words(text: str, longest: int) -> None:
    told = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", " ", text).split())
    grammar = own_words([text], longest)
    for literal in re.findall(r'"(?:[^"\\]|\\.)*"', grammar):
        assert json.loads(literal) in told


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("I like tea", ["I", "like", "tea", "I like", "like tea"]),
        ("我喜欢喝茶", ["我", "喝茶"]),
        ("My sister Ann's dog", ["Ann", "sister Ann", "Ann's", "dog"]),
        ('We read "Dune", twice.', ['read "Dune', "Dune", "twice"]),
        ("I write C++ at -5 °C for 1,200 euros.", ["C++", "-5 °C", "1,200"]),
        ("Llámame al +34 600 123.", ["+34 600", "600 123"]),
        ("Am 3. Mai um 10 Uhr, bei Dr. Kolb in St. Gallen", ["3. Mai", "Dr. Kolb", "St. Gallen", "10 Uhr"]),
        ("ฉันชอบกาแฟ", ["กาแฟ"]),
        ("北京市朝阳区", ["朝阳区"]),
        ("tea\nmilk", ["tea", "milk"]),
    ],
)
def test_own_words_may_be_written(text: str, runs: list[str]) -> None:
    assert all(written(own_words([text], 2)).fullmatch(run) for run in runs)


@pytest.mark.parametrize("run", ["coffee", "tea I", "I like tea", "tea. She", "milk, too", "", "too Tom"])
def test_nothing_else_may_be_written(run: str) -> None:
    assert not written(own_words(["I like tea. She likes milk, too", "Tom"], 2)).fullmatch(run)


def test_of_too_many_words_the_last_may_be_written() -> None:
    form = written(own_words(["Ann.", "word " * 400, "Tom rows."], 2))
    assert [bool(form.fullmatch(run)) for run in ("Ann", "Tom", "Tom rows")] == [False, True, True]


def test_of_no_words_anything_may_be_written() -> None:
    assert own_words(["?!"], 2).startswith("[^")


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
