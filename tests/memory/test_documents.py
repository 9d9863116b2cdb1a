"""Every kind of document, and every way in which a file can be no document."""

import io
import json
import textwrap
import zipfile
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage

import docx
import pypdf
import pytest
from docx.oxml.ns import qn
from hypothesis import given
from hypothesis import strategies as st

from memory.documents import read_document
from memory.errors import UserMistake
from memory.passages import sentences

STORY = "Marta Quillfeather was born in Lisbon. She keeps bees in Graz."


def pdf(*lines: str, image_only: bool = False) -> bytes:
    """A PDF of one page, written by hand."""
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    stream = b"0 0 10 10 re f" if image_only else f"BT /F1 12 Tf 14 TL 50 780 Td {shown} ET".encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(out)
    return out + b"xref\n0 5\n0000000000 65535 f \n" + table + end


def locked_pdf() -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(STORY)))
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def word() -> bytes:
    document = docx.Document()
    document.add_heading("Bees", level=1)
    document.add_paragraph(STORY)
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Hives", "12"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def word_with_a_broken_table() -> bytes:
    document = docx.Document()
    row = document.add_table(rows=1, cols=2).rows[0]
    row.cells[0].merge(row.cells[1])
    row._tr.tc_lst[0].tcPr.find(qn("w:gridSpan")).set(qn("w:val"), "two")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


HTML = """<!DOCTYPE html><html><head><title>A life</title><style>p {color: red}</style></head><body>
<nav><a href="/">Home</a></nav><!-- a comment --><h1>Bees</h1><p>Marta <b>Quill</b>feather was born in
Lisbon. She keeps bees in Graz.</p><script>alert("no")</script>
<table><tr><th>Hives</th><td>12</td></tr></table></body></html>"""


@pytest.mark.parametrize(
    ("name", "data", "heading"),
    [
        ("story.txt", STORY.encode(), ""),
        ("story.TXT", STORY.replace(" ", "\r\n", 1).encode(), ""),
        ("story.md", f"# Bees\n\n{STORY}\n".encode(), "Bees"),
        ("story.html", HTML.encode(), "Bees"),
        ("story.pdf", pdf(*STORY.split(". ")), ""),
        ("story.docx", word(), "Bees"),
    ],
)
def test_each_kind_gives_its_sentences(name: str, data: bytes, heading: str) -> None:
    text, passages = read_document(name, data)
    assert passages[0].heading.endswith(heading)
    joined = " ".join(passages[0].text.split())
    assert "Marta Quillfeather was born in Lisbon" in joined
    assert "She keeps bees in Graz" in joined
    for passage in passages:
        assert text[passage.span.start : passage.span.end] == passage.text


@pytest.mark.parametrize(("name", "data"), [("a.html", HTML.encode()), ("a.docx", word())])
def test_a_table_row_is_a_line(name: str, data: bytes) -> None:
    text, _ = read_document(name, data)
    assert "Hives | 12" in text
    assert not any(unseen in text for unseen in ("alert", "color", "comment", "Home"))


def test_headings_are_nested_and_code_is_no_heading() -> None:
    markdown = "# One\n\nA b.\n\n## Two\n\nC d.\n\n```\n# no heading\n```\n\n## Three\n\nE f.\n\n# Four\n\nG h."
    _, passages = read_document("a.md", markdown.encode())
    assert [passage.heading for passage in passages] == ["One", "One > Two", "One > Three", "Four"]
    assert "# no heading" in passages[1].text


def test_a_document_of_headings_alone_is_still_text() -> None:
    _, passages = read_document("a.md", b"# Marta keeps bees")
    assert [passage.text for passage in passages] == ["Marta keeps bees"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "gb18030"])
def test_chinese_in_any_encoding(encoding: str) -> None:
    story = "玛尔塔出生于里斯本。她在格拉茨养蜂！"
    text, _ = read_document("a.txt", story.encode(encoding))
    assert text == story


def test_a_declared_encoding_counts() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Łódź żyje.</p></body></html>'
    assert read_document("a.html", page.encode("iso-8859-2"))[0] == "Łódź żyje."


