"""Homes with many facts in memory, kept in the user's cache folder, since filling one takes minutes."""

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from assistant.embedding import load_embedder
from assistant.settings import Settings
from memory.store import Memory
from tests.benchmarks import people
from tests.benchmarks.harness import CACHE, ROOT

USER = "turn"
FACTS_A_PERSON = 5


def filled_home(facts: int, embedder_name: str) -> Path:
    """A home in which `USER` has `facts` facts about invented people, made where it is not there yet."""
    return kept_home("turn", f"{facts} {embedder_name}", lambda home: _fill(home, facts))


def kept_home(name: str, holds: str, fill: Callable[[Path], None]) -> Path:
    """The home that `fill` makes, made where it is not there yet; `holds` says what it is filled with.

    It is made anew when that, the code of memory or the people change; only the last one of a name is kept.
    """
    digest = hashlib.sha256(holds.encode())
    for file in [Path(people.__file__), *sorted((ROOT / "memory").rglob("*.py"))]:
        digest.update(file.read_bytes())
    home = CACHE / f"home-{name}-{digest.hexdigest()[:16]}"
    if not home.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as folder:
            new = Path(folder) / "home"
            fill(new)
            for outdated in CACHE.glob(f"home-{name}-*"):
                shutil.rmtree(outdated)
            new.rename(home)
    return home


def _fill(home: Path, facts: int) -> None:
    settings = Settings.from_environment()
    memory = Memory(home, load_embedder(settings.embeddings, settings.cache))
    stored = 0
    for text, extraction in people.notes(facts // FACTS_A_PERSON):
        _, added = memory.of(USER).note(text, extraction)
        stored += len(added.added)
        print(f"\r{stored} of {facts} facts stored", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    memory.close()
