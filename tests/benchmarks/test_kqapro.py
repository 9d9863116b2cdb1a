"""The scores of the benchmark kqapro."""

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.binding import Bm25
from tests.benchmarks.kqapro import KqaPro, balanced, judge, recall


def test_a_row_is_right_with_exactly_the_answer() -> None:
    assert judge("full", "qualifier", "1999", ["1999"]) == {"full": 1.0, "full_qualifier": 1.0}
    assert judge("raw", "qualifier", "1999", ["1998", "1999"]) == {"raw": 0.0, "raw_qualifier": 0.0}
    assert judge("full", "verify", "yes", ["yes"])["full_balanced"] == 3.0
    assert judge("full", "verify", "no", ["yes"])["full_balanced"] == 0.0


def test_two_questions_of_one_number_are_two_rows(tmp_path: Path) -> None:
    lines = [{"id": number, "kind": "verify"} for number in (7, 8, 7)]
    (tmp_path / "val.jsonl").write_text("\n".join(map(json.dumps, lines)))
    options = argparse.Namespace(data=tmp_path, methods="full", k=None, bank_size=None, tuning=False)
    assert [row.id for row in KqaPro(options).rows()] == ["7", "8", "7-2"]


def test_balanced_accuracy_weighs_yes_and_no_alike() -> None:
    scores = np.array([[3.0, 2.0, 1.0, 1.0, 1.0, 1.0], [3.0, 3.0, 0.0, 0.0, 0.0, 0.0]])
    assert balanced(scores).tolist() == [0.75, 0.5]
    assert balanced(np.array([3.0, 2.0])) == 0.5


@pytest.mark.parametrize(
    ("codes", "share"), [(["ASK { ?a <p:x> <p:z> }"], 0.5), (["<p:x>", "<p:y>"], 1.0), (["<p:xy>"], 0.0), ([], 0.0)]
)
def test_recall_counts_relations(codes: list[str], share: float) -> None:
    assert recall("ASK { ?a <p:x> ?b . ?b <p:y> ?c . ?c <pred:name> 'n' }", codes) == share


def test_bm25_prefers_rare_words_and_short_documents() -> None:
    scores = Bm25(["place of birth", "place of death", "place of birth of the mother", "award"]).scores("birth place")
    assert sorted(range(4), key=lambda place: -scores[place]) == [0, 2, 1, 3]
    assert scores[3] == 0
