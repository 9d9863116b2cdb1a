"""Our own labelled turns are what they are said to be."""

import json
from collections import Counter
from typing import Any, get_args

import pytest

from assistant.types import Route
from tests.benchmarks.harness import OWN_DATA
from tests.benchmarks.judging import fold, holds, holds_any

TURNS = [json.loads(line) for line in (OWN_DATA / "routing.jsonl").read_text(encoding="utf-8").splitlines()]
FOLLOW_UPS = [turn for turn in TURNS if "must_contain" in turn]


def test_the_turns_are_as_announced() -> None:
    assert Counter(t["language"] for t in TURNS if "kind" not in t) == {"en": 100, "zh": 50}
    assert Counter(t["split"] for t in TURNS) == {"tune": 30, "test": 170}
    routes = Counter(t["route"] for t in TURNS if "kind" not in t)
    assert routes == {"answer": 35, "search": 60, "remember": 35, "search+remember": 20}
    assert sum(t.get("kind") == "forget" for t in TURNS) == 40
    assert {t["language"] for t in TURNS} == {"en", "zh", "de", "fr", "es", "pt", "ja", "ru"}
    assert {t["route"] for t in TURNS} == set(get_args(Route))
    assert sum(len(t["history"]) == 4 for t in TURNS) >= 10, "dialogues of three turns"


def test_no_two_turns_are_the_same() -> None:
    texts = [fold(t["text"]) for t in TURNS]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("turn", FOLLOW_UPS, ids=lambda turn: turn["id"])
def test_a_conversation_alternates(turn: dict[str, Any]) -> None:
    assert [m["role"] for m in turn["history"]] == ["user", "assistant"] * (len(turn["history"]) // 2)
    assert turn["history"]


def test_most_follow_ups_do_not_stand_alone_as_they_are_said() -> None:
    alone = [
        t for t in FOLLOW_UPS if holds(t["text"], t["must_contain"]) and not holds_any(t["text"], t["must_not_contain"])
    ]
    assert len(alone) <= len(FOLLOW_UPS) // 8
