"""Homes with many facts in memory, kept in the user's cache folder, since filling one takes minutes."""

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

from assistant.embedding import load_embedder
from assistant.settings import Settings
from memory.store import Memory
from tests.benchmarks import people
from tests.benchmarks.harness import CACHE, ROOT

USER = "turn"
FACTS_A_PERSON = 5


def filled_home(facts: int, embedder_name: str) -> Path:
    """A home in which `USER` has `facts` facts about invented people, made where it is not there yet.

    It is made anew when the code of memory, the embedding model or the people change; only the last one is kept.
    """
    digest = hashlib.sha256(f"{facts} {embedder_name}".encode())
    for file in [Path(people.__file__), *sorted((ROOT / "memory").rglob("*.py"))]:
        digest.update(file.read_bytes())
    home = CACHE / f"home-{digest.hexdigest()[:16]}"
    if not home.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as folder:
            new = Path(folder) / "home"
            _fill(new, facts)
            for outdated in CACHE.glob("home-*"):
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
