"""Stores that are damaged: the index is made anew, the records are left as they are, and each is told in one line."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from memory.errors import Failure, LorekeeperError, UserMistake
from memory.records import database as records
from memory.store import Memory
from tests.memory.samples import WordEmbedder, read

Damage = Callable[[Path], None]
_RECORDS = 1200  # with fewer, Chroma keeps no files of vectors


def _flipped(bits: int) -> Damage:
    def damage(file: Path) -> None:
        held = bytearray(file.read_bytes())
        for at in random.Random(7).sample(range(len(held)), min(bits, len(held))):
            held[at] ^= 0xFF
        file.write_bytes(held)

    return damage


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGES: dict[str, Damage] = {
    "a bit": _flipped(1),
    "many bits": _flipped(500),
    "cut": _cut,
    "empty": lambda file: file.write_bytes(b"") and None,
    "random": lambda file: file.write_bytes(random.Random(7).randbytes(file.stat().st_size)) and None,
    "zeros": lambda file: file.write_bytes(bytes(file.stat().st_size)) and None,
    "deleted": Path.unlink,
    "a folder": _folder,
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with some records, and an index that is large enough to have files of vectors."""
    home = tmp_path_factory.mktemp("filled") / "home"
    memory = Memory(home, WordEmbedder())
    user = memory.of("eve")
    text = " ".join(f"Ann met Person{n}." for n in range(_RECORDS // 2))
    user.note(text, read(text, *(("Ann", "met", f"Person{n}") for n in range(_RECORDS // 2))))
    while user.embed_waiting(500):
        pass
    assert memory.status().agrees
    memory.close()
    assert len(list((home / "vectors").rglob("*.bin"))) > 2
    return home


@pytest.fixture
def copied(filled: Path, home: Path) -> Path:
    shutil.copytree(filled, home)
    return home


def _files(home: Path) -> list[Path]:
    return sorted(path for path in (home / "vectors").rglob("*") if path.is_file())


def _works(memory: Memory) -> None:
    """Whatever is asked of it, and all of it is in the index in the end."""
    user = memory.of("eve")
    assert user.recall("Person7", k=3)[0].fact is not None
    user.find_entities("Persons")
    _, stored = user.note("Bo likes tea.", read("Bo likes tea.", ("Bo", "likes", "tea")))
    user.forget(facts=[stored.added[0].id])
    assert user.sweep(60)
    assert memory.repair().agrees
    assert user.recall("Person7", k=3)[0].fact is not None


@pytest.mark.parametrize("damage", DAMAGES)
def test_whatever_file_of_the_index_is_damaged_it_is_made_anew(copied: Path, damage: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(copied, whole)
    for file in _files(whole):
        shutil.rmtree(copied)
        shutil.copytree(whole, copied)
        DAMAGES[damage](copied / file.relative_to(whole))
        memory = Memory(copied, WordEmbedder())
        try:
            _works(memory)
        finally:
            memory.close()
