"""Messages: what is new in them, what they quote, and what is attached; and whole mailboxes."""

import io
import time
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import UserMistake
from memory.formats.mail import read_mail, read_mbox
from memory.formats.packed import read_zip
from memory.formats.pieces import Piece, decoded

HEADS = "From: Ada Quill <ada@example.org>; To: Bo Reed <bo@example.org>"


def message(text: str = "", subject: str = "Re: The boat", **more: str) -> EmailMessage:
    one = EmailMessage()
    one["From"], one["To"], one["Subject"] = "Ada Quill <ada@example.org>", "Bo Reed <bo@example.org>", subject
    one.set_content(text, **more)
    return one


def attached(name: str, data: bytes) -> Iterator[Piece]:
    """Text files, of which those with "no" in their names cannot be read to their end."""
    if name.endswith(".zip"):
        raise UserMistake("{name}: files of this kind cannot be read.", name=name)
    yield Piece("Within", 1)
    yield Piece(decoded(name, data).strip(), page=3)
    if "no" in name:
        raise UserMistake("{name} is damaged.", name=name)


def shown(data: bytes | EmailMessage, read=read_mail) -> list[str]:
    """Headings with their signs, and paragraphs."""
    data = data if isinstance(data, bytes) else data.as_bytes()
    pieces = [piece for piece in read("a.eml", data, attached) if piece.text.strip()]
    return ["#" * piece.level + " " + piece.text if piece.level else piece.text for piece in pieces]


def body(text: str, **more: str) -> list[str]:
    """What a message with this text gives below its heads."""
    lines = shown(message(text, **more))
    assert lines[:2] == ["# Re: The boat", HEADS]
    return lines[2:]


WROTE = "On Tue, 3 Jun 2025 at 17:40, Bo Reed <bo@example.org> wrote:"


def test_the_new_text_stands_first_and_each_older_message_below_a_heading() -> None:
    text = f"Let us take Friday.\n\nAda\n\n{WROTE}\n> On Thursday?\n>\n> Bo\n>\n>> Am 2.6.25 schrieb Ada:\n>> When?\n"
    assert body(text) == [
        "Let us take Friday.",
        "Ada",
        f"## Quoted: {WROTE}",
        "On Thursday?",
        "Bo",
        "## Quoted: Am 2.6.25 schrieb Ada:",
        "When?",
    ]


@pytest.mark.parametrize(
    "wrote",
    [
        WROTE,
        WROTE.replace(" <bo", "\n<bo"),
        WROTE.replace(" wrote:", "\nwrote:"),
        "Am Di., 3. Juni 2025 um 17:40 Uhr schrieb Bo Reed <bo@example.org>:",
        "Bo Reed <bo@example.org> 于2025年6月3日周二 17:40写道：",
        "El 3 jun 2025, a las 17:40, Bo Reed escribió:\n",
    ],
)
def test_who_wrote_the_older_message_is_told_in_any_language(wrote: str) -> None:
    heading = f"## Quoted: {' '.join(wrote.split())}"
    assert body(f"Yes.\nAda\n\n{wrote}\n> On Thursday?\n") == ["Yes.", "Ada", heading, "On Thursday?"]


def test_an_answer_below_what_it_answers_stands_first() -> None:
    assert body(f"{WROTE}\n> When?\n\nOn Friday.\n") == ["On Friday.", f"## Quoted: {WROTE}", "When?"]


@pytest.mark.parametrize(
    "text",
    [
        f"{WROTE}\n> When?\n\nOn Friday.\n\n> Where? At home:\n\nIn the hall:\n> And who?\n\nAll of us.\n",
        "> Q1?\nYes.\n> Q2?\nNo.",
        "> Q1?\n\nYes.\nNo.\n\nOn 3 Jun 2025 Bo wrote:\n> Q2?",
        ">> Q1?\n> Yes.\nNo.\n>> Q2?",
    ],
)
def test_answers_between_what_they_answer_stay_there(text: str) -> None:
    assert " ".join(body(text)).split() == text.split()


def test_answers_between_quotations_of_a_page_stay_there() -> None:
    page = "<blockquote>Q1?</blockquote><p>Yes.</p><blockquote>Q2?</blockquote><p>No.</p>"
    assert body(page, subtype="html") == ["> Q1?", "Yes.", "> Q2?", "No."]


