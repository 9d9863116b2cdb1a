"""The rows of a benchmark: what is drawn from a data set, and the file of what each one came to."""

import csv
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.errors import UserMistake
from assistant.types import UsageCount

_USAGE = ("calls", "prompt_tokens", "fresh_prompt_tokens", "completion_tokens")


@dataclass(frozen=True)
class Row:
    """One thing to measure; rows are drawn in proportion to their `kind`."""

    id: str
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What a row came to. A score that is absent does not count for the row; `texts` never go into the repository."""

    scores: Mapping[str, float]
    usage: UsageCount = field(default_factory=UsageCount)
    texts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """A row's outcome as it is kept; `run` tells runs with different settings or data apart."""

    row: str
    kind: str
    run: str
    commit: str
    scores: Mapping[str, float]
    usage: UsageCount
    seconds: float


def draw(rows: Sequence[Row], limit: int | None, seed: int) -> list[Row]:
    """`limit` rows, each kind in proportion to its size (largest remainders), in the order of `rows`.

    The rows drawn with a smaller limit are not always among those of a larger one, since the shares are rounded anew.
    """
    if limit is None or limit >= len(rows):
        return list(rows)
    kinds: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        kinds[row.kind].append(row)
    shares = {kind: limit * len(members) / len(rows) for kind, members in kinds.items()}
    counts = {kind: int(share) for kind, share in shares.items()}
    by_remainder = sorted(kinds, key=lambda kind: (counts[kind] - shares[kind], kind))
    for kind in by_remainder[: limit - sum(counts.values())]:
        counts[kind] += 1
    drawn: set[str] = set()
    for kind, members in kinds.items():
        shuffled = random.Random(f"{seed} {kind}").sample(members, len(members))
        drawn.update(row.id for row in shuffled[: counts[kind]])
    return [row for row in rows if row.id in drawn]


class RowsFile:
    """`NAME.rows.csv`: row, kind, scores, seconds, tokens and commit, without any text, written as they come."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.path = path
        self._columns = tuple(columns)
        self._fields = ("row", "kind", *self._columns, "seconds", *_USAGE, "run", "commit")

    def read(self, run: str) -> dict[str, Measured]:
        """What `run` has measured before, by row; a line that was cut off is taken out of the file.

        Raises:
            UserMistake: the file is of another run, or has other columns.
        """
        if not self.path.exists():
            return {}
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            self.path.write_bytes(whole)
        reader = csv.DictReader(whole.decode().splitlines())
        lines = list(reader)
        if tuple(reader.fieldnames or ()) != self._fields or any(line["run"] != run for line in lines):
            raise UserMistake(f"{self.path} was measured with other settings or data: give --fresh or another --out.")
        return {line["row"]: self._measured(line) for line in lines}

    def append(self, measured: Measured) -> None:
        """Add one row."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = not self.path.exists() or not self.path.stat().st_size
        with self.path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if new:
                writer.writerow(self._fields)
            scores = [_plain(measured.scores[c]) if c in measured.scores else "" for c in self._columns]
            tokens = [getattr(measured.usage, name) for name in _USAGE]
            seconds = f"{measured.seconds:.3f}"
            writer.writerow([measured.row, measured.kind, *scores, seconds, *tokens, measured.run, measured.commit])

    def _measured(self, line: Mapping[str, str]) -> Measured:
        return Measured(
            row=line["row"],
            kind=line["kind"],
            run=line["run"],
            commit=line["commit"],
            scores={column: float(line[column]) for column in self._columns if line[column]},
            usage=UsageCount(**{name: int(line[name]) for name in _USAGE}),
            seconds=float(line["seconds"]),
        )


def _plain(score: float) -> str:
    return f"{score:.4f}".rstrip("0").rstrip(".")
