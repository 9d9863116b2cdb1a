"""When a fact held, by the words around it."""

import time
from datetime import UTC, datetime

import pytest

from memory.times import held

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def days(text: str, about: str, *, spoken: bool = True) -> tuple[str | None, str | None]:
    times = held(text, about, NOW, spoken=spoken)
    since, until = (None if time is None else f"{time:%Y-%m-%d}" for time in (times.since, times.until))
    return since, until


@pytest.mark.parametrize(
    ("text", "about", "since", "until"),
    [
        ("I've lived in Berlin since 2019.", "Berlin", "2019-01-01", None),
        ("Since 3 May 2020, I work at Acme.", "Acme", "2020-05-03", None),
        ("I work at Acme, since May 3rd, 2020", "Acme", "2020-05-03", None),
        ("I moved to Berlin in 2021.", "Berlin", "2021-01-01", None),
        ("I lived in Paris from 2015 to 2019 and now live in Berlin.", "Paris", "2015-01-01", "2019-12-31"),
        ("I lived in Paris from 2015 to 2019 and now live in Berlin.", "Berlin", None, None),
        ("Ann lived in Rome between 1990 and 1995.", "Rome", "1990-01-01", "1995-12-31"),
        ("She worked at Acme until 2024-02.", "Acme", None, "2024-02-29"),
        ("我从2015年到2019年住在巴黎", "巴黎", "2015-01-01", "2019-12-31"),
        ("自2019年5月起住在柏林", "柏林", "2019-05-01", None),
        ("我直到2020年住在巴黎", "巴黎", None, "2020-12-31"),
        ("The lease runs until 2030.", "lease", None, None),  # it still holds
        ("She was born on 31 February 1980.", "born", None, None),  # no such day
        ("The fair moved to June 2025.", "June 2025", None, None),  # that is what it says, not until when
        ("I lived in Rome in 2012.", "Rome", "2012-01-01", "2012-12-31"),
        ("In 2012 I worked at Bosch.", "Bosch", "2012-01-01", "2012-12-31"),
        ("I was employed at Bosch in 2012.", "Bosch", "2012-01-01", "2012-12-31"),
        ("I worked at Bosch in the summer of 2012.", "Bosch", "2012-01-01", "2012-12-31"),
        ("I studied at MIT in the 1990s.", "MIT", "1990-01-01", "1999-12-31"),
        ("我2012年住在罗马", "罗马", "2012-01-01", "2012-12-31"),
        ("我2012年在博世工作", "博世", "2012-01-01", "2012-12-31"),
        ("我2026年住在罗马", "罗马", None, None),  # and that year is not over
        ("Anna left Bosch in 2015.", "Bosch", None, "2015-12-31"),
        ("My sister left Rome in 2015.", "Rome", None, "2015-12-31"),
        ("Turn left at Bosch in 2015.", "Bosch", None, None),
        ("I start at Bosch on 1 March 2027.", "Bosch", "2027-03-01", None),
        ("I may move to Rome in 2027.", "Rome", "2027-01-01", None),
        ("I lived in Rome in 2026.", "Rome", "2026-01-01", "2026-11-21"),
        ("我2012年住过罗马", "罗马", "2012-01-01", "2012-12-31"),
        ("I moved away from Rome in 2015.", "Rome", None, "2015-12-31"),
        ("I left my job at Bosch in 2015.", "Bosch", None, "2015-12-31"),
        ("I moved from Rome to Oslo in 2015.", "Rome", None, "2015-12-31"),
        ("I moved from Rome to Oslo in 2015.", "Oslo", "2015-01-01", None),
        ("I left my keys at Bosch in 2015.", "Bosch", None, None),
        ("I am moving to Rome in March 2027.", "Rome", "2027-03-01", None),
        ("Hotel 2020 is on Main Street.", "Main Street", None, None),
        ("Ann lives in Oslo.", "Oslo", None, None),
        ("I lived in Rome in 2012 and still do.", "Rome", "2012-01-01", None),
        ("I worked at Bosch in 2012, and I'm still there.", "Bosch", "2012-01-01", None),
        ("我2012年住在罗马，现在还住在那里", "罗马", "2012-01-01", None),
        ("I lived in Rome in 2012 and still live in Oslo.", "Rome", "2012-01-01", "2012-12-31"),
        ("I lived in Rome in 2012 and my parents are still there.", "Rome", "2012-01-01", "2012-12-31"),
        ("Ann worked at Bosch in 2012 and she still does.", "Bosch", "2012-01-01", None),
        ("I have always lived in Rome.", "Rome", None, None),
        ("She’s only worked at Bosch.", "Bosch", None, None),
        ("I am used to living in Rome.", "Rome", None, None),
        ("I worked at Bosch 2008-2012.", "Bosch", "2008-01-01", "2012-12-31"),
        ("I worked at Bosch, May 2008 – June 2012.", "Bosch", "2008-05-01", "2012-06-30"),
        ("I have worked at Bosch 2015-present.", "Bosch", "2015-01-01", None),
        ("I moved to Rome in mid-2019.", "Rome", "2019-01-01", None),
        ("我2008年至2012年在百度工作", "百度", "2008-01-01", "2012-12-31"),
        ("我2015年至今在百度工作", "百度", "2015-01-01", None),
        ("I lived in Rome before I moved to Oslo in 2019.", "Oslo", "2019-01-01", None),
        ("I worked at Siemens for five years before joining Bosch in 2020.", "Bosch", "2020-01-01", None),
        ("I moved to Rome before May 2019.", "Rome", "2019-05-01", None),
        ("I started at Acme in 2015.", "Acme in 2015", "2015-01-01", None),
    ],
)
@pytest.mark.parametrize("spoken", [True, False])
def test_dates_with_a_year(text: str, about: str, since: str | None, until: str | None, spoken: bool) -> None:
    assert days(text, about, spoken=spoken) == (since, until)


