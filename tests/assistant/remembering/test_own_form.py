"""The form of what is read out of a message: facts with all their parts, of the message's own words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.remembering.remembering import _own_form


def pattern(sentence: str, before: str = "") -> re.Pattern[str]:
    schema = _own_form(sentence, before).model_json_schema()
    lines, over = (schema["properties"][name]["items"]["pattern"] for name in ("lines", "over"))
    assert lines == over
    return re.compile(lines)


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("I like tea, too.", "the user|likes|tea"),
        ("Meine Schwiegermutter heißt Ilse.", "the user|Schwiegermutter|Ilse"),
        ("My number is +49 171 2345.", "|number|+49 171 2345"),
        ("I write C++ and it is -5 °C.", "the user|writes|C++"),
        ("I write C++ and it is -5 °C.", "|temperature|-5 °C"),
        ("我在中国科学技术大学念书。", "the user|念书|中国科学技术大学"),
        ("I'm allergic to nuts and eggs.", "the user|allergic to|nuts|eggs"),
    ],
)
def test_a_fact_in_the_sentences_own_words_can_be_said(sentence: str, fact: str) -> None:
    assert pattern(sentence).match(fact)


@pytest.mark.parametrize(
    "line", ["the user|likes tea", "the user|likes|coffee", "the user|喜欢|tea", 'the user|likes|t"ea', "the user||tea"]
)
def test_nothing_else_can_be_said(line: str) -> None:
    assert not pattern('I like "green" tea.').match(line)


def test_who_was_spoken_of_before_may_be_named_in_another_script() -> None:
    assert pattern("He moved to Bonn.", "阿明在成都。").match("阿明|lives in|Bonn")
    assert not pattern("He moved to Bonn.").match("阿明|lives in|Bonn")


@given(st.text(max_size=400))
def test_every_sentence_has_a_form(sentence: str) -> None:
    pattern(sentence)
