"""What was forgotten, taken out of the saved conversations: out of what was said, and of the evidence of answers."""

import re
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, Update, delete, insert, select, update

from memory.mentions import Finder, is_proper, saying
from memory.passages import sentences
from memory.records.among import among
from memory.records.tables import conversations, facts, messages, names, user_state
from memory.sessions import THUMBS
from memory.spelling import Phrases, keys_of, words_of
from memory.types import Span

BLANK = "[…]"
_LOST = "lost"  # in the details of a message that lost something, the numbers of the sources that this was told in
_EVIDENCE = 8  # characters; a shorter string is no quotation
_SENTENCE = 3  # words; of less, only a sentence that is the very same is what was forgotten
_NUMBER = re.compile(r"\d")
_ANY_NUMBER = re.compile(r"\d{1,3}")  # alone, it may count anything, and is a citation's
# 5200 is somebody's salary; 12 may be anything, and so may 2019 and the days of that year.
_TELLING_NUMBER = re.compile(r"(?!(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)?$)\d{4,}")


@dataclass(frozen=True, slots=True)
class Message:
    """A saved message as it was."""

    id: int
    content: str
    details: dict[str, object]


@dataclass(frozen=True, slots=True)
class Redacted:
    """Messages and titles (by conversation) that were changed, as they were before, and the thumbs that went."""

    messages: list[Message] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    thumbs: dict[str, dict[str, object]] = field(default_factory=dict)
    conversations: set[str] = field(default_factory=set)

    def add(self, more: "Redacted") -> None:
        """Hold what was changed later, too."""
        self.messages.extend(more.messages)
        self.titles.update(more.titles)
        for conversation_id, thumbs in more.thumbs.items():
            self.thumbs.setdefault(conversation_id, {}).update(thumbs)
        self.conversations.update(more.conversations)


@dataclass(frozen=True, slots=True)
class Redaction:
    """What was blanked, so that it can be blanked again: the arguments of `redact`, and `before`, what came of it."""

    texts: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    sources: set[int] = field(default_factory=set)
    before: Redacted = field(default_factory=Redacted)

    def apply(self, connection: Connection, user_id: int) -> Redacted:
        """Blank it, or what of it was said again by an undo; what was changed, for `before` once that is certain."""
        said = self.texts, self.values, self.said
        if not any(said):
            return Redacted()
        return redact(connection, user_id, *said, others=self.others, sources=self.sources)


def redact(
    connection: Connection,
    user_id: int,
    texts: Iterable[str],
    values: Iterable[str],
    said: Iterable[str] = (),
    *,
    others: Iterable[str] = (),
    sources: Collection[int] = (),
) -> Redacted:
    """Blank what was forgotten in a user's conversations.

    `texts` are the passages and sentences that went, and are blanked wherever they were said; evidence that
    quotes one goes. So are the phrases `said`, as whole words. `values` are the names and values that went: common
    words among them, so they are blanked only in an answer that rested on such evidence, or that came after such a
    message, also where that lost its words when something else of the same `sources` (by number) was forgotten. In what
    the user said then, only proper names and numbers are; a number of four digits or more, and no year, wherever the
    user said it. What other facts still say stays there. Within `others`, longer names, phrases and values stay. A
    thumb on a question that says any of it goes.
    """
    values = set(values)
    gone = _Gone(texts, values, said, others, _still_said(connection, user_id, values))
    before = Redacted()
    told: set[str] = set()  # the conversations where it was, so far
    query = select(messages).where(messages.c.user_id == user_id).order_by(messages.c.id)
    for row in connection.execute(query).all():
        content = gone.blanked(row.content)
        quoted = any(map(gone.quoted_by, _strings(row.details)))
        lost = row.details.get(_LOST, [])
        if quoted or not set(lost).isdisjoint(sources):
            told.add(row.conversation_id)
        concerned = row.conversation_id in told
        if row.role == "assistant" and concerned:
            content = gone.without_values(content)
            quoted = quoted or any(map(gone.valued, _strings(row.details)))
        elif row.role == "user":
            content = gone.without_telling_values(content, concerned=concerned)
        if quoted or content != row.content:
            before.messages.append(Message(row.id, row.content, row.details))
            before.conversations.add(row.conversation_id)
            told.add(row.conversation_id)
            details = {**({} if quoted else row.details), _LOST: sorted({*lost, *sources})}
            connection.execute(update(messages).where(messages.c.id == row.id).values(content=content, details=details))
    _redact_titles(connection, user_id, gone, told, before)
    _redact_thumbs(connection, user_id, gone, told, before)
    return before


