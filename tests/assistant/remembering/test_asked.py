import pytest

from assistant.remembering.asked import told
from memory.types import Span


def told_of(text: str) -> str | None:
    span = told(text, Span(0, len(text)))
    return text[span.start : span.end] if span else None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("My daughter is in 6B, what does she need to bring for the visit?", "My daughter is in 6B"),
        ("I work at Siemens - so where is the nearest canteen?", "I work at Siemens"),
        ("小雨是老师，她在哪里上班？", "小雨是老师"),
        ("What is my sister's dog called?", None),
        ("小雨住在哪里？", None),
    ],
)
def test_what_a_sentence_asks_is_not_told(text: str, left: str | None) -> None:
    assert told_of(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "My sister, who lives in Halle, has a dog.",
        "Who dares wins, my father says.",
        "My sister, who lives in Halle, has a dog, right?",
        "My PIN is 4422, can you keep that?",
        "Could you remember that my appointment is on Monday at 9:30?",
        "你知道我妹妹叫小雨吗？",
        "我几乎每天跑步，对吧？",
    ],
)
def test_what_tells_stays_whole(text: str) -> None:
    assert told_of(text) == text


def test_the_place_in_the_text_is_kept() -> None:
    text = "Hello. I moved to Kiel, what is the weather like there?"
    assert told(text, Span(7, len(text))) == Span(7, 22)
