"""The tables of ICSU beside ours: `python -m tests.benchmarks.icsu --data DIR --out FOLDER [--minutes N]`.

Runs the passes of the benchmark `kqapro` one after another, those that matter most first, and writes what they come to:
`report.md` with the paper's numbers beside ours, `figure3.svg` with recall and accuracy. Each row is kept as it is
measured, so that the same command goes on where it was stopped; a draft that two passes need is paid for once.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.errors import LorekeeperError, UserMistake
from tests.benchmarks.figure import Curve, drawn
from tests.benchmarks.harness import add_arguments, run
from tests.benchmarks.kqapro import MOST_EXAMPLES, KqaPro

_TABLE_1 = ("random", "raw", "anonymized", "sparql", "hybrid")
_ADDITIONS = ("nearest_last", "filling", "linking", "feedback", "mixed", "diverse", "drafts", "binder")
_RECALLED = ("raw", "anonymized", "hybrid", "mixed", "diverse")
_PASSES: Mapping[str, str] = {
    "full": "--methods full --limit 200",
    "table1": f"--methods {','.join(_TABLE_1)} --limit 60",
    "recall": f"--methods {','.join(f'recall_{name}' for name in _RECALLED)}",
    "table3-2": "--methods anonymized,hybrid --k 2 --limit 30",
    "table3-4": "--methods anonymized,hybrid --k 4 --limit 30",
    "table3-8": "--methods anonymized,hybrid --k 8 --limit 30",
    "additions": f"--methods {','.join(_ADDITIONS)} --limit 60",
    "scarce": "--methods anonymized,full --bank-size 300 --limit 60",
}
# ChatGPT's accuracies on all of KQA Pro: overall, qualifier and verify (Tables 1 and 5; KB-Binder stands for binder).
_PAPER: Mapping[str, tuple[float, float | None, float | None]] = {
    "random": (0.050, None, None),
    "binder": (0.698, 0.584, 0.778),
    "raw": (0.690, 0.573, 0.778),
    "anonymized": (0.733, 0.629, 0.787),
    "sparql": (0.737, 0.627, 0.804),
    "hybrid": (0.762, 0.657, 0.832),
}
_TABLE_3: Mapping[tuple[str, str], float] = {
    ("anonymized", "2"): 0.635,
    ("anonymized", "4"): 0.712,
    ("anonymized", "8"): 0.733,
    ("hybrid", "2"): 0.665,
    ("hybrid", "4"): 0.729,
    ("hybrid", "8"): 0.767,
}
Results = Mapping[str, Mapping[str, Any]]


def main() -> int:
    """Measure for so many minutes and write the report; exit status 130 where it was stopped."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.icsu")
    parser.add_argument("--data", type=Path, required=True, help="folder of the data set")
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--minutes", type=float, default=100.0, help="for all passes together")
    parser.add_argument("--seed", type=int, default=0, help="of the rows that are drawn")
    parser.add_argument("--passes", default=",".join(_PASSES), help="comma-separated")
    options = parser.parse_args()
    passes = options.passes.split(",")
    if unknown := [name for name in passes if name not in _PASSES]:
        parser.error(f"there is no pass {', '.join(unknown)}; there are: {', '.join(_PASSES)}")
    until = time.monotonic() + 60 * options.minutes
    results: dict[str, Mapping[str, Any]] = {}
    try:
        for name in passes:
            minutes = max(0.0, until - time.monotonic()) / 60
            results[name] = _passed(name, options, minutes)
            (options.out / "report.md").write_text(report(results), encoding="utf-8")
            (options.out / "figure3.svg").write_text(drawn(curves(results)), encoding="utf-8")
    except KeyboardInterrupt:
        print("Stopped; the same command goes on from here.", file=sys.stderr)
        return 130
    except LorekeeperError as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, UserMistake) else 1
    return 0


def _passed(name: str, chosen: argparse.Namespace, minutes: float) -> Mapping[str, Any]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    KqaPro.add_arguments(parser)
    place = ["--data", str(chosen.data), "--out", str(chosen.out / f"kqapro-{name}.json")]
    options = parser.parse_args([*_PASSES[name].split(), *place, "--seed", str(chosen.seed), "--minutes", str(minutes)])
    return run(KqaPro(options), options)


def report(results: Results) -> str:
    """The results as tables in Markdown; `results` by pass."""
    lines = ["# Queries after examples: the executable part of KQA Pro", ""]
    for name, result in results.items():
        metrics, settings = result["metrics"], result["settings"]
        methods = [method for method in settings["methods"] if f"accuracy_{method}" in metrics]
        if not methods:
            continue
        lines += [f"## {name}: {result['rows']} rows, k {settings['k']}, {settings['embeddings']}", ""]
        lines += ["| method | all | qualifier | verify | balanced | s | tokens | paper: all | qualifier | verify |"]
        lines += ["|" + " --- |" * 10]
        lines += [_line(method, metrics, name) for method in methods]
        lines.append("")
    return "\n".join(lines)


def curves(results: Results) -> list[Curve]:
    """Recall of relations by examples (Figure 3), and the accuracies there are, by the number of examples."""
    recalls = results.get("recall", {}).get("metrics", {})
    found = [
        Curve(f"recall, {name}", {k: recalls[f"recall_{name}_{k}"]["value"] for k in range(1, MOST_EXAMPLES + 1)})
        for name in _RECALLED
        if recalls
    ]
    tables = {2: "table3-2", 4: "table3-4", 6: "table1", 8: "table3-8"}
    for name in ("anonymized", "hybrid"):
        points = {
            k: results[table]["metrics"][f"accuracy_{name}"]["value"]
            for k, table in tables.items()
            if f"accuracy_{name}" in results.get(table, {}).get("metrics", {})
        }
        if points:
            found.append(Curve(f"accuracy, {name}", points))
    return found


def _line(method: str, metrics: Mapping[str, Any], name: str) -> str:
    ours = [f"accuracy_{method}", f"accuracy_{method}_qualifier", f"accuracy_{method}_verify"]
    columns = [_with_interval(metrics.get(metric)) for metric in (*ours, f"balanced_{method}_verify")]
    columns += [f"{metrics[f'seconds_{method}']['value']:.1f}", f"{metrics[f'tokens_{method}']['value']:.0f}"]
    paper: Sequence[float | None] = _PAPER.get(method, (None, None, None))
    if name.startswith("table3"):
        paper = (_TABLE_3[method, name[-1]], None, None)
    return f"| {' | '.join([method, *columns, *('' if one is None else f'{one:.2f}' for one in paper)])} |"


def _with_interval(summary: Mapping[str, Any] | None) -> str:
    return f"{summary['value']:.2f} ({summary['low']:.2f}–{summary['high']:.2f})" if summary else ""


if __name__ == "__main__":
    sys.exit(main())
