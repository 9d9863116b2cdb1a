"""The judge of answers by strings."""

import pytest

from tests.benchmarks.judging import chosen, holds


@pytest.mark.parametrize(
    ("text", "wanted", "held"),
    [
        ("The Kenyan shilling [1].", [["Kenyan Shilling"]], True),
        ("Its area is 825,418 km² [2].", [["825418"]], True),
        ("面积是752 614平方公里", [["752614"]], True),
        ("Nigeria borders it.", [["Niger"]], False),
        ("It was founded in 1974.", [["74"]], False),
        ("There are seven [5].", [["5", "five"]], False),
        ("Germany and Italy", [["Germany"], ["Italy"], ["Czechia", "Czech Republic"]], False),
        ("Germany, Italy and the Czech Republic", [["Germany"], ["Italy"], ["Czechia", "Czech Republic"]], True),
        ("她在蒙得维的亚[1]。", [["蒙得维的亚"]], True),
        ("Cote d'Ivoire", [["Côte d'Ivoire"]], True),
    ],
)
def test_an_answer_holds_what_it_should(text: str, wanted: list[list[str]], held: bool) -> None:
    assert holds(text, wanted) is held


@pytest.mark.parametrize(
    "text",
    [
        "Peru has more inhabitants than Chile [1][2].",
        "Peru (31,989,256) has more inhabitants than Chile (18,729,160).",
        "Chile has 18,729,160 inhabitants and Peru 31,989,256, so Peru has more.",
        "Between Chile and Peru, Peru is the larger one.",
        "The larger one is Peru.",
        "Peru.",
    ],
)
def test_a_comparison_names_the_greater_one(text: str) -> None:
    assert chosen(text, ["Chile", "Peru"]) == "Peru"


@pytest.mark.parametrize("text", ["瑞典的人口比挪威多[1]。", "挪威有531万人，瑞典有1018万人，所以瑞典更多。", "瑞典"])
def test_a_comparison_in_chinese(text: str) -> None:
    assert chosen(text, ["挪威", "瑞典"]) == "瑞典"


def test_no_choice_is_no_choice() -> None:
    assert chosen("I do not know.", ["lead", "gold"]) == ""
    assert chosen("That would be misleading.", ["lead", "gold"]) == ""
