"""Thumbs: kept with the conversation, learned by the bandit, taken back."""

from datetime import UTC, datetime

import pytest

from assistant.types import Answered, Planned
from memory.types import SavedMessage

PLAN = Planned("program", "triples", ("world",))
TRIED = Planned("paths", "triples", ("world",))


@pytest.fixture
def assistant(composed):
    made = composed([])
    sessions = made.memory.of("me").sessions
    sessions.new("s")
    for role in ("user", "assistant"):
        sessions.append("s", SavedMessage(role, "text", datetime.now(UTC)))
    return made


def answered(*plans):
    return Answered("Lima.", "search", "Capital of Peru?", strategy="program", format="triples", plans=plans)


def standings(assistant):
    arms = [*assistant.searching.arms, ("paths", "triples")]
    return {(s.strategy, s.format): (s.thumbs, s.up) for s in assistant.choosing.standings("me", arms) if s.thumbs}


def thumbs(assistant):
    return assistant.memory.of("me").sessions.thumbs("s")


def test_a_thumb_is_kept_and_learned(assistant):
    assistant.feedback.rate("me", "s", 1, answered(PLAN), "Like")
    assert standings(assistant) == {("program", "triples"): (1, 1)}
    kept = thumbs(assistant)[1]
    assert (kept["thumb"], kept["question"], kept["strategy"]) == ("Like", "Capital of Peru?", "program")


def test_another_thumb_takes_the_place_of_the_first(assistant):
    assistant.feedback.rate("me", "s", 1, answered(PLAN), "Like")
    assistant.feedback.rate("me", "s", 1, answered(PLAN), "Dislike")
    assert standings(assistant) == {("program", "triples"): (1, 0)}
    assistant.feedback.rate("me", "s", 1, answered(PLAN), None)
    assert standings(assistant) == {}
    assert thumbs(assistant) == {}


def test_what_was_given_up_earns_nothing(assistant):
    assistant.feedback.rate("me", "s", 1, answered(TRIED, PLAN), "Like")
    assert standings(assistant) == {("program", "triples"): (1, 1), ("paths", "triples"): (1, 0)}


def test_an_answer_without_a_search_teaches_nothing(assistant):
    assistant.feedback.rate("me", "s", 1, answered(), "Like")
    assert standings(assistant) == {}
    assert thumbs(assistant)[1]["thumb"] == "Like"


def test_a_thumb_of_an_earlier_version_can_be_changed(assistant):
    old = {"thumb": "Like", "question": "?", "strategy": "program", "format": "triples", "at": "2026-01-05T12:00:00"}
    assistant.memory.of("me").sessions.rate("s", 1, old)
    assistant.feedback.rate("me", "s", 1, answered(PLAN), "Dislike")
    assert standings(assistant) == {("program", "triples"): (1, 0)}