@pytest.mark.parametrize(
    "rule",
    ["-----Original Message-----\n", "-----Ursprüngliche Nachricht-----\n", "________________________________\n", ""],
)
@pytest.mark.parametrize(
    "heads",
    [
        ["From: Bo Reed <bo@example.org>", "Sent: Tuesday, June 3, 2025 5:40 PM", "To: Ada", "Subject: The boat"],
        ["Von: Bo Reed", "Gesendet: Dienstag, 3. Juni 2025 17:40", "An: Ada", "Betreff: AW: The boat"],
        ["发件人： Bo Reed", "发送时间： 2025年6月3日 17:40", "收件人： Ada", "主题： The boat"],
        ["*From:* Bo Reed", "*Sent:* 3/6/25 17:40", "*To:* Ada", "*Subject:* RE: The boat"],
    ],
)
def test_an_older_message_begins_with_its_heads(rule: str, heads: list[str]) -> None:
    older = "\n".join(heads)
    text = f"Yes, on Friday.\n\n{rule}{older}\n\nOn Thursday?\n\n{rule}{older.replace('Bo', 'Cy')}\n\nWhen?\n"
    one = f"## Quoted: {'; '.join(heads)}"
    assert body(text) == ["Yes, on Friday.", one, "On Thursday?", one.replace("Bo", "Cy"), "When?"]


def test_the_whole_of_long_heads_stands_below_them() -> None:
    many = ", ".join(f"Rower {number}" for number in range(50))
    heads = f"From: Bo <bo@example.org>\nSent: 3/6/25 17:40\nTo: {many}"
    lines = body(f"Yes.\n\n{heads}\n\nOn Thursday?")
    assert lines[1].startswith("## Quoted: From: Bo <bo@example.org>; Sent: 3/6/25 17:40; To: Rower 0, ")
    assert len(lines[1]) < 300
    assert " ".join(lines[2].split()) == heads.replace("\n", "; ")


@pytest.mark.parametrize(
    "text",
    [
        "You are invited.\n\nDate: Friday 14:30\nRoom: Heron\nTopic: the regatta\n\nBring a coat.",
        "What we need:\n\n- a rope\n- a lamp",
        "---- Agenda ----\n\nThe mast comes first.",
        "As Bo said at 14:30:\nlet us go.",
        "Ada: +44 20 7946 0000\nBo: +44 20 7946 0001\nCy: at 17:40",
        "Yes.\nthe plan for 2024 at 10:30 <x@y.z>:\nlet us go.",
        "Name: x@y.z\nDeparture: 10:30\nArrival: 12:40\nSeat: 12A",
        "Name: x@y.z\nDeparture: 3/6/2025 10:30\nArrival: 3/6/2025 12:40\nSeat: 12A",
        "Do this:\n> npm install",
        "Try\n\n>>> import os\n>>> os.name\n",
    ],
)
def test_what_looks_like_a_quotation_and_is_none_stays(text: str) -> None:
    assert " ".join(body(text)).split() == text.split()


def test_an_older_message_may_follow_unmarked_on_who_wrote_it() -> None:
    assert body(f"Yes.\n\n{WROTE}\n\nOn Thursday?\n\nBo") == ["Yes.", f"## Quoted: {WROTE}", "On Thursday?", "Bo"]


def test_a_page_is_read_likewise_and_shows_nothing_that_was_hidden() -> None:
    wrote = WROTE.replace("<", "&lt;").replace(">", "&gt;")
    page = f"""<html><body><h1>Plan</h1><div>On Friday.<br></div>
    <div class="gmail_quote"><div class="gmail_attr">{wrote}<br></div>
    <blockquote class="gmail_quote"><div>On Thursday?</div><div style="display: none">secret
    <blockquote>secret, too</blockquote></div><blockquote>When?</blockquote></blockquote></div><p>Ada</p></html>"""
    assert body(page, subtype="html") == [
        "## Plan",
        "On Friday.",
        "Ada",
        f"## Quoted: {WROTE}",
        "On Thursday?",
        "## Quoted",
        "When?",
    ]
    outlook = (
        "<p>Yes.</p><div><p><b>From:</b> Bo Reed<br><b>Sent:</b> Tuesday, June 3, 2025 5:40 PM<br><b>To:</b> Ada<br>"
    )
    heading = "## Quoted: From: Bo Reed; Sent: Tuesday, June 3, 2025 5:40 PM; To: Ada; Subject: The boat"
    assert body(f"{outlook}<b>Subject:</b> The boat</p></div><p>On Thursday?</p>", subtype="html") == [
        "Yes.",
        heading,
        "On Thursday?",
    ]


