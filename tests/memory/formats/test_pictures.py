"""Photos and scans: what is drawn in a picture is read from it."""

import io
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfReader, PdfWriter

from memory.documents import read_document
from memory.errors import UserMistake
from memory.formats.pdf.reading import read_pdf
from memory.formats.pictures import read_picture
from memory.formats.pieces import Piece
from memory.parsing import Parser
from tests.memory.formats.test_pdf import made, put_lines

CJK = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")

LEFT = """
The lease of the harbour flat begins on the first day of March and runs for two years. Either side may end it
with three months of notice, which must be given in writing before the last day of a month. The rent covers
heating and water, but neither power nor the moorage of a boat that lies in front of the house.
"""
RIGHT = """
Pets need the consent of the landlord, who may withdraw it where neighbours complain of noise at night. Bicycles
are kept in the yard, and nothing is to be left on the stairs, since these are the only way out in a fire. Whoever
loses a key pays for the lock and for as many keys as there are tenants in the building.
"""


def drawn(lines: Sequence[tuple[int, int, str]], size: int = 26, width: int = 1240, height: int = 700) -> Image.Image:
    """A page with lines at their places, from the left and from the top."""
    page = Image.new("RGB", (width, height), "white")
    brush, font = ImageDraw.Draw(page), ImageFont.load_default(size)
    for x, y, text in lines:
        brush.text((x, y), text, font=font, fill="black")
    return page


