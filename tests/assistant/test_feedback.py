"""Thumbs: kept with the conversation, learned by the bandit, taken back."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier

import pytest

from assistant.llm.scripted import Weights
from assistant.types import Answered, Certainty, Evidence, Planned, Turn
from memory.types import SavedMessage

CITIES = ("Lagos", "Lima", "Oslo", "Riga", "Quito", "Accra", "Hanoi", "Perth", "Turin", "Izmir", "Cork")
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


def test_who_forgets_everything_teaches_the_others_nothing_any_more(assistant):
    before = assistant.choosing.standings("ada", assistant.searching.arms)
    assistant.feedback.rate("me", "s", 1, answered(PLAN), "Dislike")
    assert assistant.choosing.standings("ada", assistant.searching.arms) != before
    assistant.memory.of("me").forget(everything=True)
    assert assistant.choosing.standings("ada", assistant.searching.arms) == before


def test_another_thumb_takes_the_place_of_the_first(assistant):
    assistant.feedback.rate("me", "s", 1, answered(PLAN), "Like")
    assistant.feedback.rate("me", "s", 1, answered(PLAN), "Dislike")
    assert standings(assistant) == {("program", "triples"): (1, 0)}
    assistant.feedback.rate("me", "s", 1, answered(PLAN), None)
    assert standings(assistant) == {}
    assert thumbs(assistant) == {}


def test_thumbs_for_one_message_at_the_same_time_count_once(assistant):
    together = Barrier(8)

    def rate(_):
        together.wait()
        assistant.feedback.rate("me", "s", 1, answered(PLAN), "Like")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(rate, range(8)))
    assert standings(assistant) == {("program", "triples"): (1, 1)}


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


class Finding:
    """A strategy that finds the same whatever is asked."""

    def __init__(self, name):
        self.name = name

    def available(self, knowledge_bases):
        return True

    def find(self, turn, knowledge_bases, emit, cancel):
        return [Evidence(1, "world", "Lima", "capital", "Peru", certainty=Certainty.NAMED)]


@pytest.fixture
def chatting(composed):
    """An assistant whose every strategy finds something; again, and it is a restart."""
    opened = []

    def open_():
        for assistant in opened:
            assistant.close()
        replies = {
            "understand": ["en ask"],
            "answer": ["Peru [1]."],
            "entailment": [Weights({"yes": 1.0})],
            "describe": ["Lima is Peru's capital."],
        }
        assistant = composed({purpose: reply * 60 for purpose, reply in replies.items()})
        assistant.searching._strategies.update(
            {name: lambda _, name=name: Finding(name) for name in assistant.searching._strategies}
        )
        opened.append(assistant)
        return assistant

    return open_


def test_fifty_thumbs_in_the_chat_move_what_is_played_and_a_restart_keeps_it(chatting):
    def played(number):
        question = f"How is the capital {CITIES[number % 11]} connected to {CITIES[(number * 3 + 1) % 11]}?"
        *_, answered = assistant.reply(Turn(question, "me", "s", datetime.now(UTC)))
        return answered

    assistant = chatting()
    sessions = assistant.memory.of("me").sessions
    sessions.new("s")
    for number in range(50):
        answered = played(number)
        sessions.append("s", SavedMessage("assistant", answered.answer, datetime.now(UTC)))
        liked = (answered.strategy, answered.format) == ("paths", "sentences")
        assistant.feedback.rate("me", "s", number, answered, "Like" if liked else "Dislike")
        if number == 0:
            assert (answered.strategy, answered.format) == ("program", "triples")
    for _ in range(2):
        chosen = {(answered.strategy, answered.format) for answered in map(played, range(60, 64))}
        assert chosen == {("paths", "sentences")}
        assistant = chatting()
