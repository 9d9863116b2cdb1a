"""Folders that are watched."""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.folders import Folders
from memory.ingestion import Ingestion
from memory.store import Memory
from memory.types import Extraction
from memory.user_memory import UserMemory


class NothingToRead:
    """A model that reads no facts."""

    def extract(self, *_: object, **__: object) -> Extraction:
        return Extraction()


@pytest.fixture
def me(memory: Memory) -> UserMemory:
    return memory.of("me")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "boats").mkdir(parents=True)
    (folder / "a.txt").write_text("The Skua lies in Vik.")
    (folder / "boats" / "b.md").write_text("The Tern lies in Moss.")
    (folder / ".hidden.txt").write_text("Nobody reads this.")
    (folder / "song.mp3").write_bytes(b"ID3")
    return folder


@pytest.fixture
def folders(memory: Memory, me: UserMemory, notes: Path) -> Iterator[Folders]:
    ingestion = Ingestion(memory, NothingToRead(), NothingToRead())
    folders = Folders([notes], me, ingestion)
    yield folders
    folders.close()
    ingestion.close()


def texts(me: UserMemory) -> list[str]:
    return sorted(me.source_text(source.id) for source in me.sources())


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + 120
    while not holds() and time.monotonic() < until:
        time.sleep(0.1)
    return holds()


def test_what_lies_in_a_folder_is_remembered_as_it_lies_there(folders: Folders, me: UserMemory, notes: Path) -> None:
    folders.look()
    assert texts(me) == ["The Skua lies in Vik.", "The Tern lies in Moss."]
    folders.look()
    assert len(me.sources()) == 2
    before = {source.id for source in me.sources()}
    (notes / "a.txt").rename(notes / "boats" / "c.txt")
    folders.look()
    assert {source.id for source in me.sources()} == before
    (notes / "boats" / "b.md").unlink()
    folders.look()
    assert texts(me) == ["The Skua lies in Vik."]
    (notes / "boats" / "c.txt").unlink()
    (notes / "new.txt").write_text("The Auk lies in Lund.")
    folders.look()
    assert texts(me) == ["The Auk lies in Lund."]


def test_a_copy_elsewhere_and_what_was_uploaded_stay(folders: Folders, me: UserMemory, notes: Path) -> None:
    me.add_document("upload.txt", b"The Teal lies in Vik.")
    shutil.copy(notes / "a.txt", notes / "boats" / "copy.txt")
    folders.look()
    (notes / "a.txt").unlink()
    folders.look()
    assert texts(me) == ["The Skua lies in Vik.", "The Teal lies in Vik.", "The Tern lies in Moss."]


def test_a_folder_that_is_gone_or_empty_forgets_nothing(folders: Folders, me: UserMemory, notes: Path) -> None:
    folders.look()
    shutil.rmtree(notes)
    folders.look()
    notes.mkdir()  # as where a disk is not mounted
    folders.look()
    assert len(me.sources()) == 2


def test_a_file_that_cannot_be_read_is_told_until_it_can(folders: Folders, me: UserMemory, notes: Path) -> None:
    (notes / "broken.pdf").write_bytes(b"no PDF")
    folders.look()
    assert list(folders.refused) == [str(notes / "broken.pdf")]
    assert "broken.pdf is damaged or no PDF" in folders.refused[str(notes / "broken.pdf")]
    (notes / "broken.pdf").unlink()
    folders.look()
    assert folders.refused == {}
    assert len(me.sources()) == 2


def test_a_name_that_another_folder_begins_with_is_left_alone(folders: Folders, me: UserMemory, notes: Path) -> None:
    beside = notes.parent / "notes 100%_"
    beside.mkdir()
    (beside / "x.txt").write_text("The Smew lies in Oslo.")
    me.add_document("x.txt", b"The Smew lies in Oslo.", str(beside / "x.txt"))
    folders.look()
    assert "The Smew lies in Oslo." in texts(me)


def test_a_change_is_noticed_while_it_is_watched(folders: Folders, me: UserMemory, notes: Path) -> None:
    folders.start()
    assert eventually(lambda: len(me.sources()) == 2)
    (notes / "later.txt").write_text("The Smew lies in Oslo.")
    assert eventually(lambda: "The Smew lies in Oslo." in texts(me))
    (notes / "later.txt").unlink()
    assert eventually(lambda: len(me.sources()) == 2)
