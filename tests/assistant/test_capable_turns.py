"""Whole turns of a capable model: no form of words stands in for it, and what it says is shown and checked."""

from datetime import datetime

import pytest

from assistant.commands.console import Console
from assistant.commands.status import status
from assistant.types import Answered, Evidence, Turn

FIND = 'find_entity_or_value(["the user", "me", "I"], ["sister"])'
TOLD = {"facts": [{"subject": "the user", "relation": "sister", "object": "Anna Maria Berg"}]}


def turn(text, **fields):
    return Turn(text, "me", "s", datetime(2026, 1, 5, 12), **fields)


def last(events):
    *_, answered = events
    assert isinstance(answered, Answered)
    return answered


@pytest.fixture
def capable(composed):
    return lambda replies, **more: composed(replies, LOREKEEPER_PROFILE="capable", **more)


def test_what_the_small_reader_would_drop_is_shown(capable):
    assistant = capable(
        {
            "understand": ["en remember", "de ask"],
            "extract": [TOLD],
            "program": [FIND],
            "answer": ["Sie heißt **Anna Berg** [1]. Mehr weiß ich nicht."],
            "check": [{"not_supported": []}],
        }
    )
    list(assistant.reply(turn("My sister is Anna Maria Berg.")))
    answered = last(assistant.reply(turn("Wie heißt meine Schwester?")))
    assert answered.answer == "Sie heißt **Anna Berg** [1]. Mehr weiß ich nicht."
    assert (answered.route, answered.declined, answered.grounded) == ("search", False, True)
    assert answered.usage_by_purpose["check"].calls == 1
    assert "entailment" not in answered.usage_by_purpose


def test_where_nothing_is_found_it_answers_marked(capable):
    script = {"understand": ["en ask"], "program": [FIND], "answer": ["It is Lima [1]."]}
    answered = last(capable(script).reply(turn("Capital of Peru?", knowledge_bases=("personal",))))
    assert answered.answer.endswith("unchecked:\n\nIt is Lima \\[1\\].")
    assert not (answered.grounded or answered.declined)


LIMA = Evidence(1, "personal", "peru.md", "passage", "", "The capital is Lima.")


def test_what_is_marked_as_its_own_knowledge_goes_on_without_evidence(capable):
    script = {"understand": ["en ask"], "program": [FIND], "answer": ["It is Li"]}
    before = last(capable(script).reply(turn("Capital of Peru?", knowledge_bases=("personal",)))).answer
    assistant = capable({"answer": ["It is Lima [1]."]})
    answered = last(assistant.reply(turn("Capital of Peru?", continues=before, evidence=(LIMA,))))
    assert answered.answer == f"{before}ma \\[1\\]."
    assert not answered.grounded
    (request,) = assistant.model.transport.requests
    assert "The capital is Lima." not in "".join(message.content for message in request.messages)


@pytest.mark.parametrize(("not_supported", "grounded"), [([], True), ([1], False)])
def test_the_rest_of_an_answer_is_grounded_where_the_checker_finds_so(capable, not_supported, grounded):
    assistant = capable({"answer": ["sie dort regiert wird [1]."], "check": [{"not_supported": not_supported}]})
    answered = last(assistant.reply(turn("Warum Lima?", continues="Weil ", evidence=(LIMA,))))
    assert answered.grounded == grounded


def test_no_form_of_words_stands_in_for_it(composed, capable):
    small, able = composed({"answer": ["Nothing."]}), capable({"understand": ["en chat"], "answer": ["Nothing."]})
    assert "understand" not in last(small.reply(turn("forget everything"))).usage_by_purpose
    assert last(able.reply(turn("forget everything"))).usage_by_purpose["understand"].calls == 1


def test_status_tells_the_profile(composed):
    for more, shown in (({}, "small, the built-in one"), ({"LOREKEEPER_PROFILE": "capable"}, "capable, as LORE")):
        lines = []
        status(composed([], **more), Console(lines.append, lines.append), repair=False, json=False)
        assert any(line.startswith(f"profile: {shown}") for line in lines)
        status(composed([], **more), Console(lines.append, lines.append), repair=False, json=True)
        assert f'"size": "{shown.partition(",")[0]}"' in lines[-1]
