"""What is remembered, where it came from, and what memory needs of others.

KnowledGPT, section 3.3: knowledge is kept in three forms: entity descriptions, relation triples and entity-aspect
texts. Here all three are a `Fact`; its `kind` tells which. A passage of a document is kept too, so that what extraction
missed can still be found.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory.errors import Failure

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns text into unit vectors; one model a memory."""

    @property
    def name(self) -> str:
        """Names model and version; stored with the vectors, which are never mixed with another model's."""

    @property
    def size(self) -> int:
        """The number of dimensions."""

    def query(self, texts: Sequence[str]) -> Vectors:
        """Embed questions; shape (len(texts), size), rows of length 1."""

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Embed what is searched; shape (len(texts), size), rows of length 1."""


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` (included) to `end` (not included) of a source's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a source, whole sentences, with the headings above it as context, and the page that it begins on.

    Pages count from 1; 0 is that of what has none.
    """

    text: str
    span: Span
    heading: str = ""
    page: int = 0


class FactKind(StrEnum):
    """The three forms of knowledge of KnowledGPT, section 3.3."""

    DESCRIPTION = "description"
    TRIPLE = "triple"
    ASPECT = "aspect"


@dataclass(frozen=True, slots=True)
class Held:
    """When something is so, as whoever read of it tells: since and until when; nobody says of either that it is None.

    `until` is never ahead. `ahead` is what is still to come, or may never. What is told `within` a time ("lived there
    in 2012") began or happened then, and nobody says whether it goes on: it ends nothing else.
    """

    since: datetime | None = None
    until: datetime | None = None
    ahead: bool = False
    within: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """One piece of knowledge extracted from a passage, before entities are resolved.

    `relation` is "description" for a description, the aspect's name for an aspect; `object` is then the text itself.
    `span` counts in the passage's text and points at what supports the statement. `denied` is what is known and is not
    so any more, or never was, `held` is when a triple is so, and `ends` are the ids of other facts that hold no more
    with the statement.
    """

    kind: FactKind
    subject: str
    relation: str
    object: str
    span: Span
    denied: bool = False
    held: Held = Held()
    ends: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity as a passage names it; `aliases` are its other names there."""

    name: str
    aliases: tuple[str, ...] = ()


# The entity that a user is in their own memory.
THE_USER = Mention("the user", ("I", "me", "my", "user", "我", "用户"))


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read out of one passage; `dropped` counts what the passage did not support.

    `tokens` is what that cost the model: prompt tokens that it had not cached, and generated ones.
    """

    mentions: tuple[Mention, ...] = ()
    statements: tuple[Statement, ...] = ()
    dropped: int = 0
    tokens: int = 0


class Extractor(Protocol):
    """Reads knowledge out of a passage; `assistant.remembering` implements it with a language model."""

    def extract(self, passage: Passage, title: str) -> Extraction:
        """Read one passage of the source called `title`.

        Raises:
            Interrupted: a turn goes first; call again afterwards.
            Unavailable: the model cannot be reached; call again later.
            Failure: nothing can be read out of this passage.
        """


class Matcher(Protocol):
    """Tells whether two entities are one; `assistant.remembering.matching` implements it with a language model."""

    def are_one(self, short: str, long: str) -> bool:
        """Whether it is sure that they are, going by what is known of each, the one of the shorter name first.

        That is a line each: its name, and as much more as there is, with " | " in between.

        Raises:
            Interrupted: a turn goes first; call again afterwards.
            Unavailable: the model cannot be reached; call again later.
        """


@dataclass(frozen=True, slots=True)
class Source:
    """Where knowledge came from: a document, or something that the user said (`kind` "chat")."""

    id: str
    kind: str
    name: str
    digest: str
    added: datetime
    characters: int
    state: str  # "queued", "reading", "paused", "ready", "cancelled"
    passages: int = 0
    passages_read: int = 0
    facts: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity of the personal memory."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    facts: int = 0


@dataclass(frozen=True, slots=True)
class Merge:
    """That an entity was found to be one with another (`into`), whose name both go by since; `id` takes it back."""

    id: str
    entity_id: str
    name: str
    into_id: str
    into: str
    at: datetime


NEVER = datetime(1, 1, 1, tzinfo=UTC)  # when what was a mistake ended, where nobody said when it began


@dataclass(frozen=True, slots=True)
class Fact:
    """A remembered statement with its two times: when it held, and when it was learned.

    `object_id` is set where the object is itself a known entity. `text` is the supporting stretch of the source.
    A fact is closed (`valid_to`), never overwritten; one that was a mistake ended before it began.
    """

    id: str
    kind: FactKind
    subject_id: str
    subject: str
    relation: str
    object: str
    object_id: str | None
    text: str
    source_id: str
    source: str
    span: Span
    learned: datetime
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    @property
    def mistaken(self) -> bool:
        """Whether it never held, and was put right."""
        return self.valid_to is not None and self.valid_to <= (self.valid_from or NEVER)


@dataclass(frozen=True, slots=True)
class Recalled:
    """One hit of `recall`: a fact, or a passage (then `fact` is None) with its heading and page.

    `score` is higher for better.
    """

    text: str
    source_id: str
    source: str
    span: Span
    score: float
    fact: Fact | None = None
    passage_id: str | None = None
    heading: str = ""
    page: int = 0

    @property
    def id(self) -> str:
        """That of the fact or of the passage."""
        return self.fact.id if self.fact else str(self.passage_id)


@dataclass(frozen=True, slots=True)
class Stored:
    """What one `remember` did: new facts, facts that gained a source, facts that were closed by a newer one."""

    added: tuple[Fact, ...] = ()
    confirmed: tuple[Fact, ...] = ()
    closed: tuple[Fact, ...] = ()
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How much went from where; `undo_id` brings it back, for a while.

    `kept_by` are the facts for whose sake a sentence stays that says what went: it has no words of its own there.
    `naming` sentences stay although they have a name of what went, or the words that told it: it is a common word, or a
    longer sentence, and there may say something else.
    """

    facts: int = 0
    entities: int = 0
    passages: int = 0
    sources: int = 0
    vectors: int = 0
    sessions: int = 0
    undo_id: str = ""
    kept_by: tuple[Fact, ...] = ()
    naming: int = 0


class StillOnDisk(Failure):
    """It is forgotten, as `forgotten` says, but could not be removed from the disk yet; that is tried again."""

    def __init__(self, line: str, forgotten: Forgotten) -> None:
        super().__init__(line)
        self.forgotten = forgotten


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """What memory holds; `waiting` counts records that are not in the vector index yet.

    `unswept` says that vectors of what was forgotten still lie in the index's files; they go in the background. `lost`
    says that the index was damaged, and is still being filled again.
    """

    users: int
    facts: int
    passages: int
    vectors: int
    waiting: int
    agrees: bool  # whether the vector index holds exactly what the records say
    unswept: bool = False
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the ingestion of one source is.

    `seconds_left` is None until it can be estimated, while the source is paused, and while nothing is read, as
    `message` then says; `tokens_left` is what the rest will cost the model, about. `replaces` are the documents in
    whose place it comes, until the user keeps both.
    """

    source: Source
    done: int
    total: int
    seconds_left: float | None = None
    message: str = ""
    tokens_left: int = 0
    replaces: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedMessage:
    """One message of a saved conversation; `details` is whatever the page needs to show it again, as JSON values."""

    role: str
    content: str
    at: datetime
    details: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A saved conversation in a list."""

    id: str
    title: str
    updated: datetime
    messages: int
