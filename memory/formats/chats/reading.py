"""Conversations that people bring: the exports of messengers and of assistants.

Each conversation and each of its days is a heading, and each message a piece that says when and by whom it was said.
"""

import json
from collections.abc import Iterator
from itertools import chain

from memory.formats.chats.json_exports import read_chatgpt, read_claude, read_discord, read_slack, read_telegram
from memory.formats.chats.signal import read_signal
from memory.formats.chats.texts import read_text
from memory.formats.pieces import Piece

_JSON_READERS = (read_chatgpt, read_claude, read_slack, read_telegram, read_discord, read_signal)


def read_chat_json(name: str, value: object) -> Iterator[Piece] | None:
    """The conversations of an export that was parsed from JSON; None where it is none.

    Numbers may be numbers or texts. The name may have a folder before it, which for Slack is the channel.
    """
    found = (_if_said(reader(name, value)) for reader in _JSON_READERS)
    return next((pieces for pieces in found if pieces is not None), None)


def read_chat_text(name: str, text: str) -> Iterator[Piece] | None:
    """The conversations of an export that is text, or JSON line by line; None where it is none."""
    begin = text.lstrip("\ufeff \t\n")[:1] if text[:1] in "\ufeff \t\n" else text[:1]
    return read_chat_json(name, _values(text)) if begin == "{" else _if_said(read_text(name, text))


def _if_said(pieces: Iterator[Piece] | None) -> Iterator[Piece] | None:
    """The pieces, but None where nothing but headings is among them: a reader was mistaken then."""
    begin: list[Piece] = []
    for piece in pieces or ():
        begin.append(piece)
        if not piece.level:
            return chain(begin, pieces or ())
    return None


def _values(text: str) -> list[object]:
    """The values of the lines, those that are no JSON as they stand; none at all where the first one is none."""
    values: list[object] = []
    for line in text.strip("\ufeff \t\n").split("\n"):
        try:
            values.append(json.loads(line, parse_int=str, parse_float=str))
        except (ValueError, RecursionError):
            if not values:
                return []
            values.append(line)
    return values
