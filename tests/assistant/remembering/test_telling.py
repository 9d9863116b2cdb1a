from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.remembering.telling import read_lines
from memory.types import THE_USER, Extraction

AT = datetime(2026, 3, 6, 12, tzinfo=UTC)


def told(text: str, reply: str, before: tuple[str, ...] = (), date: str = "1 now") -> Extraction:
    """What is read in a message by a model that replies so."""
    model = LanguageModel(ScriptedTransport({"extract": [reply], "date": [date]}))
    return read_lines(model, text, before, AT)


def facts(extraction: Extraction) -> list[tuple[str, str, str]]:
    return [(one.subject, one.relation, one.object) for one in extraction.statements]


def test_facts_stand_in_the_sentences_that_tell_them() -> None:
    text = "My sister Anna moved to Oslo. She is a nurse, and I live in Bonn."
    reply = "the user | sister | Anna\nAnna | moved to | Oslo\nAnna | job | nurse\nthe user | lives in | Bonn"
    extraction = told(text, reply)
    assert facts(extraction) == [tuple(line.split(" | ")) for line in reply.splitlines()]
    assert all(one.object in text[one.span.start : one.span.end] for one in extraction.statements)
    assert extraction.statements[0].span.end < extraction.statements[2].span.start
    assert [mention.name for mention in extraction.mentions] == [THE_USER.name, "Anna"]
    assert extraction.dropped == 0


def test_words_for_a_time_are_no_part_of_a_fact() -> None:
    line = "the user | wohnt in | Gera | Seit 2015"
    (one,) = told("Seit 2015 wohne ich in Gera.", line, date="1 since 2015").statements
    assert (one.object, one.held.since and one.held.since.year) == ("Gera", 2015)


@pytest.mark.parametrize("line", ["the user | name | Ottilie", "Ottilie | name | Ottilie"])
def test_what_is_said_by_the_name_of_the_speaker_is_said_of_the_user(line: str) -> None:
    extraction = told("Ich bin Ottilie und wohne in Gera.", f"{line}\nOttilie | wohnt in | Gera")
    assert ("the user", "wohnt in", "Gera") in facts(extraction)
    assert {one.subject for one in extraction.statements} == {"the user"}


def test_another_ones_name_is_not_the_speakers() -> None:
    extraction = told("My dog is called Rex and barks at cats.", "the user | dog | Rex\nRex | barks at | cats")
    assert facts(extraction)[1][0] == "Rex"


@pytest.mark.parametrize(
    ("text", "before", "line", "kept"),
    [
        ("He's turning 40 in May.", ("My brother Tom works in Leeds.",), "Tom | turning | 40", True),
        ("He's turning 40 in May.", (), "Tom | turning | 40", False),
        ("He's turning 40 in May.", ("My brother Tom works in Leeds.",), "Tom | works in | Leeds", False),
        ("No, she moved to Oslo.", ("Anna – lives in: Bergen",), "Anna | moved to | Bergen", False),
        ("I teach physics.", (), "the user | teaches | chemistry", False),
        ("她下个月搬到昆明。", ("我的姐姐叫陈雪。",), "陈雪 | 搬到 | 昆明", True),
        ("我对花生过敏。", (), "我 | 过敏 | 花生", True),
        ("Anna paints.", (), "Anna | is | Anna", False),
    ],
)
def test_what_the_message_does_not_say_is_dropped_and_counted(
    text: str, before: tuple[str, ...], line: str, kept: bool
) -> None:
    extraction = told(text, line, before)
    assert bool(extraction.statements) is kept
    assert extraction.dropped == (not kept)


@pytest.mark.parametrize("reply", ["I have noted it.", '{"lines": []}', "a | b"])
def test_a_reply_of_another_form_is_an_error(reply: str) -> None:
    with pytest.raises(ModelReplyUnreadable):
        told("My PIN is 4422.", reply)


@pytest.mark.parametrize("reply", ["none", "", "\n"])
def test_a_message_may_tell_nothing(reply: str) -> None:
    assert told("Hi there!", reply) == Extraction()


@given(st.text(max_size=60), st.lists(st.text("abc |\n", max_size=12), max_size=4).map("\n".join))
def test_whatever_is_replied_each_fact_has_its_words_from_the_message(text: str, reply: str) -> None:
    try:
        extraction = told(text, reply)
    except ModelReplyUnreadable:
        return
    for one in extraction.statements:
        assert 0 <= one.span.start <= one.span.end <= len(text)
        assert one.subject == THE_USER.name or one.subject.strip()
