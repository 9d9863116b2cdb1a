"""The harness: intervals, drawing, stopping and going on."""

import argparse
import contextlib
import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import UserMistake
from assistant.types import UsageCount
from tests.benchmarks.harness import Measure, Metric, run
from tests.benchmarks.rows import Outcome, Row, draw
from tests.benchmarks.statistics import gain, median, percentile_95, summary


class Counting:
    """Measures row i as i; stops like Ctrl-C at the row `stop_at`."""

    name: ClassVar[str] = "counting"
    metrics: ClassVar[dict[str, Metric]] = {
        "middle": Metric("number", median),
        "even": Metric("even"),
        "odd_number": Metric("odd_number"),
        "never": Metric("never"),
    }

    def __init__(self, data: Path, *, stop_at: int | None = None, setting: str = "a") -> None:
        self.data, self.stop_at, self.setting = data, stop_at, setting
        self.measured: list[int] = []
        self.set_ups = 0

    def files(self) -> list[Path]:
        return [self.data]

    def rows(self) -> list[Row]:
        return [Row(f"n{i}", "odd" if i % 2 else "even", {"number": i}) for i in range(10)]

    def settings(self) -> dict[str, Any]:
        return {"setting": self.setting}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        self.set_ups += 1
        yield self._measure

    def _measure(self, row: Row) -> Outcome:
        number = row.data["number"]
        if number == self.stop_at:
            raise KeyboardInterrupt
        self.measured.append(number)
        scores = {"number": number, "even": float(number % 2 == 0)} | ({"odd_number": number} if number % 2 else {})
        return Outcome(scores, UsageCount(1, 10, 4, 2), {"text": f"秘密 {number}"})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "data.txt"
    file.write_text("one", encoding="utf-8")
    return file


def options(folder: Path, **values: Any) -> argparse.Namespace:
    return argparse.Namespace(
        data=folder,
        **{"limit": None, "seed": 0, "fresh": False, "minutes": None, "out": folder / "out" / "counting.json"} | values,
    )


def test_a_result_says_what_was_measured_and_how(tmp_path: Path, data: Path) -> None:
    result = run(Counting(data), options(tmp_path), texts_folder=tmp_path / "texts")
    assert result == json.loads((tmp_path / "out" / "counting.json").read_text(encoding="utf-8"))
    assert result["rows"] == 10
    assert result["metrics"]["middle"]["value"] == 4.5
    assert result["metrics"]["odd_number"] | {"low": 0, "high": 0} == {"value": 5.0, "low": 0, "high": 0, "n": 5}
    assert "never" not in result["metrics"], "nothing was measured, so nothing is said"
    assert result["usage"] == {
        "calls": 10,
        "prompt_tokens": 100,
        "fresh_prompt_tokens": 40,
        "completion_tokens": 20,
    }
    assert result["data"] == {"data.txt": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}
    assert result["settings"]["setting"] == "a"


def test_no_text_stands_beside_the_result(tmp_path: Path, data: Path) -> None:
    run(Counting(data), options(tmp_path), texts_folder=tmp_path / "texts")
    kept = "".join(file.read_text(encoding="utf-8") for file in (tmp_path / "out").iterdir())
    assert "秘密" not in kept
    assert "秘密 3" in (tmp_path / "texts" / "counting.texts.jsonl").read_text(encoding="utf-8")


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, data: Path) -> None:
    stopped, again = Counting(data, stop_at=6), Counting(data)
    with pytest.raises(KeyboardInterrupt):
        run(stopped, options(tmp_path), texts_folder=tmp_path)
    result = run(again, options(tmp_path), texts_folder=tmp_path)
    assert stopped.measured == [0, 1, 2, 3, 4, 5]
    assert again.measured == [6, 7, 8, 9]
    assert result["metrics"]["even"]["value"] == 0.5
    assert result["rows"] == 10


def test_nothing_is_begun_when_the_time_is_over(tmp_path: Path, data: Path) -> None:
    late = Counting(data)
    assert run(late, options(tmp_path, minutes=0.0), texts_folder=tmp_path)["rows"] == 0
    assert late.set_ups == 0


