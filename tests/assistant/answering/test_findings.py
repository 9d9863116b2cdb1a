"""What a search clearly came to."""

import pytest

from assistant.answering.findings import asked_by_name
from assistant.knowledge_bases.relations import CLEAR, NAMED
from assistant.types import Evidence


@pytest.mark.parametrize(
    ("relation", "question", "by_name", "clearly"),
    [
        ("written by", "Who wrote Dune?", True, True),
        ("release date", "When was Dune released?", True, True),
        ("release date", "Who released Dune?", True, False),
        ("filming location", "Where was Dune filmed?", True, True),
        ("date", "When was Dune released?", False, False),
        ("上映时间", "李尔王什么时候上映的？", True, True),
        ("上映时间", "李尔王在哪里上映的？", True, False),
        ("拍摄地点", "李尔王是在什么地方拍摄的？", True, True),
        ("时间", "李尔王什么时候上映的？", False, False),
        ("导演", "李尔王什么时候上映的？", False, False),
    ],
)
def test_a_relation_is_asked_for_by_name(relation: str, question: str, by_name: bool, clearly: bool) -> None:
    named, clear = (Evidence(1, "kb", "Dune", relation, "X", score=score) for score in (NAMED, CLEAR))
    assert asked_by_name(named, question) is by_name
    assert asked_by_name(clear, question) is clearly
    assert not asked_by_name(Evidence(1, "kb", "Dune", relation, "X", score=CLEAR - 0.01), question)
