"""A disk that is full: nothing is lost, it is said in one line, and forgetting makes room."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.errors import Failure, LorekeeperError
from memory.store import Memory
from memory.types import StillOnDisk
from tests.memory.samples import WordEmbedder, read


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("No file system can be mounted here; as root one can.")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def _fill_up(disk: Path) -> None:
    with contextlib.suppress(OSError), (disk / "filling").open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(os.urandom(size))
    assert shutil.disk_usage(disk).free < 1 << 16


def test_forgetting_on_a_full_disk_makes_room(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.records.reserve.SIZE", 4 << 20)
    monkeypatch.setattr("memory.records.reserve._PLENTY", 6 << 20)
    home = small_disk / "home"
    memory = Memory(home, WordEmbedder())
    user = memory.of("eve")
    user.note("Ann lives in Oslo.", read("Ann lives in Oslo.", ("Ann", "lives in", "Oslo")))
    long = "\n\n".join(f"Paragraph {n} says nothing of note about matter {n * 7}." for n in range(12_000))
    source = user.add_document("long.txt", long.encode())
    memory.keep_reserve()
    assert (home / "reserve").stat().st_size == 4 << 20
    memory.close()
    _fill_up(small_disk)

    memory = Memory(home, WordEmbedder())  # begins, however full it is
    user = memory.of("eve")
    assert user.recall("Where does Ann live?", k=3)
    with contextlib.suppress(StillOnDisk):
        user.forget(source=source.id)
    assert [held.id for held in user.sources()] != []
    assert source.id not in {held.id for held in user.sources()}
    assert shutil.disk_usage(small_disk).free > 1 << 19
    user.note("Bo likes tea.", read("Bo likes tea.", ("Bo", "likes", "tea")))  # there is room again
    assert user.recall("Where does Ann live?", k=3)
    memory.close()


def test_what_a_full_disk_does_not_take_is_one_line_and_nothing_is_lost(small_disk: Path) -> None:
    home = small_disk / "home"
    memory = Memory(home, WordEmbedder())
    user = memory.of("eve")
    user.note("Ann lives in Oslo.", read("Ann lives in Oslo.", ("Ann", "lives in", "Oslo")))
    _fill_up(small_disk)
    long = "\n\n".join(f"Paragraph {n} says nothing of note about matter {n * 7}." for n in range(3000))
    with pytest.raises(Failure, match=r"Nothing was saved.*Free some space"):
        user.add_document("long.txt", long.encode())
    assert [fact.object for fact in user.facts()] == ["Oslo"]
    assert user.recall("Where does Ann live?", k=3)
    memory.close()
    with contextlib.suppress(LorekeeperError):  # with nothing kept for that day, it may not even begin
        Memory(home, WordEmbedder()).close()
    (small_disk / "filling").unlink()
    memory = Memory(home, WordEmbedder())
    assert [fact.object for fact in memory.of("eve").facts()] == ["Oslo"]
    memory.close()
