"""The questions of `truthfulness` and how they are judged."""

import argparse

import pytest

from assistant.types import Answered, Evidence
from tests.benchmarks.harness import OWN_DATA
from tests.benchmarks.judging import holds
from tests.benchmarks.rows import Row
from tests.benchmarks.truthfulness import Truthfulness, judge, triples_of

ROWS = Truthfulness(argparse.Namespace(data=OWN_DATA)).rows()


def test_each_question_is_asked_with_its_answer_and_without():
    assert len(ROWS) == 60
    assert len({row.id for row in ROWS}) == 60
    assert sum(row.data["with"] for row in ROWS) == 30


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_only_the_fact_answers(row):
    told = triples_of(row) if row.kind == "triples" else row.data["text"]
    fact = " ".join(row.data["fact"]) if row.kind == "triples" else row.data["fact"]
    assert holds(fact, row.data["answers"])
    without = triples_of(Row(row.id, row.kind, {**row.data, "with": False})) if row.kind == "triples" else told
    assert not holds(without, row.data["answers"])
    assert not holds(row.data["question"], row.data["answers"])


def test_a_sentence_is_held_against_what_it_cites():
    row = ROWS[0]
    evidence = (
        Evidence(1, "personal", "", "", "", text=row.data["fact"]),
        Evidence(2, "world", "Peru", "capital", "Lima"),
    )
    right = judge(row, Answered("A fitter of Aldgrove is there within six hours [1].", "search", "", evidence))
    assert (right["answered"], right["citation_support"], right["wrongly_declined"]) == (1.0, 1.0, 0.0)
    wrong = judge(row, Answered("A fitter of Aldgrove is there within six hours [2].", "search", "", evidence))
    assert (wrong["answered"], wrong["citation_support"]) == (1.0, 0.0)
    invented = judge(row, Answered("A fitter of Aldgrove is there within 12 hours [1].", "search", "", evidence))
    assert invented["citation_support"] == 0.0
