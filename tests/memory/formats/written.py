"""One text written as many kinds of files, by the libraries that people's programs write them with.

The words are CLDR's names of places and languages, so that they are real ones in each language and script.
"""

import csv
import difflib
import io
import json
import mailbox
import random
import re
import tempfile
import textwrap
import unicodedata
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from html import escape
from pathlib import Path

from babel import Locale
from docx import Document
from fpdf import FPDF, FontFace
from odf import opendocument
from odf import table as odf_table
from odf import text as odf_text
from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches

from memory.formats.tables import EMPTY

LANGUAGES = ("en", "de", "fr", "pl", "tr", "vi", "ru", "zh", "ja", "ar")
FONTS = {
    "en": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "zh": "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "ja": "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
}

_UNSPACED = ("zh", "ja")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")


@dataclass(frozen=True)
class Sample:
    """What a file says: sections of a heading with paragraphs, and a table whose first row names its columns."""

    language: str
    title: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    table: tuple[tuple[str, ...], ...]

    @property
    def paragraphs(self) -> list[str]:
        """All of it in order but for the table."""
        return [self.title, *(text for heading, paragraphs in self.sections for text in (heading, *paragraphs))]


@cache
def _words(language: str) -> tuple[str, ...]:
    locale = Locale.parse(language)
    names = [*locale.territories.values(), *locale.languages.values()]
    plain = (str(name) for name in names if all(sign.isalpha() or sign == " " for sign in str(name)))
    return tuple(dict.fromkeys(name for name in plain if 3 <= len(name) <= 24))


def sample(language: str, seed: int = 0, paragraphs: int = 3) -> Sample:
    """A text in a language, the same for each seed."""
    draw = random.Random(f"{language} {seed}")
    apart, end = ("、", "。") if language in _UNSPACED else (", ", ".")

    def sentence(words: int) -> str:
        return apart.join(draw.sample(_words(language), words)) + end

    def paragraph() -> str:
        between = "" if language in _UNSPACED else " "
        return between.join(sentence(draw.randint(5, 9)) for _ in range(draw.randint(2, 4)))

    def heading() -> str:
        return draw.choice(_words(language))

    names = draw.sample(_words(language), 12)
    head = tuple(names[:4])
    rows = [
        (names[4 + row], str(draw.randint(10, 99_999)), names[8 + row], str(draw.randint(1, 99))) for row in range(4)
    ]
    empty = draw.randrange(4)
    rows[empty] = (*rows[empty][:2], "", rows[empty][3])
    sections = tuple((heading(), tuple(paragraph() for _ in range(paragraphs))) for _ in range(3))
    return Sample(language, " ".join(draw.sample(_words(language), 2)), sections, (head, *rows))


def text(of: Sample) -> str:
    return "\n\n".join(of.paragraphs) + "\n"


def markdown(of: Sample) -> str:
    rows = ["| " + " | ".join(row) + " |" for row in of.table]
    rows.insert(1, "|---" * len(of.table[0]) + "|")
    body = "\n\n".join(f"## {heading}\n\n" + "\n\n".join(paragraphs) for heading, paragraphs in of.sections)
    return f"# {of.title}\n\n{body}\n\n" + "\n".join(rows) + "\n"


def html(of: Sample) -> str:
    body = "".join(
        f"<h2>{escape(heading)}</h2>" + "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
        for heading, paragraphs in of.sections
    )
    head, *rows = of.table
    table = "<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"
    table += "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<!doctype html><html lang="{of.language}"><head><meta charset="utf-8"></head>'
        f"<body><h1>{escape(of.title)}</h1>{body}<table>{table}</table></body></html>"
    )


def separated(of: Sample, delimiter: str) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(of.table)
    return file.getvalue()


def word(of: Sample) -> bytes:
    document = Document()
    document.add_heading(of.title, 0)
    for heading, paragraphs in of.sections:
        document.add_heading(heading, 1)
        for paragraph in paragraphs:
            document.add_paragraph(paragraph)
    table = document.add_table(rows=0, cols=len(of.table[0]))
    for row in of.table:
        for cell, said in zip(table.add_row().cells, row, strict=True):
            cell.text = said
    return _saved(document.save)


