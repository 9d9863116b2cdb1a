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


ASKED = Row(
    "lift-with",
    "document",
    {"question": "How fast is a fitter there?", "answers": [["six hours"]], "with": True},
)
CHINESE = Row("rent-with", "document", {"question": "押金要交多少？", "answers": [["六千四百元"]], "with": True})


def judged(row, answer, text):
    evidence = (
        Evidence(1, "personal", "", "", "", text=text),
        Evidence(2, "world", "Peru", "capital", "Lima"),
    )
    return judge(row, Answered(answer, "search", "", evidence))


@pytest.mark.parametrize(
    ("answer", "answered", "supported"),
    [
        ("A fitter of Aldgrove is there within six hours [1].", 1.0, 1.0),
        ("A fitter of Aldgrove is there within six hours [2].", 1.0, 0.0),
        ("Yes, a fitter is there within six hours because Aldgrove sends one [1].", 1.0, 1.0),
        ("A fitter of Aldgrove is there within 12 hours [1].", 0.0, 0.0),
        ("You should have a fitter within six hours [1].", 1.0, 1.0),
        ("A fitter is there within 6 hours [1].", 0.0, 1.0),
        ("A fitter is there within 2 hours [1].", 0.0, 0.0),
        ("A fitter is sent within six hours for 1,200 pounds [1].", 1.0, 1.0),
    ],
)
def test_a_sentence_is_held_against_what_it_cites(answer, answered, supported):
    scores = judged(ASKED, answer, "Aldgrove sends a fitter within six hours, for 1200 pounds.")
    assert (scores["answered"], scores["citation_support"], scores["wrongly_declined"]) == (answered, supported, 0.0)


@pytest.mark.parametrize(
    ("answer", "supported"),
    [
        ("押金要交六千四百元 [1]。", 1.0),
        ("押金是六千四百元 [1]。", 1.0),
        ("押金将为六千四百元 [1]。", 1.0),
        ("押金要交六千五百元 [1]。", 0.0),
        ("房东要交六千四百元 [1]。", 0.0),
    ],
)
def test_a_chinese_sentence_is_laid_with_pieces_of_what_it_cites(answer, supported):
    assert judged(CHINESE, answer, "押金为六千四百元，退房时归还。")["citation_support"] == supported
