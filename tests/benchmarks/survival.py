"""Whether memory survives being killed: SIGKILL at 200 random moments of remembering, reading documents and forgetting.

One home is worked on by process after process; each goes on with the documents that the one before had half read.
`unbroken` is the share of kills after which nothing was lost that had been acknowledged, nothing was there twice or
read twice, each passage's facts were there where it was read and only there, a changed document replaced the one before
when it was read and not before, nothing was half forgotten and left bytes behind, and records, vectors and graph
agreed. What embeds is a stand-in that adds up words, and what reads knows what is written, so that the processes start
at once.
"""

import argparse
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assistant.types import UsageCount
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row
from tests.memory.killing import Killing


class Survival:
    """`survival [--kills N]`."""

    name: ClassVar[str] = "survival"
    metrics: ClassVar[dict[str, Metric]] = {"unbroken": Metric("unbroken")}

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--kills", type=int, default=200)

    def __init__(self, options: argparse.Namespace) -> None:
        self._kills: int = options.kills
        self._seed: int = options.seed

    def files(self) -> list[Path]:
        """See `Benchmark.files`; there is none."""
        return []

    def rows(self) -> list[Row]:
        """One row a kill."""
        return [Row(f"kill-{n:03}", "kill") for n in range(self._kills)]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Kills in a home that is there for the run."""
        with tempfile.TemporaryDirectory() as folder:
            killing = Killing(Path(folder), self._seed)

            def measure(row: Row) -> Outcome:
                killing.once()
                breaches = killing.breaches()
                return Outcome({"unbroken": float(not breaches)}, UsageCount(), {"breaches": "; ".join(breaches)})

            yield measure