def slides(of: Sample) -> bytes:
    show = Presentation()
    first = show.slides.add_slide(show.slide_layouts[5])
    first.shapes.title.text = of.title
    for heading, paragraphs in of.sections:
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = heading
        slide.placeholders[1].text = "\n".join(paragraphs)
    last = show.slides.add_slide(show.slide_layouts[6])
    size = len(of.table), len(of.table[0])
    table = last.shapes.add_table(*size, Inches(1), Inches(1), Inches(8), Inches(3)).table
    for number, row in enumerate(of.table):
        for column, said in enumerate(row):
            table.cell(number, column).text = said
    return _saved(show.save)


def sheet(of: Sample) -> bytes:
    book = Workbook()
    for row in of.table:
        book.active.append([int(cell) if cell.isdigit() else cell or None for cell in row])
    return _saved(book.save)


def open_text(of: Sample) -> bytes:
    document = opendocument.OpenDocumentText()
    for heading, paragraphs in ((of.title, ()), *of.sections):
        document.text.addElement(odf_text.H(outlinelevel=1, text=heading))
        for paragraph in paragraphs:
            document.text.addElement(odf_text.P(text=paragraph))
    document.text.addElement(_open_table(of))
    return _saved(document.write)


def open_sheet(of: Sample) -> bytes:
    document = opendocument.OpenDocumentSpreadsheet()
    document.spreadsheet.addElement(_open_table(of))
    return _saved(document.write)


def book(of: Sample) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        archive.writestr(
            "b.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest><item id="a" href="a.xhtml" '
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
        )
        archive.writestr("a.xhtml", html(of))
    return file.getvalue()


def mail(of: Sample, *, as_html: bool = False) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", of.title
    message["Date"] = "Fri, 20 Nov 2026 10:00:00 +0000"
    message.set_content("\n\n".join(of.paragraphs[1:]))
    if as_html:
        message.add_alternative(html(of), subtype="html")
    return message


def mails(of: Sample) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        box = mailbox.mbox(Path(folder) / "box")
        box.add(mail(of))
        box.close()
        return (Path(folder) / "box").read_bytes()


def pdf(of: Sample, columns: int = 1) -> bytes:
    """A PDF with real fonts, its prose in columns and its table below them."""
    page = FPDF()
    page.set_margin(18)
    page.add_font("font", fname=FONTS.get(of.language, FONTS["en"]))
    page.set_text_shaping(of.language == "ar")
    page.add_page()
    page.set_font("font", size=20)
    page.multi_cell(0, text=of.title, new_x="LMARGIN", new_y="NEXT")
    page.ln(4)
    with page.text_columns(ncols=columns, gutter=12, text_align="L") as written:
        for heading, paragraphs in of.sections:
            for said, size in ((heading, 14), *((one, 10) for one in paragraphs)):
                page.set_font("font", size=size)
                with written.paragraph(bottom_margin=4) as paragraph:
                    paragraph.write(said)
    page.set_font("font", size=10)
    page.ln(6)
    with page.table(line_height=8, headings_style=FontFace(emphasis="")) as table:
        for row in of.table:
            table.row(row)
    return bytes(page.output())


def long_pdf(pages: int) -> bytes:
    """A PDF of so many pages of English, about 400 words each."""
    book = FPDF()
    book.set_font("helvetica", size=10)
    for number in range(pages):
        book.add_page()
        of = sample("en", number)
        for y, line in enumerate(textwrap.wrap(" ".join(of.paragraphs), 100)[:50]):
            book.text(15, 20 + 5 * y, line.encode("latin-1", "ignore").decode("latin-1"))
    return bytes(book.output())


def pages_of_pdf(pages: Sequence[str]) -> bytes:
    """A PDF with a line on each page."""
    book = FPDF()
    book.set_font("helvetica", size=12)
    for line in pages:
        book.add_page()
        book.text(20, 30, line)
    return bytes(book.output())


