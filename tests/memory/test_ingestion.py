"""The queue of documents: it goes on after failures, interruptions and restarts."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory import pace, sweeping, vectors
from memory.errors import Failure, Interrupted, NothingThere, Unavailable
from memory.ingestion import Ingestion
from memory.store import Memory
from memory.types import Extraction, FactKind, Matcher, Passage, Source, Span, Statement
from memory.user_memory import UserMemory
from tests.memory.samples import SlowEmbedder, read

PARAGRAPH = " ".join(f"Marta met person {n} of the long list." for n in range(13))
DOCUMENT = "\n\n".join(f"{PARAGRAPH} Chapter {n} ends here." for n in range(5)).encode()


class Reader:
    """An extractor that notes what it reads, and does for each call what `behaviour` says."""

    def __init__(self, *behaviour: BaseException | threading.Event | Extraction | None) -> None:
        self.seen: list[str] = []
        self.called = threading.Event()
        self._behaviour = list(behaviour)

    def extract(self, passage: Passage, title: str) -> Extraction:
        assert title.endswith(".txt")
        self.seen.append(passage.text)
        self.called.set()
        step = self._behaviour.pop(0) if self._behaviour else None
        if isinstance(step, threading.Event):
            assert step.wait(20)
        elif isinstance(step, Extraction):
            return step
        elif step is not None:
            raise step
        ending = passage.text.split(". ")[-1]
        statement = Statement(FactKind.TRIPLE, "Marta", "is in", ending, Span(0, len(passage.text)))
        return Extraction((), (statement,))


class Apart:
    """A matcher to whom no two things are one."""

    def are_one(self, short: str, long: str) -> bool:
        return False


class Together:
    """A matcher to whom all are one, once nothing interrupts it any more."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = list(errors)

    def are_one(self, short: str, long: str) -> bool:
        if self._errors:
            raise self._errors.pop(0)
        return True


@pytest.fixture
def ingest() -> Iterator[Callable[..., Ingestion]]:
    """Starts an ingestion that ends with the test."""
    started: list[Ingestion] = []

    def start(memory: Memory, reader: Reader, matcher: Matcher | None = None) -> Ingestion:
        started.append(Ingestion(memory, reader, matcher or Apart()))
        started[-1].start()
        return started[-1]

    yield start
    for ingestion in started:
        ingestion.close()


def begun(ingestion: Ingestion, reader: Reader) -> Source:
    """A document of several passages; the reader has its second one in hand."""
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    while len(reader.seen) < 2:
        reader.called.wait(20)
    return source


