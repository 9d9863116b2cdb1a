"""The vector index by itself."""

import contextlib
import math
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.errors import Failure
from memory.store import Memory
from memory.types import Vectors
from memory.vectors import VectorIndex

ROOT = Path(__file__).parents[2]


def random_vectors(count: int, seed: int = 0, size: int = 16) -> Vectors:
    rows = np.random.default_rng(seed).normal(size=(count, size)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)  # type: ignore[no-any-return]


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """No file grows over one page."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[VectorIndex]:
    index = VectorIndex(tmp_path / "vectors")
    assert not index.prepare(1, "model", 16)
    yield index
    index.close()


def test_the_nearest_come_first_with_their_cosine(index: VectorIndex) -> None:
    vectors = random_vectors(200)
    index.upsert(1, [f"f{n}" for n in range(200)], vectors)
    question = random_vectors(1, seed=1)[0]
    cosines = vectors @ question
    best = np.argsort(-cosines)[:10]
    found = index.nearest(1, question, 10)
    assert [id_ for id_, _ in found] == [f"f{n}" for n in best]
    assert np.allclose([similarity for _, similarity in found], cosines[best], atol=1e-5)
    assert len(index.nearest(1, question, 999)) == 200


def test_the_latest_vectors_of_one_user_are_not_looked_for_among_those_of_all(index: VectorIndex) -> None:
    index.upsert(1, ["f1"], random_vectors(1))
    index.close()
    asked = "DELETE FROM embeddings_queue WHERE topic = ? AND seq_id < ?"  # by Chroma, with each write
    with contextlib.closing(sqlite3.connect(index._path / "chroma.sqlite3")) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {asked}", ("", 0)).fetchall()
    assert "(topic=? AND seq_id<?)" in plan[0][3]


def test_a_damaged_page_keeps_nobody_from_starting(index: VectorIndex) -> None:
    index.upsert(1, [f"f{n}" for n in range(200)], random_vectors(200))
    index.close()
    file = index._path / "chroma.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP INDEX queue_by_collection")
        pages = "SELECT pageno FROM dbstat WHERE name = 'embeddings_queue' AND pagetype = 'leaf'"
        (page, *_), (size,) = connection.execute(pages), connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as raw:
        raw.seek((page[0] - 1) * size)
        raw.write(b"\xee" * size)
    again = VectorIndex(index._path)
    assert again.prepare(2, "model", 16) is False  # others can go on
    again.close()


def test_an_id_is_there_once_with_its_latest_vector(index: VectorIndex) -> None:
    first, second = random_vectors(2)
    index.upsert(1, ["f1"], first[None])
    index.upsert(1, ["f1"], second[None])
    assert index.ids(1) == {"f1"}
    assert index.nearest(1, second, 1)[0][1] == pytest.approx(1.0, abs=1e-5)


def test_an_empty_index_answers(index: VectorIndex) -> None:
    assert index.nearest(1, random_vectors(1)[0], 5) == []
    index.upsert(1, [], random_vectors(0))
    assert index.count(1) == 0


def test_rebuilding_on_a_full_disk_says_so_and_loses_nothing(index: VectorIndex) -> None:
    index.upsert(1, [f"f{n}" for n in range(1500)], random_vectors(1500))
    assert index.remove(1, [f"f{n}" for n in range(1000)]) == 1000
    before = index._client()
    with full_disk():
        for _ in range(4):  # the later ones cannot even open the files
            with pytest.raises(Failure, match="make some space"):
                index.rebuild(1, math.inf)
    assert index._client() is not before  # its connections may never answer again
    assert index.count(1) == 500
    assert index.rebuild(1, math.inf)
    assert index.ids(1) == {f"f{n}" for n in range(1000, 1500)}


def test_rebuilding_leaves_no_file_of_the_old_one(index: VectorIndex, tmp_path: Path) -> None:
    vectors = random_vectors(1500)
    index.upsert(1, [f"f{n}" for n in range(1500)], vectors)
    folders = {path for path in (tmp_path / "vectors").iterdir() if path.is_dir()}
    assert index.remove(1, [f"f{n}" for n in range(500)]) == 500
    assert index.rebuild(1, math.inf)
    assert index.count(1) == 1000
    assert not any(path.exists() for path in folders)
    gone = vectors[:500]
    files = [path.read_bytes() for path in (tmp_path / "vectors").rglob("*") if path.is_file()]
    assert not any(vector.tobytes() in data for vector in gone[:50] for data in files)
    assert index.nearest(1, vectors[700], 1)[0][0] == "f700"


def test_what_changes_during_a_rebuild_is_in_the_new_index(index: VectorIndex, tmp_path: Path) -> None:
    vectors = random_vectors(1500)
    index.upsert(1, [f"f{n}" for n in range(1500)], vectors)
    index.remove(1, ["f0"])
    assert not index.rebuild(1, 1e-9)  # one step
    other = random_vectors(1, seed=7)
    index.upsert(1, ["f1", "new"], np.concatenate([other, vectors[:1]]))
    assert not index.rebuild(1, 1e-9)
    assert index.nearest(1, vectors[700], 1)[0][0] == "f700"  # the old one answers meanwhile
    index.remove(1, ["f2"])  # may be in the new one: begun again
    assert index.rebuild(1, math.inf)
    assert index.ids(1) == {"new"} | {f"f{n}" for n in range(1, 1500)} - {"f2"}
    assert index.nearest(1, other[0], 1)[0] == ("f1", pytest.approx(1.0, abs=1e-5))
    files = [path.read_bytes() for path in (tmp_path / "vectors").rglob("*") if path.is_file()]
    assert not any(vector.tobytes() in data for vector in vectors[1:3] for data in files)


def test_an_interrupted_rebuild_is_finished(tmp_path: Path) -> None:
    vectors = random_vectors(3)
    index = VectorIndex(tmp_path / "vectors")
    index.prepare(1, "model", 16)
    index.prepare(2, "model", 16)
    index.upsert(1, ["f1"], vectors[:1])
    index._create("user-1-new", "model", 16)  # was being copied
    index._create("user-3-new", "model", 16).upsert(ids=["f3"], embeddings=vectors[2:])  # the old one was deleted
    index.close()
    again = VectorIndex(tmp_path / "vectors")
    assert again.prepare(1, "model", 16) and again.prepare(3, "model", 16)
    assert (again.ids(1), again.ids(2), again.ids(3)) == ({"f1"}, set(), {"f3"})
    assert {c.name for c in again._client().list_collections()} == {"user-1", "user-2", "user-3"}
    again.close()


_EMPTIED = """
import re, sys
from pathlib import Path
import numpy as np
from memory.vectors import VectorIndex

