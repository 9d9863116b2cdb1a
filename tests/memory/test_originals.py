"""PDFs and pictures as they were added: kept until something of them is forgotten, and drawn page by page."""

import io
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF
from PIL import Image, ImageChops

from memory import drawing
from memory.drawing import draw
from memory.store import Memory
from memory.types import Source
from memory.user_memory import UserMemory
from tests.memory.formats.test_pdf import made, put_lines
from tests.memory.formats.test_pictures import LEFT, drawn, saved, wrapped
from tests.memory.samples import WordEmbedder, read

BOAT, RULES = "The Skua lies in Vik.", "Notice takes three months, and it is given in writing."
HEIGHT = 297  # mm of a page
AT = {BOAT: 50, RULES: 150}


def pdf(*pages: tuple[str, ...]) -> bytes:
    """A PDF with these sentences on its pages, at their places; " / " ends a line, and a hyphen before it is one."""
    book = FPDF()
    book.set_font("helvetica", size=12)
    for page in pages:
        book.add_page()
        for sentence in page:
            for number, line in enumerate(sentence.split(" / ")):
                book.text(20, AT[sentence.replace("- / ", "").replace(" / ", " ")] + 6 * number, line)
    return bytes(book.output())


LEASE = pdf((BOAT,), (BOAT, RULES))


@pytest.fixture
def kept(home: Path) -> Callable[[], list[str]]:
    """The names of the files that are kept."""
    return lambda: sorted(file.name for file in (home / "originals").glob("*"))


@pytest.fixture
def me(memory: Memory) -> UserMemory:
    return memory.of("me")


def learn(me: UserMemory, source: Source) -> str:
    """Read in a document where the boat lies; the fact's id."""
    passage_id, _ = next((id_, part) for id_, part in me.passages(source.id) if BOAT in part.text)
    (fact,) = me.store(source.id, passage_id, read(BOAT, ("Skua", "lies in", "Vik"))).added
    return fact.id


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def marks(marked: bytes, plain: bytes) -> tuple[float, float]:
    """From where to where on a page something is marked, in millimetres from its top."""
    page = image(plain)
    box = ImageChops.difference(image(marked), page).getbbox()
    assert box
    return box[1] * HEIGHT / page.height, box[3] * HEIGHT / page.height


def test_a_pdf_is_kept_for_its_owner_alone(home: Path, me: UserMemory, kept: Callable[[], list[str]]) -> None:
    source = me.add_document("lease.pdf", LEASE)
    me.add_document("notes.txt", b"The barn is full.")
    assert kept() == [source.digest]
    file = home / "originals" / source.digest
    assert file.read_bytes() == LEASE
    assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)


@pytest.mark.parametrize("everything", [False, True])
def test_it_goes_with_its_document(me: UserMemory, kept: Callable[[], list[str]], everything: bool) -> None:
    source = me.add_document("lease.pdf", LEASE)
    other = me.add_document("boat.pdf", pdf((BOAT,)))
    me.forget(everything=True) if everything else me.forget(source=source.id)
    assert kept() == ([] if everything else [other.digest])


def test_it_goes_with_a_fact_in_it_and_comes_back_when_added_again(
    me: UserMemory, kept: Callable[[], list[str]]
) -> None:
    source = me.add_document("lease.pdf", LEASE)
    forgotten = me.forget(facts=[learn(me, source)], undoable=True)
    assert RULES in me.source_text(source.id) and BOAT not in me.source_text(source.id)
    assert kept() == [] and not me.has_original(source.id)
    me.undo(forgotten.undo_id)
    assert BOAT in me.source_text(source.id)
    assert kept() == [] and me.page_image(source.id, 1) == b""
    assert me.add_document("lease.pdf", LEASE).id == source.id
    assert kept() == [source.digest] and me.has_original(source.id)


def test_it_stays_while_another_has_the_same(memory: Memory, me: UserMemory, kept: Callable[[], list[str]]) -> None:
    mine, theirs = me.add_document("lease.pdf", LEASE), memory.of("eve").add_document("flat.pdf", LEASE)
    me.forget(source=mine.id)
    assert kept() == [theirs.digest] and memory.of("eve").has_original(theirs.id)
    memory.of("eve").forget(facts=[learn(memory.of("eve"), theirs)])
    assert kept() == []


def test_what_a_changed_file_was_goes(me: UserMemory, kept: Callable[[], list[str]]) -> None:
    me.add_document("lease.pdf", LEASE, "/home/me/lease.pdf")
    new = me.add_document("lease.pdf", pdf((BOAT,)), "/home/me/lease.pdf")
    learn(me, new)
    assert me.sweep(60.0)
    assert kept() == [new.digest]


