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
