"""Tables, of whatever file: each row says what its values are."""

import io
import re
from collections.abc import Callable, Sequence

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from hypothesis import given
from hypothesis import strategies as st
from odf.opendocument import OpenDocumentText
from odf.table import Table, TableCell, TableRow
from odf.text import P
from pptx.util import Inches

from memory.documents import read_document
from memory.formats.tables import named, read_back, records

ROWS = (("Stop", "Summer", "Winter"), ("Hauk", "08:05", "09:10"), ("Skarv", "", "08:30"))
TOLD = ["Stop: Hauk; Summer: 08:05; Winter: 09:10", "Stop: Skarv; Summer: –; Winter: 08:30"]
CELLS = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)


def saved(save: Callable[[io.BytesIO], object]) -> bytes:
    out = io.BytesIO()
    save(out)
    return out.getvalue()


def in_word(rows: Sequence[Sequence[str]] = ROWS) -> bytes:
    document = docx.Document()
    table = document.add_table(len(rows), len(rows[0]))
    for cells, row in zip(rows, table.rows, strict=True):
        for text, cell in zip(cells, row.cells, strict=True):
            cell.text = text
    return saved(document.save)


def on_a_slide() -> bytes:
    slides = pptx.Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[5])
    slide.shapes.title.text = "Ferry"
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(1)).table
    for y, cells in enumerate(ROWS):
        for x, text in enumerate(cells):
            table.cell(y, x).text = text
    return saved(slides.save)


def in_open_document() -> bytes:
    document = OpenDocumentText()
    table = Table(name="Ferry")
    for cells in ROWS:
        row = TableRow()
        for text in cells:
            cell = TableCell()
            cell.addElement(P(text=text))
            row.addElement(cell)
        table.addElement(row)
    document.text.addElement(table)
    return saved(document.write)


def in_a_sheet() -> bytes:
    book = openpyxl.Workbook()
    for cells in ROWS:
        book.active.append([cell or None for cell in cells])
    return saved(book.save)


def on_a_page() -> bytes:
    rows = ["".join(f"<th>{cell}</th>" for cell in ROWS[0])]
    rows += ["".join(f"<td>{cell}</td>" for cell in row) for row in ROWS[1:]]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>".encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.docx", in_word()),
        ("a.pptx", on_a_slide()),
        ("a.odt", in_open_document()),
        ("a.xlsx", in_a_sheet()),
        ("a.html", on_a_page()),
        (
            "a.md",
            "\n".join(
                ["| Stop | Summer | Winter |", "|---|---|---|", *(f"|{'|'.join(r)}|" for r in ROWS[1:])]
            ).encode(),
        ),
        ("a.csv", "\n".join(",".join(row) for row in ROWS).encode()),
        ("a.tsv", "\n".join("\t".join(row) for row in ROWS).encode()),
    ],
)
def test_an_empty_cell_keeps_its_place(name: str, data: bytes) -> None:
    lines = read_document(name, data)[0].split("\n\n")
    assert lines[-2:] == TOLD


@given(
    st.lists(CELLS, min_size=2, max_size=6, unique=True).flatmap(
        lambda names: st.tuples(
            st.just(names),
            st.lists(
                st.lists(CELLS | st.just(""), min_size=len(names), max_size=len(names)).filter(
                    lambda row: sum(map(bool, row)) > 1
                ),
                min_size=1,
                max_size=6,
            ),
        )
    )
)
def test_each_value_stands_beside_its_own_name(table: tuple[list[str], list[list[str]]]) -> None:
    names, rows = table
    told = [piece.text for piece in records([names, *rows])]
    assert told == ["; ".join(f"{name}: {cell or '–'}" for name, cell in zip(names, row, strict=True)) for row in rows]


@pytest.mark.parametrize("title", ["Regional report,,", "Regional report"])
def test_a_title_above_a_table_is_no_name_of_a_column(title: str) -> None:
    text = f'{title}\n,,\nRegion,Manager,Revenue\nWestfen,H. Briggs,"1,990,100"\n'
    text += "\nSites,,\nTown,Lead,Since\nGraz,Bo,1999\n"
    assert read_document("a.csv", text.encode())[0].split("\n\n") == [
        "Regional report",
        "Region: Westfen; Manager: H. Briggs; Revenue: 1,990,100",
        "Sites",
        "Town: Graz; Lead: Bo; Since: 1999",
    ]


