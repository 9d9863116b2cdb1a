import pytest

from assistant.remembering.asked import telling


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My daughter is in 6B, what does she need to bring for the visit?", "My daughter is in 6B."),
        (
            "I still have patterns from version 2, what program do i run them through",
            "I still have patterns from version 2.",
        ),
        ("I work at Siemens - so where is the nearest canteen?", "I work at Siemens."),
        ("Hello. I moved to Kiel, what is the weather like there? It rains.", "Hello. I moved to Kiel. It rains."),
        ("小雨是老师，她在哪里上班？", "小雨是老师。"),
        ("What is my sister's dog called?", ""),
        ("小雨住在哪里？", ""),
    ],
)
def test_what_a_message_asks_is_not_told(text: str, told: str) -> None:
    assert telling(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "My sister, who lives in Halle, has a dog.",
        "Who dares wins, my father says.",
        "I'll tell you more, when I know where the party is.",
        "We live in Halle, which is the best place.",
        "My sister, who lives in Halle, has a dog, right?",
        "My PIN is 4422, can you keep that?",
        "Could you remember that my appointment is on Monday at 9:30?",
        "你知道我妹妹叫小雨吗？",
        "我几乎每天跑步，对吧？",
    ],
)
def test_what_tells_stays_whole(text: str) -> None:
    assert telling(text) == text
