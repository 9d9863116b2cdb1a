"""What programs hand over, made plain within bounds."""

from collections import namedtuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.bounded import CHARACTERS, VALUES, TooMuch, plain

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
_KEYS = st.integers() | st.text(max_size=5) | st.tuples(st.integers(), st.text(max_size=3))
_SMALL = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(_KEYS, inner, max_size=3)
        | st.sets(_KEYS, max_size=3)
        | st.frozensets(_KEYS, max_size=3)
    ),
    max_leaves=20,
)


@given(_SMALL)
def test_a_small_value_stays_as_it_is(value):
    assert plain(value) == value
    assert type(plain(value)) is type(value)


def count(value):
    if isinstance(value, dict):
        return 1 + sum(count(key) + count(item) for key, item in value.items())
    return 1 + sum(map(count, value)) if isinstance(value, list | tuple | set | frozenset) else 1


@given(_SMALL, st.lists(st.sampled_from("ltd"), max_size=60))
def test_whatever_is_held_many_times_over_ends_within_the_bounds(value, steps):
    for step in steps:
        value = {"l": [value, value], "t": (value, value, value), "d": {"x": value, "y": value}}[step]
    try:
        told = plain(value)
    except TooMuch:
        return
    assert count(told) <= VALUES


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (10**5000, "more than 4,200 digits"),
        ([-(10**5000)], "more than 4,200 digits"),
        ("a" * (CHARACTERS + 1), "characters"),
        (b"a" * (CHARACTERS + 1), "characters"),
        (["a" * 1000] * 10_000, "characters"),
        ([1] * (VALUES + 1), "parts"),
    ],
    ids=["digits", "digits within", "text", "bytes", "texts", "parts"],
)
def test_what_is_too_much_is_said(value, why):
    with pytest.raises(TooMuch, match=f"^Peru has .*{why}"):
        plain(value, "Peru")


def test_what_is_nested_without_an_end():
    value = []
    value.append(value)
    with pytest.raises(TooMuch, match="levels deep"):
        plain(value)


class Proxy:
    def __init__(self):
        self.attributes = {"name": "Ada", "friends": ["Bo"]}


def test_what_is_neither_text_nor_number_is_told_by_what_it_holds():
    pair = namedtuple("pair", "x y")
    assert plain(Proxy()) == {"name": "Ada", "friends": ["Bo"]}
    assert plain(ValueError("no")) == "no"
    assert plain([b"a", int, pair(1, 2)]) == ["b'a'", "<class 'int'>", (1, 2)]
    assert plain({Proxy(): 1}) == {"Proxy": 1}
