"""Kinds of files beside the usual ones: slides, subtitles, calendars, notes with a head, and whatever is text."""

import io
import json

import docx
import pptx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.documents import read_document
from memory.errors import UserMistake

SRT = """1
00:00:01,000 --> 00:00:04,000
Welcome to the talk on

2
00:00:04,200 --> 00:00:08,000
<i>mosses.</i> The moss

3
00:00:08,100 --> 00:00:11,000
grows above 900 metres.

4
00:12:40,000 --> 00:12:44,000
The exam is on 19 May.
"""
VTT = "WEBVTT\n\nNOTE a remark\n\n" + SRT.replace(",000 ", ".000 ").replace(",200 ", ".200 ").replace(",100 ", ".100 ")


@pytest.mark.parametrize(("name", "text"), [("a.srt", SRT), ("a.srt", SRT.replace("\n", "\r\n")), ("a.vtt", VTT)])
def test_what_is_said_over_several_titles_is_one_sentence(name: str, text: str) -> None:
    assert read_document(name, text.encode())[0].split("\n\n") == [
        "00:00:01 Welcome to the talk on mosses. The moss grows above 900 metres.",
        "00:12:40 The exam is on 19 May.",
    ]


@given(st.text(alphabet="0123456789:,.-> \n<>{}\\WEBVTTa"))
def test_titles_that_are_none_are_refused_or_read(text: str) -> None:
    try:
        read_document("a.srt", text.encode())
    except UserMistake as mistake:
        assert "\n" not in str(mistake)


def test_slides_are_pages_with_their_titles_and_notes() -> None:
    slides = pptx.Presentation()
    first = slides.slides.add_slide(slides.slide_layouts[1])
    first.shapes.title.text, first.placeholders[1].text = "Harbour", "The crane is red.\nIt lifts nine tons."
    first.notes_slide.notes_text_frame.text = "Speak of the strike."
    second = slides.slides.add_slide(slides.slide_layouts[5])
    second.shapes.title.text = "Costs"
    hidden = slides.slides.add_slide(slides.slide_layouts[1])
    hidden.shapes.title.text, hidden.placeholders[1].text = "Secret", "Unseen."
    hidden._element.set("show", "0")
    out = io.BytesIO()
    slides.save(out)
    text, passages = read_document("a.pptx", out.getvalue())
    assert [(one.heading, one.page) for one in passages] == [("Harbour", 1)]
    assert passages[0].text.split("\n\n") == ["The crane is red.", "It lifts nine tons.", "Speak of the strike."]
    assert "Costs" in text
    assert "Unseen" not in text


def test_what_stands_on_every_page_of_a_word_document_is_read_once() -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Valid until 31 March 2027"
    document.sections[0].footer.paragraphs[0].text = "12"
    document.add_paragraph("The ferry runs daily.")
    out = io.BytesIO()
    document.save(out)
    assert read_document("a.docx", out.getvalue())[0] == "Valid until 31 March 2027\n\nThe ferry runs daily."


def test_what_a_note_says_of_itself_comes_before_it() -> None:
    note = (
        "---\ntitle: Greenhouse\nauthor: C. Wick\ntags: [aphids, peppers]\n---\n\n# Week 6\n\nThe line was clogged.\n"
    )
    _, passages = read_document("a.md", note.encode())
    assert [(one.heading, one.text) for one in passages] == [
        ("", "title: Greenhouse; author: C. Wick; tags: aphids, peppers"),
        ("Week 6", "The line was clogged."),
    ]
    for text in ("---\n# My notes\nfoo\n---\nbar", "---\na: [" + "[" * 3000 + "\n---\nbar", "---\na: &x 1\n---\nbar"):
        assert "bar" in read_document("a.md", text.encode())[0]
    assert "My notes" in str(read_document("a.md", b"---\n# My notes\nfoo\n---\nbar"))
    rule = "---\n\nA line above.\n\n---\n\nA line below.\n"
    assert "A line below." in read_document("a.md", rule.encode())[0]


