"""Stores facts in a home until it is killed, and says each one that was acknowledged. Run by test_survival."""

import sys
from pathlib import Path

from memory.store import Memory
from tests.memory.samples import WordEmbedder, read


def main(home: Path, start: int) -> None:
    """Notes on and on, every tenth forgotten again."""
    user = Memory(home, WordEmbedder()).of("eve")
    for number in range(start, start + 10_000):
        text = f"Person{number} lives in Town{number % 7}."
        source, stored = user.note(text, read(text, (f"Person{number}", "lives in", f"Town{number % 7}")))
        assert len(stored.added) == 1
        print("stored", number, flush=True)
        if number % 10 == 3:
            print("forgetting", number, flush=True)
            user.forget(source=source.id)
            print("forgotten", number, flush=True)
    assert "torch" not in sys.modules


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
