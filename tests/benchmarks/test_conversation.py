"""The dialogues of the benchmark, and how their turns are judged."""

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memory.store import Memory
from memory.types import THE_USER, Extraction, FactKind, Span, Statement
from tests.benchmarks.conversation import Conversation
from tests.benchmarks.dialogues import memory_faults, reply_faults
from tests.benchmarks.harness import OWN_DATA
from tests.benchmarks.languages import Languages, is_in
from tests.benchmarks.updates import Updates
from tests.memory.samples import WordEmbedder


def test_sixteen_dialogues_of_twelve_turns_in_seven_languages() -> None:
    benchmark = Conversation(argparse.Namespace(data=OWN_DATA, only=None))
    dialogues = {row.data["dialogue"]["id"]: row.data["dialogue"] for row in benchmark.rows()}
    assert len(dialogues) == 16
    assert {len(dialogue["turns"]) for dialogue in dialogues.values()} == {12}
    languages = Counter(dialogue["language"] for dialogue in dialogues.values())
    assert languages.pop("en") == 10
    assert set(languages.values()) == {1}
    assert len(languages) == 6
    assert sum(any(turn.get("later_session") for turn in d["turns"]) for d in dialogues.values()) >= 8
    scored = {name.removeprefix("right_") for name in Conversation.metrics}
    assert {row.kind for row in benchmark.rows()} <= scored


def test_eighty_histories_in_four_languages_end_with_one_question() -> None:
    rows = Updates(argparse.Namespace(data=OWN_DATA, only=None)).rows()
    assert Counter(row.data["dialogue"]["language"] for row in rows) == {"en": 20, "de": 20, "zh": 20, "es": 20}
    for row in rows:
        turns = row.data["dialogue"]["turns"]
        assert row.data["number"] == len(turns) - 1 > 0
        assert all(turn["later_session"] for turn in turns)
        days = [turn["days"] for turn in turns]
        assert days == sorted(days)
        assert turns[-1]["reply"]
        assert f"right_{row.kind}" in Updates.metrics


def test_a_reply_is_judged_by_what_it_must_and_must_not_hold() -> None:
    turn = {"reply": [["York"], ["two", "2"]], "reply_lacks": ["Leeds"]}
    assert reply_faults(turn, "You have 2 houses in York.") == []
    assert reply_faults(turn, "Two houses in York, and one in Leeds.") == ["says Leeds"]
    assert reply_faults(turn, "In York.") == ["lacks two / 2"]
    assert reply_faults({}, " ") == ["empty"]
    assert reply_faults({"chosen": ["Chile", "Peru"]}, "Chile is larger than Peru.") == []
    assert reply_faults({"chosen": ["Chile", "Peru"]}, "Peru.") == ["chooses Peru"]


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with closing(Memory(home, WordEmbedder())) as opened:
        yield opened


def test_memory_is_judged_by_what_holds_now_and_what_it_keeps(memory: Memory) -> None:
    user = memory.of("somebody")
    for town in ("Leeds", "York"):
        text = f"I live in {town}."
        known = tuple(fact.id for fact in user.facts())
        said = Statement(FactKind.TRIPLE, THE_USER.name, "lives in", town, Span(0, len(text)), ends=known)
        user.note(text, Extraction((THE_USER,), (said,)))
    assert memory_faults({"memory": [[["lives"], ["York"]]], "ended": ["Leeds"]}, user) == []
    assert memory_faults({"memory": [[["Leeds"]]]}, user) != []
    assert memory_faults({"gone": ["Leeds"]}, user) != []


def test_twenty_rows_in_each_of_eight_languages() -> None:
    rows = Languages(argparse.Namespace(data=OWN_DATA, only=None)).rows()
    kinds = Counter((row.data["dialogue"]["language"], row.kind) for row in rows)
    of_one = {"world": 8, "document": 4, "english document": 2, "told": 4, "forgotten": 2}
    languages = {language for language, _ in kinds}
    assert len(languages) == 8
    assert kinds == Counter({(language, kind): count for language in languages for kind, count in of_one.items()})
    assert {f"right_{part}" for key in kinds for part in key} <= set(Languages.metrics)


@pytest.mark.parametrize(
    ("language", "reply", "right"),
    [
        ("de", "Die Hauptstadt von Sambia ist Lusaka [1].", True),
        ("de", "The capital of Zambia is Lusaka [1].", False),
        ("ru", "Столица Замбии — Лусака [1].", True),
        ("ja", "ザンビアの首都はルサカです。\nThe capital is Lusaka.", False),
        ("fr", "Lusaka [1]", None),
    ],
)
def test_the_language_of_a_reply_is_judged_line_by_line(language: str, reply: str, right: bool | None) -> None:
    assert is_in(language, reply) is right
