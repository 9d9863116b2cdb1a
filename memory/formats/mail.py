"""Messages (.eml); what is attached to one is named, and not read."""

import email
from collections.abc import Iterator, Sequence
from email.message import EmailMessage, MIMEPart
from email.policy import EmailPolicy
from itertools import islice

from memory.errors import UserMistake
from memory.formats.markup import pieces_of_page
from memory.formats.pieces import Piece, decoded, one_line, paragraphs

# What Python's parser comes to over a charset or a head that is none, the year 10**20, brackets within brackets.
_BROKEN = (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)

_LONGEST_HEAD = 5_000  # characters; Python's parser takes the square of them
_MOST_ATTACHED = 1_000  # that are named


class _Bounded(EmailPolicy):
    """What heads a message has, the endless ones cut."""

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        """The name and the value of a head, from its lines."""
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[:_LONGEST_HEAD]


def read_mail(name: str, data: bytes) -> Iterator[Piece]:
    """The subject as a heading, from whom to whom and when, and the text."""
    try:
        message = email.message_from_bytes(data, policy=_Bounded())
        assert isinstance(message, EmailMessage)
        heads = [(name, _head(message, name)) for name in ("From", "To", "Cc", "Date")]
        subject = _head(message, "Subject")
        body = message.get_body(("plain", "html"))
        content = _content(name, body) if body is not None else ""
        attached = [
            one_line(part.get_filename() or part.get_content_type())
            for part in islice(message.iter_attachments(), _MOST_ATTACHED)
        ]
    except _BROKEN as error:
        raise UserMistake("{name} is damaged or no message; save it anew from the mail program.", name=name) from error
    if not any(value for _, value in heads):
        raise UserMistake("{name} is no message: nobody sent it; save it anew from the mail program.", name=name)
    yield Piece(subject, 1)
    yield Piece("; ".join(f"{head}: {value}" for head, value in heads if value))
    if body is not None and body.get_content_subtype() == "html":
        yield from pieces_of_page(content)
    else:
        yield from map(Piece, paragraphs(content.replace("\r\n", "\n")))
    if attached:
        yield Piece(f"Attached, not read: {'; '.join(attached)}")


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