def test_excel_says_first_what_sets_its_columns_apart() -> None:
    text = "\ufeffsep=;\nPart;Price (EUR)\nValve;17,40\n"
    assert read_document("a.csv", text.encode())[0] == "Part: Valve; Price (EUR): 17,40"


def test_a_cell_that_spans_several_columns_or_rows_stands_in_each() -> None:
    page = (
        b"<table><tr><th rowspan=2>Item<th colspan=2>2023</tr><tr><th>Q1<th>Q2</tr>"
        b"<tr><td rowspan=2>Tea<td>1<td></tr><tr><td>2<td>3</tr></table>"
    )
    assert read_document("a.html", page)[0].split("\n\n")[-2:] == [
        "Item: Tea; 2023 Q1: 1; 2023 Q2: –",
        "Item: Tea; 2023 Q1: 2; 2023 Q2: 3",
    ]


def test_two_columns_may_be_names_and_values() -> None:
    rows = (("Landlord", "O. Blom"), ("Rent", "815 euro"), ("Pets", ""))
    assert read_document("a.docx", in_word(rows))[0].split("\n\n") == ["Landlord | O. Blom", "Rent | 815 euro", "Pets"]


def test_the_sheets_of_a_book_are_its_headings_and_hidden_ones_are_left_out() -> None:
    book = openpyxl.Workbook()
    book.active.title = "Rent"
    book.active.append(["Month", "Paid"])
    book.active.append(["May", 815.0])
    book.create_sheet("People").append(["Name", "Town"])
    book["People"].append(["Bo", "Graz"])
    book.create_sheet("Old").append(["Do not", "read"])
    book["Old"].sheet_state = "hidden"
    _, passages = read_document("a.xlsx", saved(book.save))
    assert [(one.heading, one.text) for one in passages] == [
        ("Rent", "Month: May; Paid: 815"),
        ("People", "Name: Bo; Town: Graz"),
    ]


def test_a_year_between_rows_leaves_the_columns_their_names() -> None:
    text = b"Name,Amount,Day\nAnn,1,Mo\n\n2023,,\nBo,3,We\n"
    assert read_document("a.csv", text)[0].split("\n\n") == [
        "Name: Ann; Amount: 1; Day: Mo",
        "2023",
        "Name: Bo; Amount: 3; Day: We",
    ]
    assert read_document("a.csv", b"name,note\nAnn,x\n\nBo,\nCy,y\n")[0].split("\n\n")[1:] == [
        "name: Bo; note: –",
        "name: Cy; note: y",
    ]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            "<tr><th>Day<th>What</tr><tr><td rowspan=2>Mon<td>x</tr><tr><td>y</tr>",
            ["Day: Mon; What: x", "Day: Mon; What: y"],
        ),
        ("<tr><th>N<th>V</tr><tr><td>Colours<td><ul><li>red<li>blue</ul></tr>", ["Colours", "red", "blue"]),
        ("<tr><th>A<th>B<th>C</tr><tr><td><p>a</p><p>b</p></td><td>1<td>2</tr>", ["a", "b", "1 | 2"]),
    ],
)
def test_no_value_of_a_page_stands_under_another_name(rows: str, told: list[str]) -> None:
    assert read_document("a.html", f"<table>{rows}</table>".encode())[0].split("\n\n")[1:] == told


def test_a_form_in_a_table_of_word_names_no_columns() -> None:
    rows = (("Name:", "Ann", "Born:", "1980"), ("City:", "Rome", "Tel:", "123"))
    assert read_document("a.docx", in_word(rows))[0].split("\n\n") == [
        "Name: | Ann | Born: | 1980",
        "City: | Rome | Tel: | 123",
    ]