def test_what_a_crash_left_goes_when_the_home_is_opened(
    home: Path, open_memory: Callable[..., Memory], kept: Callable[[], list[str]]
) -> None:
    source = open_memory().of("me").add_document("lease.pdf", LEASE)
    (home / "originals" / ("0" * 64)).write_bytes(LEASE)
    (home / "originals" / f"{source.digest}.half").write_bytes(LEASE[:99])
    memory = open_memory()
    assert kept() == [source.digest]
    assert memory.of("me").has_original(source.id)


def test_a_home_without_originals_opens(home: Path, open_memory: Callable[..., Memory]) -> None:
    source = open_memory().of("me").add_document("lease.pdf", LEASE)
    (home / "originals" / source.digest).unlink()
    (home / "originals").rmdir()
    me = open_memory().of("me")
    assert BOAT in me.source_text(source.id)
    assert me.page_image(source.id, 1) == b""
    me.forget(source=source.id)


def test_where_it_cannot_be_written_the_document_is_kept(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "originals").write_bytes(b"")
    memory = Memory(home, WordEmbedder())
    source = memory.of("me").add_document("lease.pdf", LEASE)
    assert BOAT in memory.of("me").source_text(source.id) and not memory.of("me").has_original(source.id)
    memory.of("me").forget(source=source.id)
    memory.close()


def test_the_page_is_drawn_with_the_words_marked(me: UserMemory) -> None:
    source = me.add_document("lease.pdf", LEASE)
    top, bottom = marks(me.page_image(source.id, 2, RULES), me.page_image(source.id, 2))
    assert AT[RULES] - 6 < top < AT[RULES] < bottom < AT[RULES] + 3
    first, nothing = me.page_image(source.id, 1, RULES), me.page_image(source.id, 1)
    assert first == nothing and max(image(first).size) == 1600


@pytest.mark.parametrize("said", [RULES, RULES.upper() + " Whoever", RULES[:30]])
def test_words_are_found_wherever_lines_end(tmp_path: Path, said: str) -> None:
    file = tmp_path / "a"
    file.write_bytes(pdf((BOAT, "Notice takes three mon- / ths, and it is given / in writing.")))
    top, bottom = marks(draw(file, "a.pdf", 1, said), draw(file, "a.pdf", 1, ""))
    assert AT[RULES] - 6 < top < AT[RULES] and AT[RULES] + 5 < bottom < AT[RULES] + 16


def test_words_of_a_turned_page_are_marked_where_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(made(put_lines(["the berths are let by the month"], x=50, y=700), rotated=90))
    plain = image(draw(file, "a.pdf", 1, ""))
    marked = image(draw(file, "a.pdf", 1, "the berths are let"))
    box, ink = ImageChops.difference(marked, plain).getbbox(), ImageChops.invert(plain).getbbox()
    assert plain.width > plain.height and box and ink
    assert abs(box[1] - ink[1]) < 9 and box[3] < ink[3] and box[0] < (ink[0] + ink[2]) / 2 < box[2]


def test_a_picture_is_shown_as_it_is_and_of_several_the_one_that_is_meant(tmp_path: Path) -> None:
    pages = drawn(wrapped(LEFT, 80, 160, 80)), drawn([(80, 400, "Bicycles are kept in the yard.")])
    file = tmp_path / "a"
    file.write_bytes(saved(pages[0]))
    assert image(draw(file, "scan.PNG", 1, "The lease")).tobytes() == pages[0].tobytes()
    file.write_bytes(saved(pages[0], "TIFF", save_all=True, append_images=[pages[1]]))
    assert [image(draw(file, "scan.tif", page, "")).tobytes() for page in (1, 2)] == [one.tobytes() for one in pages]


@pytest.mark.parametrize(("name", "data"), [("a.pdf", LEASE[:200]), ("a.png", b"\x89PNG no more"), ("a.pdf", b"")])
def test_what_is_damaged_is_not_drawn(tmp_path: Path, name: str, data: bytes) -> None:
    file = tmp_path / "a"
    file.write_bytes(data)
    assert draw(file, name, 1, "") == b""


def test_a_page_that_is_not_there_is_not_drawn(me: UserMemory) -> None:
    assert me.page_image(me.add_document("lease.pdf", LEASE).id, 3) == b""


def test_what_takes_too_long_is_not_drawn(me: UserMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    source = me.add_document("lease.pdf", LEASE)
    monkeypatch.setattr(drawing, "_SECONDS", 0.01)  # less than a process takes to begin
    assert me.page_image(source.id, 1) == b""