def test_quotations_of_a_page_have_a_depth() -> None:
    assert body("<blockquote>a" * 30, subtype="html") == ["## Quoted", "a"] * 10 + ["a"] * 20


def test_what_is_attached_is_read_below_its_name() -> None:
    mail = message(f"See below.\n\n{WROTE}\n> Please.\n")
    mail.add_attachment("Żółty maszt: 900 euro.", filename="costs.txt", charset="iso-8859-2")
    mail.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="boat.zip")
    mail.add_attachment("Torn.", filename="not whole.txt")
    mail.add_attachment("name;town\n", subtype="csv")
    mail.add_attachment(b"0", maintype="application", subtype="pgp-signature", filename="s.asc")
    assert shown(mail)[2:] == [
        "See below.",
        f"## Quoted: {WROTE}",
        "Please.",
        "## costs.txt",
        "### Within",
        "Żółty maszt: 900 euro.",
        "## text/csv",
        "### Within",
        "name;town",
        "## Attached",
        "Attached, not read: boat.zip; not whole.txt; s.asc",
    ]
    last = [piece.text for piece in read_mail("a.eml", mail.as_bytes())][-1]
    assert last == "Attached, not read: costs.txt; boat.zip; not whole.txt; text/csv; s.asc"


def test_what_is_attached_within_one_of_several_forms_of_the_text_is_found() -> None:
    mail = message("See below.")
    mail.add_alternative("<p>See below.</p>", subtype="html")
    (_, page) = mail.iter_parts()
    page.make_mixed()
    page.add_attachment("The mast.", filename="mast.txt")
    assert shown(mail)[2:] == ["See below.", "## mast.txt", "### Within", "The mast."]


def test_text_that_goes_on_behind_a_picture_belongs_to_the_message() -> None:
    mail = message("Before.")
    mail.add_attachment(b"0", maintype="image", subtype="png", filename="a.zip")
    tail = EmailMessage()
    tail.set_content("Behind.")
    mail.attach(tail)
    assert shown(mail)[2:] == ["Before.", "Behind.", "Attached, not read: a.zip"]


@pytest.mark.parametrize("named", [True, False])
def test_messages_within_messages_are_read_to_a_depth(named: bool) -> None:
    mail = message("five", subject="S5")
    for number in range(4, 0, -1):
        outer = message(f"text {number}", subject=f"S{number}")
        if named:
            outer.add_attachment(
                mail.as_bytes(), maintype="application", subtype="octet-stream", filename=f"{number}.EML"
            )
        else:
            outer.add_attachment(mail)
        mail = outer
    lines = shown(mail)
    assert [line for line in lines if line.startswith("text")] == ["text 1", "text 2", "text 3", "text 4"]
    assert lines[-1].startswith("Attached, not read: ")
    tops = [line for line in lines if line.startswith("#")]
    if named:
        assert tops[:4] == ["# S1", "## 1.EML", "### S2", "#### 2.EML"]
    else:
        assert tops == ["# S1", "## S2", "### S3", "#### S4"]


def test_pictures_that_a_message_shows_are_not_named() -> None:
    mail = message("See below.")
    mail.add_attachment(b"0", maintype="image", subtype="png", filename="logo.zip", cid="<1@a>", disposition="inline")
    mail.add_attachment(b"0", maintype="image", subtype="png", filename="mark.zip", disposition="inline")
    mail.add_attachment(b"0", maintype="image", subtype="png", filename="photo.zip", cid="<2@a>")
    assert shown(mail)[2:] == ["See below.", "Attached, not read: photo.zip"]


@pytest.mark.parametrize(
    "envelope",
    [
        "- Tue Jun 03 17:40:00 2025",
        '"Ada Q" Tue Jun  3 17:40:00 +0200 2025',
        "a@b 2025-06-03 17:40",
        "a@b 3 Jun 2025 17:40",
    ],
)
def test_a_sentence_that_looks_like_an_envelope_ends_no_message(envelope: str) -> None:
    sentences = "From 12:30 we are at home; come.\n\nFrom then on, 3 Jun 2025 12:30\nNote: bring it.\n\nFrom x: y"
    one = b"From " + envelope.encode() + b"\n" + message(f"On Friday.\n\n{sentences}\n\nBye.\n").as_bytes() + b"\n"
    once = " ".join(shown(one, read_mbox))
    assert " ".join(once.split()).endswith(" ".join(f"On Friday. {sentences} Bye.".split()))
    assert " ".join(shown(2 * one, read_mbox)) == f"{once} {once}"
    assert shown(b"Lost.\n\n" + one, read_mbox)[0] == "Lost."


