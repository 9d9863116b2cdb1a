"""Conversations that came as JSON: with assistants, from Slack, Telegram and Discord.

Each reader takes a parsed value and gives None where that is no export of its kind.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import PurePath

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
from memory.speakers import ASSISTANT, USER

_TOLD_BY = 3  # nodes of a tree that are looked at
_SPOKEN = ("text", "multimodal_text", "")  # not what the model thinks, calls or looks up
_SLACK_TIME = re.compile(r"\d{9,11}\.\d{1,9}")
_SLACK_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SLACK_MARK = re.compile(r"<([@#!]?)([^<>|\n]*)(?:\|([^<>\n]*))?>")
_SLACK_BOLD = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])")
_SLACK_SAID = ("", "bot_message", "thread_broadcast", "file_share", "me_message", "file_comment")


def read_chatgpt(name: str, value: object) -> Iterator[Piece] | None:
    """ChatGPT's conversations.json, or one conversation of it."""
    talks = value if isinstance(value, list) else [value]
    if not any(field(talk, "mapping") for talk in talks) or not most(talks, _is_tree):
        return None
    return (piece for talk in talks for piece in _tree_pieces(name, talk))


def _is_tree(talk: object) -> bool:
    nodes = field(talk, "mapping")
    if not isinstance(nodes, dict):
        return False
    return all(map(_is_node, islice(nodes.values(), _TOLD_BY)))


def _is_node(node: object) -> bool:
    if not isinstance(node, dict) or not {"message", "parent"} <= node.keys():
        return False
    return node["message"] is None or bool(string(node, "message", "author", "role"))


def _tree_pieces(name: str, talk: object) -> Iterator[Piece]:
    nodes = field(talk, "mapping")
    if not isinstance(nodes, dict):
        return conversation(stem(name), [other(talk)])
    began = epoch(field(talk, "create_time"))
    messages = (_tree_message(field(node, "message"), began) for node in _way(nodes, field(talk, "current_node")))
    return conversation(string(talk, "title") or stem(name), filter(None, messages), apart=True)


def _way(nodes: dict[str, object], last: object) -> list[object]:
    """The nodes from the first to the last one; where that is unknown, all of them in the order of their times."""
    way: list[object] = []
    seen: set[str] = set()
    while isinstance(last, str) and last in nodes and last not in seen:
        seen.add(last)
        way.append(nodes[last])
        last = field(nodes[last], "parent")
    if way:
        return way[::-1]
    times: list[tuple[float, object]] = []
    latest = 0.0
    for node in nodes.values():
        moment = epoch(field(node, "message", "create_time"))
        latest = moment.timestamp() if moment else latest
        times.append((latest, node))
    return [node for _, node in sorted(times, key=lambda timed: timed[0])]


def _tree_message(message: object, began: datetime | None) -> Message | None:
    who = {"user": USER, "assistant": ASSISTANT}.get(string(message, "author", "role"))
    spoken = string(message, "content", "content_type") in _SPOKEN and string(message, "recipient") in ("", "all")
    hidden = field(message, "metadata", "is_visually_hidden_from_conversation") is True
    if who is None or not spoken or hidden:
        return None
    parts = (part if isinstance(part, str) else string(part, "text") for part in items(message, "content", "parts"))
    return at(epoch(field(message, "create_time")) or began, who, "\n".join(filter(None, parts)))


def read_claude(name: str, value: object) -> Iterator[Piece] | None:
    """Claude's conversations.json, or one conversation of it."""
    talks = value if isinstance(value, list) else [value]
    if not talks or not most(talks, _is_claude):
        return None
    return (
        piece
        for talk in talks
        for piece in conversation(string(talk, "name") or stem(name), _claude_messages(talk), apart=True)
    )


def _is_claude(talk: object) -> bool:
    if not isinstance(field(talk, "chat_messages"), list):
        return False
    some = items(talk, "chat_messages")[:_TOLD_BY]
    return not some or any(map(_is_claude_message, some))


def _is_claude_message(message: object) -> bool:
    words = isinstance(field(message, "text"), str) or isinstance(field(message, "content"), list)
    return bool(string(message, "sender")) and words


def _claude_messages(talk: object) -> Iterable[Message]:
    if not isinstance(field(talk, "chat_messages"), list):
        return [other(talk)]
    return (
        _claude_message(message) if _is_claude_message(message) else other(message)
        for message in items(talk, "chat_messages")
    )


def _claude_message(message: object) -> Message:
    sender = string(message, "sender")
    said = (string(part, "text") for part in items(message, "content") if string(part, "type") in ("text", ""))
    text = "\n".join(filter(None, said)) or string(message, "text")
    who = {"human": USER, "assistant": ASSISTANT}.get(sender, sender)
    return at(iso(field(message, "created_at")), who, text)


def read_slack(name: str, value: object) -> Iterator[Piece] | None:
    """A day of a channel, as Slack exports it; what answers in a thread follows on what it answers."""
    if not isinstance(value, list) or not value or not most(value, _is_slack):
        return None
    channel = PurePath(name).parent.name
    title = channel or ("Slack" if _SLACK_DAY.fullmatch(stem(name)) else stem(name))
    return conversation(title, _slack_messages(value))