def book() -> bytes:
    """An EPUB of two chapters, listed in another order than that of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("META-INF/container.xml", '<container><rootfile full-path="OEBPS/a.opf"/></container>')
        items = '<item id="x" href="b%20b.xhtml"/><item id="y" href="a.xhtml"/>'
        order = '<itemref idref="x"/><itemref idref="y"/>'
        archive.writestr("OEBPS/a.opf", f"<package><manifest>{items}</manifest><spine>{order}</spine></package>")
        archive.writestr("OEBPS/b b.xhtml", "<html><body><h1>One</h1><p>The hive was new.</p></body></html>")
        archive.writestr("OEBPS/a.xhtml", "<html><body><h1>Two</h1><p>The bees left.</p></body></html>")
    return out.getvalue()


def test_a_book_is_read_in_its_order() -> None:
    _, passages = read_document("a.epub", book())
    assert [(p.heading, p.text) for p in passages] == [("One", "The hive was new."), ("Two", "The bees left.")]


def test_records_say_what_their_values_are() -> None:
    table = "name;town\nMarta;Graz\nBo;\n"
    assert read_document("a.csv", table.encode())[0] == "name: Marta; town: Graz\n\nname: Bo; town: –"
    assert read_document("a.csv", b"name,town\nCy,Bonn,a poet\n")[0] == "name: Cy; town: Bonn; a poet"
    data = [{"name": "Marta", "home": {"town": "Graz", "since": 1999}, "pets": ["a cat", None]}, "loose"]
    text, _ = read_document("a.json", json.dumps(data).encode())
    assert text == "name: Marta; home town: Graz; home since: 1999; pets: a cat\n\nloose"
    nested = {"club": {"name": "Bees", "members": [{"name": "Bo", "pets": [{"cat": "Mia"}]}, {"name": "Cy"}]}, "n": 2}
    text, _ = read_document("a.json", json.dumps(nested).encode())
    records = "club members name: Bo; club members pets cat: Mia\n\nclub members name: Cy"
    assert text == f"club name: Bees; n: 2\n\n{records}"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("plain", "Die Königin ist da."),
        ("html", "<p>Die Königin ist da.</p>"),
        ("html", '<meta charset="iso-8859-1"><p>Die Königin ist da.</p>'),  # the message's own encoding counts
    ],
)
def test_a_message_says_from_whom_it_is(kind: str, body: str) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Marta <m@example.org>", "Bo <b@example.org>", "Bienen 蜜蜂"
    message.set_content(body, subtype=kind)
    message.add_attachment(b"secret", maintype="application", subtype="zip", filename="hive.zip")
    text, (passage,) = read_document("a.eml", message.as_bytes())
    assert passage.heading == "Bienen 蜜蜂"
    heads = "From: Marta <m@example.org>; To: Bo <b@example.org>"
    assert text.split("\n\n")[1:] == [heads, "Die Königin ist da.", "Attached, not read: hive.zip"]


def test_a_message_in_an_encoding_that_nobody_knows_is_read_by_guess() -> None:
    head = b"From: m@example.org\nContent-Type: text/plain; charset=x-none\nContent-Transfer-Encoding: 8bit\n\n"
    for body in ("Die Königin ist da.".encode(), "Die Königin ist da.".encode("cp1252")):
        assert read_document("a.eml", head + body)[0].endswith("Die Königin ist da.")


@pytest.mark.parametrize(
    "head",
    [
        b"Date: Mon, 1 Jan 20249999999999999999999 10:00:00 +0000",
        b"Date: Mon, 1 Jan 2024 10:00:00 +999999999999999999999999",
        b"Subject: =?utf-8?b?####?=",
        b"To: " + b"(" * 5000,
    ],
)
def test_a_message_is_read_without_a_head_that_cannot_be(head: bytes) -> None:
    text, _ = read_document("a.eml", b"From: m@example.org\n" + head + b"\n\nThe queen is there.\n")
    assert text == "From: m@example.org\n\nThe queen is there."


def test_numbers_in_json_stay_as_they_are_written() -> None:
    long = "9" * 5001
    assert read_document("a.json", f'{{"n": {long}, "price": 1.50, "far": -1e999}}'.encode())[0] == (
        f"n: {long}; price: 1.50; far: -1e999"
    )


def unzipped_bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", b"\0" * (101 * 2**20))
        archive.writestr("META-INF/container.xml", b"\0" * (101 * 2**20))
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.txt", lambda: b"", "a.txt is empty"),
        ("a.txt", lambda: b" \n\t\n", "has no text"),
        ("a.txt", lambda: bytes(range(256)) * 10, "is not text"),
        ("a.md", lambda: b"\x00\x01\x02", "is not text"),
        ("a.xyz", lambda: b"\0text", r"use one of \.bmp, \.csv"),
        ("noname", lambda: b"\0text", "cannot be read"),
        ("a.pdf", lambda: b"%PDF-1.4 and then nothing", "damaged or no PDF"),
        ("a.pdf", lambda: pdf(STORY)[:200], "damaged or no PDF"),
        ("a.pdf", lambda: b"hello", "damaged or no PDF"),
        ("a.pdf", lambda: pdf(image_only=True), "no text that can be recognised"),
        ("a.pdf", locked_pdf, "locked with a password"),
        ("a.docx", lambda: b"hello", "damaged or no Word"),
        ("a.docx", lambda: word()[:1000], "damaged or no Word"),
        ("a.docx", word_with_a_broken_table, "damaged or no Word"),
        ("a.docx", unzipped_bomb, "unpacks to more"),
        ("a.html", lambda: b"<html><![n foo bar</html>", "has no text"),
        ("a.html", lambda: b"<html><script>1</script></html>", "has no text"),
        ("a.json", lambda: b'{"a": ', "is no JSON"),
        ("a.json", lambda: b"[" * 100_000, "is no JSON"),
        ("a.json", lambda: b"{}", "has no text"),
        ("a.csv", lambda: b"\n\n", "has no text"),
        ("a.eml", lambda: b"hello", "is no message"),
        (
            "a.eml",
            lambda: b"From: m@example.org\n" + b"Content-Type: message/rfc822\n\n" * 1500,
            "damaged or no message",
        ),
        ("a.epub", lambda: b"hello", "or no book"),
        ("a.epub", lambda: book()[:300], "or no book"),
        ("a.epub", unzipped_bomb, "unpacks to more"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(name: str, data: Callable[[], bytes], says: str) -> None:
    with pytest.raises(UserMistake, match=says) as caught:
        read_document(name, data())
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(name)


def test_json_within_json_is_read_or_refused_however_deep_it_is() -> None:
    for depth in range(500, 1000, 5):
        with suppress(UserMistake):
            read_document("a.json", b'{"a":' * depth + b"1" + b"}" * depth)


PROSE = (
    "The Skerry Light is a lighthouse on the island of Hallay, which was built in 1854 by the engineer Jean Roux and "
    "his brother. It is 32 metres high, and was the first of three lights to be driven by electricity. Its keeper, "
    "Mairi Grant, grew up in Oban and paints seabirds, as Dr. Ines Berg of the University of Bergen wrote in 1987."
)
CHINESE = "陈雪是青山医院的医生，住在昆明，会说英语和法语。她的丈夫王磊喜欢爬山，二〇一九年登上了玉龙山，后来去了西藏。"


def told(name: str, data: str | bytes) -> list[str]:
    """The sentences of a document, each in one line, as facts are read from them."""
    _, passages = read_document(name, data if isinstance(data, bytes) else data.encode())
    spans = [(passage.text, span) for passage in passages for span in sentences(passage.text, 0, len(passage.text))]
    return [" ".join(text[span.start : span.end].split()) for text, span in spans]


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.eml"])
@pytest.mark.parametrize(
    "lines",
    [
        [f"Person{n} Berg: 555 10{n:02}" for n in range(60)],
        ["Shopping:", "milk", "eggs", "bread and butter"],
        [f"{name}, 10 Mill Lane, Leeds LS1 4AB, phone 0113 496 0000" for name in ("Ann Berg", "Bo Ray", "Cy", "Di")],
        ["张伟：13800000001", "王芳：13800000002", "李娜：13800000003"],
        ["- a rope", "- two lamps that were bought in Leeds", "1. go"],
    ],
)
def test_each_line_of_a_list_is_a_sentence(name: str, lines: list[str]) -> None:
    head = "From: Tom <t@example.org>\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    text = "\n".join(lines)
    assert told(name, head + text if name == "a.eml" else text)[-len(lines) :] == lines


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
@pytest.mark.parametrize("width", [46, 60, 66, 72, 80])
def test_lines_of_prose_that_were_wrapped_go_on(name: str, width: int) -> None:
    assert told(name, textwrap.fill(PROSE, width)) == told(name, PROSE)
    assert len(told(name, PROSE)) == 3


def test_a_wrapped_line_tears_no_chinese_word() -> None:
    wrapped = "\n".join(CHINESE[start : start + 32] for start in range(0, len(CHINESE), 32))
    assert told("a.txt", wrapped) == told("a.txt", CHINESE)
    assert told("a.html", f"<p>{wrapped}</p>") == told("a.txt", CHINESE)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=12), min_size=1, max_size=80), st.integers(60, 80))
def test_prose_is_one_sentence_however_it_is_wrapped(words: list[str], width: int) -> None:
    text = " ".join(words)
    assert told("a.txt", textwrap.fill(text, width)) == [text]


def test_a_list_beside_prose_of_one_file() -> None:
    contacts = ["Contacts:", "Ann: 555 1001", "Bo: 555 1002"]
    text = "\n".join([textwrap.fill(PROSE, 72), "", *contacts, "-----", PROSE])
    assert told("a.txt", text) == [*told("a.txt", PROSE), *contacts, *told("a.txt", PROSE)]


def test_a_table_of_markdown_is_read_row_by_row_and_code_stays() -> None:
    table = "| Name | Town |\n|------|------|\n| Ann | Oslo |"
    text, _ = read_document("a.md", f"{table}\n- a long\n  rope\n```\nif a:\n\n    b()\n```\n".encode())
    assert text == "Name | Town\n\nName: Ann; Town: Oslo\n\n- a long\n  rope\n\nif a:\n\n    b()"


def test_what_a_page_shows_in_lines_is_read_in_lines() -> None:
    address = "<p>Ann Berg<br>12 Mill\nLane<br/>Leeds</p>"
    rows = "<tr><th>Name</th><th>Town</th></tr><tr><td><p>Ann<br>Berg</p></td><td><div>Oslo</div></td></tr>"
    lines = ["Ann Berg", "12 Mill Lane", "Leeds", "Name | Town", "Name: Ann Berg; Town: Oslo"]
    assert told("a.html", f"{address}<table>{rows}</table>") == lines
    _, passages = read_document("a.html", b"<table><tr><td><h2>Bees</h2></td></tr><tr><td>They hum.</td></tr></table>")
    assert [(passage.heading, passage.text) for passage in passages] == [("Bees", "They hum.")]
    wrapped = textwrap.fill(PROSE, 72).replace("\n", "<br>\n")
    assert told("a.html", f"<table><tr><td>{wrapped}</td></tr></table>") == told("a.txt", PROSE)


def test_a_word_document_is_read_as_it_looks() -> None:
    document = docx.Document()
    document.add_paragraph("Ann Berg\n12 Mill Lane\nLeeds")
    row = document.add_table(rows=1, cols=3).rows[0]
    row.cells[0].merge(row.cells[1]).text = "Job"
    row.cells[2].text = "Town"
    out = io.BytesIO()
    document.save(out)
    assert told("a.docx", out.getvalue()) == ["Ann Berg", "12 Mill Lane", "Leeds", "Job | Town"]


def test_the_lines_of_a_page_go_on_only_where_they_are_full() -> None:
    profile = (
        "Engineer with ten years of experience in the design of pumps and tur-",
        "bines for hydro power, now looking for a post where she can lead a",
        "small team.",
    )
    lines = ["Ann Berg", "12 Mill Lane, Leeds", "Profile", *profile, "Work", "2015 Engineer, Siemens AG, Berlin"]
    lines += ["2010 Engineer, Bosch GmbH, Stuttgart", "Languages", "English", "German, fluent"]
    joined = (
        "Engineer with ten years of experience in the design of pumps and turbines for hydro power, now looking for a "
        "post where she can lead a small team."
    )
    assert told("cv.pdf", pdf(*lines)) == [*lines[:3], joined, *lines[6:]]
    for width in (46, 90):
        assert told("a.pdf", pdf(*textwrap.wrap(f"{PROSE} {PROSE}", width))) == 2 * told("a.txt", PROSE)


def test_what_a_table_quotes_is_read_also_where_its_beginning_quotes_nothing() -> None:
    rows = "".join(f"P{n},plain,Leeds\n" for n in range(1000))
    text, _ = read_document("a.csv", f'name,note,town\n{rows}Ann,"She said ""hi"", then left",Oslo\n'.encode())
    assert text.endswith('\n\nname: Ann; note: She said "hi", then left; town: Oslo')
    assert text.count("\n\n") == 1000
