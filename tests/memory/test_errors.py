"""Lines for people: English text that keeps what it was made from."""

import copy
import json

import pytest

from memory.errors import Notice, UserMistake

LARGE = Notice("{name} has more than {most} parts.", name="a{b}.txt", most=100_000)


def test_a_notice_is_its_english_line_also_as_the_text_of_an_error() -> None:
    assert LARGE == "a{b}.txt has more than 100,000 parts."
    assert str(UserMistake(LARGE.text, **LARGE.values)) == LARGE
    assert UserMistake("{} as it is").notice == "{} as it is"


@pytest.mark.parametrize("again", [copy.deepcopy, lambda notice: Notice.read(json.loads(json.dumps(notice.form)))])
def test_a_copy_keeps_what_it_was_made_from(again) -> None:
    other = again(LARGE)
    assert (other, other.text, other.values) == (LARGE, LARGE.text, LARGE.values)


@pytest.mark.parametrize(
    "form",
    [None, "text", ["text"], [1, {}], ["{name.__class__}", {"name": "a"}], ["{name:>99999}", {"name": "a"}],
     ["{name!r}", {"name": "a"}], ["{other}", {"name": "a"}], ["{name}", {"name": ["a"]}], ["{", {"name": "a"}]],
)  # fmt: skip
def test_what_fills_in_more_than_plain_values_is_no_notice(form: object) -> None:
    with pytest.raises(ValueError):
        Notice.read(form)
