"""Runs a benchmark: draws its rows, measures those not measured yet, and writes what they come to.

The rows are kept as they are measured, so that a run can be stopped at any time and the same command goes on with it.
"""

import argparse
import hashlib
import json
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Protocol

import platformdirs

from assistant.errors import UserMistake
from assistant.types import UsageCount
from tests.benchmarks.rows import Measured, Outcome, Row, RowsFile, draw
from tests.benchmarks.statistics import Statistic, mean, summary

ROOT = Path(__file__).parents[2]
OWN_DATA = Path(__file__).parent / "data"
CACHE = Path(platformdirs.user_cache_dir("lorekeeper")) / "benchmarks"

Measure = Callable[[Row], Outcome]


@dataclass(frozen=True)
class Metric:
    """A statistic over the rows that have a score in `column`."""

    column: str
    statistic: Statistic = mean


class Benchmark(Protocol):
    """One data set and method; made from the parsed command line."""

    name: ClassVar[str]
    metrics: ClassVar[Mapping[str, Metric]]

    def files(self) -> list[Path]:
        """The data files that are read."""

    def rows(self) -> list[Row]:
        """All rows, in a fixed order."""

    def settings(self) -> dict[str, Any]:
        """What else the result depends on."""

    def measuring(self) -> AbstractContextManager[Measure]:
        """Sets up what measuring needs and takes it down; entered only where a row is left to measure."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that every benchmark takes."""
    parser.add_argument("--data", type=Path, default=OWN_DATA, help="folder of the data set (default: our own data)")
    parser.add_argument("--limit", type=int, help="draw only so many rows, in proportion to their kinds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="the result's file (default: NAME.json in the user's cache folder)")
    parser.add_argument("--minutes", type=float, help="begin no row after so long; the result is of those measured")
    parser.add_argument("--fresh", action="store_true", help="measure again what an earlier run has measured")


def run(benchmark: Benchmark, options: argparse.Namespace, *, texts_folder: Path = CACHE) -> dict[str, Any]:
    """Measure what is left to measure and write the result to `options.out`; returns it.

    Beside it stands `NAME.rows.csv`; the texts go to `NAME.texts.jsonl` in `texts_folder`.

    Raises:
        UserMistake: a data file is missing, or the rows beside `options.out` were measured with other settings or data.
    """
    _check_files(benchmark, options.data)
    out: Path = options.out or CACHE / f"{benchmark.name}.json"
    rows_file = RowsFile(out.with_suffix(".rows.csv"), sorted({m.column for m in benchmark.metrics.values()}))
    texts = texts_folder / f"{out.stem}.texts.jsonl"
    if options.fresh:
        rows_file.path.unlink(missing_ok=True)
        texts.unlink(missing_ok=True)
    drawn = draw(benchmark.rows(), options.limit, options.seed)
    identity = _identity(benchmark)
    before = rows_file.read(identity)
    measured = {row.id: before[row.id] for row in drawn if row.id in before}
    left = [row for row in drawn if row.id not in measured]
    until = time.monotonic() + 60 * (math.inf if options.minutes is None else options.minutes)
    if left and time.monotonic() < until:
        texts.parent.mkdir(parents=True, exist_ok=True)
        with benchmark.measuring() as measure, texts.open("a", encoding="utf-8") as texts_file:
            for row, kept, outcome in _measure_all(left, measure, identity, done=len(measured), until=until):
                rows_file.append(kept)
                measured[row.id] = kept
                line = {"row": row.id, "scores": dict(outcome.scores), **outcome.texts}
                texts_file.write(json.dumps(line, ensure_ascii=False) + "\n")
                texts_file.flush()
    result = _result(benchmark, options, list(measured.values()))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(result, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return result


def _check_files(benchmark: Benchmark, folder: Path) -> None:
    for file in benchmark.files():
        if not file.is_file():
            hint = ": --data has to name the data set's folder" if file.is_relative_to(folder) else ""
            raise UserMistake(f"{file} is missing{hint}.")


def _measure_all(
    rows: Sequence[Row], measure: Measure, identity: str, *, done: int, until: float
) -> Iterable[tuple[Row, Measured, Outcome]]:
    commit = _commit()
    began = time.monotonic()
    for count, row in enumerate(rows, 1):
        start = time.monotonic()
        if start > until:
            return
        outcome = measure(row)
        now = time.monotonic()
        yield row, Measured(row.id, row.kind, identity, commit, outcome.scores, outcome.usage, now - start), outcome
        each = (now - began) / count
        scores = " ".join(f"{name}={score:.4g}" for name, score in outcome.scores.items())
        print(
            f"{done + count}/{done + len(rows)} {row.id} ({row.kind}) {scores}"
            f" | {each:.1f} s a row, {each * (len(rows) - count) / 60:.0f} min left",
            file=sys.stderr,
            flush=True,
        )


def _result(benchmark: Benchmark, options: argparse.Namespace, measured: Sequence[Measured]) -> dict[str, Any]:
    metrics = {}
    for name, metric in benchmark.metrics.items():
        scores = [m.scores[metric.column] for m in measured if metric.column in m.scores]
        if scores:
            metrics[name] = summary(scores, metric.statistic)
    usage = {name: sum(getattr(m.usage, name) for m in measured) for name in asdict(UsageCount())}
    machine = {"cpus": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    return {
        "benchmark": benchmark.name,
        "rows": len(measured),
        "metrics": metrics,
        "usage": usage,
        "seconds": round(sum(m.seconds for m in measured), 1),
        "settings": {"limit": options.limit, "seed": options.seed, **benchmark.settings(), **machine},
        "data": _hashes(benchmark),
        "commit": ", ".join(sorted({m.commit for m in measured})),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _hashes(benchmark: Benchmark) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in benchmark.files()}


def _identity(benchmark: Benchmark) -> str:
    """Tells whether rows can stand side by side: the same settings and the same data."""
    told = json.dumps([benchmark.name, benchmark.settings(), _hashes(benchmark)], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:8]


def _commit() -> str:
    """The commit that is checked out; "+" where tracked files differ from it."""
    try:
        return subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # a copy without its history
        return "unknown"
