"""The questions of `popular`: what they need is in the built-in knowledge base, and what they score is scored."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.world.world import World
from assistant.types import Answered, Call, Entity, Linked, ProgramRan, ProgramRun
from tests.benchmarks.harness import OWN_DATA
from tests.benchmarks.judging import holds, holds_any
from tests.benchmarks.popular import KINDS, judge

QUESTIONS = [json.loads(line) for line in (OWN_DATA / "popular.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    base = World(Path(platformdirs.user_cache_dir("lorekeeper")))
    yield base
    base.close()


def test_there_are_33_of_six_kinds_and_each_kind_has_known_and_obscure_things() -> None:
    assert len(QUESTIONS) == 33
    assert min(Counter(question["kind"] for question in QUESTIONS).values()) >= 5
    assert {(question["kind"], question["known"]) for question in QUESTIONS} == {
        (k, b) for k in KINDS for b in (True, False)
    }
    assert len({question["id"] for question in QUESTIONS}) == 33


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["id"] for question in QUESTIONS])
def test_what_a_question_needs_is_said_within_two_steps_of_what_it_names(
    world: World, question: dict[str, Any]
) -> None:
    deadline = Deadline.after(120)
    said = []
    for name, words in question["links"].items():
        first = world.link(name, [], question["question"], deadline)[0]
        assert holds_any(f"{first.name} {first.description}", [words])
        triples = world.triples(first, "both", 200, deadline)
        ends = dict.fromkeys(t.object_id if t.subject_id == first.id else t.subject_id for t in triples)
        for end in filter(None, ends):
            triples += world.triples(Entity("world", end, "it"), "out", 60, deadline)
        said += [f"{t.subject} {t.relation} {t.object}" for t in triples]
    assert holds(" \n ".join(said), question["needs"])


def test_the_columns_are_told_apart() -> None:
    question = {
        "kind": "one_hop",
        "known": True,
        "answers": [["Nairobi"]],
        "wrong": [],
        "needs": [["Nairobi"]],
        "links": {"Kenya": "country"},
    }
    kenya = Entity("world", "1", "Kenya", description="Kenya is a country in Eastern Africa.")
    run = ProgramRun("world", "", (Call("find_entity_or_value", ("Kenya", "capital"), "Kenya – capital: Nairobi"),))
    events = [Linked("world", "Kenya", (kenya,)), ProgramRan(run), Answered("It is Mombasa.", "search", "?")]
    scores = judge(question, "Nairobi, of course.", events)
    assert {column: scores[column] for column in ("direct", "code", "linking", "answer")} == {
        "direct": 1.0,
        "code": 1.0,
        "linking": 1.0,
        "answer": 0.0,
    }
    assert scores["answer_known"] == scores["answer_one_hop"] == 0.0
    assert not any(column.endswith("_obscure") for column in scores)
    town = Entity("world", "2", "Kenya", description="Kenya is a city in Nowhere.")
    assert judge(question, "?", [Linked("world", "Kenya", (town,)), events[-1]])["linking"] == 0.0