@pytest.mark.parametrize("spoken", [True, False])
@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("My phone number is 555-1987.", "phone number", "555-1987"),
        ("My wifi password is sunny-2019.", "wifi password", "sunny-2019"),
        ("My wifi password moved to 2019-sunny.", "wifi password", "2019-sunny"),
        ("My rent went up to 1950 euros.", "rent", "1950 euros"),
        ("My rent went up to 1950.", "my rent", "1950"),
        ("My rent started at $1950.", "rent", "$1950"),
        ("My mail is anna-1987@x.org.", "mail", "anna-1987@x.org"),
        ("My new plate started with AB-2023.", "plate", "AB-2023"),
        ("I started to save 2000 euros.", "save", "2000 euros"),
        ("I bought a flat in Expo 2020 Village.", "flat", "Expo 2020 Village"),
        ("我的电话是010-1987。", "电话", "010-1987"),
        ("我的房租换成了 1950 元。", "房租", "1950 元"),
    ],
)
def test_a_number_that_looks_like_a_year_tells_no_time(text: str, name: str, value: str, spoken: bool) -> None:
    assert days(text, value, spoken=spoken) == (None, None)
    if value not in ("1950", "Expo 2020 Village"):  # by itself, or a name: only the value shows that it is no year
        assert days(text, name, spoken=spoken) == (None, None)


@pytest.mark.parametrize(
    ("text", "about", "over"),
    [
        ("I worked at Siemens for five years before joining Bosch in 2020.", "Siemens", True),
        ("I lived in Rome before I moved to Oslo in 2019.", "Rome", True),
        ("I worked at Siemens before Bosch.", "Siemens", True),
        ("I worked at Siemens before Bosch.", "Bosch", False),
        ("I was living in Paris when I met Tom.", "Paris", True),
        ("I was a nurse for ten years.", "nurse", True),
        ("I was a nurse.", "a nurse", True),
        ("Anna was a nurse for ten years.", "nurse", True),
        ("Einstein was a physicist.", "physicist", False),
        ("I was promoted to head of sales.", "head of sales", False),
        ("My former colleague Tom lives in Leeds.", "Leeds", False),
        ("My ex-boyfriend Max works at Siemens.", "Siemens", False),
        ("我在百度工作过三年", "百度", True),
        ("我小时候住在成都", "成都", True),
        ("我小时候搬到北京", "北京", False),
    ],
)
def test_the_past_in_ordinary_words(text: str, about: str, over: bool) -> None:
    assert days(text, about)[1] == ("2026-11-21" if over else None)


@pytest.mark.parametrize(
    ("text", "within"),
    [
        # Whether that is over these words alone do not tell: it neither ends here, nor ends anything else.
        ("我毕业后在百度工作了三年", True),
        ("我在百度做了两年多", True),
        ("我在百度工作了三年了", False),
        ("我在百度已经工作了三年", False),
        ("我在百度工作", False),
    ],
)
def test_how_long_something_has_lasted_does_not_say_that_it_is_so_now(text: str, within: bool) -> None:
    assert (held(text, "百度", NOW, spoken=True).within, days(text, "百度")) == (within, (None, None))


@pytest.mark.parametrize(
    ("text", "happened"),
    [("I moved to Rome in 1999.", True), ("I have lived in Rome since 1999.", False), ("I live in Rome.", False)],
)
def test_what_happened_is_told_from_what_is_so_since(text: str, happened: bool) -> None:
    assert held(text, "Rome", NOW, spoken=True).happened is happened


