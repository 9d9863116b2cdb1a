"""What the command line of the benchmarks says where something is for the user to put right."""

import sys
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import _BENCHMARKS, main

WITHOUT_DATA = {"hostile", "kb-scale", "survival", "turn"}


@pytest.mark.parametrize("name", sorted({benchmark.name for benchmark in _BENCHMARKS} - WITHOUT_DATA))
def test_a_missing_data_file_is_named_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    rows = tmp_path / "out.rows.csv"
    rows.write_text("measured before")
    folder = tmp_path / "elsewhere"
    monkeypatch.setattr(sys, "argv", ["benchmarks", name, "--data", str(folder), "--out", str(out), "--fresh"])
    assert main() == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith(f"{folder}/")
    assert line.endswith("is missing: --data has to name the data set's folder.")
    assert rows.read_text() == "measured before"
