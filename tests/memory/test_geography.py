"""Which places may lie in which."""

import pytest

from memory.geography import extent, may_lie_in


@pytest.mark.parametrize(
    ("place", "larger", "may"),
    [
        ("Oslo", "Norway", True),
        ("Berlin", "Norway", False),
        ("柏林", "挪威", False),
        ("柏林", "德国", True),
        ("Cologne", "Germany", True),
        ("Paris", "the USA", True),  # in Texas
        ("Paris", "Holland", False),
        ("Edinburgh", "the UK", True),
        ("Scotland", "Great Britain", True),
        ("England", "Norway", False),
        ("Little Nowhere", "Norway", True),
        ("Bergen", "Europe", True),
        ("Norway", "Europe", True),
        ("", "Norway", True),
    ],
)
def test_a_place_may_lie_where_its_namesakes_do_or_nobody_knows(place: str, larger: str, may: bool) -> None:
    assert may_lie_in(place, larger) is may


def test_a_continent_is_larger_than_a_country_and_that_than_a_part_and_a_town() -> None:
    sizes = [extent(place) for place in ("Oslo", "England", "the Netherlands", "Asia")]
    assert sizes == sorted(set(sizes))
    assert extent("Singapore") == extent("Oslo")