@pytest.mark.parametrize(
    ("zone", "hour", "text", "told"),
    [
        ("Asia/Shanghai", 23, "我昨天入职Acme", ("2026-11-21", None)),
        ("Asia/Shanghai", 23, "I joined Acme today.", ("2026-11-22", None)),
        ("Asia/Shanghai", 23, "I worked at Acme in 2026.", ("2026-01-01", "2026-11-22")),
        ("America/New_York", 2, "I joined Acme yesterday.", ("2026-11-19", None)),
    ],
)
def test_yesterday_is_a_day_where_the_user_is(
    monkeypatch, zone: str, hour: int, text: str, told: tuple[str, str | None]
) -> None:
    with monkeypatch.context() as there:
        there.setenv("TZ", zone)
        time.tzset()
        times = held(text, "Acme", NOW.replace(hour=hour), spoken=True)
    time.tzset()
    assert not times.ahead
    assert tuple(day and f"{day:%Y-%m-%d}" for day in (times.since, times.until)) == told


@pytest.mark.parametrize(
    ("text", "about", "since", "until"),
    [
        ("I lived in Paris until last May.", "Paris", None, "2026-05-31"),
        ("I've worked at Acme since March.", "Acme", "2026-03-01", None),
        ("I've been at Acme since December", "Acme", "2025-12-01", None),
        ("I joined Acme last month.", "Acme", "2026-10-01", None),
        ("I moved to Berlin two years ago", "Berlin", "2024-01-01", None),
        ("I started at Acme yesterday", "Acme", "2026-11-20", None),
        ("I used to live in Rome.", "Rome", None, "2026-11-21"),
        ("I have lived in Rome before.", "Rome", None, "2026-11-21"),
        ("我去年5月搬到柏林", "柏林", "2025-05-01", None),
        ("我以前住在巴黎，现在住在柏林", "巴黎", None, "2026-11-21"),
        ("我以前住在巴黎，现在住在柏林", "柏林", None, None),
        ("I relocated to Berlin last year", "Berlin", "2025-01-01", None),
        ("I lived in Rome last year", "Rome", "2025-01-01", "2025-12-31"),
        ("I quit Bosch.", "Bosch", None, "2026-11-21"),
        ("I'm moving to Rome in March.", "Rome", "2027-03-01", None),
        ("I will move to Rome next month.", "Rome", "2026-12-01", None),
        ("我明年搬到罗马", "罗马", "2027-01-01", None),
        ("She may like tea", "tea", None, None),
    ],
)
def test_in_the_chat_words_count_from_the_day_they_are_said(
    text: str, about: str, since: str | None, until: str | None
) -> None:
    assert days(text, about) == (since, until)
    assert days(text, about, spoken=False) == (None, None)


def test_the_month_before_the_last_day_of_one_is_another() -> None:
    told = held("I joined Acme last month.", "Acme", datetime(2026, 10, 31, tzinfo=UTC), spoken=True)
    assert told.since == datetime(2026, 9, 1, tzinfo=UTC)


@pytest.mark.parametrize("spoken", [True, False])
@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Ann no longer lives in Rome", "Rome"),
        ("Ann doesn't live in Rome any more.", "Rome"),
        ("安娜不再住在罗马", "罗马"),
    ],
)
def test_what_is_no_longer_so_has_ended(text: str, about: str, spoken: bool) -> None:
    assert days(text, about, spoken=spoken) == (None, "2026-11-21")


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("I might move to Rome.", True),
        ("I am thinking about moving to Rome.", True),
        ("If I moved to Rome, I would be poor.", True),
        ("I never left Rome.", True),
        ("我没有离开Rome", True),
        ("I moved to Rome.", False),
        ("Don't forget that I moved to Rome.", False),
        ("Don't forget I moved to Rome.", False),
        ("I moved to Rome almost two years ago.", False),
        ("I don't live in Rome any more.", False),
        ("I lived in Rome before I thought of leaving.", False),
        ("I want to tell you that I moved to Rome.", False),
        ("I wanted to let you know I quit my job in Rome.", False),
        ("I would like to mention that Anna moved to Rome.", False),
        ("我打算告诉你我搬到了Rome", False),
        ("I want to tell you that I will move to Rome.", True),
        ("I told Anna I might move to Rome.", True),
        ("If I told you that I moved to Rome, you would laugh.", True),
        ("I did not say I moved to Rome.", True),
        ("I moved to Rome because I want to study.", False),
        ("I moved to Rome so I could study there next year.", False),
        ("I live in Rome where I will stay.", False),
        ("Rome is where I want to live.", True),
    ],
)
def test_what_may_never_be_so_is_told_from_what_is(text: str, ahead: bool) -> None:
    assert held(text, "Rome", NOW, spoken=True).ahead is ahead
