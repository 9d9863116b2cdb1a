"""Messages (.eml), mailboxes (.mbox), and what is attached to them."""

import email
import mimetypes
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from email.message import EmailMessage, MIMEPart
from email.policy import EmailPolicy
from itertools import chain, islice
from pathlib import PurePath

from memory.encodings import decode
from memory.errors import UserMistake
from memory.formats.mail_quotes import DEEPEST_QUOTED, Line, Part, apart, heading_of, lines_of
from memory.formats.markup import pieces_of_page
from memory.formats.pieces import LARGEST, Piece, decoded, one_line, paragraphs

Attached = Callable[[str, bytes], Iterator[Piece]]  # reads a file by its name, or raises UserMistake

# What Python's parser comes to over a charset or a head that is none, the year 10**20, brackets within brackets.
_BROKEN = (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)

_LONGEST_HEAD = 5_000  # characters; Python's parser takes the square of them
_LONGEST_NAME = 200  # characters, of what is attached
_MOST_ATTACHED = 1_000  # that are named
_MOST_READ = 100  # of them
_MOST_CHARACTERS = 20_000_000  # in all that is attached
_DEEPEST = 3  # messages within messages
_SPLIT_UP_TO = 2_000_000  # characters; a longer text is one part, whatever it quotes
_MANY_BLANK = re.compile(r"\n{3,}")
_SIGN = "\ue000"  # for no character; a quotation of a page begins and ends with these
_QUOTED, _END_OF_QUOTED = f"{_SIGN}>", f"{_SIGN}<"
_QUOTATION = re.compile(r"<(/?)blockquote\b[^<>]*>", re.IGNORECASE)
_SIGNS = re.compile(f"({_QUOTED}|{_END_OF_QUOTED})")
_CLOCK, _YEAR = r"\d{1,2}:\d\d(?::\d\d)?", r"(?:19|20)\d\d"
_ZONE = r"(?: ?(?:[+-]\d\d:?\d\d|\(?[A-Z]{1,5}\)?))?"
_MOMENT = rf"(?:{_CLOCK}{_ZONE} {_YEAR}|(?:(?<={_YEAR}.)|(?<={_YEAR}-\d\d-\d\d.)){_CLOCK}){_ZONE}"
_ENVELOPE = re.compile(
    rf"^From [^\n]{{1,300}}?[ T]{_MOMENT}[ \r]{{0,3}}\n(?=[\w-]{{1,100}}:|>From )".encode(), re.MULTILINE
)
_SENT = re.compile(rb"^(?:From|To|Cc|Date):", re.MULTILINE | re.IGNORECASE)
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_ESCAPED_FROM = re.compile(rb"^>(>{0,20}From )", re.MULTILINE)


class _Bounded(EmailPolicy):
    """What heads a message has, the endless ones cut."""

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        """The name and the value of a head, from its lines."""
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[:_LONGEST_HEAD]


@dataclass(slots=True)
class _Reading:
    """How files are read that are attached, and how much more of them may be."""

    attached: Attached | None
    bytes_left: int = LARGEST
    characters_left: int = _MOST_CHARACTERS


@dataclass(frozen=True, slots=True)
class _Opened:
    """A message and its parts."""

    message: EmailMessage
    subject: str
    heads: str
    texts: list[tuple[bool, str]]  # whether it is a page, and what it says
    files: list[MIMEPart]


def read_mail(name: str, data: bytes, attached: Attached | None = None) -> Iterator[Piece]:
    """The subject as a heading, from whom to whom and when, the text, what it quotes, and what is attached.

    `attached` reads a file that is attached, by its name, and raises UserMistake where it cannot.
    """
    yield from _pieces(name, _opened(name, _parsed(name, data)), _Reading(attached), 0)


def read_mbox(name: str, data: bytes, attached: Attached | None = None) -> Iterator[Piece]:
    """The messages of a mailbox, each as `read_mail` has it; those that are none are text."""
    reading, any_read = _Reading(attached), False
    for part in _messages(data):
        try:
            opened = _opened(name, _parsed(name, part))
        except UserMistake:
            yield from map(Piece, paragraphs(decode(part) or ""))
            continue
        any_read = True
        yield from _pieces(name, opened if opened.subject else replace(opened, subject="(no subject)"), reading, 0)
    if not any_read:
        raise UserMistake("{name} is no mailbox with messages; export it anew from the mail program.", name=name)


