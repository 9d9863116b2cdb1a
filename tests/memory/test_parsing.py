"""Documents are parsed in processes that can be killed: their limits, Stop, and what others notice of it."""

import io
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory.documents import LARGEST, MOST_CHARACTERS, read_document, read_file
from memory.errors import Interrupted, UserMistake
from memory.parsing import Limits, Parser
from memory.store import Memory
from tests.benchmarks.hostile_files import files, good

_PROC = Path("/proc")
_SLOW = b"From: a@example.org\n" + b"".join(
    b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(900)
)
HANGING = _SLOW + b"Content-Type: text/plain\n\n" + b"a\n" * 2_000_000  # takes the square of its length


@pytest.fixture
def parser_of() -> Iterator[Callable[..., Parser]]:
    opened: list[Parser] = []

    def make(**limits: float) -> Parser:
        opened.append(Parser(Limits(**limits)))  # type: ignore[arg-type]
        return opened[-1]

    yield make
    for parser in opened:
        parser.close()


def children() -> list[int]:
    """The processes that this one started and that have not ended."""
    found = []
    for folder in _PROC.glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[1] == str(os.getpid()) and fields[0] != "Z" and b"memory.parser" in (folder / "cmdline").read_bytes():
            found.append(int(folder.name))
    return found


