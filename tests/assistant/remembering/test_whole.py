import json
from datetime import UTC, datetime

import pytest

from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.remembering.whole import read_whole
from assistant.types import Message
from memory.types import THE_USER, Fact, FactKind, Span

AT = datetime(2026, 1, 5, 12, tzinfo=UTC)
TEXT = "Meine Schwester heißt Wanda. Sie wohnt jetzt in Trier."


def fact(number, subject, relation, object):
    names = (f"e{number}", subject, relation, object, None)
    return Fact(f"f{number}", FactKind.TRIPLE, *names, "", "s1", "chat", Span(0, 1), AT)


KNOWN = (fact(7, "Wanda", "wohnt in", "Kassel"), fact(9, "the user", "Beruf", "Bäcker"))


def told(facts, text=TEXT, conversation=(), **more):
    facts = [dict(zip(("subject", "relation", "object"), one[0].split("|"), strict=True), **one[1]) for one in facts]
    transport = ScriptedTransport([json.dumps({"facts": facts, **more})])
    return read_whole(LanguageModel(transport), text, conversation, KNOWN, AT), transport.requests


def test_a_message_is_read_in_one_call_with_what_is_known_in_view():
    facts = [("the user|Schwester|Wanda", {}), ("Wanda|wohnt in|Trier", {"sentence": 2, "replaces": [1]})]
    read, (request,) = told(facts, conversation=[Message("user", "Sie zieht oft um.")])
    sister, home = read.extraction.statements
    assert (sister.subject, sister.ends, home.subject, home.ends) == (THE_USER.name, (), "Wanda", ("f7",))
    assert TEXT[home.span.start : home.span.end] == "Sie wohnt jetzt in Trier."
    assert THE_USER in read.extraction.mentions
    seen = request.messages[-1].content
    for part in (
        "User: Sie zieht oft um.",
        "1. Wanda – wohnt in: Kassel",
        "(2) Sie wohnt jetzt in Trier.",
        "05 January 2026",
    ):
        assert part in seen


@pytest.mark.parametrize(
    "invented",
    [
        ("Wanda|wohnt in|Paris", {}),
        ("Wanda|wohnt in|Kassel", {}),  # only what is known says so
        ("Jorid|wohnt in|Trier", {}),
        ("Wanda|wohnt in|Trier", {"sentence": 3}),
        ("Wanda|wohnt in|Trier", {"sentence": 0}),
        ("Wanda|wohnt in|", {}),
    ],
)
def test_what_the_message_does_not_say_is_dropped(invented):
    read, _ = told([invented])
    assert (read.extraction.statements, read.extraction.dropped) == ((), 1)


@pytest.mark.parametrize("conversation", [(), [Message("user", "Jorid ist meine Tante.")]])
def test_whom_it_is_about_may_stand_in_what_was_said_before(conversation):
    read, _ = told([("Jorid|wohnt in|Trier", {"sentence": 2})], conversation=conversation)
    assert len(read.extraction.statements) == len(conversation)


def test_a_name_that_is_part_of_a_word_is_nobody():
    read, _ = told([("anda|wohnt in|Trier", {"sentence": 2})])
    assert not read.extraction.statements


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2019", "2020", (datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 12, 31, tzinfo=UTC))),
        ("2019-05", "2020-02", (datetime(2019, 5, 1, tzinfo=UTC), datetime(2020, 2, 29, tzinfo=UTC))),
        ("2019-05-03", "", (datetime(2019, 5, 3, tzinfo=UTC), None)),
        ("", "past", (None, AT)),
        ("2019-13", "2019-02-30", (None, None)),
        ("Mai 2019", "0000", (None, None)),
    ],
)
def test_when_it_holds_is_read(since, until, expected):
    read, _ = told([("Wanda|wohnt in|Trier", {"sentence": 2, "since": since, "until": until})])
    (statement,) = read.extraction.statements
    assert (statement.held.since, statement.held.until) == expected


def test_what_is_over_or_wrong_ends_what_is_known_and_nothing_else():
    read, _ = told([], over=[2, 3, 0, -1], wrong=[1, 1])
    assert [(said.object, said.denied) for said in read.extraction.statements] == [("Bäcker", True), ("Kassel", True)]
    assert read.wrong == ("f7",)
    replaced, _ = told([("Wanda|wohnt in|Trier", {"sentence": 2, "replaces": [1]})], wrong=[1])
    assert [said.object for said in replaced.extraction.statements] == ["Trier"]
    assert replaced.wrong == ("f7",)


@pytest.mark.parametrize("reply", ["", "{}", '{"facts": [{"subject": "Wanda"}]}', '{"facts": [], "over": "all"}'])
def test_what_cannot_be_read_twice_is_an_error(reply):
    with pytest.raises(ModelReplyUnreadable):
        read_whole(LanguageModel(ScriptedTransport([reply, reply])), TEXT, (), KNOWN, AT)
