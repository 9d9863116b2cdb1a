"""Whether the product survives what is made to break it: programs, queries, files, and replies of model servers.

All of them are generated, with the seed, from building blocks; none is a list of what was found before. Each is given
to the real product, a process of its own (`hostile_product`); an ordinary question follows, which has to be answered
rightly. `survived`: the attack ended within its limit and a second, in the process that it began in, said what it came
to without an exception that nobody caught, took no more than 300 MB beyond the idle product and all its processes, and
the question after it was answered. `slowest_seconds`: the longest attack; `peak_mb`: the most memory beyond the idle
product; `kept_mb`: what of that earlier attacks had left.
"""

import argparse
import contextlib
import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from assistant.errors import Failure
from assistant.search.programs.outcome import RUN_SECONDS
from memory.parsing import Limits
from tests.benchmarks import served
from tests.benchmarks.harness import ROOT, Measure, Metric
from tests.benchmarks.hostile_files import files
from tests.benchmarks.hostile_product import ANSWER, TURN
from tests.benchmarks.hostile_programs import programs, queries
from tests.benchmarks.hostile_replies import HostileServer, replies
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import largest, total

MEMORY_MB = 300.0
LIMITS = {  # seconds
    "program": RUN_SECONDS,
    "query": 30.0,  # two queries of the model's, and what is looked up about them
    "file": Limits().seconds,
    "reply": TURN.seconds,
}
_OVER = 1.0
_HANGS = 60.0  # seconds over its limit, after which the product is ended and started again
_ORDINARY = {"do": "ordinary"}
_FIRST: tuple[dict[str, Any], ...] = (
    _ORDINARY,
    {"do": "program", "text": 'find_entity_or_value(["Peru"], ["capital"])'},
    {"do": "query", "text": "SELECT ?x WHERE { ?x ?y ?z } LIMIT 3"},
    _ORDINARY,
)
_COUNTS = {"program": 300, "query": 60, "file": 60, "reply": 40}


class Hostile:
    """`hostile [--part program|query|file|reply ...]`."""

    name: ClassVar[str] = "hostile"
    metrics: ClassVar[dict[str, Metric]] = {
        "tried": Metric("tried", total),
        "survived": Metric("survived"),
        "slowest_seconds": Metric("seconds", largest),
        "peak_mb": Metric("peak_mb", largest),
        "kept_mb": Metric("kept_mb", largest),
        **{f"survived_{kind}": Metric(f"survived_{kind}") for kind in _COUNTS},
        **{f"slowest_seconds_{kind}": Metric(f"seconds_{kind}", largest) for kind in _COUNTS},
        **{f"peak_mb_{kind}": Metric(f"peak_mb_{kind}", largest) for kind in _COUNTS},
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--part", nargs="+", choices=list(_COUNTS), default=list(_COUNTS), help="default: all")

    def __init__(self, options: argparse.Namespace) -> None:
        self._seed: int = options.seed
        self._parts: list[str] = options.part

    def files(self) -> list[Path]:
        """See `Benchmark.files`; there is none."""
        return []

    def rows(self) -> list[Row]:
        """300 programs, 60 queries, 60 files and 40 replies of a model server."""
        seed = self._seed
        made: dict[str, list[Any]] = {
            "program": programs(seed, _COUNTS["program"]),
            "query": queries(seed, _COUNTS["query"]),
            "file": files(seed, _COUNTS["file"]),
            "reply": replies(seed, _COUNTS["reply"]),
        }
        return [
            Row(f"{part}-{n:03}", part, {"case": case}) for part in self._parts for n, case in enumerate(made[part], 1)
        ]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"limits": LIMITS, "memory_mb": MEMORY_MB}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """One product for all rows, begun anew only where an attack has ended it."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.ExitStack() as stack:
            attacked = stack.enter_context(contextlib.closing(Attacked(Path(folder) / "home")))

            def measure(row: Row) -> Outcome:
                with _order(row, Path(folder)) as order:
                    came = attacked.given(order, LIMITS[row.kind] + _HANGS)
                after = attacked.given(_ORDINARY, LIMITS["program"] + _HANGS)
                survived = (
                    not came.broke
                    and came.seconds <= LIMITS[row.kind] + _OVER
                    and came.peak_mb <= MEMORY_MB
                    and ANSWER in after.said
                )
                scores = {"survived": float(survived), "seconds": came.seconds, "peak_mb": came.peak_mb}
                scores |= {f"{name}_{row.kind}": score for name, score in scores.items()}
                scores |= {"tried": 1.0, "kept_mb": came.kept_mb}
                name = getattr(row.data["case"], "name", "")
                said = {"case": name, "said": came.said[:2000], "broke": came.broke, "after": after.said[:200]}
                return Outcome(scores, texts=said)

            yield measure


@dataclass
class Came:
    """What came of an order; `broke` is empty where it ended as it should."""

    said: str = ""
    broke: str = ""
    seconds: float = 0.0
    peak_mb: float = 0.0
    kept_mb: float = 0.0


class Attacked:
    """The product's process, its memory watched while it obeys."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._idle_mb = 0.0

    def given(self, order: dict[str, Any], patience_seconds: float) -> Came:
        """Have the product obey; one that does not within `patience_seconds`, or ends, is started anew."""
        process = self._started()
        assert process.stdin is not None
        came = Came(kept_mb=max(0.0, self._megabytes(process) - self._idle_mb))
        began = time.monotonic()
        try:
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
        except OSError:
            came.broke = "the process had ended"
        line = ""
        while not (line or came.broke):
            came.peak_mb = max(came.peak_mb, self._megabytes(process) - self._idle_mb)
            try:
                line = self._lines.get(timeout=0.03)
            except queue.Empty:
                if process.poll() is not None:
                    came.broke = f"the process ended with status {process.returncode}"
                elif time.monotonic() - began > patience_seconds:
                    came.broke = "it did not end"
        came.seconds = time.monotonic() - began
        if came.broke:
            self.close()
        else:
            reply = json.loads(line)
            came.said, came.broke = reply.get("said", ""), reply.get("broke", "")
        return came

    def close(self) -> None:
        """End the process; may be called twice."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._lines = lines = queue.Queue()
            command = [sys.executable, "-m", "tests.benchmarks.hostile_product", str(self._home)]
            process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            self._process = process
            threading.Thread(target=_listen, args=(process, lines), daemon=True).start()
            self._idle_mb = 0.0
            note = self._home.parent / "first.txt"
            note.write_text("The hive is blue.")
            # What is made on first use belongs to the idle product.
            for order in (*_FIRST, {"do": "file", "path": str(note)}):
                if (first := self.given(order, 300.0)).broke or (order == _ORDINARY and ANSWER not in first.said):
                    raise Failure(f"The product does not answer: {first.broke or first.said}")
            self._idle_mb = self._megabytes(process)
        return self._process

    @staticmethod
    def _megabytes(process: subprocess.Popen[str]) -> float:
        return served.proportional_megabytes(process.pid)


def _listen(process: subprocess.Popen[str], lines: "queue.Queue[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)


@contextlib.contextmanager
def _order(row: Row, folder: Path) -> Iterator[dict[str, Any]]:
    case = row.data["case"]
    if row.kind == "file":
        path = folder / case.name
        path.write_bytes(case.data)
        yield {"do": "file", "path": str(path)}
        path.unlink()
    elif row.kind == "reply":
        with HostileServer() as server:
            server.play(case)
            yield {"do": "reply", "url": server.base_url}
    else:
        yield {"do": row.kind, "text": case.text}