def test_a_document_is_read_passage_by_passage(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    reader = Reader()
    ingestion = ingest(memory, reader)
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    done = ingestion.wait("eve", source.id, 20)
    assert (done.state, done.passages, done.passages_read, done.facts, done.error) == ("ready", 5, 5, 5, "")
    assert reader.seen == [passage.text for _, passage in memory.of("eve").passages(source.id)]
    assert ingestion.progress("eve") == []
    assert ingestion.add("eve", "long.txt", DOCUMENT).state == "ready"
    with pytest.raises(NothingThere):
        ingestion.wait("eve", "s99", 1)


def test_what_cannot_be_read_stays_as_text(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    ingestion = ingest(memory, Reader(None, Failure("The reply cannot be read."), KeyError("a bug")))
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    done = ingestion.wait("eve", source.id, 20)
    assert (done.state, done.facts) == ("ready", 3)
    assert "2 passages" in done.error
    hits = memory.of("eve").recall("Where does chapter 1 end?", k=20)
    assert any("Chapter 1 ends here" in hit.text for hit in hits if hit.passage_id)


def test_an_interrupted_passage_is_read_again(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    reader = Reader(None, Interrupted("A turn."), Interrupted("Another."))
    ingestion = ingest(memory, reader)
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    assert ingestion.wait("eve", source.id, 20).facts == 5
    assert len(reader.seen) == 7
    assert reader.seen[1] == reader.seen[2] == reader.seen[3]


def test_a_model_that_is_away_is_waited_for(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    reader = Reader(Unavailable("The model is being fetched."))
    ingestion = ingest(memory, reader)
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    assert reader.called.wait(20)
    assert memory.of("eve").source(source.id).passages_read == 0
    done = ingestion.wait("eve", source.id, 20)
    assert (done.facts, done.error) == (5, "")


class Poisoned(Reader):
    """Fails at these passages each time that they are read."""

    def __init__(self, error: Exception, *endings: str) -> None:
        super().__init__()
        self._error = error
        self._endings = endings

    def extract(self, passage: Passage, title: str) -> Extraction:
        extraction = super().extract(passage, title)
        if any(ending in passage.text for ending in self._endings):
            raise self._error
        return extraction


@pytest.mark.parametrize("chapters", [(1,), (1, 2)])
def test_passages_that_end_the_model_each_time_are_left_as_text(
    memory: Memory, ingest: Callable[..., Ingestion], monkeypatch: pytest.MonkeyPatch, chapters: tuple[int, ...]
) -> None:
    monkeypatch.setattr("memory.ingestion._FIRST_WAIT", 0.01)
    monkeypatch.setattr("memory.ingestion._LONGEST_WAIT", 0.05)
    reader = Poisoned(Unavailable("The model ended."), *(f"Chapter {n} ends" for n in chapters))
    ingestion = ingest(memory, reader)
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    other = ingestion.add("eve", "other.txt", DOCUMENT.replace(b"Marta", b"Mona"))
    done = ingestion.wait("eve", source.id, 20)
    assert (done.state, done.passages_read, done.facts) == ("ready", 5, 5 - len(chapters))
    assert f"{len(chapters)} passage" in done.error
    assert ingestion.wait("eve", other.id, 20).facts == 5 - len(chapters)
    assert any("Chapter 1 ends here" in hit.text for hit in memory.of("eve").recall("Where does chapter 1 end?", k=20))


def test_however_long_the_model_is_away_nothing_is_left_out(
    memory: Memory, ingest: Callable[..., Ingestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.ingestion._FIRST_WAIT", 0.001)
    monkeypatch.setattr("memory.ingestion._LONGEST_WAIT", 0.001)
    away = [Unavailable("The model is away.")] * 60
    reader = Reader(None, *away, None, *away)
    ingestion = ingest(memory, reader)
    done = ingestion.wait("eve", ingestion.add("eve", "long.txt", DOCUMENT).id, 20)
    assert (done.state, done.facts, done.error) == ("ready", 5, "")
    assert len(reader.seen) == 5 + 2 * len(away)


def test_what_could_not_be_read_is_read_when_the_file_is_added_again(
    memory: Memory, ingest: Callable[..., Ingestion]
) -> None:
    reader = Reader(None, Failure("The reply cannot be read."), Failure("The reply cannot be read."))
    ingestion = ingest(memory, reader)
    assert ingestion.wait("eve", ingestion.add("eve", "long.txt", DOCUMENT).id, 20).facts == 3
    again = ingestion.add("eve", "long.txt", DOCUMENT)
    done = ingestion.wait("eve", again.id, 20)
    assert (done.state, done.facts, done.error) == ("ready", 5, "")
    assert len(reader.seen) == 5 + 2


def test_what_cannot_be_stored_is_left_as_text(
    memory: Memory, ingest: Callable[..., Ingestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.ingestion._FIRST_WAIT", 0.01)
    store = UserMemory.store

    def failing(user: UserMemory, source_id: str, passage_id: str, extraction: Extraction) -> object:
        if passage_id == user.passages(source_id)[1][0]:
            raise KeyError("a bug")
        return store(user, source_id, passage_id, extraction)

    monkeypatch.setattr(UserMemory, "store", failing)
    ingestion = ingest(memory, Reader())
    done = ingestion.wait("eve", ingestion.add("eve", "long.txt", DOCUMENT).id, 20)
    assert (done.state, done.facts) == ("ready", 4)


def test_the_worker_outlives_what_nobody_expected(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    half_a_pair = Statement(FactKind.TRIPLE, "Marta", "is in", "\ud800", Span(0, 5))  # the database takes no such text
    ingestion = ingest(memory, Reader(Extraction((), (half_a_pair,))))
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    while not (reports := ingestion.progress("eve"))[0].message:
        time.sleep(0.01)
    assert "the log says how" in reports[0].message
    assert ingestion.wait("eve", source.id, 20).facts == 5


def test_what_is_forgotten_while_it_is_looked_at_is_not_in_progress(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = memory.of("eve").add_document("a.txt", DOCUMENT)
    find = UserMemory.replaces

    def forgotten_meanwhile(user: UserMemory, source_id: str) -> list[Source]:
        user.forget(source=source.id)
        return find(user, source_id)

    monkeypatch.setattr(UserMemory, "replaces", forgotten_meanwhile)
    assert Ingestion(memory, Reader(), Apart()).progress("eve") == []


def test_progress_and_cancel(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    let_go = threading.Event()
    reader = Reader(None, None, let_go)
    ingestion = ingest(memory, reader)
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    other = ingestion.add("bob", "other.txt", b"Something else.")
    while len(reader.seen) < 3:
        reader.called.wait(20)
    (progress,) = ingestion.progress("eve")
    assert (progress.source.id, progress.source.state, progress.done, progress.total) == (source.id, "reading", 2, 5)
    assert progress.seconds_left is not None
    assert [part.source.id for part in ingestion.progress("bob")] == [other.id]
    ingestion.cancel("eve", source.id)
    assert ingestion.progress("eve") == []
    let_go.set()
    assert ingestion.wait("bob", other.id, 20).state == "ready"
    assert memory.of("eve").source(source.id).state == "cancelled"
    assert len(memory.of("eve").passages(source.id, unread=True)) == 2
    assert ingestion.wait("eve", ingestion.add("eve", "long.txt", DOCUMENT).id, 20).state == "ready"
    assert len(reader.seen) == 6  # nothing was read twice


def test_no_time_is_told_while_the_index_is_filled_first(
    memory: Memory, ingest: Callable[..., Ingestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go, reader = threading.Event(), Reader()
    ingestion = ingest(memory, reader)
    source = begun(ingestion, reader)
    ingestion.wait("eve", source.id, 20)
    waiting = [5_000, 4_000]

    def embed(user: UserMemory, at_most: int, seconds: float) -> None:
        assert let_go.wait(20)

    monkeypatch.setattr(UserMemory, "embed_waiting", embed)
    monkeypatch.setattr(UserMemory, "not_embedded", lambda user: 0 if let_go.is_set() else waiting[0])
    monkeypatch.setattr(Memory, "not_embedded", lambda memory: [] if let_go.is_set() else ["bob"])
    other = ingestion.add("eve", "other.txt", b"Something else is written here.")
    (report,) = ingestion.progress("eve")
    assert report.message == "the index is being filled: 5,000 records left"
    assert report.seconds_left is None
    waiting.pop(0)
    assert "4,000" in ingestion.progress("eve")[0].message
    let_go.set()
    assert ingestion.wait("eve", other.id, 20).state == "ready"


def test_no_time_is_told_while_the_model_is_away(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    reader = Reader(None, *[Unavailable("The model is away.")] * 20)
    ingestion = ingest(memory, reader)
    ingestion.add("eve", "long.txt", DOCUMENT)
    until = time.monotonic() + 20
    while not (report := ingestion.progress("eve")[0]).message:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert (report.message, report.seconds_left, report.done) == ("The model is away.", None, 1)


def test_reading_is_paused_over_a_restart_and_goes_on_where_it_stopped(
    open_memory: Callable[..., Memory], ingest: Callable[..., Ingestion]
) -> None:
    let_go = threading.Event()
    reader = Reader(None, let_go)
    memory = open_memory()
    ingestion = ingest(memory, reader)
    source = begun(ingestion, reader)
    ingestion.pause("eve", source.id)
    let_go.set()
    ingestion.close()
    second = Reader()
    again = open_memory()
    ingestion = ingest(again, second)
    other = ingestion.add("eve", "other.txt", b"Something else.")
    assert ingestion.wait("eve", other.id, 20).state == "ready"
    (report,) = ingestion.progress("eve")
    assert (report.source.state, report.done, report.seconds_left) == ("paused", 2, None)
    ingestion.resume("eve", source.id)
    assert ingestion.wait("eve", source.id, 20).state == "ready"
    assert len(second.seen) == 1 + 3
    assert len(again.of("eve").facts(source_id=source.id)) == 5


def test_a_paused_document_can_be_cancelled(memory: Memory) -> None:
    user = memory.of("eve")
    source = user.add_document("long.txt", DOCUMENT)
    user.pause(source.id)
    user.cancel(source.id)
    user.resume(source.id)
    assert user.source(source.id).state == "cancelled"


def test_tokens_are_estimated_beforehand_and_then_as_measured(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    let_go = threading.Event()
    reader = Reader(Extraction(tokens=100), Extraction(tokens=200), let_go)
    ingestion = Ingestion(memory, reader, Apart())
    source = memory.of("eve").add_document("long.txt", DOCUMENT)
    assert ingestion.progress("eve")[0].tokens_left == pace.Pace().tokens(5) > 5 * 120
    ingestion = ingest(memory, reader)
    while len(reader.seen) < 3:
        reader.called.wait(20)
    assert ingestion.progress("eve")[0].tokens_left == 3 * 150
    let_go.set()
    assert ingestion.wait("eve", source.id, 20).state == "ready"


def test_a_source_forgotten_while_it_is_read(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    let_go = threading.Event()
    reader = Reader(let_go)
    ingestion = ingest(memory, reader)
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    assert reader.called.wait(20)
    memory.of("eve").forget(source=source.id)
    let_go.set()
    other = ingestion.add("eve", "other.txt", b"Something else.")
    assert ingestion.wait("eve", other.id, 20).state == "ready"
    assert memory.of("eve").facts()[0].source == "other.txt"
    assert len(memory.of("eve").facts()) == 1


def test_waiting_for_what_is_forgotten_ends(memory: Memory, ingest: Callable[..., Ingestion]) -> None:
    reader = Reader(Unavailable("The model is being fetched."))
    ingestion = ingest(memory, reader)
    source = ingestion.add("eve", "long.txt", DOCUMENT)
    assert reader.called.wait(20)
    outcome: list[str] = []

    def wait() -> None:
        try:
            ingestion.wait("eve", source.id)
        except NothingThere:
            outcome.append("gone")

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    memory.of("eve").forget(source=source.id)
    waiting.join(20)
    assert outcome == ["gone"]


def test_an_imported_document_is_read_on(memory: Memory, ingest: Callable[..., Ingestion], tmp_path: Path) -> None:
    memory.of("bob").add_document("long.txt", DOCUMENT)
    memory.of("bob").export(tmp_path / "bob.jsonld")
    memory.of("bob").forget(everything=True)
    ingestion = ingest(memory, Reader())
    first = ingestion.add("eve", "other.txt", b"Something else.")
    assert ingestion.wait("eve", first.id, 20).state == "ready"
    memory.of("eve").import_(tmp_path / "bob.jsonld")
    ingestion.wake()
    imported = memory.of("eve").sources()[-1]
    assert ingestion.wait("eve", imported.id, 20).state == "ready"


def test_it_goes_on_where_the_last_process_ended(
    open_memory: Callable[..., Memory], ingest: Callable[..., Ingestion]
) -> None:
    let_go = threading.Event()
    reader = Reader(None, let_go)
    memory = open_memory()
    ingestion = ingest(memory, reader)
    source = begun(ingestion, reader)
    closing = threading.Thread(target=ingestion.close)
    closing.start()
    let_go.set()
    closing.join(20)
    assert memory.of("eve").source(source.id).passages_read == 2
    second = Reader()
    again = open_memory()
    assert ingest(again, second).wait("eve", source.id, 20).state == "ready"
    assert len(second.seen) == 3
    assert len(again.of("eve").facts()) == 5


def test_a_long_document_is_embedded_in_the_background(
    memory: Memory, ingest: Callable[..., Ingestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.indexing._MOMENT", 0.0)
    text = "\n\n".join(f"{PARAGRAPH} Chapter {n} ends here." for n in range(90)).encode()
    source = memory.of("eve").add_document("long.txt", text)
    status = memory.status()
    assert 0 < status.waiting <= status.passages
    assert ingest(memory, Reader()).wait("eve", source.id, 30).state == "ready"
    until = time.monotonic() + 30
    while not memory.status().agrees and time.monotonic() < until:  # what was read last is embedded behind that
        time.sleep(0.01)
    assert memory.status().agrees


def test_closing_does_not_wait_for_what_is_still_to_be_embedded(
    open_memory: Callable[..., Memory], ingest: Callable[..., Ingestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.indexing._MOMENT", 0.0)
    embedder = SlowEmbedder()
    memory = open_memory(embedder)
    memory.of("eve").add_document("long.txt", b"\n\n".join(b"%d: %s" % (n, DOCUMENT) for n in range(20)))
    ingestion = ingest(memory, Reader())
    assert embedder.called.wait(20)
    ingestion.close()
    assert embedder.embedded <= 20
    assert memory.status().waiting >= 80


def test_what_is_one_is_joined_once_all_is_read(
    memory: Memory, ingest: Callable[..., Ingestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.ingestion._FIRST_WAIT", 0.01)
    said = [f"{name} is in Oslo." for name in ("Marta Lund", "Aunt Marta Lund")]
    reader = Reader(*(read(text, (text.removesuffix(" is in Oslo."), "is in", "Oslo")) for text in said))
    matcher = Together(Interrupted("A turn."), Unavailable("The model ended."), Interrupted("Another."))
    ingestion = ingest(memory, reader, matcher)
    for text in said:
        ingestion.add("eve", f"{text}.txt", text.encode())
    user = memory.of("eve")
    until = time.monotonic() + 20
    while not user.merges() and time.monotonic() < until:
        time.sleep(0.01)
    assert {user.merges()[0].name, user.merges()[0].into} == {"Marta Lund", "Aunt Marta Lund"}
    assert [source.state for source in user.sources()] == ["ready", "ready"]


def test_forgotten_vectors_are_removed_in_the_background_and_after_a_restart(
    open_memory: Callable[..., Memory], ingest: Callable[..., Ingestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "_AT_ONCE", 0.0)
    monkeypatch.setattr(vectors, "_COPIED_AT_ONCE", 1)
    user = open_memory().of("eve")
    source, _ = user.note("Ann hides the key.", Extraction())
    for number in range(5):
        user.note(f"This is note {number}.", Extraction())
    assert user.forget(source=source.id).vectors == 1
    assert (user.status().unswept, user.status().agrees) == (True, True)
    memory = open_memory()
    assert memory.status().unswept
    ingestion = ingest(memory, Reader())
    until = time.monotonic() + 20
    while memory.status().unswept and time.monotonic() < until:
        time.sleep(0.02)
    ingestion.close()
    status = memory.status()
    assert (status.unswept, status.agrees, status.vectors) == (False, True, 5)


def test_a_half_read_document_that_an_undo_brings_back_is_read_on_at_once(
    memory: Memory, ingest: Callable[..., Ingestion]
) -> None:
    user = memory.of("eve")
    source = user.add_document("long.txt", DOCUMENT)
    gone = user.forget(source=source.id, undoable=True)
    ingestion = ingest(memory, Reader())
    ingestion.wait("eve", ingestion.add("eve", "short.txt", b"Marta is in Oslo.").id, 20)  # and goes to rest
    user.undo(gone.undo_id)
    assert ingestion.wait("eve", user.sources()[-1].id, 20).state == "ready"
