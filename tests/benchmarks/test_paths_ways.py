"""The benchmark of paths: what each way comes to on the same pairs."""

import argparse
import gzip
import json
from pathlib import Path

import pytest

from tests.benchmarks.paths import Paths

GRAPH = """AtLocation\tice cream\tkitchen
AtLocation\tice cream\tcold freezer
RelatedTo\tkitchen\tlibrary
RelatedTo\tcold freezer\tlibrary
IsA\tlibrary\tbuilding
"""


def test_all_ways_are_measured_on_the_same_pairs(tmp_path: Path) -> None:
    for folder in ("conceptnet", "commonsenseqa"):
        (tmp_path / folder).mkdir()
    with gzip.open(tmp_path / "conceptnet" / "triples.txt.gz", "wt") as file:
        file.write(GRAPH)
    choices = [{"label": label, "text": text} for label, text in (("A", "library"), ("B", "building"), ("C", "moon"))]
    asked = {"stem": "Where does ice cream stay cold as in a freezer?", "choices": choices}
    lines = [{"id": name, "question": asked, "answerKey": "A"} for name in ("trained", "test")]
    (tmp_path / "commonsenseqa" / "train.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / "commonsenseqa" / "inhouse_train_qids.txt").write_text("trained")
    benchmark = Paths(argparse.Namespace(data=tmp_path))
    [row] = benchmark.rows()
    assert row.id == "test"
    with benchmark.measuring() as measure:
        scores = measure(row).scores
    for way in ("policy", "uniform", "best_shortest", "shortest"):
        assert scores[f"reached_{way}"] == 1
        assert scores[f"length_{way}"] == 2
    assert scores["reward_best_shortest"] == pytest.approx(scores["reward_policy"])
    assert scores["reward_best_shortest"] > scores["reward_shortest"]
    assert scores["relatedness_best_shortest"] > scores["relatedness_shortest"]
    assert set(scores) <= {metric.column for metric in benchmark.metrics.values()}