def peak_mb(process: int | str) -> int:
    """The most memory that a process has had, in MB; 0 where it has ended."""
    try:
        lines = (_PROC / str(process) / "status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("VmHWM")), 0)


def in_thread(work: Callable[[], object]) -> tuple[threading.Thread, list[BaseException]]:
    """Begin work in a thread; what it raises is added to the list."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".htm", ".csv", ".json", ".eml", ".pdf", ".docx", ".epub"])
def test_it_gives_what_reading_here_gives(parser_of: Callable[..., Parser], suffix: str) -> None:
    text, passages = parser_of().read(f"a{suffix}", good(suffix))
    assert "The hive is blue." in text
    assert (text, passages) == read_document(f"a{suffix}", good(suffix))


def test_headings_of_passages_come_through(parser_of: Callable[..., Parser]) -> None:
    data = "# Eins\n\nWo? 蜂 😀.\n\n## Zwei\n\nDa.\n\n# Drei\n\nDort.".encode()
    assert parser_of().read("a.md", data) == read_document("a.md", data)


def test_the_process_stays_for_the_next_document(parser_of: Callable[..., Parser]) -> None:
    parser = parser_of()
    parser.read("a.txt", b"one")
    first = children()
    parser.read("a.txt", b"two")
    assert children() == first
    parser.close()
    assert not set(children()) & set(first)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say what a process has had")
def test_a_process_that_needed_much_memory_is_not_kept(parser_of: Callable[..., Parser]) -> None:
    here = bytearray(200 * 2**20)  # a process that is started is no smaller than this one, for a moment
    here[::4096] = b"x" * len(here[::4096])
    parser = parser_of()
    parser.read("a.txt", b"small")
    assert children()
    parser.read("a.json", b"[" + b"[]," * 1_500_000 + b"1]")
    assert not children()


def test_one_that_takes_too_long_is_ended_and_said(parser_of: Callable[..., Parser]) -> None:
    parser = parser_of(seconds=1.0)
    parser.read("a.txt", b"warm")
    with pytest.raises(UserMistake, match=r"^a\.eml takes longer than 1 s") as caught:
        parser.read("a.eml", HANGING)
    assert "\n" not in str(caught.value)
    assert parser.read("a.txt", b"The next one.")[0] == "The next one."


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit a process's memory")
def test_one_that_takes_too_much_memory_is_ended_and_said(parser_of: Callable[..., Parser]) -> None:
    parser = parser_of(memory_bytes=50 * 2**20)
    with pytest.raises(UserMistake, match=r"^a\.json takes more than 50 MB of memory"):
        parser.read("a.json", b"[" + b"[]," * 3_000_000 + b"1]")
    assert parser.read("a.txt", b"The next one.")[0] == "The next one."


def test_too_much_text_and_too_many_parts_are_said(parser_of: Callable[..., Parser]) -> None:
    parser = parser_of(characters=10_000)
    with pytest.raises(UserMistake, match=r"^a\.csv has more than 10,000 characters of text"):
        parser.read("a.csv", b"name,town\n" + b"Bo,Oslo\n" * 10_000)
    with pytest.raises(UserMistake, match=r"^a\.md has more than 100,000 parts"):
        parser_of().read("a.md", b"# a\n\nb\n\n" * 100_001)


def test_others_do_not_wait_for_one_that_hangs(parser_of: Callable[..., Parser]) -> None:
    parser = parser_of(seconds=60.0)
    stop = threading.Event()
    thread, raised = in_thread(lambda: parser.read("a.eml", HANGING, stop.is_set))
    while not children():
        time.sleep(0.01)
    assert parser.read("a.txt", b"Meanwhile.")[0] == "Meanwhile."
    assert thread.is_alive()
    stop.set()
    thread.join(20)
    assert [type(error) for error in raised] == [Interrupted]


def test_closing_ends_what_is_parsed(parser_of: Callable[..., Parser]) -> None:
    parser = parser_of()
    thread, raised = in_thread(lambda: parser.read("a.eml", HANGING))
    while not children():
        time.sleep(0.01)
    parser.close()
    thread.join(20)
    assert [type(error) for error in raised] == [Interrupted]
    assert not children()


def test_processes_that_a_document_ends_cost_that_document_alone(parser_of: Callable[..., Parser]) -> None:
    parser = parser_of()
    parser.read("a.txt", b"warm")
    (warm,) = children()
    idle = peak_mb(warm)
    thread, raised = in_thread(lambda: parser.read("a.eml", HANGING))
    ended: set[int] = set()
    while thread.is_alive():
        for child in set(children()) - ended:
            if peak_mb(child) > idle + 10:  # it has the document
                os.kill(child, signal.SIGSEGV)
                ended.add(child)
        time.sleep(0.01)
    assert len(ended) == 2  # the warm one, which might have ended by itself, and a new one
    thread.join(20)
    assert len(raised) == 1 and isinstance(raised[0], UserMistake) and "a.eml" in str(raised[0])
    assert parser.read("a.txt", b"The next one.")[0] == "The next one."


def test_a_warm_process_that_is_killed_costs_nothing(parser_of: Callable[..., Parser]) -> None:
    parser = parser_of()
    parser.read("a.txt", b"warm")
    (child,) = children()
    os.kill(child, signal.SIGKILL)  # which may be before or after the next document finds it
    assert parser.read("a.txt", b"The next one.")[0] == "The next one."


def test_the_process_loads_what_parsing_needs_alone() -> None:
    loaded = "import sys, memory.parser as own; own.load_readers(); print(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "chromadb", "gradio", "sqlalchemy", "openai", "assistant"} & set(names)


def test_a_document_of_a_memory_is_parsed_elsewhere(memory: Memory) -> None:
    user = memory.of("anna")
    user.add_document("a.txt", b"The hive is blue.")
    assert children()
    with pytest.raises(Interrupted):
        user.add_document("a.eml", HANGING, stopped=lambda: True)
    memory.close()
    assert not children()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit a process's memory")
def test_hostile_files_end_in_text_or_in_one_line(parser_of: Callable[..., Parser]) -> None:
    seconds = 2.0
    parser = parser_of(seconds=seconds)
    parser.read("a.txt", b"warm")
    idle, own = max(map(peak_mb, children())), peak_mb("self")
    over = threading.Event()
    peaks = [0]

    def watch() -> None:
        while not over.wait(0.05):
            peaks.extend(map(peak_mb, children()))

    watching, _ = in_thread(watch)
    try:
        for file in files(seed=5, count=25):
            begun = time.monotonic()
            try:
                text, _ = parser.read(file.name, file.data)
                assert len(text) <= MOST_CHARACTERS, file.kind
            except UserMistake as mistake:
                assert "\n" not in str(mistake), file.kind
                assert str(mistake).startswith(file.name), file.kind
            assert time.monotonic() - begun < 10 * seconds, file.kind  # a busy machine starts processes slowly
            suffix = Path(file.name).suffix
            assert "The hive is blue." in parser.read(f"good{suffix}", good(suffix))[0]
    finally:
        over.set()
        watching.join()
    assert max(peaks) - idle < 320
    assert peak_mb("self") - own < 300


def test_files_that_end_never_or_not_at_all_are_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        with pytest.raises((UserMistake, IsADirectoryError)):
            read_file(path)
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(2 * 2**30)
    with pytest.raises(UserMistake, match=f"larger than {LARGEST >> 20} MB"):
        read_file(large)
    loop = tmp_path / "loop.txt"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="symbolic links"):
        read_file(loop)


def test_a_book_lists_a_page_as_often_as_it_likes() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/container.xml", '<container><rootfile full-path="a.opf"/></container>')
        order = '<itemref idref="x"/>' * 5000
        archive.writestr("a.opf", f'<package><item id="x" href="a.html"/><spine>{order}</spine></package>')
        archive.writestr("a.html", "<p>The hive is blue.</p>")
    assert read_document("a.epub", out.getvalue())[0] == "The hive is blue."


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b"." * 600_000 + b"a"),  # may end a sentence
        ("a.txt", b"A. " * 300_000 + b"a"),  # abbreviations
        ("a.txt", "- - € ".encode() * 150_000),  # no word at all
        ("a.txt", b"a" + "\u0323\u0301".encode() * 200_000),  # accents, in the wrong order
        ("a.md", b"```\n" + b"\n" * 600_000 + b"a"),
        ("a.md", b"# a" + b" " * 600_000 + b"b"),
        ("a.html", b"<p>a" + b"<!--" * 300_000),
        ("a.html", b"<p " + b" ".join(b"a%d=%d" % (n, n) for n in range(150_000)) + b">a"),
        ("a.html", b"<table><tr><td>a" * 50_000),
        ("a.html", b"<div>" * 200_000 + b"a"),
        ("a.eml", b"From: a@example.org\nTo: " + b'"' * 300_000 + b"\n\na\n"),
        ("a.json", b'{"' + b"k" * 200_000 + b'": [' + b"1, " * 20_000 + b"1]}"),
        ("a.csv", b"k" * 100_000 + b"\n" + b"a\n" * 50_000),
    ],
    ids=lambda value: str(value[:12]),
)
def test_no_run_takes_the_square_of_its_length(parser_of: Callable[..., Parser], name: str, data: bytes) -> None:
    _, passages = parser_of(seconds=100.0).read(name, data)
    assert max(len(passage.text) + len(passage.heading) for passage in passages) < 30_000
