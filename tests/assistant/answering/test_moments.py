"""Dates and times as texts write them."""

import pytest

from assistant.answering.moments import Moment, moment


def clocked(text: str) -> tuple[int | None, str] | None:
    told = moment(text)
    return (told.minutes, told.clock) if told else None


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
        ("Spring 1994", Moment(1994)),
        ("3 Juni 1994", Moment(1994)),
        ("5月16日上午9点半", Moment(None, 5, 16, None, 570, "half known")),
        ("Tuesday at 8:00", Moment(weekday=1, minutes=480, clock="half open")),
        ("周一上午9点", Moment(weekday=0, minutes=540, clock="half known")),
        ("Tuesday, 12 March at 10:15", Moment(None, 3, 12, None, 615, "half open")),
        ("the early 1950s", Moment(1950, further_years=9)),
        ("the 9th century", Moment(800, further_years=99)),
        ("20世纪70年代", Moment(1970, further_years=9)),
        ("18世纪末", Moment(1700, further_years=99)),
    ],
)
def test_what_is_told_is_read_as_far_as_it_goes(text: str, told: Moment) -> None:
    assert moment(text) == told


@pytest.mark.parametrize(
    ("text", "minutes", "clock"),
    [
        ("7:30", 450, "half open"),
        ("07:30", 450, "24 hours"),
        ("19:00", 1140, "24 hours"),
        ("at 7:30 p.m.", 1170, "half known"),
        ("7.30 pm", 1170, "half known"),
        ("12 am", 0, "half known"),
        ("2 o'clock", 120, "half open"),
        ("下午3点", 900, "half known"),
        ("下午三点", 900, "half known"),
        ("上午9:30", 570, "half known"),
        ("中午1点", 780, "half known"),
        ("中午12点", 720, "half known"),
        ("凌晨2点", 120, "half known"),
        ("夜里2点", 120, "half known"),
        ("夜里11点", 1380, "half known"),
        ("晚上12点", 1440, "half known"),
    ],
)
def test_a_time_is_read_with_what_is_known_of_its_half_of_the_day(text: str, minutes: int, clock: str) -> None:
    assert clocked(text) == (minutes, clock)


@pytest.mark.parametrize(
    "text",
    [
        *("", "unknown", "52 m", "3.45", "1,820米", "2,310", "eleven", "1952 films", "on Monday", "3 May to 4 June"),
        *("1914-18", "2001-13-45", "32 May 2001", "25:00", "the 195s", "450 BC", "1994 to 1996"),
    ],
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
        ("7:30", "19:00", True),
        ("9:15", "11:30", True),
        ("3 May, 9:00", "3 May, 14:00", True),
        ("Tuesday at 8:00", "Tuesday at 19:00", True),
        ("晚上12点", "晚上8点", False),
        ("1952", "3 May 1952", None),
        ("3 May", "3 May 1952", None),
        ("3 May", "7:30", None),
        ("1952", "1952", None),
        ("Tuesday at 8:00", "Monday at 19:00", None),
        ("Tuesday at 8:00", "19:00", None),
        ("11 o'clock", "2 o'clock", None),
        ("7:30", "7 pm", None),
        ("11:30 am", "1:15", None),
        ("the 1970s", "2001", True),
        ("the 1970s", "1975", None),
        ("the 19th century", "the late 1790s", False),
    ],
)
def test_which_comes_first_is_told_where_the_same_is_known_of_both(one: str, other: str, before: bool | None) -> None:
    first, second = moment(one), moment(other)
    assert first is not None and second is not None
    assert first.is_before(second) is before
    assert second.is_before(first) is (None if before is None else not before)
