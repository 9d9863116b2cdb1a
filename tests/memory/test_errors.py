"""Lines for people: English text that keeps what it was made from."""

import copy
import json

import pytest

from memory.errors import Notice, UserMistake

WITHIN = Notice("{name} waits {seconds} s: {why}", name="a", seconds=30.0, why=Notice("{n} are before it.", n=2))
LARGE = Notice("{name} has more than {most} parts.", name="a{b}.txt", most=100_000)


def test_a_notice_is_its_english_line_also_as_the_text_of_an_error() -> None:
    assert LARGE == "a{b}.txt has more than 100,000 parts."
    assert str(UserMistake(LARGE.text, **LARGE.values)) == LARGE
    assert UserMistake("{} as it is").notice == "{} as it is"


def test_numbers_are_written_as_people_do() -> None:
    assert WITHIN == "a waits 30 s: 2 are before it."


@pytest.mark.parametrize("notice", [LARGE, WITHIN])
@pytest.mark.parametrize("again", [copy.deepcopy, lambda notice: Notice.read(json.loads(json.dumps(notice.form)))])
def test_a_copy_keeps_what_it_was_made_from(again, notice) -> None:
    other = again(notice)
    assert (other, other.text, other.values) == (notice, notice.text, notice.values)
    for value, kept in zip(other.values.values(), notice.values.values(), strict=True):
        assert type(value) is type(kept)


@pytest.mark.parametrize(
    "form",
    [None, "text", ["text"], [1, {}], ["{name.__class__}", {"name": "a"}], ["{name:>99999}", {"name": "a"}],
     ["{name!r}", {"name": "a"}], ["{other}", {"name": "a"}], ["{name}", {"name": ["a"]}], ["{", {"name": "a"}]],
)  # fmt: skip
def test_what_fills_in_more_than_plain_values_is_no_notice(form: object) -> None:
    with pytest.raises(ValueError):
        Notice.read(form)