def test_a_line_that_was_cut_off_is_measured_again(tmp_path: Path, data: Path) -> None:
    run(Counting(data), options(tmp_path), texts_folder=tmp_path)
    rows = tmp_path / "out" / "counting.rows.csv"
    rows.write_bytes(rows.read_bytes()[:-20])
    again = Counting(data)
    run(again, options(tmp_path), texts_folder=tmp_path)
    assert again.measured == [9]
    with rows.open(encoding="utf-8", newline="") as file:
        assert [line["row"] for line in csv.DictReader(file)][-1] == "n9"
    finished = Counting(data)
    run(finished, options(tmp_path), texts_folder=tmp_path)
    assert finished.measured == []


def test_a_finished_run_sets_nothing_up_and_fresh_begins_again(tmp_path: Path, data: Path) -> None:
    run(Counting(data), options(tmp_path), texts_folder=tmp_path)
    finished, fresh = Counting(data), Counting(data)
    run(finished, options(tmp_path), texts_folder=tmp_path)
    run(fresh, options(tmp_path, fresh=True), texts_folder=tmp_path)
    assert finished.set_ups == 0
    assert len(fresh.measured) == 10


def test_rows_of_other_settings_or_data_are_never_mixed_in(tmp_path: Path, data: Path) -> None:
    run(Counting(data), options(tmp_path), texts_folder=tmp_path)
    with pytest.raises(UserMistake, match="--fresh"):
        run(Counting(data, setting="b"), options(tmp_path), texts_folder=tmp_path)
    data.write_text("two", encoding="utf-8")
    with pytest.raises(UserMistake, match="--fresh"):
        run(Counting(data), options(tmp_path), texts_folder=tmp_path)


def test_a_larger_limit_keeps_what_was_measured(tmp_path: Path, data: Path) -> None:
    few, more = Counting(data), Counting(data)
    run(few, options(tmp_path, limit=4), texts_folder=tmp_path)
    result = run(more, options(tmp_path, limit=8), texts_folder=tmp_path)
    assert len(few.measured) == 4
    assert sorted(few.measured + more.measured) == sorted(set(few.measured + more.measured))
    assert result["rows"] == 8


rows_of_kinds = st.lists(st.sampled_from("abcd"), min_size=1, max_size=60).map(
    lambda kinds: [Row(f"r{i}", kind) for i, kind in enumerate(kinds)]
)


@given(rows_of_kinds, st.integers(0, 70), st.integers(0, 5))
def test_drawing_is_deterministic_and_in_proportion(rows: list[Row], limit: int, seed: int) -> None:
    drawn = draw(rows, limit, seed)
    assert drawn == draw(rows, limit, seed)
    assert len(drawn) == min(limit, len(rows))
    assert [row for row in rows if row in drawn] == drawn
    sizes, counts = Counter(row.kind for row in rows), Counter(row.kind for row in drawn)
    for kind, size in sizes.items():
        assert abs(counts[kind] - len(drawn) * size / len(rows)) < 1


def test_another_seed_draws_other_rows() -> None:
    rows = [Row(f"r{i}", "kind") for i in range(100)]
    assert draw(rows, 20, seed=1) != draw(rows, 20, seed=2)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    random = np.random.default_rng(7)
    covered = 0
    for _ in range(300):
        interval = summary(list((random.random(80) < 0.7).astype(float)))
        covered += interval["low"] <= 0.7 <= interval["high"]
    assert 0.90 <= covered / 300 <= 0.98


def test_a_share_of_one_is_not_certainty() -> None:
    assert summary([1.0] * 10) == {"value": 1.0, "low": 0.6915, "high": 1.0, "n": 10}
    assert summary([0.0] * 10) == {"value": 0.0, "low": 0.0, "high": 0.3085, "n": 10}
    assert summary([0.0] * 10, gain) == {"value": 0.0, "low": -0.3085, "high": 0.3085, "n": 10}


def test_statistics_other_than_the_mean() -> None:
    assert summary([1, 2, 100], median)["value"] == 2
    assert summary(list(range(101)), percentile_95)["value"] == 95
