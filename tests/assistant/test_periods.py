from datetime import date, datetime

import pytest

from assistant.periods import days, is_period


@pytest.mark.parametrize(
    ("period", "first", "following"),
    [
        ("today", date(2026, 1, 14), date(2026, 1, 15)),
        ("yesterday", date(2026, 1, 13), date(2026, 1, 14)),
        ("this week", date(2026, 1, 12), date(2026, 1, 19)),
        ("last week", date(2026, 1, 5), date(2026, 1, 12)),
        ("this month", date(2026, 1, 1), date(2026, 2, 1)),
        ("last month", date(2025, 12, 1), date(2026, 1, 1)),
        ("this year", date(2026, 1, 1), date(2027, 1, 1)),
        ("last year", date(2025, 1, 1), date(2026, 1, 1)),
        ("2024", date(2024, 1, 1), date(2025, 1, 1)),
        ("2024-02", date(2024, 2, 1), date(2024, 3, 1)),
        ("2024-12", date(2024, 12, 1), date(2025, 1, 1)),
    ],
)
def test_a_period_is_days_of_the_calendar(period, first, following):
    assert is_period(period)
    since, until = days(period, datetime(2026, 1, 14, 12).astimezone())
    assert (since.date(), until.date()) == (first, following)
    assert {since.hour, until.hour} == {0}


def test_so_far_is_all_until_the_end_of_today():
    at = datetime(2026, 1, 14, 12).astimezone()
    since, until = days("so far", at)
    assert since.year == 1
    assert until.date() == date(2026, 1, 15)


@pytest.mark.parametrize("words", ["", "May", "my sister", "2024-13", "9999", "0000-01", "Today", "2024-1"])
def test_other_words_are_no_period(words):
    assert not is_period(words)
