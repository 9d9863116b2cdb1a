"""How questions with four replies, and the sessions before them, are read."""

from tests.benchmarks.personamem import _Asked, _messages


def test_a_question_is_parted_from_its_replies() -> None:
    told = (
        "User: Jo Birk\n\nUser: I went to the fair.\nIt rained.\n\n(a) A pity.\n\nReally.\n(b) Fine!\n(c) Oh.\n(d) So?"
    )
    asked = _Asked.of({"question": told, "answer": "b"})
    assert asked.text == "I went to the fair.\nIt rained."
    assert asked.options == ("A pity.\n\nReally.", "Fine!", "Oh.", "So?")
    assert asked.options[asked.right] == "Fine!"
    anonymous = _Asked.of({"question": "User: I paint.\n\n(a) Nice.\n(b) Oh.", "answer": "a"})
    assert anonymous.text == "I paint."
    bare = _Asked.of({"question": "What now?\n\n(a) Rest.\n(b) Go on.", "answer": "a"})
    assert (bare.text, bare.options, bare.right) == ("What now?", ("Rest.", "Go on."), 0)


def test_a_session_is_read_without_what_the_assistant_was_told_beforehand() -> None:
    said = _messages("[SYSTEM] Who it is.\n\n[USER] User: Hello\n\nthere.\n\n[ASSISTANT] Assistant: Hi!\n\n[USER] Bye.")
    assert [(message.by_user, message.text) for message in said] == [
        (True, "Hello\n\nthere."),
        (False, "Hi!"),
        (True, "Bye."),
    ]