class _Gone:
    """What was forgotten, as it is looked for."""

    def __init__(
        self,
        texts: Iterable[str],
        values: Set[str],
        said: Iterable[str],
        others: Iterable[str],
        still_said: Set[str],
    ) -> None:
        self.texts = sorted({text.strip() for text in texts if text.strip()}, key=len, reverse=True)
        self._long = [text for text in self.texts if len(words_of(text)) >= _SENTENCE]
        self._sentences = Phrases(self._long)
        self._short = {tuple(keys_of(text)) for text in set(self.texts).difference(self._long)} - {()}
        self._values = values
        self._others = set(others)
        self._said = saying(said, self._others, surely=True)
        alone = values - still_said
        self._names = {value for value in alone if is_proper(value)}
        numbers = {value for value in alone if _NUMBER.search(value) and not _ANY_NUMBER.fullmatch(value)}
        telling = {key for value in numbers for key in keys_of(value) if _TELLING_NUMBER.fullmatch(key)}
        self._numbers = Phrases(telling | numbers)
        self._telling = Phrases(telling.union(value for value in numbers if telling.intersection(keys_of(value))))

    def blanked(self, content: str) -> str:
        for text in self._long:
            content = content.replace(text, BLANK)
        for span in reversed(self._short_in(content)):
            content = content[: span.start] + BLANK + content[span.end :]
        return _blanked(self._sentences.blanked(content, BLANK), self._said)

    def without_values(self, content: str) -> str:
        """What was answered, without the values."""
        content = self._numbers.blanked(content, BLANK)
        return _blanked(content, self.valued(content))

    def without_telling_values(self, content: str, *, concerned: bool) -> str:
        """What the user said, without those values that are no common words."""
        if not concerned:
            return self._telling.blanked(content, BLANK)
        found = saying((name for name in self._names if name in content), self._others)
        return _blanked(self._numbers.blanked(content, BLANK), found)

    def quoted_by(self, held: str) -> bool:
        """Whether a piece of evidence quotes what is gone, or is a part of it."""
        quotes = len(held) > _EVIDENCE and (
            any(text in held for text in self._long) or any(held in text for text in self.texts)
        )
        return quotes or bool(self._short_in(held)) or bool(self._said and self._said.search(held))

    def _short_in(self, text: str) -> list[Span]:
        """The sentences of a text that are one of the short ones, and not just say its words."""
        spans = sentences(text, 0, len(text)) if self._short else ()
        return [span for span in spans if tuple(keys_of(text[span.start : span.end])) in self._short]

    def valued(self, text: str) -> Finder | None:
        """What finds the names and values in a text; None where it has none."""
        return saying((value for value in self._values if value in text), self._others)


def restore(connection: Connection, user_id: int, before: Redacted) -> None:
    """Give messages and titles that are still there what they had."""
    for message in before.messages:
        same = update(messages).where(messages.c.user_id == user_id, messages.c.id == message.id)
        connection.execute(same.values(content=message.content, details=message.details))
    for conversation_id, title in before.titles.items():
        connection.execute(_conversation(user_id, conversation_id).values(title=title))
    there = select(conversations.c.id).where(conversations.c.user_id == user_id)
    for conversation_id in before.thumbs.keys() & set(connection.execute(there).scalars()):
        own = _thumbs(user_id) & (user_state.c.name == THUMBS + conversation_id)
        since = connection.execute(delete(user_state).where(own).returning(user_state.c.value)).scalar_one_or_none()
        thumbs = {**before.thumbs[conversation_id], **(since or {})}
        row = {"user_id": user_id, "name": THUMBS + conversation_id, "value": thumbs}
        connection.execute(insert(user_state).values(row))


def _still_said(connection: Connection, user_id: int, values: Set[str]) -> set[str]:
    """Those of the values that a fact or an entity which stays has."""
    objects = select(facts.c.object).where(facts.c.user_id == user_id, among(facts.c.object, values))
    called = select(names.c.name).where(names.c.user_id == user_id, among(names.c.name, values))
    return {value for query in (objects, called) for value in connection.execute(query).scalars()}


def _redact_titles(connection: Connection, user_id: int, gone: _Gone, told: Set[str], before: Redacted) -> None:
    own = select(conversations.c.id, conversations.c.title).where(conversations.c.user_id == user_id)
    for row in connection.execute(own).all():
        if row.id not in told:
            continue
        beginning = row.title.rstrip("…")
        title = BLANK if any(" ".join(text.split()).startswith(beginning) for text in gone.texts) else row.title
        title = gone.without_values(gone.blanked(title))
        if title != row.title:
            before.titles[row.id] = row.title
            connection.execute(_conversation(user_id, row.id).values(title=title))


def _redact_thumbs(connection: Connection, user_id: int, gone: _Gone, told: Set[str], before: Redacted) -> None:
    for row in connection.execute(select(user_state.c.name, user_state.c.value).where(_thumbs(user_id))).all():
        conversation_id = row.name.removeprefix(THUMBS)
        concerned = conversation_id in told
        kept = {
            place: thumb
            for place, thumb in row.value.items()
            if not any(gone.quoted_by(held) or (concerned and gone.valued(held)) for held in _strings(thumb))
        }
        if kept != row.value:
            before.thumbs[conversation_id] = {at: thumb for at, thumb in row.value.items() if at not in kept}
            own = _thumbs(user_id) & (user_state.c.name == row.name)
            changed = update(user_state).where(own).values(value=kept) if kept else delete(user_state).where(own)
            connection.execute(changed)


def _thumbs(user_id: int) -> ColumnElement[bool]:
    return (user_state.c.user_id == user_id) & user_state.c.name.startswith(THUMBS)


def _conversation(user_id: int, conversation_id: str) -> Update:
    return update(conversations).where(conversations.c.user_id == user_id, conversations.c.id == conversation_id)


def _blanked(text: str, gone: Finder | None) -> str:
    return gone.sub(lambda _: BLANK, text) if gone else text


def _strings(value: object) -> Iterator[str]:
    """The strings within a JSON value."""
    if isinstance(value, str):
        yield value.strip()
        return
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _strings(part)