def _messages(data: bytes) -> Iterator[bytes]:
    """The messages of a mailbox: each stands below a line that says from whom it came and when.

    Where such a line stands within a message, what follows it has no heads.
    """
    begin = 0
    for line in _ENVELOPE.finditer(data):
        above = data[max(0, line.start() - 4) : line.start()].replace(b"\r", b"")
        if not (line.start() == 0 or above.endswith(b"\n\n")):
            continue
        head = _END_OF_HEAD.search(data, line.end())
        if _SENT.search(data, line.end(), head.start() if head else len(data)):
            yield _ESCAPED_FROM.sub(rb"\1", data[begin : line.start()])
            begin = line.end()
    yield _ESCAPED_FROM.sub(rb"\1", data[begin:])


def _parsed(name: str, data: bytes) -> EmailMessage:
    try:
        message = email.message_from_bytes(data, policy=_Bounded())
    except _BROKEN as error:
        raise _damaged(name) from error
    assert isinstance(message, EmailMessage)
    return message


def _opened(name: str, message: EmailMessage) -> _Opened:
    """A message with its parts.

    Raises:
        UserMistake: it is damaged, or nobody sent it.
    """
    try:
        heads = [(head, _head(message, head)) for head in ("From", "To", "Cc", "Date")]
        subject = _head(message, "Subject")
        body = message.get_body(("plain", "html"))
        texts, files = [], []
        for part in islice(_leaves(message, body), _MOST_ATTACHED):
            if _is_text(part) and (part is body or part.get_filename() is None):
                texts.append((part.get_content_subtype() == "html", _content(name, part)))
            elif not _is_shown(part):
                files.append(part)
    except _BROKEN as error:
        raise _damaged(name) from error
    said = "; ".join(f"{head}: {value}" for head, value in heads if value)
    if not said:
        raise UserMistake("{name} is no message: nobody sent it; save it anew from the mail program.", name=name)
    return _Opened(message, subject, said, texts, files)


def _damaged(name: str) -> UserMistake:
    return UserMistake("{name} is damaged or no message; save it anew from the mail program.", name=name)


def _leaves(message: EmailMessage, body: MIMEPart | None) -> Iterator[MIMEPart]:
    """The text and what is attached; without what says the same as the text in another way."""
    waiting: list[tuple[MIMEPart, bool]] = [(message, False)]
    while waiting:
        part, alternative = waiting.pop()
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            alternative |= part.get_content_subtype() == "alternative"
            inner = [inner for inner in part.iter_parts() if isinstance(inner, MIMEPart)]
            waiting += [(inner, alternative) for inner in reversed(inner)]
        elif part is body or not (alternative and part.get_filename() is None):
            yield part


def _is_text(part: MIMEPart) -> bool:
    """Whether it is text to be read with the message, and no file."""
    return part.get_content_type() in ("text/plain", "text/html") and not part.is_attachment()


def _is_shown(part: MIMEPart) -> bool:
    """Whether it is a picture that the message shows, as logos are."""
    if part.get_content_maintype() != "image" or part.is_attachment():
        return False
    return part.get_content_disposition() == "inline" or "Content-ID" in part


def _pieces(name: str, opened: _Opened, reading: _Reading, depth: int) -> Iterator[Piece]:
    yield Piece(opened.subject, 1)
    yield Piece(opened.heads)
    older: list[Piece] = []
    for is_page, text in opened.texts:
        new, *others = _page_parts(text, opened.subject) if is_page else _plain_parts(text, opened.subject)
        yield from new
        older += chain.from_iterable(others)
    yield from older
    below = bool(older)
    unread: list[str] = []
    for number, part in enumerate(opened.files):
        pieces = _attached(name, part, reading, depth) if number < _MOST_READ else None
        yield from pieces or ()
        below |= pieces is not None
        unread += [_name_of(part)] if pieces is None else []
    if unread and below:
        yield Piece("Attached", 2)
    if unread:
        yield Piece(f"Attached, not read: {'; '.join(unread)}")


def _plain_parts(text: str, subject: str) -> list[list[Piece]]:
    """The pieces of the new text, and then those of each older one, with their headings."""
    text = _MANY_BLANK.sub("\n\n", text.replace("\r\n", "\n"))
    if len(text) > _SPLIT_UP_TO:
        return [list(map(Piece, paragraphs(text)))]
    return _parts(
        (part, [Piece(said) for said in paragraphs("\n".join(line.text for line in part.lines))])
        for part in apart(lines_of(text), subject)
    )


