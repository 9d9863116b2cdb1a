"""What was forgotten, taken out of the saved conversations: out of what was said, and of the evidence of answers."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from sqlalchemy import Connection, Update, select, update

from memory.records.tables import conversations, messages

BLANK = "[…]"
_EVIDENCE = 8  # characters; a shorter string is no quotation


@dataclass(frozen=True, slots=True)
class Message:
    """A saved message as it was."""

    id: int
    content: str
    details: dict[str, object]


@dataclass(frozen=True, slots=True)
class Redacted:
    """The messages and the titles (by conversation) that were changed, as they were before."""

    messages: list[Message] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    conversations: set[str] = field(default_factory=set)


def redact(connection: Connection, user_id: int, texts: Iterable[str], values: Iterable[str]) -> Redacted:
    """Blank what was forgotten in a user's conversations.

    `texts` are the passages and sentences that went, and are blanked wherever they were said; evidence that quotes one
    goes. `values` are the names and values that went: common words among them, so they are blanked only in an answer
    that rested on such evidence, or that replied to such a message.
    """
    quotations = sorted({text.strip() for text in texts if text.strip()}, key=len, reverse=True)
    words = sorted({value.strip() for value in values if len(value.strip()) > 1}, key=len, reverse=True)
    before = Redacted()
    hit: dict[str, bool] = {}  # by conversation, whether its last message said it
    query = select(messages).where(messages.c.user_id == user_id).order_by(messages.c.id)
    for row in connection.execute(query).all():
        quoted = any(_quotes(held, quotations) for held in _strings(row.details))
        content = _blanked(row.content, quotations)
        said = content != row.content
        if row.role == "assistant" and (quoted or hit.get(row.conversation_id)):
            content = _blanked(content, words)
            said, quoted = True, True
        hit[row.conversation_id] = said
        if quoted or said:
            before.messages.append(Message(row.id, row.content, row.details))
            before.conversations.add(row.conversation_id)
            details = {} if quoted else row.details
            changed = update(messages).where(messages.c.id == row.id)
            connection.execute(changed.values(content=content, details=details))
    _redact_titles(connection, user_id, [*quotations, *words], before)
    return before


def restore(connection: Connection, user_id: int, before: Redacted) -> None:
    """Give messages and titles that are still there what they had."""
    for message in before.messages:
        same = update(messages).where(messages.c.user_id == user_id, messages.c.id == message.id)
        connection.execute(same.values(content=message.content, details=message.details))
    for conversation_id, title in before.titles.items():
        connection.execute(_conversation(user_id, conversation_id).values(title=title))


def _redact_titles(connection: Connection, user_id: int, gone: Collection[str], before: Redacted) -> None:
    own = select(conversations.c.id, conversations.c.title).where(conversations.c.user_id == user_id)
    for row in connection.execute(own).all():
        if row.id not in before.conversations:
            continue
        beginning = row.title.rstrip("…")
        title = BLANK if any(" ".join(text.split()).startswith(beginning) for text in gone) else row.title
        title = _blanked(title, gone)
        if title != row.title:
            before.titles[row.id] = row.title
            connection.execute(_conversation(user_id, row.id).values(title=title))


def _conversation(user_id: int, conversation_id: str) -> Update:
    return update(conversations).where(conversations.c.user_id == user_id, conversations.c.id == conversation_id)


def _quotes(held: str, quotations: Collection[str]) -> bool:
    return any(text in held or held in text for text in quotations)


def _blanked(text: str, gone: Iterable[str]) -> str:
    for forgotten in gone:
        text = text.replace(forgotten, BLANK)
    return text


def _strings(value: object) -> Iterator[str]:
    """The strings within a JSON value that are long enough to be evidence."""
    if isinstance(value, str):
        if len(value.strip()) > _EVIDENCE:
            yield value.strip()
        return
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _strings(part)
