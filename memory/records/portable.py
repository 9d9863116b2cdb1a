"""One user's records as plain data: numbered from 1 in each list, so that equal memories give equal data."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from memory.types import FactKind

# Converted here, where a time that UTC cannot express is still an OverflowError of its own.
_Time = Annotated[datetime, AfterValidator(lambda time: time.astimezone(UTC))]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PassageData(_Record):
    """A stretch of its source's text."""

    start: int
    end: int
    heading: str
    state: Literal["unread", "read", "skipped"]
    page: int = 0


class PlaceData(_Record):
    """Where a document lies; `version` counts those that came from there.

    `guessed` is whether only its wording says so, of an upload.
    """

    place: str
    version: int
    guessed: bool = False


class SourceData(_Record):
    """A source with its text; `passages` in their order."""

    kind: Literal["chat", "document"]
    name: str
    digest: str
    text: str
    added: _Time
    state: Literal["queued", "reading", "paused", "ready", "cancelled"]
    error: str
    passages: tuple[PassageData, ...]
    places: tuple[PlaceData, ...] = ()


class NameData(_Record):
    """A name, and the number of the source that uses it."""

    name: str
    source: int


class EntityData(_Record):
    """An entity; `name` is the one it goes by."""

    name: str
    names: tuple[NameData, ...]
    merged_into: int | None = None  # the number of the entity that it is one with
    merged_at: _Time | None = None
    apart_from: tuple[int, ...] = ()  # the numbers of earlier entities that the user took it apart from


class SupportData(_Record):
    """What a fact rests on: the number of a source, of a passage within it, and the place in the source's text; since
    when the fact is so by it, and whether that was still to come."""

    source: int
    passage: int
    start: int
    end: int
    since: _Time | None = None
    ahead: bool = False


class FactData(_Record):
    """A fact; `subject` and `object_entity` are numbers of entities."""

    kind: FactKind
    subject: int
    relation: str
    object: str
    object_entity: int | None
    learned: _Time
    valid_from: _Time | None
    valid_to: _Time | None
    closed_by: int | None = None  # the number of the fact that took its place
    closed_in: int | None = None  # the number of the source that says that one again, where only that closes this one
    once_closed_by: int | None = None  # … until the entities of the two were taken apart
    once_closed_in: int | None = None
    once_valid_to: _Time | None = None
    sources: tuple[SupportData, ...] = Field(min_length=1)


class MemoryData(_Record):
    """Everything that one user remembers."""

    sources: tuple[SourceData, ...]
    entities: tuple[EntityData, ...]
    facts: tuple[FactData, ...]
