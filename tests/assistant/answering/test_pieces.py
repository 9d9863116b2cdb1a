import pytest

from assistant.answering.pieces import without_loop


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("It is in May" + "." * 400, "It is in May....."),
        ("I like tea. " + "And tea. " * 40, "I like tea. " + "And tea. " * 5 + "And"),
        ("Good question... I would wait.", "Good question... I would wait."),
        ("| a | b |\n| ---------------- | --- |", "| a | b |\n| ---------------- | --- |"),
    ],
)
@pytest.mark.parametrize("pieces", [list, lambda reply: [reply]])
def test_a_reply_ends_where_it_begins_to_say_the_same_over_and_over(pieces, reply: str, left: str) -> None:
    assert "".join(without_loop(iter(pieces(reply)))) == left
