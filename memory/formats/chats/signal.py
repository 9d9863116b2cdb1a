"""Conversations from Signal: its own export, the rows of Signal Desktop, signal-cli's, and those of signal-export.

Signal has written each of them line by line, or tools have; here they are a list of parsed values already.
"""

from collections.abc import Iterable, Iterator

from memory.formats.chats.said import (
    Message,
    at,
    conversation,
    epoch,
    field,
    iso,
    items,
    most,
    other,
    stem,
    string,
)
from memory.formats.pieces import Piece
from memory.speakers import USER

_FRAMES = ("chatItem", "recipient", "chat", "account")
_SERVICE = ("serviceId", "uuid", "e164", "id")  # that a sender is told by
_SOURCE = ("sourceServiceId", "sourceUuid", "source")


def read_signal(name: str, value: object) -> Iterator[Piece] | None:
    """Any of them; None where it is none."""
    values = value if isinstance(value, list) else items(value, "messages")
    if not values:
        return None
    talks: Iterable[tuple[str, Message]]
    if most(values, _is_frame) and any(map(_spoken, values)):
        talks = _framed(values)
    elif most(values, _is_envelope) and any(_message(_envelope(one)) for one in values):
        talks = _enveloped(values)
    elif most(values, _is_row):
        talks = _rows(values, items(value, "conversations"))
    elif most(values, _is_line):
        talks = (("", _line(one) if _is_line(one) else other(one)) for one in values)
    else:
        return None
    return _by_conversation(name, talks)


def _by_conversation(name: str, talks: Iterable[tuple[str, Message]]) -> Iterator[Piece]:
    """The messages of each conversation together; the first one that is spoken in comes first."""
    apart: dict[str, list[Message]] = {}
    for title, message in talks:
        apart.setdefault(title, []).append(message)
    for title, messages in apart.items():
        yield from conversation(title or stem(name), messages)


def _is_frame(value: object) -> bool:
    return any(isinstance(field(value, key), dict) for key in _FRAMES)


def _spoken(frame: object) -> bool:
    return isinstance(field(frame, "chatItem", "standardMessage", "text", "body"), str)


def _is_other(frame: object) -> bool:
    """Whether a line is none of the backup: in it each but the first holds one object."""
    if not isinstance(frame, dict):
        return True
    return "backupTimeMs" not in frame and not any(isinstance(inner, dict) for inner in frame.values())


def _framed(frames: list[object]) -> Iterator[tuple[str, Message]]:
    """The lines of main.jsonl: who there is, which chats, and what was said."""
    people = {_key(frame, "recipient", "id"): _recipient(field(frame, "recipient")) for frame in frames}
    chats = {_key(frame, "chat", "id"): people.get(_key(frame, "chat", "recipientId"), "") for frame in frames}
    for frame in frames:
        if _is_other(frame):
            yield "", other(frame)
            continue
        item = field(frame, "chatItem")
        if item is None:
            continue
        text = string(item, "standardMessage", "text", "body")
        who = people.get(_key(item, "authorId"), "")
        yield chats.get(_key(item, "chatId"), ""), at(epoch(field(item, "dateSent")), who, text)


def _key(value: object, *path: str) -> str:
    """A number that things are known by, which is written as a text or as a number."""
    found = field(value, *path)
    return str(found) if isinstance(found, int | str) else ""


def _recipient(recipient: object) -> str:
    if isinstance(field(recipient, "self"), dict):
        return USER
    contact = field(recipient, "contact")
    pairs = (
        (string(contact, "nickname", "given"), string(contact, "nickname", "family")),
        (string(contact, "systemGivenName"), string(contact, "systemFamilyName")),
        (string(contact, "profileGivenName"), string(contact, "profileFamilyName")),
    )
    names = [" ".join(filter(None, pair)) for pair in pairs]
    group = string(recipient, "group", "snapshot", "title", "title")
    return next(filter(None, (*names, string(contact, "username"), _key(contact, "e164"), group)), "")


def _is_envelope(value: object) -> bool:
    envelope = _envelope(value)
    if not isinstance(envelope, dict):
        return False
    return any(str(key).endswith("Message") and isinstance(inner, dict) for key, inner in envelope.items())


def _envelope(value: object) -> object:
    return field(value, "envelope") or field(value, "params", "envelope")


def _enveloped(values: list[object]) -> Iterator[tuple[str, Message]]:
    """What signal-cli receives: also what the user sent from another device."""
    for value in values:
        if not _is_envelope(value):
            yield "", other(value)
            continue
        envelope = _envelope(value)
        sent = field(envelope, "syncMessage", "sentMessage")
        message = _message(envelope)
        who = USER if sent else _first(envelope, ("sourceName", "sourceNumber", "source", "sourceUuid"))
        with_whom = _first(sent, ("destinationName", "destinationNumber", "destination")) if sent else who
        group = _first(field(message, "groupInfo"), ("groupName", "name", "groupId"))
        moment = epoch(field(message, "timestamp") or field(envelope, "timestamp"))
        yield group or with_whom, at(moment, who, string(message, "message"))


def _message(envelope: object) -> object:
    sent = field(envelope, "syncMessage", "sentMessage")
    return sent or field(envelope, "dataMessage") or field(envelope, "editMessage", "dataMessage")


def _first(value: object, keys: Iterable[str]) -> str:
    return next(filter(None, (string(value, key) for key in keys)), "")


def _is_row(value: object) -> bool:
    return _is_event(value) and isinstance(value, dict) and isinstance(value.get("body", 0), str | None)


def _is_event(value: object) -> bool:
    """Whether it is a row, also one of what happened without anybody saying anything."""
    timed = field(value, "sent_at") or field(value, "timestamp")
    return isinstance(field(value, "conversationId"), str) and bool(timed)


def _rows(rows: list[object], conversations: list[object]) -> Iterator[tuple[str, Message]]:
    """The rows of Signal Desktop's table of messages, and with them perhaps those of its conversations."""
    names: dict[str, str] = {}
    for one in conversations:
        name = _first(one, ("name", "profileFullName", "profileName", "e164"))
        names |= {string(one, key): name for key in _SERVICE if name and string(one, key)}
    for row in rows:
        if not (_is_row(row) or (_is_event(row) and string(row, "type"))):
            yield "", other(row)
            continue
        talk = names.get(string(row, "conversationId"), "")
        source = _first(row, _SOURCE)
        who = USER if string(row, "type") == "outgoing" else names.get(source) or talk or source
        moment = epoch(field(row, "sent_at") or field(row, "timestamp"))
        yield talk or string(row, "conversationId"), at(moment, who, string(row, "body"))


def _is_line(value: object) -> bool:
    said = isinstance(field(value, "sender"), str) and isinstance(field(value, "body"), str)
    listed = isinstance(field(value, "reactions"), list) or isinstance(field(value, "quote"), str)
    return said and listed and iso(field(value, "date")) is not None


def _line(value: object) -> Message:
    return at(iso(field(value, "date")), string(value, "sender"), string(value, "body"))
