"""A process that remembers, reads and forgets, killed with SIGKILL at random moments, and what has to be so after."""

import multiprocessing
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from memory.store import Memory
from memory.types import Source
from memory.user_memory import UserMemory
from tests.memory import working
from tests.memory.samples import WordEmbedder
from tests.memory.working import PARTS, USER, is_document, triple, triples, version_of

_LATEST_SECONDS = 0.4  # of a kill, after the first thing was done
_ENDED_EVERY = 5  # kills, all that is half read is read to its end here; else the next process goes on with it
_LONGEST_READING = 20.0  # seconds
_NAME = re.compile(r"Person\d+(?:p\d+)?x|Town\d+n\d+v\d+x")
_NUMBER = re.compile(r"\d+")
_context = multiprocessing.get_context("forkserver")  # its children start at once, with the imports done
_context.set_forkserver_preload([working.__name__])


class Killing:
    """One home, and all that processes did there before they were killed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._home, self._log = folder / "home", folder / "log"
        self._random = random.Random(seed)
        self._kills = 0

    def once(self) -> None:
        """Let a process work, and kill it at a random moment."""
        before = len(self._lines())
        process = _context.Process(target=working.work_on, args=(self._home, self._log, self._next()))
        process.start()
        while len(self._lines()) == before and process.is_alive():
            time.sleep(0.005)
        time.sleep(self._random.random() * _LATEST_SECONDS)
        assert process.is_alive()
        process.kill()
        process.join()
        self._kills += 1

    def breaches(self) -> list[str]:
        """What is not as it has to be: acknowledged and not there, twice there, half forgotten or read twice."""
        found = self._breaches()
        if self._kills % _ENDED_EVERY == 0:
            self._read_on()
            found += self._breaches(ended=True)
        return found

    def _breaches(self, *, ended: bool = False) -> list[str]:
        memory = Memory(self._home, WordEmbedder())
        told, there = self._told(), _There(memory.of(USER))
        found = [breach for number in sorted(told["storing"]) for breach in _breaches_of(number, told, there)]
        if ended and any(source.state != "ready" for source in memory.of(USER).sources()):
            found.append("a document is not read to its end")
        if not memory.status().agrees:
            found.append("the index differs from the records")
        if not there.graph_agrees:
            found.append("the graph differs from the records")
        memory.close()
        concerned = told["forgetting"] | told["changing"]
        left = {name for name in self._names_in_files() - there.names if int(_NUMBER.findall(name)[0]) in concerned}
        return found + [f"{name} left bytes" for name in sorted(left)] + self._read_again()

    def _read_on(self) -> None:
        """Until nothing is left to be done in the background."""
        memory = Memory(self._home, WordEmbedder())
        ingestion = working.ingestion_of(memory, self._log)
        until = time.monotonic() + _LONGEST_READING
        while (memory.unfinished() or memory.unswept() or memory.not_embedded()) and time.monotonic() < until:
            time.sleep(0.005)
        ingestion.close()
        memory.close()

    def _read_again(self) -> list[str]:
        """The passages that were taken up again, but for the one at hand at a kill: nothing is read in between."""
        read = [what for step, what in map(str.split, self._lines()) if step == "reading"]
        again = [at for at, what in enumerate(read) if what in read[:at]]
        found = [f"{read[at]} was read again" for at in again if read[at] != read[at - 1]]
        return found if len(again) <= self._kills else [*found, "more was read again than processes were killed"]

    def _names_in_files(self) -> set[str]:
        held = (path.read_bytes() for path in self._home.rglob("*") if path.is_file())
        # Without its zeros, UTF-16 is like the rest.
        found = (_NAME.findall(data.decode("latin-1")) for one in held for data in (one, one.replace(b"\0", b"")))
        return {name for names in found for name in names}

    def _lines(self) -> list[str]:
        return self._log.read_text().splitlines() if self._log.exists() else []

    def _told(self) -> dict[str, set[int]]:
        told: dict[str, set[int]] = defaultdict(set)
        for step, what in map(str.split, self._lines()):
            told[step].add(int(what.split(".")[0]))
        return told

    def _next(self) -> int:
        return max(self._told()["storing"], default=-1) + 1


class _There:
    """What a user's memory holds, by number: `versions` has the sources by version, a note being the first."""

    def __init__(self, user: UserMemory) -> None:
        self.versions: dict[int, dict[int, Source]] = defaultdict(dict)
        self.facts: dict[int, Counter[tuple[str, str, str]]] = defaultdict(Counter)
        self.names: set[str] = set()
        self.twice: set[int] = set()
        facts = user.facts(limit=100_000)
        for fact in facts:
            number = int(_NUMBER.findall(fact.subject)[0])
            self.facts[number][fact.subject, fact.relation, fact.object] += 1
        for source in user.sources():
            text = user.source_text(source.id)
            self.names.update(_NAME.findall(text))
            told = source.kind == "chat"
            number, version = (int(_NUMBER.findall(text)[0]), 1) if told else version_of(source.name)
            if version in self.versions[number]:
                self.twice.add(number)
            self.versions[number][version] = source
        self.graph_agrees = {f"f{fact}" for fact in user._graph.facts()} == {f.id for f in facts if f.object_id}

    def due(self, number: int) -> set[tuple[str, str, str]]:
        """The facts in what was read of a number."""
        versions = self.versions[number]
        if not is_document(number):
            return {triple(number)} if versions else set()
        return {fact for version, held in versions.items() for fact in triples(number, version)[: held.passages_read]}


def _breaches_of(number: int, told: dict[str, set[int]], there: _There) -> Iterator[str]:
    versions = there.versions[number]
    if number in there.twice:
        yield f"{number} is there twice"
    if there.facts[number] != Counter(there.due(number)):
        yield f"{number} has other facts than what was read of it"
    if number in told["forgotten"] and versions:
        yield f"{number} is not forgotten"
    if number not in told["forgetting"] and number in told["stored"] and not versions:
        yield f"{number} is lost"
    if number not in told["forgetting"] and number in told["changed"] and 2 not in versions:
        yield f"the second version of {number} is lost"
    if is_document(number) and versions:
        yield from _breaches_of_reading(number, versions)


def _breaches_of_reading(number: int, versions: dict[int, Source]) -> Iterator[str]:
    """The first version is there until the second one is read, and not read on."""
    if any(source.passages != PARTS or source.error for source in versions.values()):
        yield f"{number} lost passages"
    if any((source.state == "ready") != (source.passages_read == PARTS) for source in versions.values()):
        yield f"{number} is not in the state in which its passages are"
    second = versions.get(2)
    if (1 in versions) == (second is not None and second.state == "ready"):
        yield f"the second version of {number} replaced the first at another moment than when it was read"
    if 1 in versions and versions[1].state in (("cancelled",) if second is None else ("queued", "reading")):
        yield f"the first version of {number} is read on, or no longer read"
