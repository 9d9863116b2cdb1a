"""Which strategy searches, and what is played where it comes to nothing."""

import threading
import time
from datetime import datetime

import pytest

from assistant.errors import Failure, Interrupted, UserMistake
from assistant.llm.scripted import Weights
from assistant.search.bandit import Arm
from assistant.searching import Searching
from assistant.types import Evidence, Failed, Found, Linked, Planned, Turn

LINK = Linked("world", "Lima", ())
FOUND = [Evidence(1, "world", "Peru", "capital", "Lima")]


class Strategy:
    """Finds what it is told to."""

    def __init__(self, name, finds, able=True):
        self.name = name
        self._finds = finds
        self._able = able

    def available(self, knowledge_bases):
        return self._able

    def find(self, turn, knowledge_bases, emit, cancel):
        emit(LINK)
        if isinstance(self._finds, Exception):
            raise self._finds
        return self._finds


def turn(session="s", **fields):
    return Turn("Where?", "me", session, datetime(2026, 1, 5, 12), question="Where?", **fields)


@pytest.fixture
def search(composed):
    """`search(strategies, **turn)`: the events, and the evidence."""
    assistant = composed([])
    bases = assistant.knowledge_bases.choose("me", "en", ["world"])
    made = {}

    def run(*strategies, **fields):
        if strategies not in made:
            made[strategies] = Searching({s.name: lambda _, s=s: s for s in strategies}, assistant.choosing)
        searching = made[strategies]
        searching.check(turn(**fields), bases, assistant.model)
        events = []
        running = searching.search(turn(**fields), bases, assistant.model, threading.Event())
        while True:
            try:
                events.append(next(running))
            except StopIteration as end:
                return events, end.value

    run.assistant = assistant
    return run


def plans(events):
    return [(event.strategy, event.format, event.chosen_by) for event in events if isinstance(event, Planned)]


def test_what_a_strategy_emits_comes_between_plan_and_evidence(search):
    events, evidence = search(Strategy("program", FOUND))
    assert plans(events) == [("program", "triples", "bandit")]
    assert events[1:] == [LINK]
    assert evidence == FOUND
    assert events[0].expected == pytest.approx(0.8)
    assert events[0].bonus > 0


def test_the_turn_decides_over_the_pin_and_the_pin_over_the_bandit(search):
    strategies = [Strategy("program", FOUND), Strategy("paths", FOUND)]
    search.assistant.choosing.pin("me", Arm("paths", "sentences"))
    assert plans(search(*strategies)[0]) == [("paths", "sentences", "pin")]
    events, _ = search(*strategies, strategy="program", format="triples")
    assert plans(events) == [("program", "triples", "user")]


def test_nothing_found_is_searched_for_once_more_with_a_program(search):
    events, evidence = search(Strategy("program", FOUND), Strategy("paths", []), strategy="paths", format="sentences")
    assert plans(events) == [("paths", "sentences", "user"), ("program", "sentences", "fallback")]
    assert evidence == FOUND


def test_a_strategy_that_fails_says_so_and_is_made_up_for(search):
    broken = Strategy("sparql", Failure("The query came to nothing."))
    events, evidence = search(Strategy("program", FOUND), broken, strategy="sparql")
    assert Failed("sparql", "The query came to nothing.") in events
    assert [strategy for strategy, _, _ in plans(events)] == ["sparql", "program"]
    assert evidence == FOUND


def test_a_program_is_not_played_twice(search):
    events, evidence = search(Strategy("program", []))
    assert len(plans(events)) == 1
    assert evidence == []
    with pytest.raises(Failure, match="gone"):
        search(Strategy("program", Failure("gone")))


def test_stop_is_not_a_failure(search):
    with pytest.raises(Interrupted):
        search(Strategy("program", FOUND), Strategy("paths", Interrupted("Stopped.")), strategy="paths")


def test_only_what_can_search_the_knowledge_bases_is_played(search):
    strategies = [Strategy("program", FOUND), Strategy("paths", FOUND, able=False)]
    search.assistant.choosing.pin("me", Arm("paths", "sentences"))
    events, _ = search(*strategies)
    assert plans(events) == [("program", "triples", "bandit")]
    [failed] = [event for event in events if isinstance(event, Failed)]
    assert failed.message.startswith("paths,sentences is pinned, but none of the knowledge bases asked (world)")
    assert not any(isinstance(event, Failed) for event in search(*strategies, session="t", strategy="program")[0])
    told = [search(*strategies, session=session)[0] for session in ("s", "t", "t")]
    assert [failed in events for events in told] == [False, True, False], "it is said once in a conversation"
    with pytest.raises(UserMistake, match=r"None of the knowledge bases asked \(world\) can be searched by paths"):
        search(*strategies, strategy="paths")


def test_the_end_of_a_turn_tells_all_plans(composed, monkeypatch):
    assistant = composed({"understand": ["en ask"], "answer": ["Lima [1]."], "entailment": [Weights({"yes": 1.0})]})
    monkeypatch.setitem(assistant.searching._strategies, "program", lambda _: Strategy("program", FOUND))
    monkeypatch.setitem(assistant.searching._strategies, "paths", lambda _: Strategy("paths", []))
    events = list(assistant.reply(Turn("Capital of Peru?", "me", "s", datetime(2026, 1, 5, 12), strategy="paths")))
    answered = events[-1]
    assert [plan.strategy for plan in answered.plans] == ["paths", "program"]
    assert (answered.strategy, answered.answer) == ("program", "Lima [1].")
    assert sum(isinstance(event, Found) for event in events) == 1


def test_stop_leaves_a_strategy_alone_that_does_not_end(composed):
    assistant = composed([])
    bases = assistant.knowledge_bases.choose("me", "en", ["world"])
    cancel, never = threading.Event(), threading.Event()

    class Hung(Strategy):
        def find(self, turn, knowledge_bases, emit, cancel):
            emit(LINK)
            never.wait(300)

    searching = Searching({"program": lambda _: Hung("program", [])}, assistant.choosing)
    running = searching.search(turn(), bases, assistant.model, cancel)
    assert isinstance(next(running), Planned)
    assert next(running) == LINK
    cancel.set()
    start = time.monotonic()
    with pytest.raises(Interrupted):
        next(running)
    assert time.monotonic() - start < 20
    never.set()


def test_stop_of_all_turns_ends_each(composed):
    """As on SIGTERM."""
    assistant = composed({"understand": ["en ask"], "program": ["while True:\n    pass"], "answer": ["I do not know."]})
    ran = []
    reading = threading.Thread(target=lambda: ran.extend(assistant.reply(turn(knowledge_bases=("world",)))))
    reading.start()
    for _ in range(600):
        if assistant._under_way:
            break
        time.sleep(0.05)
    assistant.stop()
    reading.join(30)
    assert not reading.is_alive()
    assert ran[-1].stopped