def test_a_row_of_word_that_begins_further_right_keeps_its_columns() -> None:
    document = docx.Document()
    table = document.add_table(2, 3)
    for cell, text in zip(table.rows[0].cells, ("N", "V", "W"), strict=True):
        cell.text = text
    row = table.rows[1]
    for cell, text in zip(row.cells, ("", "1", "2"), strict=True):
        cell.text = text
    first = row._tr.tc_lst[0]
    row._tr.remove(first)
    before = OxmlElement("w:gridBefore")
    before.set(qn("w:val"), "1")
    row._tr.get_or_add_trPr().append(before)
    assert read_document("a.docx", saved(document.save))[0].split("\n\n") == ["N | V | W", "N: –; V: 1; W: 2"]


@given(st.data())
def test_a_table_is_read_back_from_its_text(data: st.DataObject) -> None:
    columns = data.draw(st.lists(CELLS, min_size=2, max_size=6, unique=True))
    cells = st.text(st.characters(categories=("L", "N")) | st.sampled_from("; :.–"), max_size=12)
    cells = cells.map(lambda cell: " ".join(cell.split())).filter(lambda cell: cell != "–")
    row = st.lists(cells, min_size=len(columns), max_size=len(columns)).filter(any)
    rows = data.draw(st.lists(row, min_size=2, max_size=5))
    told = [named(columns, cells).text for cells in rows]
    ((names, found),) = list(read_back(["Something before.", *told, "Something behind."]))
    assert [number for number, _ in found] == list(range(1, len(rows) + 1))
    if not any(re.search("; .*: ", cell) for line in rows for cell in line):  # may be a column as well
        assert (names, [cells for _, cells in found]) == (columns, rows)


def test_what_is_no_table_is_not_read_as_one() -> None:
    assert not list(read_back(["Time: noon; place: the mill.", "We met; it rained.", "Note: bring boots."]))
    assert not list(read_back(["Time: noon; place: the mill."]))


def test_wide_rows_are_read_back_without_their_empty_cells() -> None:
    columns = [f"c{n}" for n in range(20)]
    rows = [["x" if (n + k) % 3 else "" for n in range(20)] for k in range(4)]
    ((names, found),) = list(read_back([named(columns, cells).text for cells in rows]))
    assert sorted(names) == sorted(columns)
    assert [dict(zip(names, cells, strict=True)) for _, cells in found] == [
        dict(zip(columns, cells, strict=True)) for cells in rows
    ]


@pytest.mark.parametrize("before", ["", "Ferries\n\n", "Ferries of this year:\n", "# Ferries\n\n", "| a |\n\n"])
@pytest.mark.parametrize("behind", ["", "\n\nMore is said below.", "\nMore is said below."])
def test_a_table_of_markdown_stands_anywhere(before: str, behind: str) -> None:
    table = "\n".join(["| Stop | Winter |", "|---|---|", "| Hauk | 09:10 |", "| Skarv | |"])
    lines = read_document("a.md", f"{before}{table}{behind}".encode())[0].split("\n\n")
    assert {"Stop: Hauk; Winter: 09:10", "Stop: Skarv; Winter: –"} <= set(lines)


def test_what_was_blanked_parts_no_table() -> None:
    ((_, found),) = list(read_back(["A: 1; B: 2", "          ", "A: 3; B:    ", "A: 5; B: 6"]))
    assert found == [(0, ["1", "2"]), (2, ["3", ""]), (3, ["5", "6"])]


def test_columns_of_one_name_are_two() -> None:
    ((names, found),) = list(read_back(["Item: a; Qty: 7; Qty: 1", "Item: b; Qty: 8; Qty: 2"]))
    assert names == ["Item", "Qty", "Qty 2"]
    assert [cells for _, cells in found] == [["a", "7", "1"], ["b", "8", "2"]]


@pytest.mark.parametrize(
    "paragraphs",
    [
        ["Smith 2010; " * 300_000],
        [f"k: 1; n{i}: 1; n{i + 1}: 1" for i in range(20_000)],
        ["a: 1; " * 100_000 + "b: 2"] * 2,
    ],
)
def test_what_only_looks_like_a_table_takes_no_room(paragraphs: list[str]) -> None:
    cells = sum(len(cells) for _, rows in read_back(paragraphs) for _, cells in rows)
    assert cells <= 4_000_000
