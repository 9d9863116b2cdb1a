"""What sums in replies come to: values, and the same however the reply is cut into pieces."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answering.computing import with_results

TODAY = date(2026, 11, 27)


def shown(reply: str, language: str = "en") -> str:
    return "".join(with_results([reply], TODAY, language))


@pytest.mark.parametrize(
    ("language", "written", "result"),
    [
        ("en", "17 / 100 * 245", "41.65"),
        ("zh", "（２ + 3） × 4", "20"),
        ("de", "17,40", "17,40"),
        ("en", "1990100", "1990100"),
        ("en", "(4 + 3) * 2 ^ 3 - 1", "55"),
        ("en", "2 ^ 3 ^ 2", "512"),
        ("en", "-3 + 10", "7"),
        ("en", "12 × 3 ÷ 4 − 1", "8"),
        ("en", "850 * 12%", "102"),
        ("en", "12,345 * 2", "24,690"),
        ("en", "$2,350 * 12 = 28,200", "28,200"),
        ("en", "5 apples * 3", "15"),
        ("en", "1 / 300", "0.0033"),
        ("en", "2026 - 5", "2021"),
        ("de", "3 * 2,80 Euro", "8,4"),
        ("de", "12 * 920", "11.040"),
        ("de", "1.250 * 2", "2500"),
        ("fr", "0,125 * 8", "1"),
        ("la", "12 * 920", "11,040"),
        ("xx", "12 * 920", "11,040"),
        ("en", "17:45 + 95 min", "19:20"),
        ("en", "22:45 + 8.5 h", "07:15"),
        ("fr", "14h20 + 3h15", "17:35"),
        ("en", "6:20 - 22:50", "7:30"),
        ("en", "2 weeks / 1 day", "14"),
        ("en", "2026-12-25 - today", "28"),
        ("en", "date(2015-05-04)", "May 4, 2015"),
        ("en", " 2 * 3 ", "6"),
        ("en", "today + 45 days", "January 11, 2027"),
        ("de", "today + 45", "11. Januar 2027"),
        ("en", "until(12-25)", "28"),
        ("en", "until(11-27)", "0"),
        ("en", "until(02-29)", "459"),
        ("en", "age(1991-11-27)", "35"),
        ("en", "age(1991-11-28)", "34"),
        ("de", "age(6)", "6"),
    ],
)
def test_a_sum_comes_to_its_result(language: str, written: str, result: str) -> None:
    assert shown(f"It is <<{written}>>.", language) == f"It is {result}."


@pytest.mark.parametrize(
    "written",
    [
        "your favourite dish",
        "5 / 0",
        "9 ^ 9 ^ 9",
        "2 ^ 0.5 ^ (",
        "850 + 12%",
        "14 - 27 November 2026",
        "until(13-01)",
        "-",
    ],
)
def test_of_what_cannot_be_computed_the_words_are_left(written: str) -> None:
    assert shown(f"Cook <<{written}>> today.") == f"Cook {written} today."


@pytest.mark.parametrize(
    "reply",
    [
        "```cpp\nstd::cout << 3 + 1 >> x;\n```",
        "`1 << 2 >> 1`",
        "a << b",
        "<<>>",
        "<<1 + 1\n>>",
        "<<1+" + "1+" * 90 + "1>>",
    ],
)
def test_what_is_no_sum_stands_as_it_is(reply: str) -> None:
    assert shown(reply) == reply


def test_behind_code_sums_are_computed_again() -> None:
    assert shown("```\nx << 2\n```\nIt is <<3 x 4>>.") == "```\nx << 2\n```\nIt is 12."


@given(st.lists(st.sampled_from([*"<>=+-1 a`\n", "<<", ">>", "2 * 3", "today", "```"]), max_size=20), st.data())
def test_pieces_change_nothing(parts: list[str], data: st.DataObject) -> None:
    reply, pieces = "".join(parts), []
    while left := reply[sum(map(len, pieces)) :]:
        pieces.append(left[: data.draw(st.integers(1, len(left)))])
    assert "".join(with_results(pieces, TODAY, "en")) == shown(reply)


@given(st.integers(-10_000, 10_000), st.integers(-10_000, 10_000), st.sampled_from("+-*"))
def test_whole_numbers_are_computed_as_python_does(one: int, other: int, sign: str) -> None:
    expected = {"+": one + other, "-": one - other, "*": one * other}[sign]
    assert Decimal(shown(f"<<({one}) {sign} ({other})>>").replace(",", "")) == expected


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)))
def test_the_days_until_a_day_lead_to_it(day: date) -> None:
    days = int(shown(f"<<until({day:%m-%d})>>").replace(",", ""))
    assert f"{TODAY + timedelta(days):%m-%d}" == f"{day:%m-%d}"