def _page_parts(text: str, subject: str) -> list[list[Piece]]:
    """As `_plain_parts`, of a page, in which quotations are elements.

    They are marked before the page is read, so that what it does not show stays hidden.
    """
    depth = 0
    lines: list[Line] = []
    for piece in pieces_of_page(_QUOTATION.sub(_marked, text.replace(_SIGN, ""))):
        for said in _SIGNS.split(piece.text):
            if said in (_QUOTED, _END_OF_QUOTED):
                depth = max(0, depth + (1 if said == _QUOTED else -1))
            elif said.strip():
                lines.append(Line(min(depth, DEEPEST_QUOTED), one_line(said), replace(piece, text=said)))
    return _parts(
        (part, _lowered((line.piece for line in part.lines if line.piece is not None), 1 if number == 0 else 2))
        for number, part in enumerate(apart(lines, subject))
    )


def _parts(found: Iterable[tuple[Part, list[Piece]]]) -> list[list[Piece]]:
    (_, new), *others = found
    return [new, *([heading_of(part), *pieces] for part, pieces in others if pieces)]


def _lowered(pieces: Iterable[Piece], by: int) -> list[Piece]:
    """Pieces whose headings are of deeper levels."""
    return [replace(piece, level=piece.level + by) if piece.level else piece for piece in pieces]


def _marked(tag: re.Match[str]) -> str:
    """A tag with a sign, in a paragraph of its own, that stands within the quotation."""
    return f"<p>{_SIGN}&lt;</p>{tag[0]}" if tag[1] else f"{tag[0]}<p>{_SIGN}&gt;</p>"


def _attached(name: str, part: MIMEPart, reading: _Reading, depth: int) -> list[Piece] | None:
    """The pieces of what is attached, below a heading; None where it cannot be read."""
    try:
        title = (part.get_filename() or "").strip()
        if part.get_content_type() == "message/rfc822" or title.lower().endswith(".eml"):
            return _message_within(name, part, reading, depth, _name_of(part) if title else "")
        if reading.attached is None or part.get_content_subtype().endswith("signature"):
            return None
        data = _bytes(part)
        reading.bytes_left -= len(data)
        if not data or reading.bytes_left < 0:
            return None
        return [Piece(_name_of(part), 2), *_lowered(_bounded(reading, reading.attached(_file_name(part), data)), 2)]
    except (UserMistake, *_BROKEN):
        return None


def _bounded(reading: _Reading, pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The pieces, as long as all that is attached is not too much of them."""
    for piece in pieces:
        reading.characters_left -= len(piece.text)
        if reading.characters_left < 0:
            raise UserMistake("What is attached has too much text; add it as a file of its own.")
        yield piece


def _message_within(name: str, part: MIMEPart, reading: _Reading, depth: int, title: str) -> list[Piece] | None:
    """The pieces of a message that is attached; where it has no name, its subject is the heading."""
    if depth >= _DEEPEST:
        return None
    if part.is_multipart():
        message = part.get_payload(0)
    else:
        data = _bytes(part)
        reading.bytes_left -= len(data)
        message = _parsed(name, data) if reading.bytes_left >= 0 else None
    if not isinstance(message, EmailMessage):
        return None
    opened = _opened(name, message)
    title = title or ("" if opened.subject else part.get_content_type())
    above = [Piece(title, 2)] if title else []
    return [*above, *_lowered(_pieces(name, opened, reading, depth + 1), 2 if title else 1)]


def _file_name(part: MIMEPart) -> str:
    """The name of what is attached, with a suffix that says what it is."""
    name = (part.get_filename() or "").strip() or "attached"
    return name if PurePath(name).suffix else name + (mimetypes.guess_extension(part.get_content_type()) or "")


def _bytes(part: MIMEPart) -> bytes:
    """What a part holds; text whose encoding is named is UTF-8 then, as its file would have no other sign of it."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return b""
    charset = part.get_content_charset()
    if charset and part.get_content_maintype() == "text" and part.get_content_subtype() != "html":
        try:
            return data.decode(charset).encode()
        except (LookupError, ValueError):
            return data
    return data


def _name_of(part: MIMEPart) -> str:
    """What is attached in one line: its name, or what it is."""
    try:
        return one_line(part.get_filename() or part.get_content_type())[:_LONGEST_NAME]
    except _BROKEN:
        return "?"


def _head(message: EmailMessage, name: str) -> str:
    """A head of a message; "" where there is none, or none that can be read, as a message without it is still one."""
    try:
        return one_line(str(message.get(name, "")))
    except _BROKEN:
        return ""


def _content(name: str, body: MIMEPart) -> str:
    """The text of a part; by guess where it names an encoding that nobody knows, as other files are."""
    try:
        return str(body.get_content())
    except LookupError:
        return decoded(name, bytes(body.get_payload(decode=True)))
