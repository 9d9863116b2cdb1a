"""Days, months and years as models write them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.remembering.periods import Period, first_day, last_day, names_other_year, names_year, period

TODAY = date(2026, 3, 6)
DAYS = st.dates(date(1900, 1, 1), date(2090, 12, 31))


@given(DAYS)
def test_a_day_a_month_and_a_year_are_from_their_first_to_their_last_day(day):
    assert period(f"{day:%Y-%m-%d}") == Period(day, day)
    month, year = period(f"{day:%Y-%m}"), period(f"{day:%Y}")
    assert month.first.day == 1
    assert (month.last + timedelta(days=1)).day == 1
    assert year.first <= month.first <= day <= month.last <= year.last
    assert (first_day(f"{day:%Y-%m}"), last_day(f"{day:%Y-%m}")) == tuple(
        datetime(one.year, one.month, one.day, tzinfo=UTC) for one in (month.first, month.last)
    )


@pytest.mark.parametrize(
    ("written", "ahead", "meant"),
    [
        ("1 year ago", False, "2025"),
        ("1 year ahead", True, "2027"),
        ("3 months ago", False, "2025-12"),
        ("10 months ahead", True, "2027-01"),
        ("2 weeks ago", False, "2026-02-20"),
        ("1 day ago", False, "2026-03-05"),
        ("June", False, "2025-06"),
        ("June", True, "2026-06"),
        ("January", True, "2027-01"),
        ("March", True, "2026-03"),
        ("March", False, "2026-03"),
    ],
)
def test_what_names_no_year_is_counted_from_today(written, ahead, meant):
    assert period(written, TODAY, ahead=ahead) == period(meant)
    assert period(written, ahead=ahead) is None


@given(DAYS, st.integers(1, 99), st.sampled_from(["day", "week", "month", "year"]), st.booleans())
def test_what_is_ago_is_past_and_what_is_in_some_time_is_to_come(today, count, unit, ahead):
    s = "s" if count > 1 else ""
    meant = period(f"{count} {unit}{s} {'ahead' if ahead else 'ago'}", today)
    assert meant.first > today if ahead else meant.last < today


@pytest.mark.parametrize(
    "written", ["", "soon", "2019-13", "2019-02-30", "Mai 2019", "ago", "2 years ago ahead", "0000"]
)
def test_anything_else_is_no_period(written):
    assert period(written, TODAY) is None


def test_a_year_stands_in_a_text_by_its_digits():
    assert names_year("Seit 2019 in Gera")
    assert names_year("2019年")
    assert not names_year("room 20190, 12 cats")
    assert not names_other_year("2019-05", "seit Mai 2019")
    assert not names_other_year("1 year ago", "letztes Jahr")
    assert names_other_year("2018 to 2019", "seit 2019")
