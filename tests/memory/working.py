"""A process that remembers, reads documents in the background and forgets, on and on; `log` has what it did.

A number is a note or a document (`is_document`). A document has two versions, of which the second says something else
in its last parts; each part is a passage with one fact. Lines of the log are a step and what it concerns: a number, and
for "reading" also the version and the part.
"""

import contextlib
import os
import sys
from pathlib import Path

from memory.errors import NothingThere
from memory.ingestion import Ingestion
from memory.store import Memory
from memory.types import Extraction, Passage
from memory.user_memory import UserMemory
from tests.memory.samples import WordEmbedder, read

PARTS = 3
USER = "eve"


def work_on(home: Path, log: Path, start: int) -> None:
    """Go on at the number `start`, until killed."""
    memory = Memory(home, WordEmbedder())
    assert "torch" not in sys.modules
    working = _Working(memory, log)
    for number in range(start, start + 10_000):
        working.step(number)


def ingestion_of(memory: Memory, log: Path) -> Ingestion:
    """The reading of documents, begun; the log tells each passage that it takes up."""
    ingestion = Ingestion(memory, _Reader(log), _Apart())
    ingestion.start()
    return ingestion


def is_document(number: int) -> bool:
    """Whether a number is a document, and no note."""
    return number % 4 == 1


def note(number: int) -> str:
    """What is remembered of a number that is a note."""
    return _sentence(triple(number))


def triple(number: int) -> tuple[str, str, str]:
    """The fact in `note(number)`."""
    return f"Person{number}x", "lives in", f"Town{number % 7}x"


def triples(number: int, version: int) -> list[tuple[str, str, str]]:
    """The facts in a version (1 or 2) of a document, part by part."""
    towns = [f"Town{number % 7}x" if part < PARTS // 2 else f"Town{number}n{part}v{version}x" for part in range(PARTS)]
    return [(f"Person{number}p{part}x", "lives in", town) for part, town in enumerate(towns)]


def version_of(name: str) -> tuple[int, int]:
    """The number and the version of the document that is called so."""
    number, version, _ = name.split(".")
    return int(number), int(version)


class _Reader:
    """Reads the fact of a part."""

    def __init__(self, log: Path) -> None:
        self._log = _appending(log)

    def extract(self, passage: Passage, title: str) -> Extraction:
        number, version = version_of(title)
        part = int(passage.heading)
        _tell(self._log, "reading", number, version, part)
        return read(passage.text, triples(number, version)[part])


class _Apart:
    """Takes no two things for one."""

    def are_one(self, short: str, long: str) -> bool:
        return False


class _Working:
    """What one process does; of what others left, it knows the documents."""

    def __init__(self, memory: Memory, log: Path) -> None:
        self._memory = memory
        self._user: UserMemory = memory.of(USER)
        self._log = _appending(log)
        self._sources: dict[int, set[str]] = {}
        for source in self._user.sources():
            if source.kind == "document":
                self._sources.setdefault(version_of(source.name)[0], set()).add(source.id)
        self._ingestion = ingestion_of(memory, log)

    def step(self, number: int) -> None:
        """Store a number, change the document before it, or forget one of the last three."""
        gone = number - 1 - number % 3
        if number % 4 == 2 and number - 1 in self._sources:
            self._change(number - 1, read_before=number % 8 == 2)
        elif number % 4 == 3 and gone in self._sources:
            self._forget(gone)
        else:
            self._store(number)

    def _store(self, number: int) -> None:
        _tell(self._log, "storing", number)
        if is_document(number):
            self._wait_for_all()
            self._sources[number] = {self._add(number, 1)}
        else:
            source, _ = self._user.note(note(number), read(note(number), triple(number)))
            self._sources[number] = {source.id}
        _tell(self._log, "stored", number)

    def _change(self, number: int, *, read_before: bool) -> None:
        """The first version is read by then, or still being read."""
        if read_before:
            self._wait_for_all()
        _tell(self._log, "changing", number)
        self._sources[number].add(self._add(number, 2))
        _tell(self._log, "changed", number)

    def _forget(self, number: int) -> None:
        """Forget it, in all versions that are there."""
        _tell(self._log, "forgetting", number)
        versions = self._sources.pop(number)
        gone = False
        while not gone:
            there = [source.id for source in self._user.sources() if source.id in versions]
            with contextlib.suppress(NothingThere):  # the second version has just been read, and the first one went
                self._user.forget(source=there)
                gone = True
        _tell(self._log, "forgotten", number)

    def _add(self, number: int, version: int) -> str:
        parts = [f"# {part}\n\n{_sentence(fact)}" for part, fact in enumerate(triples(number, version))]
        data = "\n\n".join(parts).encode()
        return self._ingestion.add(USER, f"{number}.{version}.md", data, place=f"/{number}.md").id

    def _wait_for_all(self) -> None:
        for _, source in self._memory.unfinished():
            self._ingestion.wait(USER, source.id)


def _sentence(fact: tuple[str, str, str]) -> str:
    return f"{' '.join(fact)}."


def _appending(log: Path) -> int:
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def _tell(log: int, step: str, *numbers: int) -> None:
    os.write(log, f"{step} {'.'.join(map(str, numbers))}\n".encode())
