"""One user's records as plain data, and back: numbered from 1 in each list, so that equal memories give equal data."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from sqlalchemy import ColumnElement, Connection, Row, Table, select, update

from memory.folding import fold
from memory.records import entities as entity_records
from memory.records import facts as fact_records
from memory.records import library, merging, tables
from memory.records import places as place_records
from memory.records.among import among
from memory.resolution import Named
from memory.types import FactKind, Passage, Span

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


class PlaceData(_Record):
    """Where a document lies; `version` counts those that came from there."""

    place: str
    version: int


class SourceData(_Record):
    """A source with its text; `passages` in their order."""

    kind: Literal["chat", "document"]
    name: str
    digest: str
    text: str
    added: _Time
    state: Literal["queued", "reading", "paused", "ready", "failed", "cancelled"]
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


class SupportData(_Record):
    """What a fact rests on: the number of a source, of a passage within it, and the place in the source's text."""

    source: int
    passage: int
    start: int
    end: int


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
    sources: tuple[SupportData, ...] = Field(min_length=1)


class MemoryData(_Record):
    """Everything that one user remembers."""

    sources: tuple[SourceData, ...]
    entities: tuple[EntityData, ...]
    facts: tuple[FactData, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a user's records: these facts and sources, by their numbers, and what they refer to."""

    facts: Collection[int]
    sources: Collection[int]


def take_out(connection: Connection, user_id: int, part: Part | None = None) -> MemoryData:
    """All of a user's records, or a part."""

    def rows(table: Table, chosen: ColumnElement[bool] | None = None) -> Any:
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.id)
        return connection.execute(query if chosen is None else query.where(chosen)).all()

    of_sources = None if part is None else among(tables.sources.c.id, part.sources)
    of_passages = None if part is None else among(tables.passages.c.source_id, part.sources)
    sources, passages = rows(tables.sources, of_sources), rows(tables.passages, of_passages)
    facts = rows(tables.facts, None if part is None else among(tables.facts.c.id, part.facts))
    ends = {end for fact in facts for end in (fact.subject_id, fact.object_id) if end is not None}
    of_entities = None if part is None else among(tables.entities.c.id, merging.everyone(connection, ends))
    entities = rows(tables.entities, of_entities)
    source_numbers, entity_numbers, fact_numbers = _numbers(sources), _numbers(entities), _numbers(facts)
    parts: dict[int, list[Any]] = defaultdict(list)
    for row in passages:
        parts[row.source_id].append(row)
    lying: dict[int, list[PlaceData]] = defaultdict(list)
    for row in connection.execute(select(tables.places).filter_by(user_id=user_id).order_by(tables.places.c.place)):
        lying[row.source_id].append(PlaceData(place=row.place, version=row.version))
    places = {row.id: (row.source_id, n) for held in parts.values() for n, row in enumerate(held, 1)}
    names: dict[int, list[NameData]] = defaultdict(list)
    used = select(tables.names).where(tables.names.c.user_id == user_id)
    for row in connection.execute(used.order_by(tables.names.c.source_id, tables.names.c.name)):
        if row.source_id not in source_numbers:
            continue
        names[row.entity_id].append(NameData(name=row.name, source=source_numbers[row.source_id]))
    supports: dict[int, list[SupportData]] = defaultdict(list)
    rests = select(tables.fact_sources).join(tables.facts, tables.facts.c.id == tables.fact_sources.c.fact_id)
    own = rests.where(tables.facts.c.user_id == user_id)
    for row in connection.execute(own.order_by(tables.fact_sources.c.id)):
        if row.fact_id not in fact_numbers:
            continue
        source_id, place = places[row.passage_id]
        support = SupportData(source=source_numbers[source_id], passage=place, start=row.start, end=row.end)
        supports[row.fact_id].append(support)
    return MemoryData(
        sources=tuple(
            SourceData(
                **_values(row, "kind", "name", "digest", "text", "added", "state", "error"),
                passages=tuple(
                    PassageData(**_values(part, "start", "end", "heading", "state")) for part in parts[row.id]
                ),
                places=tuple(lying[row.id]),
            )
            for row in sources
        ),
        entities=tuple(
            EntityData(
                **_values(row, "name", "merged_at"),
                names=tuple(names[row.id]),
                merged_into=entity_numbers.get(row.merged_into),
            )
            for row in entities
        ),
        facts=tuple(
            FactData(
                **_values(row, "kind", "relation", "object", "learned", "valid_from", "valid_to"),
                subject=entity_numbers[row.subject_id],
                object_entity=entity_numbers.get(row.object_id),
                closed_by=fact_numbers.get(row.closed_by),
                sources=tuple(supports[row.id]),
            )
            for row in facts
        ),
    )


