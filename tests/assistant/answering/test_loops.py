import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answering.loops import without_loop

PACKED = "You should pack:\n- a hat\n- good walking shoes\n- sun cream\n- a water bottle\n- a light scarf\n"
TIPS = "よく眠るには、寝る前に水を一杯飲んで、寝る前に本を読んで、寝る前に窓を開けて、寝る前に目を閉じて、"
AGAIN = "寝る前に本を読んで、寝る前に窓を開けて、寝る前に目を閉じて、"
NUMBERED = "\n".join(f"{n}. {what}" for n, what in enumerate(["Label the boxes.", "Use towels.", "Fill gaps."], 1))
SAVED = "def one(path):\n    try:\n        with open(path) as file:\n            return file\n    except OSError:\n"
CHORUS = "Oh the tide,\nbring it home,\nover stone,\nbring it home,\n"
SONG = f"Gulls cry at dawn,\n{CHORUS}\nNets lie in the sun,\n{CHORUS}\nNight falls."
CODE = "```\n" + "total += 1\nprint(total)\n" * 5 + "```\n"


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("It is in May" + "." * 400, "It is in May."),
        ("I like tea. " + "And tea. " * 40, "I like tea. And tea."),
        (PACKED * 3, PACKED),
        (PACKED.removesuffix("\n") + PACKED.partition(":")[2] * 2, PACKED),
        (TIPS + AGAIN * 30, TIPS),
        (NUMBERED + "\n4. Label the boxes.\n5. Use towels.\n6. Fill gaps.\n7. Label the boxes.\n", NUMBERED),
    ],
)
@pytest.mark.parametrize("pieces", [list, lambda reply: [reply]])
def test_a_reply_ends_where_it_begins_to_say_the_same_over_and_over(pieces, reply: str, left: str) -> None:
    assert "".join(without_loop(iter(pieces(reply)))) == left


@pytest.mark.parametrize(
    "reply",
    [
        "Good question... I would wait.",
        "| a | b |\n| ---------------- | --- |",
        CODE,
        "```python\n" + SAVED + "\n" + SAVED.replace("one", "two") + "```\nDone.",
        SONG,
        "No, no, no, no, no: wait.",
        "Eggs: 12, flour: 500, sugar: 100, butter: 100, milk: 100.",
        "Snow falls,\nsnow falls on the hill,\nand night is long.\n\nSnow falls,\nsnow falls on the sea,\nand I go.",
        "Dear Ms Orme,\nthe tap drips.\nKind regards\n\nOr shorter:\n\nDear Ms Orme,\nthe tap drips. Thanks",
    ],
)
@pytest.mark.parametrize("pieces", [list, lambda reply: [reply]])
def test_what_is_said_on_purpose_stays(pieces, reply: str) -> None:
    assert "".join(without_loop(iter(pieces(reply)))) == reply


@given(st.lists(st.text("ab ,.\n、1-`", max_size=6)))
def test_what_is_left_is_the_beginning_however_the_reply_comes(pieces: list[str]) -> None:
    reply = "".join(pieces)
    left = "".join(without_loop(iter(pieces)))
    assert reply.startswith(left)
    assert left == "".join(without_loop(iter([reply])))


@given(st.lists(st.integers(0, 10**9), unique=True, max_size=40))
def test_items_that_differ_all_stay(numbers: list[int]) -> None:
    reply = "".join(f"- item {number}\n" for number in numbers)
    assert "".join(without_loop(iter(reply))) == reply