def _is_slack(message: object) -> bool:
    a_message = string(message, "type") == "message" and isinstance(field(message, "text"), str)
    return a_message and _SLACK_TIME.fullmatch(string(message, "ts")) is not None


def _slack_messages(values: list[object]) -> Iterator[Message]:
    messages = [value for value in values if _is_slack(value)]
    names = {string(message, "user"): _slack_name(message) for message in messages if _slack_name(message)}
    first = {string(message, "ts"): message for message in reversed(messages) if not _answers(message)}
    answers: dict[str, list[object]] = {}
    for message in messages:
        if _answers(message) in first:
            answers.setdefault(_answers(message), []).append(message)
    for message in values:
        if not _is_slack(message):
            yield other(message)
            continue
        if _answers(message) in first:
            continue
        yield _slack_message(message, names)
        for answer in answers.pop(string(message, "ts"), ()):
            yield _slack_message(answer, names, message)


def _answers(message: object) -> str:
    """The time of the message that begins the thread in which this one is an answer."""
    thread = string(message, "thread_ts")
    return thread if thread != string(message, "ts") else ""


def _slack_name(message: object) -> str:
    profile = field(message, "user_profile")
    names = (string(profile, key) for key in ("real_name", "display_name", "name"))
    return next(filter(None, names), "")


def _slack_who(message: object, names: dict[str, str]) -> str:
    user = string(message, "user")
    return names.get(user) or string(message, "username") or string(message, "bot_profile", "name") or user


def _slack_message(message: object, names: dict[str, str], answered: object = None) -> Message:
    who = _slack_who(message, names) if string(message, "subtype") in _SLACK_SAID else ""
    if who and answered is not None:
        who += f" (replying to {_slack_who(answered, names) or 'the above'})"
    text = string(message, "text")
    if not text.strip():
        shown = items(message, "attachments")
        text = "\n".join(filter(None, (string(one, "text") or string(one, "fallback") for one in shown)))
    return at(epoch(field(message, "ts")), who, _slack_text(text, names))


def _slack_text(text: str, names: dict[str, str]) -> str:
    """The text as Slack shows it: names for their marks, links behind what stands for them."""
    text = _SLACK_MARK.sub(lambda mark: _slack_mark(mark[1], mark[2], mark[3] or "", names), text)
    text = _SLACK_BOLD.sub(r"\1", text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _slack_mark(kind: str, target: str, label: str, names: dict[str, str]) -> str:
    if kind == "@":
        return f"@{names.get(target) or label or target}"
    if kind == "#":
        return f"#{label or target}"
    if kind == "!":
        return label or f"@{target}"
    address = target.removeprefix("mailto:")
    return address if not label or label in address else f"{label} ({address})"


def read_telegram(name: str, value: object) -> Iterator[Piece] | None:
    """Telegram's result.json, of one chat or of all."""
    chats = [value, *items(value, "chats", "list"), *items(value, "left_chats", "list")]
    chats = [chat for chat in chats if _is_telegram(chat)]
    if not chats:
        return None
    return (
        piece
        for chat in chats
        for piece in conversation(
            string(chat, "name") or stem(name), filter(None, map(_telegram_message, items(chat, "messages")))
        )
    )


def _is_telegram(chat: object) -> bool:
    messages = items(chat, "messages")
    return bool(messages) and most(messages, _is_telegram_message)


def _is_telegram_message(message: object) -> bool:
    a_message = string(message, "type") in ("message", "service")
    return a_message and isinstance(field(message, "text"), str | list) and iso(field(message, "date")) is not None


def _telegram_message(message: object) -> Message | None:
    if string(message, "type") == "service":
        return None
    if string(message, "type") != "message" or not isinstance(field(message, "text"), str | list):
        return other(message)
    text = _telegram_text(field(message, "text")) or _telegram_text(field(message, "text_entities"))
    who = string(message, "from") or string(message, "from_id")
    source = string(message, "forwarded_from")
    if source:
        who = f"{who} (forwarded from {source})" if who else f"forwarded from {source}"
    return at(iso(field(message, "date")), who, text)


def _telegram_text(text: object) -> str:
    if isinstance(text, list):
        return "".join(part if isinstance(part, str) else string(part, "text") for part in text)
    return text if isinstance(text, str) else ""


def read_discord(name: str, value: object) -> Iterator[Piece] | None:
    """A channel, as DiscordChatExporter writes it."""
    messages = items(value, "messages")
    if not messages or not most(messages, _is_discord):
        return None
    channel, guild = string(value, "channel", "name"), string(value, "guild", "name")
    title = f"{channel} ({guild})" if channel and guild else channel or guild or stem(name)
    return conversation(title, map(_discord_message, messages))


def _is_discord(message: object) -> bool:
    an_author = string(message, "author", "name") and isinstance(field(message, "content"), str)
    return bool(an_author) and iso(field(message, "timestamp")) is not None


def _discord_message(message: object) -> Message:
    if not isinstance(field(message, "content"), str):
        return other(message)
    who, nickname = string(message, "author", "name"), string(message, "author", "nickname")
    if who and nickname and nickname != who:
        who = f"{who} ({nickname})"
    return at(iso(field(message, "timestamp")), who or nickname, string(message, "content"))