def put_in(connection: Connection, user_id: int, data: MemoryData) -> list[int]:
    """Add records to a user's, those that are there already left out; the numbers of the facts that were new.

    A document is known by its bytes, a note also by its time, an entity by its name. Entities without facts stay out.

    Raises:
        KeyError: a number names no record.
        ValueError: a place is outside its text.
    """
    source_ids: dict[int, int] = {}
    passage_ids: dict[tuple[int, int], int] = {}
    for number, source in enumerate(data.sources, 1):
        source_ids[number] = _put_source(connection, user_id, source)
        _put_places(connection, user_id, source_ids[number], source)
        for part, passage in enumerate(source.passages, 1):
            passage_ids[number, part] = _put_passage(connection, user_id, source_ids[number], source.text, passage)
    used = {number for fact in data.facts for number in (fact.subject, fact.object_entity) if number is not None}
    entities = dict(enumerate(data.entities, 1))
    entity_ids = _put_entities(connection, user_id, entities, used, source_ids)
    for number, entity_id in entity_ids.items():  # to facts that are there already it was plain text
        entity_records.link_loose_objects(connection, user_id, entity_id, entities[number].name)
    _put_merges(connection, user_id, entities, entity_ids)
    fact_ids: dict[int, int] = {}
    added = []
    for number, fact in enumerate(data.facts, 1):
        supports = [
            fact_records.Support(
                passage_ids[rest.source, rest.passage], _span(rest, data.sources[rest.source - 1].text)
            )
            for rest in fact.sources
        ]
        new = fact_records.NewFact(
            kind=fact.kind,
            subject_id=entity_ids[fact.subject],
            relation=fact.relation,
            object=fact.object,
            object_id=None if fact.object_entity is None else entity_ids[fact.object_entity],
            learned=fact.learned,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
        )
        fact_id, is_new = fact_records.add_fact(connection, user_id, new, supports)
        fact_ids[number] = fact_id
        added += [fact_id] if is_new else []
    for number, fact in enumerate(data.facts, 1):
        if fact.valid_to is not None:
            closed = {"valid_to": fact.valid_to, "closed_by": fact_ids[fact.closed_by] if fact.closed_by else None}
            still_open = (tables.facts.c.id == fact_ids[number]) & tables.facts.c.closed_by.is_(None)
            connection.execute(update(tables.facts).where(still_open).values(closed))
    entity_records.reindex_entities(connection, user_id, entity_ids.values())
    fact_records.index_facts(connection, user_id, fact_records.facts_by_id(connection, added).values())
    return added


def _numbers(rows: Sequence[Row[Any]]) -> dict[int, int]:
    return {row.id: number for number, row in enumerate(rows, 1)}


def _values(row: Row[Any], *columns: str) -> dict[str, Any]:
    return {column: getattr(row, column) for column in columns}


def _put_source(connection: Connection, user_id: int, source: SourceData) -> int:
    same = select(tables.sources.c.id).filter_by(user_id=user_id, kind=source.kind, digest=source.digest)
    if source.kind == library.CHAT:
        same = same.where(tables.sources.c.added == source.added)
    known: int | None = connection.execute(same.limit(1)).scalar_one_or_none()
    if known is not None:
        _put_back_words(connection, user_id, known, source.text)
        return known
    new = library.NewSource(**source.model_dump(exclude={"passages", "places"}))
    return library.add_source(connection, user_id, new)


def _put_places(connection: Connection, user_id: int, source_id: int, source: SourceData) -> None:
    for lies in source.places:
        place_records.keep(connection, user_id, source_id, lies.place, lies.version)
    if source.kind == library.DOCUMENT and not source.places:  # from before places were kept
        place_records.keep(connection, user_id, source_id, place_records.own_place(source.digest), 1)


def _put_back_words(connection: Connection, user_id: int, source_id: int, text: str) -> None:
    """Give a source the words again that were blanked in it when a fact was forgotten."""
    source = tables.sources
    blanked = (source.c.id == source_id) & (source.c.text != text)
    if connection.execute(update(source).where(blanked).values(text=text)).rowcount:
        own = select(tables.passages).where(tables.passages.c.source_id == source_id)
        for row in connection.execute(own).all():
            library.rewrite_passage(connection, user_id, row.id, row.heading, text[row.start : row.end])


def _put_passage(connection: Connection, user_id: int, source_id: int, text: str, passage: PassageData) -> int:
    span = _span(passage, text)
    same = select(tables.passages.c.id).filter_by(source_id=source_id, start=span.start, end=span.end)
    known: int | None = connection.execute(same).scalar_one_or_none()
    if known is not None:
        return known
    part = Passage(text[span.start : span.end], span, passage.heading)
    return library.add_passage(connection, user_id, source_id, part, passage.state)


def _span(place: PassageData | SupportData, text: str) -> Span:
    if not 0 <= place.start < place.end <= len(text):
        raise ValueError(f"There are no characters {place.start} to {place.end} in a text of {len(text)}.")
    return Span(place.start, place.end)


def _put_entities(
    connection: Connection,
    user_id: int,
    entities: dict[int, EntityData],
    used: Collection[int],
    source_ids: dict[int, int],
) -> dict[int, int]:
    """The entities' ids by their numbers; namesakes stay apart.

    Those that no fact uses are there for what was merged only: they are known already, or stay out.
    """
    known = entity_records.own_named(connection, user_id, {fold(entity.name) for entity in entities.values()})
    free = {name: list(ids) for name, ids in known.items()}
    entity_ids: dict[int, int] = {}
    for number, entity in sorted(entities.items(), key=lambda item: item[0] in used):
        same = free.get(fold(entity.name))
        if not same and number not in used:
            continue
        entity_ids[number] = same.pop(0) if same else entity_records.add_entity(connection, user_id, entity.name)
        for name in entity.names:
            entity_records.add_names(connection, user_id, entity_ids[number], Named(name.name), source_ids[name.source])
    return entity_ids


def _put_merges(
    connection: Connection, user_id: int, entities: dict[int, EntityData], entity_ids: dict[int, int]
) -> None:
    """Merge what was merged, where it stands alone."""
    for number, entity_id in entity_ids.items():
        entity = entities[number]
        if entity.merged_into not in entity_ids or entity.merged_at is None:
            continue
        into_id, merged = entity_ids[entity.merged_into], merging.merged(connection, user_id)
        if entity_id not in merged and merged.get(into_id, into_id) != entity_id:
            group = merging.merge(connection, entity_id, into_id, entity.merged_at)
            fact_records.reindex_facts_of(connection, user_id, group)
