"""Dates and times as texts write them."""

import pytest

from assistant.moments import Moment, moment


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1952", Moment(1952)),
        ("about 850", Moment(850)),
        ("3 May 1952", Moment(1952, 5, 3)),
        ("May 3, 1952", Moment(1952, 5, 3)),
        ("the 3rd of May", Moment(None, 5, 3)),
        ("Saturday, 26 April", Moment(None, 4, 26)),
        ("in September 2011", Moment(2011, 9)),
        ("2024-03-12", Moment(2024, 3, 12)),
        ("12.3.2024", Moment(2024, 3, 12)),
        ("1902年", Moment(1902)),
        ("1902年3月5日", Moment(1902, 3, 5)),
        ("5月16日上午9点半", Moment(None, 5, 16, 570)),
        ("下午3点", Moment(minutes=900)),
        ("7:30", Moment(minutes=450)),
        ("at 7:30 p.m.", Moment(minutes=1170)),
        ("12 am", Moment(minutes=0)),
        ("Tuesday, 12 March at 10:15", Moment(None, 3, 12, 615)),
    ],
)
def test_what_is_told_is_read_as_far_as_it_goes(text: str, told: Moment) -> None:
    assert moment(text) == told


@pytest.mark.parametrize(
    "text", ["", "unknown", "52 m", "3.45", "1,820米", "2,310", "eleven", "1952 films", "on Monday", "3 May to 4 June"]
)
def test_what_is_more_or_other_than_a_moment_is_none(text: str) -> None:
    assert moment(text) is None


@pytest.mark.parametrize(
    ("one", "other", "before"),
    [
        ("1952", "1960", True),
        ("3 May 1952", "1960", True),
        ("3 May 1952", "2 April 1952", False),
        ("26 April", "12 March", False),
        ("7:30 am", "7:30 pm", True),
        ("3 May, 9:00", "3 May, 14:00", True),
        ("1952", "3 May 1952", None),
        ("3 May", "3 May 1952", None),
        ("3 May", "7:30", None),
        ("1952", "1952", None),
    ],
)
def test_which_comes_first_is_told_where_the_same_is_known_of_both(one: str, other: str, before: bool | None) -> None:
    first, second = moment(one), moment(other)
    assert first is not None and second is not None
    assert first.is_before(second) is before
    assert second.is_before(first) is (None if before is None else not before)
