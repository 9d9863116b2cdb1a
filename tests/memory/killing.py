"""A process that remembers and forgets, killed with SIGKILL at a random moment, and what has to be so afterwards."""

import multiprocessing
import os
import random
import sys
import time
from pathlib import Path

from memory.store import Memory
from tests.memory.samples import WordEmbedder, read

_LATEST_SECONDS = 0.4  # of a kill, after the first thing was done
_context = multiprocessing.get_context("forkserver")  # its children start at once, with the imports done
_context.set_forkserver_preload([__name__])


def work_on(home: Path, log: Path, start: int) -> None:
    """Notes and documents, on and on, every fourth time one of the last three forgotten; `log` has what was done."""
    user = Memory(home, WordEmbedder()).of("eve")
    assert "torch" not in sys.modules
    done = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    sources: dict[int, str] = {}
    for number in range(start, start + 10_000):
        if number % 4 == 3 and number - 1 - number % 3 in sources:
            gone = number - 1 - number % 3
            os.write(done, f"forgetting {gone}\n".encode())
            user.forget(source=sources.pop(gone))
            os.write(done, f"forgotten {gone}\n".encode())
        else:
            text = sentence(number)
            os.write(done, f"storing {number}\n".encode())
            if number % 4 == 2:
                source = user.add_document(f"{number}.txt", text.encode())
                for passage_id, passage in user.passages(source.id):
                    user.store(source.id, passage_id, read(passage.text, triple(number)))
            else:
                source, _ = user.note(text, read(text, triple(number)))
            sources[number] = source.id
            os.write(done, f"stored {number}\n".encode())


def sentence(number: int) -> str:
    """What is remembered of a number."""
    return f"Person{number}x lives in Town{number % 7}x."


def triple(number: int) -> tuple[str, str, str]:
    """The fact in `sentence(number)`."""
    return f"Person{number}x", "lives in", f"Town{number % 7}x"


class Killing:
    """One home, and all that processes did there before they were killed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._home, self._log = folder / "home", folder / "log"
        self._random = random.Random(seed)

    def once(self) -> None:
        """Let a process work, and kill it at a random moment."""
        before = len(self._lines())
        process = _context.Process(target=work_on, args=(self._home, self._log, self._next()))
        process.start()
        while len(self._lines()) == before and process.is_alive():
            time.sleep(0.005)
        time.sleep(self._random.random() * _LATEST_SECONDS)
        assert process.is_alive()
        process.kill()
        process.join()

    def breaches(self) -> list[str]:
        """What is not as it has to be: acknowledged and not there, twice there, or half forgotten."""
        told = self._told()
        found: list[str] = []
        memory = Memory(self._home, WordEmbedder())
        user = memory.of("eve")
        facts = [fact.subject for fact in user.facts(limit=100_000)]
        texts = [user.source_text(source.id) for source in user.sources()]
        for number in sorted(told["storing"]):
            in_facts, in_texts = facts.count(triple(number)[0]), texts.count(sentence(number))
            if in_facts > 1 or in_texts > 1:
                found.append(f"{number} is there twice")
            if number in told["stored"] - told["forgetting"] and not in_facts:
                found.append(f"{number} is lost")
            if number in told["forgetting"] and (in_facts, in_texts) not in ((0, 0), (1, 1)):
                found.append(f"{number} is half forgotten")
            if number in told["forgotten"] and in_texts:
                found.append(f"{number} is not forgotten")
        if not memory.status().agrees:
            found.append("the index differs from the records")
        if {f"f{fact}" for fact in user._graph.facts()} != {
            fact.id for fact in user.facts(limit=100_000) if fact.object_id
        }:
            found.append("the graph differs from the records")
        memory.close()
        gone = {number for number in told["forgetting"] if triple(number)[0] not in facts}
        return found + [f"{number} left bytes" for number in sorted(gone) if self._in_a_file(triple(number)[0])]

    def _in_a_file(self, text: str) -> bool:
        wanted = [text.encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be")]
        held = (path.read_bytes() for path in self._home.rglob("*") if path.is_file())
        return any(one in data for data in held for one in wanted)

    def _lines(self) -> list[str]:
        return self._log.read_text().splitlines() if self._log.exists() else []

    def _told(self) -> dict[str, set[int]]:
        told: dict[str, set[int]] = {step: set() for step in ("storing", "stored", "forgetting", "forgotten")}
        for line in self._lines():
            step, number = line.split()
            told[step].add(int(number))
        return told

    def _next(self) -> int:
        return max(self._told()["storing"], default=-1) + 1