def megabytes():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) >> 10

index = VectorIndex(Path(sys.argv[1]))
index.prepare(1, "model", 384)
index.prepare(2, "model", 384)
vector = np.eye(1, 384, dtype=np.float32)
index.upsert(2, ["other"], vector)
for n in range(120):
    if n == 20:
        before = megabytes()
    index.upsert(1, ["a"], vector)
    assert index.nearest(1, vector[0], 5) and index.ids(2) == {"other"}
    index.renew(1, "model", 384)
print(megabytes() - before)
index.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say what a process has")
def test_a_memory_emptied_again_and_again_takes_no_more(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _EMPTIED, str(tmp_path / "vectors")]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert int(done.stdout) < 130  # MB; 270 where Chroma keeps them all


def test_vectors_of_two_models_are_never_mixed(index: VectorIndex) -> None:
    index.upsert(1, ["f1"], random_vectors(1))
    assert index.prepare(1, "model", 16)
    assert not index.prepare(1, "other", 16)
    assert index.count(1) == 0


def test_what_is_being_embedded_while_the_last_other_vectors_go_stays(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = memory.of("eve")
    upsert, waited = VectorIndex.upsert, []

    def and_meanwhile(*arguments: Any) -> None:
        upsert(*arguments)
        removing = threading.Thread(target=memory._indexer.remove, args=(arguments[1], ["f99"]))
        removing.start()  # as forgetting does once the records are gone
        removing.join(0.2)
        waited.append(removing)

    monkeypatch.setattr(VectorIndex, "upsert", and_meanwhile)
    user.add_document("a.txt", b"Ann keeps bees.")
    for removing in waited:
        removing.join()
    assert waited and user.status().agrees
    assert user.recall("Who keeps bees?")


def test_vectors_that_are_lost_are_noticed_and_made_again(open_memory: Callable[..., Memory], home: Path) -> None:
    open_memory().of("eve").add_document("a.txt", b"Ann keeps bees.")
    opened = open_memory()
    opened._index.upsert(1, [f"p{n}" for n in range(2, 2000)], random_vectors(2000, size=32)[2:])  # enough for a file
    opened._indexer.compare(1)
    assert opened.status().agrees
    opened.close()
    (lost,) = (path for path in (home / "vectors").iterdir() if path.is_dir())
    shutil.rmtree(lost)
    opened = open_memory()
    assert opened.status().agrees
    assert opened.of("eve").recall("Who keeps bees?")
