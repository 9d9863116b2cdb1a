"""Stores that are damaged: the index is made anew, the records are left as they are, and each is told in one line."""

import contextlib
import random
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from memory.errors import Failure, LorekeeperError, Unavailable, UserMistake
from memory.store import Memory
from memory.types import Vectors
from tests.memory.samples import WordEmbedder, read

Damage = Callable[[Path], None]
_PEOPLE = 30
_SMALL = {"hnsw": {"space": "cosine", "sync_threshold": 20, "batch_size": 10}}  # else files only come with a thousand


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
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with some records, and an index that has files of vectors."""
    patch = pytest.MonkeyPatch()
    patch.setattr("memory.vectors._CONFIGURATION", _SMALL)
    home = tmp_path_factory.mktemp("filled") / "home"
    memory = Memory(home, WordEmbedder())
    user = memory.of("eve")
    text = " ".join(f"Ann met Person{n}." for n in range(_PEOPLE))
    user.note(text, read(text, *(("Ann", "met", f"Person{n}") for n in range(_PEOPLE))))
    while user.embed_waiting(32):
        pass
    assert memory.status().agrees
    memory.close()
    assert len(list((home / "vectors").rglob("*.bin"))) > 2
    yield home
    patch.undo()


@pytest.fixture
def copied(filled: Path, home: Path) -> Path:
    shutil.copytree(filled, home)
    return home


def _files(home: Path) -> list[Path]:
    return sorted(path for path in (home / "vectors").rglob("*") if path.is_file())


def _works(memory: Memory) -> None:
    """Whatever is asked of it, and all of it is in the index in the end."""
    user = memory.of("eve")
    _, stored = user.note("Bo likes tea.", read("Bo likes tea.", ("Bo", "likes", "tea")))
    user.forget(facts=[stored.added[0].id])
    assert user.sweep(60)
    _is_filled(memory)


def _is_filled(memory: Memory) -> None:
    user = memory.of("eve")
    while user.embed_waiting(64):
        pass
    assert user.status().agrees
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
            _works(memory) if file.name == "link_lists.bin" else _is_filled(memory)
        finally:
            memory.close()


@pytest.mark.parametrize("damage", ["a bit", "zeros", "deleted", "a folder"])
def test_an_index_that_is_damaged_while_it_is_open_is_made_anew(copied: Path, damage: str) -> None:
    memory = Memory(copied, WordEmbedder())
    try:
        for file in _files(copied):
            DAMAGES[damage](file)
        memory._index._disconnect()  # as after a write that failed
        _works(memory)
    finally:
        memory.close()


def test_a_lost_index_is_said_until_it_is_filled_again(copied: Path) -> None:
    (copied / "vectors" / "chroma.sqlite3").write_bytes(b"\xff" * 4096)
    patch = pytest.MonkeyPatch()
    patch.setattr("memory.indexing._MOMENT", 0.0)
    memory = Memory(copied, WordEmbedder())
    try:
        user = memory.of("eve")
        assert user.recall("Person7", k=3)[0].fact is not None  # by its words
        assert memory.status().lost and memory.status().waiting
        assert not memory.repair().lost
        patch.undo()
    finally:
        memory.close()


@pytest.mark.parametrize("damage", [name for name in DAMAGES if name not in ("a bit", "deleted", "a folder")])
def test_damaged_records_are_one_line_and_stay_as_they_are(copied: Path, damage: str) -> None:
    file = copied / "memory.db"
    DAMAGES[damage](file)
    held = file.read_bytes()
    with pytest.raises(LorekeeperError, match=r"memory\.db.*(copy|damaged)"):
        _use(copied)
    assert file.read_bytes() == held


def _use(home: Path) -> None:
    memory = Memory(home, WordEmbedder())
    try:
        user = memory.of("eve")
        user.facts(limit=1000)
        user.sources()
        user.recall("Person7")
    finally:
        memory.close()


def test_a_page_of_the_records_that_is_damaged_is_one_line_when_it_is_read(copied: Path) -> None:
    file = copied / "memory.db"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        pages = "SELECT pageno FROM dbstat WHERE name = 'facts' AND pagetype = 'leaf'"
        (page, *_), (size,) = connection.execute(pages), connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as raw:
        raw.seek((page[0] - 1) * size)
        raw.write(b"\xee" * size)
    with pytest.raises(Failure, match="damaged"):
        _use(copied)


def test_records_that_are_missing_where_there_was_a_memory_are_not_begun_anew(copied: Path) -> None:
    (copied / "memory.db").unlink()
    with pytest.raises(Failure, match="missing, though there was a memory"):
        Memory(copied, WordEmbedder())
    assert not (copied / "memory.db").exists()
    shutil.rmtree(copied / "vectors")
    Memory(copied, WordEmbedder()).close()


def test_records_of_a_newer_version_are_left_to_it(copied: Path) -> None:
    file = copied / "memory.db"
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UserMistake, match="newer version"):
        Memory(copied, WordEmbedder())


def test_records_that_another_program_holds_are_one_line(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memory.records import database

    monkeypatch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, "busy_timeout=50"))
    with contextlib.closing(sqlite3.connect(copied / "memory.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="Another program"):
            Memory(copied, WordEmbedder())


class _Slow(WordEmbedder):
    """Takes 20 ms for a text."""

    def passage(self, texts: Sequence[str]) -> Vectors:
        time.sleep(0.02 * len(texts))
        return self.query(texts)


def test_nothing_that_is_brought_back_is_waited_for(home: Path, tmp_path: Path) -> None:
    patch = pytest.MonkeyPatch()
    patch.setattr("memory.indexing._MOMENT", 0.3)
    memory = Memory(home, WordEmbedder())
    woken = threading.Event()
    memory.when_put_in(woken.set)
    user = memory.of("eve")
    text = " ".join(f"Ann met Person{n}." for n in range(250))
    source, _ = user.note(text, read(text, *(("Ann", "met", f"Person{n}") for n in range(250))))
    memory._indexer._embedder = _Slow()
    try:
        gone = user.forget(source=source.id, undoable=True)
        embedded: list[int] = []
        memory._indexer._embed = _counting(memory._indexer._embed, embedded)  # type: ignore[method-assign]
        user.undo(gone.undo_id)
        assert woken.is_set()
        assert sum(embedded) < 100  # 2 seconds; all would take 10
        assert user.not_embedded() > 400
        assert user.recall("Person177", k=3)[0].fact is not None  # by its words
        user.export(tmp_path / "all")
        embedded.clear()
        memory.of("bob").import_(tmp_path / "all")
        assert sum(embedded) < 100
    finally:
        patch.undo()
        memory.close()


def _counting(embed: Callable[..., None], counts: list[int]) -> Callable[..., None]:
    def counted(user_id: int, ids: Sequence[str]) -> None:
        counts.append(len(ids))
        embed(user_id, ids)

    return counted