def test_a_file_of_an_archive_that_has_no_room_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.formats.packed.LARGEST", 1_000)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, size in (("a.zip", 900), ("in/large.txt", 1_001), ("in/b.txt", 900), ("c.txt", 200), ("d.txt", 0)):
            archive.writestr(name, "x" * size)
    read = [piece.text for piece in read_zip("z.zip", out.getvalue(), attached)]
    assert read == [
        "in/b.txt",
        "Within",
        "x" * 900,
        "d.txt",
        "Within",
        "",
        "Within, not read: a.zip; in/large.txt; c.txt",
    ]
    silent = [piece.text for piece in read_zip("z.zip", out.getvalue(), lambda name, data: iter(()))]
    assert silent == ["Within, not read: in/large.txt; in/b.txt; c.txt"]
    monkeypatch.setattr("memory.formats.packed.LARGEST", -1)
    with pytest.raises(UserMistake, match="unpacks to more"):
        list(read_zip("z.zip", out.getvalue(), attached))


def test_a_mailbox_is_its_messages() -> None:
    one, two = message("On Friday.\n>From here on it rains.", "First"), message("\nFrom me.\n", "")
    two.add_attachment("The mast.", filename="mast.txt")
    begin = b"From ada@example.org Tue Jun  3 17:40:00 2025\n"
    box = b"\n".join([begin + one.as_bytes(), begin + b"no message\n", begin + two.as_bytes()])
    lines = ["# First", HEADS, "On Friday.\nFrom here on it rains.", begin.decode() + "no message"]
    lines += ["# (no subject)", HEADS]
    lines += ["From me.", "## mast.txt", "### Within", "The mast."]
    found = shown(box, read_mbox)
    assert "\n".join(found) == "\n".join(lines)
    assert shown(box.replace(b"\n", b"\r\n"), read_mbox) == found


@pytest.mark.parametrize("data", [b"", b"hello", b"From here to there.\n\nFrom: ada@example.org\n\nhi"])
def test_what_is_no_mailbox_is_said(data: bytes) -> None:
    with pytest.raises(UserMistake, match="is no mailbox"):
        list(read_mbox("a.mbox", data))


@given(st.text("ab>:@-_. \n1230", max_size=200))
def test_no_word_of_a_text_is_lost_however_it_quotes(text: str) -> None:
    mail = b"From: a@example.org\n\n" + text.encode()
    words = "".join(shown(mail)[1:]).replace("## ", "").replace("Quoted: ", "").replace("Quoted", "")
    assert {"a", "b", "@", "1", "2"} & set(text) >= {"a", "b", "@", "1", "2"} & set(words)
    told = "".join(sorted(sign for sign in words if sign in "ab@123"))
    lost = "".join(sorted(sign for sign in text if sign in "ab@123"))
    assert told == lost or (len(told) < len(lost) and ":" in text)


@given(st.binary(max_size=300), st.sampled_from([b"plain", b"html", b"calendar"]))
def test_any_message_is_read_or_refused(data: bytes, kind: bytes) -> None:
    mail = b"From: a@example.org\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/" + kind
    for whole in (data, mail + b"\n\n" + data, mail + data + b"\n\n--x\n" + data):
        for read in (read_mail, read_mbox):
            try:
                assert all(isinstance(piece, Piece) for piece in read("a.eml", whole, attached))
            except UserMistake as error:
                assert "\n" not in str(error)


@pytest.mark.parametrize(
    "text",
    [
        ">" * 200_000,
        "> a\nb:\n" * 20_000,
        "From: a@b 17:40\nTo: b\nDate: c\n" * 10_000,
        "-" * 200_000 + "\nFrom: a@b 17:40\n" + "To: b\n" * 10_000,
        ("<" + "a@" * 150 + " 17:40 2025:\n") * 500,
        "\n" * 200_000,
        "<blockquote>" * 20_000,
        "<blockquote>a" * 4_000,
        "> > > a\nb\n" * 20_000,
        "1" * 100_000 + " <a@b> 17:40:\n" + "2025 " * 30_000 + ":\n> a\n",
        ">" + " >" * 100_000,
    ],
)
def test_hostile_texts_take_no_square_of_their_length(text: str) -> None:
    began = time.process_time()
    for kind in ("plain", "html"):
        list(read_mail("a.eml", message(text, subtype=kind).as_bytes(), attached))
    assert time.process_time() - began < 20
