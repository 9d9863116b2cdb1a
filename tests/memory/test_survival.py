"""A process that is killed loses nothing that it acknowledged, doubles nothing, and leaves nothing half done."""

from pathlib import Path

from tests.memory.killing import Killing


def test_twenty_kills_at_random_moments_break_nothing(tmp_path: Path) -> None:
    killing = Killing(tmp_path, seed=7)
    for _ in range(20):
        killing.once()
        assert killing.breaches() == []
