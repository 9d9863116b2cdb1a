from datetime import date, datetime

import pytest

from assistant.memory_requests.periods import days, named


@pytest.mark.parametrize(
    ("words", "first", "following"),
    [
        ("today", date(2026, 1, 14), date(2026, 1, 15)),
        ("from yesterday", date(2026, 1, 13), date(2026, 1, 14)),
        ("this week", date(2026, 1, 12), date(2026, 1, 19)),
        ("上周", date(2026, 1, 5), date(2026, 1, 12)),
        ("This month", date(2026, 1, 1), date(2026, 2, 1)),
        ("last month", date(2025, 12, 1), date(2026, 1, 1)),
        ("this year", date(2026, 1, 1), date(2027, 1, 1)),
        ("去年", date(2025, 1, 1), date(2026, 1, 1)),
        ("from 2024", date(2024, 1, 1), date(2025, 1, 1)),
        ("2024年", date(2024, 1, 1), date(2025, 1, 1)),
        ("in Feb 2024", date(2024, 2, 1), date(2024, 3, 1)),
        ("2024年十二月", date(2024, 12, 1), date(2025, 1, 1)),
        ("in January", date(2026, 1, 1), date(2026, 2, 1)),
        ("in May", date(2025, 5, 1), date(2025, 6, 1)),
        ("11月", date(2025, 11, 1), date(2025, 12, 1)),
        ("今年三月", date(2026, 3, 1), date(2026, 4, 1)),
        ("in March last year", date(2025, 3, 1), date(2025, 4, 1)),
    ],
)
def test_a_period_is_the_days_of_the_calendar_that_its_words_name(words, first, following):
    since, until = days(named(words), datetime(2026, 1, 14, 12).astimezone())
    assert (since.date(), until.date()) == (first, following)
    assert {since.hour, until.hour} == {0}


def test_so_far_is_all_until_the_end_of_today():
    at = datetime(2026, 1, 14, 12).astimezone()
    since, until = days(named("so far"), at)
    assert since.year == 1
    assert until.date() == date(2026, 1, 15)
