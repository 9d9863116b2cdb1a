import pytest

from assistant.answering.spelling import spelled_as_found
from assistant.types import Evidence

KEPT = Evidence(1, "notes", "松涧琴", "收藏单位", "璧川博物馆")
OTHER = Evidence(2, "notes", "letter", "passage", "", text="壁川博物馆在别处。")
DAY = Evidence(3, "notes", "运动会", "日期", "五月八日")


@pytest.mark.parametrize(
    ("said", "evidence", "put_right"),
    [
        ("松涧琴收藏在碧川博物馆 [1]。", [KEPT], "松涧琴收藏在璧川博物馆 [1]。"),
        ("收藏在璧川博物馆。", [KEPT], "收藏在璧川博物馆。"),
        ("收藏在壁川博物馆。", [KEPT, OTHER], "收藏在壁川博物馆。"),
        ("收藏在璧川美术馆。", [KEPT], "收藏在璧川美术馆。"),
        ("在五月九日。", [DAY], "在五月九日。"),
        ("The museum of Bichuan [1].", [KEPT], "The museum of Bichuan [1]."),
    ],
)
def test_names_are_spelled_as_they_were_found(said, evidence, put_right):
    assert spelled_as_found(said, "松涧琴现在收藏在哪里？", evidence) == put_right


@pytest.mark.parametrize(
    ("said", "text", "put_right"),
    [
        (
            "It should chill for 40 minutes [1].",
            "Chill it for forty minutes.",
            "It should chill for forty minutes [1].",
        ),
        ("要放350克糖 [1]。", "放三百五十克糖。", "要放三百五十克糖 [1]。"),
        ("预算是62,000元。", "预算六万二千元，到会九人。", "预算是六万二千元。"),
        ("It costs 40 pounds [1].", "It costs 40 pounds, and forty more.", "It costs 40 pounds [1]."),
        ("It costs 4.5 pounds [1].", "It costs four pounds and five pence.", "It costs 4.5 pounds [1]."),
        ("It costs 6 pounds [1].", "It costs one pound.", "It costs 6 pounds [1]."),
        (
            "The A4 is 2,500 m long.",
            "Four of them, two thousand five hundred m.",
            "The A4 is two thousand five hundred m long.",
        ),
        ("In 1985 [1].", "In May.", "In 1985 [1]."),
    ],
)
def test_a_figure_is_in_words_where_only_these_are_found(said: str, text: str, put_right: str) -> None:
    evidence = [Evidence(1, "notes", "letter", "passage", "", text=text)]
    assert spelled_as_found(said, "How much is it?", evidence) == put_right