def wrapped(text: str, x: int, y: int, columns: int, step: int = 40) -> list[tuple[int, int, str]]:
    """The text in lines of so many characters, below each other."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= columns:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [(x, y + place * step, line) for place, line in enumerate(lines)]


def saved(page: Image.Image, format: str = "PNG", **options: object) -> bytes:
    file = io.BytesIO()
    page.save(file, format, **options)
    return file.getvalue()


def scanned(*pages: Image.Image) -> bytes:
    """A PDF of pictures."""
    return saved(pages[0], "PDF", save_all=True, append_images=list(pages[1:]), resolution=150)


def test_a_photo_is_read_with_its_heading_and_its_paragraphs() -> None:
    page = drawn(wrapped(LEFT, 80, 160, 80) + wrapped(RIGHT, 80, 380, 80))
    ImageDraw.Draw(page).text((80, 60), "The harbour flat", font=ImageFont.load_default(48), fill="black")
    assert list(read_picture("lease.jpg", saved(page, "JPEG", quality=85))) == [
        Piece("The harbour flat", 1),
        Piece(" ".join(LEFT.split())),
        Piece(" ".join(RIGHT.split())),
    ]


def test_columns_are_read_one_after_the_other_on_a_slanted_page() -> None:
    page = drawn(wrapped(LEFT, 60, 80, 42) + wrapped(RIGHT, 700, 80, 42)).rotate(1.2, fillcolor="white")
    text, _ = read_document("a.png", saved(page))
    assert text.split() == (LEFT + RIGHT).split()


def test_an_empty_cell_keeps_its_place() -> None:
    rows = [
        ("Project", "Owner", "Budget"),
        ("Heron", "Dana Kolb", "12,400"),
        ("Kestrel", "", "8,150"),
        ("Osprey", "Jon Berg", ""),
    ]
    text, _ = read_document("a.png", saved(table(rows)))
    assert text.split("\n\n") == [
        "Project | Owner | Budget",
        "Project: Heron; Owner: Dana Kolb; Budget: 12,400",
        "Project: Kestrel; Owner: –; Budget: 8,150",
        "Project: Osprey; Owner: Jon Berg; Budget: –",
    ]


def table(rows: Sequence[Sequence[str]]) -> Image.Image:
    return drawn([(60 + 380 * x, 60 + 60 * y, cell) for y, row in enumerate(rows) for x, cell in enumerate(row)])


def test_a_cell_of_one_sign_is_read() -> None:
    text, _ = read_document(
        "a.png", saved(table([("Boat", "Town", "Berths"), ("Skua", "Vik", "4"), ("Tern", "Moss", "35")]))
    )
    assert text.split("\n\n")[1:] == ["Boat: Skua; Town: Vik; Berths: 4", "Boat: Tern; Town: Moss; Berths: 35"]


def test_a_table_in_small_letters_is_read_row_by_row() -> None:
    rows = [
        ("name of part", "what it is for", "who has it"),
        ("signal flares", "to call for help", "the mate"),
        ("bilge pump", "to get the water out", "the cook"),
        ("spare oars", "if the engine fails", "the mate"),
        ("first aid box", "for cuts and burns", "the cook"),
    ]
    text, _ = read_document("a.png", saved(table(rows)))
    assert text.split("\n\n") == [" | ".join(row) for row in rows]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_that_lies_on_its_side_or_its_head_is_read(turn: int) -> None:
    page = drawn(wrapped(LEFT, 80, 80, 80)).rotate(turn, expand=True)
    assert [piece.text for piece in read_picture("a.png", saved(page))] == [" ".join(LEFT.split())]


def test_scans_in_16_bits_one_bit_and_a_palette_are_read() -> None:
    page = drawn([(60, 60, "The rent is 920 euros a month.")], height=160).convert("L")
    deep = Image.fromarray((np.asarray(page).astype(np.uint16) * 200 + 9000).astype(np.uint16))
    for one, format in ((deep, "PNG"), (deep, "TIFF"), (page.convert("1"), "TIFF"), (page.convert("P"), "PNG")):
        found = [piece.text for piece in read_picture(f"a.{format.lower()}", saved(one, format))]
        assert found == ["The rent is 920 euros a month."], (one.mode, format)


def test_what_moves_or_brings_itself_along_in_small_is_one_page() -> None:
    page = drawn([(60, 60, "Pets need the consent of Jon Berg.")], height=160)
    moving = saved(page, "PNG", save_all=True, append_images=[page.rotate(1, fillcolor="white")])
    with_preview = saved(page, "MPO", save_all=True, append_images=[page])
    for name, data in (("a.png", moving), ("a.jpg", with_preview)):
        assert list(read_picture(name, data)) == [Piece("Pets need the consent of Jon Berg.")]


def test_a_large_scan_is_read_within_the_limits_of_memory() -> None:
    page = drawn(wrapped(LEFT, 300, 300, 60, step=220), size=140, width=4960, height=7016)
    with closing(Parser()) as parser:
        text, _ = parser.read("a.png", saved(page))
    assert text == " ".join(LEFT.split())


def test_light_letters_on_a_dark_ground_and_see_through_pictures_are_read() -> None:
    page = drawn([(60, 60, "The rent is 920 euros a month.")], height=160)
    dark = Image.eval(page, lambda value: 255 - value)
    clear = Image.new("RGBA", page.size)
    ImageDraw.Draw(clear).text((60, 60), "Pets need consent.", font=ImageFont.load_default(26), fill="black")
    assert [piece.text for piece in read_picture("a.webp", saved(dark, "WEBP"))] == ["The rent is 920 euros a month."]
    assert [piece.text for piece in read_picture("a.png", saved(clear))] == ["Pets need consent."]


def test_pages_are_numbered() -> None:
    pages = [drawn([(60, 60, f"This is what page {number} says.")], height=160) for number in ("one", "two")]
    in_one = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    expected = [Piece("This is what page one says.", page=1), Piece("This is what page two says.", page=2)]
    assert list(read_picture("a.tiff", in_one)) == expected
    _, passages = read_document("a.pdf", scanned(*pages))
    assert [(passage.page, passage.text) for passage in passages][-2:] == [(one.page, one.text) for one in expected]


def test_a_scanned_page_between_others_is_read_in_its_place() -> None:
    written = PdfWriter(io.BytesIO(made(put_lines(["Before it."]), put_lines(["Behind it."]))))
    scan = scanned(drawn([(60, 60, "The scan stands here.")], height=160))
    written.merge(1, io.BytesIO(scan))
    file = io.BytesIO()
    written.write(file)
    assert [(piece.page, piece.text) for piece in read_pdf("a.pdf", file.getvalue())][-3:] == [
        (1, "Before it."),
        (2, "The scan stands here."),
        (3, "Behind it."),
    ]


def test_a_stamp_on_a_scan_is_no_text_of_it() -> None:
    scan = PdfWriter(io.BytesIO(scanned(drawn(wrapped(LEFT, 80, 80, 80)))))
    stamp = PdfReader(io.BytesIO(made(put_lines(["Copy 1"], x=20, y=20)))).pages[0]
    scan.pages[0].merge_page(stamp)
    file = io.BytesIO()
    scan.write(file)
    said = "".join(piece.text for piece in read_pdf("a.pdf", file.getvalue()))
    assert "".join(LEFT.split()) in "".join(said.split())


def test_scanned_pages_that_there_is_no_time_for_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.formats.pdf.reading.SECONDS", -1.0)
    scan = drawn([(60, 60, "The scan stands here.")], height=160)
    with pytest.raises(UserMistake, match="more scanned pages than can be recognised"):
        list(read_pdf("a.pdf", scanned(scan, scan)))
    both = PdfWriter(io.BytesIO(made(put_lines(["Before it."]))))
    both.append(io.BytesIO(scanned(scan, scan)))
    file = io.BytesIO()
    both.write(file)
    texts = [piece.text for piece in read_pdf("a.pdf", file.getvalue())]
    assert "Before it." in texts
    assert "Pages that were not read, of pictures: 2" in texts[0]


@pytest.mark.skipif(not CJK.exists(), reason="Noto Sans CJK is not installed")
def test_chinese_and_japanese_are_read_and_what_is_not_known_is_refused() -> None:
    def picture(text: str) -> bytes:
        page = Image.new("RGB", (1000, 120), "white")
        ImageDraw.Draw(page).text((40, 30), text, font=ImageFont.truetype(CJK, 32), fill="black")
        return saved(page)

    for text in ("租约从2027年3月1日开始。", "家賃は月に九万二千円です。"):
        assert [piece.text for piece in read_picture("a.png", picture(text))] == [text]
    for text in ("임대 계약은 내년 봄에 시작됩니다.", "Договор начинается весной этого года."):
        with pytest.raises(UserMistake, match=r"a\.png has no text that can be recognised"):
            list(read_picture("a.png", picture(text)))


def test_what_is_no_picture_of_text_is_refused() -> None:
    whole = saved(drawn(wrapped(LEFT, 80, 80, 80)), "JPEG")
    for data in (b"\x89PNG", whole[: len(whole) // 3], b"text"):
        with pytest.raises(UserMistake, match=r"a\.jpg is damaged or no picture"):
            list(read_picture("a.jpg", data))
    with pytest.raises(UserMistake, match=r"a\.png has no text that can be recognised"):
        list(read_picture("a.png", saved(Image.new("RGB", (600, 400), "teal"))))
    with pytest.raises(UserMistake, match="million pixels"):
        list(read_picture("a.png", saved(Image.new("1", (9_000, 9_500)))))


def test_the_process_that_reads_documents_has_the_memory_for_it() -> None:
    page = drawn(wrapped(LEFT, 60, 80, 42) + wrapped(RIGHT, 700, 80, 42), height=1754)
    with closing(Parser()) as parser:
        text, _ = parser.read("a.pdf", scanned(page, page))
    assert text.count("moorage") == 2
