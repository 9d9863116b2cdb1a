"""A process that is killed loses nothing that it acknowledged, and leaves nothing half-done."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memory.store import Memory
from tests.conftest import ROOT
from tests.memory.samples import WordEmbedder


def run_until_killed(home: Path, start: int, lines: int) -> list[str]:
    """The lines that a storing process wrote before SIGKILL, which comes after so many."""
    command = [sys.executable, "-m", "tests.memory.storing_child", str(home), str(start)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        written = [child.stdout.readline() for _ in range(lines)]
        child.send_signal(signal.SIGKILL)
        written += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL
    return [line.strip() for line in written if line.endswith("\n")]


@pytest.mark.parametrize("lines", [1, 11, 29], ids=lambda lines: f"killed after {lines} lines")
def test_no_acknowledged_fact_is_lost_by_a_kill(home: Path, lines: int) -> None:
    written = run_until_killed(home, 0, lines)
    told = {
        step: {int(line.split()[1]) for line in written if line.split()[0] == step}
        for step in ("stored", "forgetting", "forgotten")
    }
    memory = Memory(home, WordEmbedder())
    user = memory.of("eve")
    subjects = [fact.subject for fact in user.facts(limit=10_000)]
    kept = {int(subject.removeprefix("Person")) for subject in subjects}
    assert len(subjects) == len(kept)  # nothing twice
    assert told["stored"] - told["forgetting"] <= kept
    assert not told["forgotten"] & kept
    assert len(kept - told["stored"]) <= 1  # the one that was being stored
    assert memory.status().agrees
    for number in kept:
        assert user.recall(f"Where does Person{number} live?", k=1)[0].fact is not None
    gone = [f"Person{number} " for number in told["forgotten"]]
    memory.close()
    held = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert not any(text.encode() in data for text in gone for data in held)