def test_an_entry_of_a_calendar_is_one_paragraph() -> None:
    calendar = (
        "BEGIN:VCALENDAR\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Dentist\\, with\r\n  X-rays\r\n"
        "DTSTART;TZID=Europe/Vienna:20260304T093000\r\nBEGIN:VALARM\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\n"
        "LOCATION:Graz\r\nEND:VEVENT\r\n"
        "BEGIN:VEVENT\r\nSUMMARY:Holiday\r\nDTSTART;VALUE=DATE:20260701\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    assert read_document("a.ics", calendar.encode())[0].split("\n\n") == [
        "summary: Dentist, with X-rays; dtstart: 2026-03-04 09:30 Europe/Vienna; location: Graz",
        "trigger: -PT15M",
        "summary: Holiday; dtstart: 2026-07-01",
    ]
    card = "BEGIN:VCARD\nVERSION:4.0\nFN:Bo Ray\nitem1.TEL;TYPE=cell:20251212\nBDAY:19851102\nEND:VCARD\n"
    assert read_document("a.vcf", card.encode())[0] == "fn: Bo Ray; tel: 20251212; bday: 1985-11-02"
    card = (
        "BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=F6rg Ray\n"
        "NOTE;ENCODING=QUOTED-PRINTABLE:He likes=\n pl=C3=\n=BCms=0D=0Aand tea\nTEL:1=2=\nORG:Hive\nEND:VCARD\n"
    )
    assert read_document("a.vcf", card.encode())[0] == (
        "fn: Jörg Ray; note: He likes plüms and tea; tel: 1=2=; org: Hive"
    )


def test_each_line_of_json_is_a_record() -> None:
    lines = '{"a": 1, "tags": ["x", "y"]}\n\n{"a": 2}\nno json\n'
    assert read_document("a.jsonl", lines.encode())[0].split("\n\n") == ["a: 1; tags: x, y", "a: 2", "no json"]


@pytest.mark.parametrize("name", ["a.log", "Makefile", "a.yaml", "notes.backup"])
def test_whatever_is_text_can_be_read(name: str) -> None:
    assert read_document(name, b"hives:\n  - Graz\n  - Bonn\n")[0] == "hives:\n  - Graz\n  - Bonn"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.rst", b"Bees\n====\n\nThey hum.\n"),
        ("a.org", b"* Bees\nThey hum.\n"),
        ("a.tex", b"\\begin{document}\n\\section{Bees}\nThey \\emph{hum}.\n\\end{document}\n"),
        (
            "a.fb2",
            b'<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><body><section><title><p>Bees</p>'
            b"</title><p>They hum.</p></section></body></FictionBook>",
        ),
        (
            "a.ipynb",
            json.dumps(
                {
                    "nbformat": 4,
                    "nbformat_minor": 5,
                    "metadata": {},
                    "cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Bees\n", "They hum."]}],
                }
            ).encode(),
        ),
    ],
)
def test_headings_of_other_formats(name: str, data: bytes) -> None:
    _, passages = read_document(name, data)
    assert [(one.heading, one.text) for one in passages] == [("Bees", "They hum.")]


def test_rich_text_is_read() -> None:
    assert (
        read_document("a.rtf", rb"{\rtf1\ansi {\b Bees}\par The caf\'e9 is shut.\par}")[0]
        == "Bees\n\nThe café is shut."
    )


@pytest.mark.parametrize("name", ["a.odt", "a.doc", "a.msg", "a.ppt", "a.xlsx", "a.xls", "a.ods", "a.pptx", "a.bin"])
def test_a_file_that_is_none_is_named_with_the_reason(name: str) -> None:
    with pytest.raises(UserMistake) as caught:
        read_document(name, b"\0hello")
    assert str(caught.value).startswith(name)
    assert "\n" not in str(caught.value)


def test_a_part_of_a_document_in_old_letters_is_read_as_well() -> None:
    text = "\\section{Bücher}\nFrau Müller führt sie.\n"
    assert "Frau Müller führt sie." in read_document("a.tex", text.encode("cp1252"))[0]
