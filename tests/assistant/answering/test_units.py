import time

import pytest

from assistant.answering.units import is_code, is_table, units

TABLE = "| a | b |\n|---|---|\n| 1. One. Two. | x [1] |\n"
CODE = "```python\nprint('A. B. C')\n\n| x |\n```\n"


def by_characters(text):
    return list(units(iter(text)))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("He came [1]. She left [2].", ["He came [1]. ", "She left [2]."]),
        ("He came. [1] She left.", ["He came. [1]", " She left."]),
        ("She plays Op. 5 by Dr. Ott. [1]", ["She plays Op. 5 by Dr. Ott. [1]"]),
        ("Am 12. März spielt sie, z. B. Op. 5 Nr. 2 [1].", ["Am 12. März spielt sie, z. B. Op. 5 Nr. 2 [1]."]),
        ("He came in 1790. She left in 12. May.", ["He came in 1790. ", "She left in 12. May."]),
        ("彼は「来る。」と言った。彼女も。", ["彼は「来る。」と言った。", "彼女も。"]),
        ("他来了[1]。她走了。", ["他来了[1]。", "她走了。"]),
        ("- one\n- two\n\nThree", ["- one\n", "- two\n", "\nThree"]),
        (f"Here:\n\n{TABLE}\nAfter it.", ["Here:\n", f"\n{TABLE}", "\nAfter it."]),
        (f"See:\n{CODE}Done.", ["See:\n", CODE, "Done."]),
        ("`x` is defined. `y` is not.", ["`x` is defined. ", "`y` is not."]),
        ("```x``` is given. It is.\nA", ["```x``` is given. ", "It is.\n", "A"]),
        ("```\nnever closed. No", ["```\nnever closed. No"]),
        ("", []),
        ("\n\n", ["\n\n"]),
    ],
)
def test_a_reply_in_its_parts(text, parts):
    assert by_characters(text) == parts
    assert list(units(iter([text]))) == parts


def test_a_part_comes_as_soon_as_it_is_complete():
    came = []

    def pieces():
        for piece in ["He came [1]", ". ", "She", " lives. ", "[", "2", "] ", "Th", "ey"]:
            came.append(piece)
            yield piece

    parts = units(pieces())
    assert next(parts) == "He came [1]. "
    assert came[-1] == "She"
    assert next(parts) == "She lives. [2]"
    assert came[-1] == "Th"


def test_tables_and_code_are_told_apart():
    assert is_table(f"\n{TABLE}")
    assert is_code(f"\n{CODE}")
    assert not is_table(CODE) and not is_code(TABLE) and not is_code("`x` is set.") and not is_code("```x``` is set.")


@pytest.mark.parametrize("text", ["a" * 20_000, "A. " * 5_000, "|" * 20_000, "`" * 20_000, "[" * 5_000, "\n" * 20_000])
def test_a_reply_of_one_thing_takes_no_time(text):
    began = time.monotonic()
    assert "".join(units(text[place : place + 50] for place in range(0, len(text), 50))) == text
    assert time.monotonic() - began < 60  # on a busy machine; each sentence would have all before it read again