def archive(of: Sample) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("a.docx", word(of))
    return file.getvalue()


def _open_table(of: Sample) -> odf_table.Table:
    table = odf_table.Table(name="table")
    for row in of.table:
        line = odf_table.TableRow()
        table.addElement(line)
        for said in row:
            cell = odf_table.TableCell(valuetype="string")
            line.addElement(cell)
            cell.addElement(odf_text.P(text=said))
    return table


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    file = io.BytesIO()
    save(file)
    return file.getvalue()


# What is written: the name, the writer, and whether that has prose and the table.
PROSE, TABLE, BOTH = (True, False), (False, True), (True, True)
WRITERS: Mapping[str, tuple[str, Callable[[Sample], bytes], tuple[bool, bool]]] = {
    "text": ("a.txt", lambda of: text(of).encode(), PROSE),
    "text, marked": ("a.txt", lambda of: text(of).encode("utf-8-sig"), PROSE),
    "text, utf-16": ("a.txt", lambda of: text(of).encode("utf-16"), PROSE),
    "markdown": ("a.md", lambda of: markdown(of).encode(), BOTH),
    "html": ("a.html", lambda of: html(of).encode(), BOTH),
    "xhtml": ("a.xhtml", lambda of: html(of).encode(), BOTH),
    "csv": ("a.csv", lambda of: separated(of, ",").encode(), TABLE),
    "csv, semicolons": ("a.csv", lambda of: separated(of, ";").encode("utf-8-sig"), TABLE),
    "tsv": ("a.tsv", lambda of: separated(of, "\t").encode(), TABLE),
    "json": ("a.json", lambda of: json.dumps(of.paragraphs, ensure_ascii=False).encode(), PROSE),
    "json, escaped": ("a.json", lambda of: json.dumps(of.paragraphs).encode(), PROSE),
    "word": ("a.docx", word, BOTH),
    "slides": ("a.pptx", slides, BOTH),
    "sheet": ("a.xlsx", sheet, TABLE),
    "open text": ("a.odt", open_text, PROSE),
    "open sheet": ("a.ods", open_sheet, TABLE),
    "book": ("a.epub", book, BOTH),
    "mail": ("a.eml", lambda of: bytes(mail(of)), PROSE),
    "mail, html": ("a.eml", lambda of: bytes(mail(of, as_html=True)), PROSE),
    "mailbox": ("a.mbox", mails, PROSE),
    "pdf": ("a.pdf", pdf, BOTH),
    "pdf, two columns": ("a.pdf", lambda of: pdf(of, 2), BOTH),
    "archive": ("a.zip", archive, BOTH),
}
# Encodings that programs have written, by the languages that they were for.
ENCODINGS = {
    "cp1252": "de",
    "latin-1": "fr",
    "cp850": "de",
    "cp1250": "pl",
    "cp1257": "lt",
    "iso8859-2": "pl",
    "cp1254": "tr",
    "cp1258": "vi",
    "cp1251": "ru",
    "koi8-r": "ru",
    "cp866": "ru",
    "gb18030": "zh",
    "big5": "zh",
    "shift-jis": "ja",
    "euc-jp": "ja",
    "iso2022-jp": "ja",
    "cp1256": "ar",
    "iso8859-6": "ar",
    "utf-16-le": "en",
}


def words(said: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", said).casefold())


def in_order(written: str, found: str) -> float:
    """The share of the words that are found, in their order."""
    wanted = words(written)
    matcher = difflib.SequenceMatcher(None, wanted, words(found), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / len(wanted)


def cells_right(of: Sample, found: str) -> float:
    """The share of the table's cells that are told under the name of their column, in a line with the row's first."""
    head, *rows = of.table
    lines = found.split("\n\n")
    right = 0
    for row in rows:
        line = next((line for line in lines if row[0] in line and row[1] in line), "")
        right += sum(f"{name}: {cell or EMPTY}" in line for name, cell in zip(head, row, strict=True))
    return right / (len(rows) * len(head))
