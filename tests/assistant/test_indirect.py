"""Indirect questions are made direct, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.indirect import direct


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Can you tell me who was first on Skarveld Peak?", "Who was first on Skarveld Peak?"),
        ("do you know in which town Ann lives", "In which town Ann lives"),
        ("Hi! Could you please remind me when the bins go out?", "When the bins go out?"),
        ("I'd like to know how tall K2 is.", "How tall K2 is."),
        ("I was wondering, what does it cost?", "What does it cost?"),
        ("Any idea why the tram stopped?", "Why the tram stopped?"),
        ("please tell me about what happened", "What happened"),
        ("你知道李尔王什么时候上映的吗？", "李尔王什么时候上映的？"),
        ("谁知道ntn 562022m轴承内径是多大的？", "ntn 562022m轴承内径是多大的？"),
        ("我想知道兴隆镇的地理，人口和经济是怎样的？", "兴隆镇的地理，人口和经济是怎样的？"),
        ("我很好奇，格涅沙的体型怎么样", "格涅沙的体型怎么样？"),
        ("在座的各位有谁知道甲是哪国人啊？", "甲是哪国人啊？"),
        ("请问一下你知道甲的首都是哪里吗", "甲的首都是哪里？"),
        ("你好，麻烦你告诉我谁写了甲。", "谁写了甲？"),
        ("龙津桥有多长，你知道吗？", "龙津桥有多长？"),
        ("我想问一下大家知道甲有几个区么？", "甲有几个区么？"),
    ],
)
def test_an_indirect_question_is_made_direct(text: str, question: str) -> None:
    assert direct(text) == question


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Who wrote Dune?",
        "Can you tell me about Dune?",
        "Can you tell me whether Ann lives in Oslo?",
        "Tell me a joke.",
        "I want to know you better.",
        "Do you know Ann?",
        "你知道格涅沙吗？",
        "你知道格涅沙的体型吗？",
        "你知道的太多了的导演是谁？",
        "有谁知道的作者是谁？",
        "我知道他住在哪里。",
        "问题的答案是什么？",
        "了解宇宙的人是谁？",
        "我妹妹住在哪里？",
        "请问",
        "告诉我一个笑话",
    ],
)
def test_what_is_direct_or_asks_nothing_else_stays(text: str) -> None:
    assert direct(text) == text


@given(st.text(alphabet="你知道吗谁请问我想，？什么的 tellmwho", max_size=30))
def test_what_is_direct_stays_so(text: str) -> None:
    assert direct(direct(text)) == direct(text)
