"""A user's records, or some of them, as plain data."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, select

from memory.records import merging, tables
from memory.records.among import among
from memory.records.portable import (
    EntityData,
    FactData,
    MemoryData,
    NameData,
    PassageData,
    PlaceData,
    SourceData,
    SupportData,
)


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a user's records: these facts and sources, by their numbers, and what they refer to."""

    facts: Collection[int]
    sources: Collection[int]


@dataclass(frozen=True, slots=True)
class Taken:
    """A part as plain data; the numbers that its records had, list by list, in their order; none of what is others'."""

    data: MemoryData
    entity_ids: tuple[int, ...] = ()
    source_ids: tuple[int, ...] = ()
    fact_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """What of a part is still there: texts of sources, by number; objects of facts in their order, None of one gone."""

    texts: dict[int, str]
    objects: tuple[str | None, ...]


def take_out(connection: Connection, user_id: int) -> MemoryData:
    """All of a user's records."""
    return _taken(connection, user_id, None).data


def take_part(connection: Connection, user_id: int, part: Part) -> Taken:
    """A part of a user's records."""
    return _taken(connection, user_id, part)


def left_of(connection: Connection, taken: Taken) -> Left:
    """What is there now of what was taken out."""
    own = select(tables.sources.c.id, tables.sources.c.text).where(among(tables.sources.c.id, taken.source_ids))
    said = select(tables.facts.c.id, tables.facts.c.object).where(among(tables.facts.c.id, taken.fact_ids))
    objects = {row.id: row.object for row in connection.execute(said)}
    texts = {row.id: row.text for row in connection.execute(own)}
    return Left(texts, tuple(map(objects.get, taken.fact_ids)))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of one user, by their numbers."""

    sources: Sequence[Row[Any]]
    passages: Sequence[Row[Any]]
    entities: Sequence[Row[Any]]
    facts: Sequence[Row[Any]]


def _taken(connection: Connection, user_id: int, part: Part | None) -> Taken:
    rows = _rows(connection, user_id, part)
    taking = _Taking(connection, user_id, rows)
    data = MemoryData(sources=tuple(taking.sources()), entities=tuple(taking.entities()), facts=tuple(taking.facts()))
    return Taken(data, *(tuple(row.id for row in listed) for listed in (rows.entities, rows.sources, rows.facts)))


def _rows(connection: Connection, user_id: int, part: Part | None) -> _Rows:
    def rows(table: Table, chosen: ColumnElement[bool] | None = None) -> Sequence[Row[Any]]:
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.id)
        return connection.execute(query if chosen is None else query.where(chosen)).all()

    if part is None:
        return _Rows(rows(tables.sources), rows(tables.passages), rows(tables.entities), rows(tables.facts))
    facts = rows(tables.facts, among(tables.facts.c.id, part.facts))
    ends = {end for fact in facts for end in (fact.subject_id, fact.object_id) if end is not None}
    concerned = merging.everyone(connection, ends)
    concerned += merging.taken_from(connection, concerned)
    return _Rows(
        sources=rows(tables.sources, among(tables.sources.c.id, part.sources)),
        passages=rows(tables.passages, among(tables.passages.c.source_id, part.sources)),
        entities=rows(tables.entities, among(tables.entities.c.id, concerned)),
        facts=facts,
    )


class _Taking:
    """Puts rows into data, in which a number says where in its list a record stands."""

    def __init__(self, connection: Connection, user_id: int, rows: _Rows) -> None:
        self._connection = connection
        self._user_id = user_id
        self._rows = rows
        self._source_numbers, self._entity_numbers, self._fact_numbers = (
            {row.id: number for number, row in enumerate(listed, 1)}
            for listed in (rows.sources, rows.entities, rows.facts)
        )
        self._passages = _by(rows.passages, "source_id")
        self._passage_numbers = {
            row.id: number for held in self._passages.values() for number, row in enumerate(held, 1)
        }
        self._source_of = {row.id: row.source_id for row in rows.passages}

    def sources(self) -> Iterator[SourceData]:
        """In their order."""
        query = select(tables.places).where(tables.places.c.user_id == self._user_id)
        places = _by(self._connection.execute(query.order_by(tables.places.c.place)).all(), "source_id")
        for row in self._rows.sources:
            yield SourceData(
                **_values(row, "kind", "name", "digest", "text", "added", "state", "error"),
                passages=tuple(
                    PassageData(**_values(held, "start", "end", "heading", "state", "page"))
                    for held in self._passages[row.id]
                ),
                places=tuple(PlaceData(**_values(lies, "place", "version", "guessed")) for lies in places[row.id]),
            )

    def entities(self) -> Iterator[EntityData]:
        """In their order."""
        query = select(tables.names).where(
            tables.names.c.user_id == self._user_id, among(tables.names.c.entity_id, self._entity_numbers)
        )
        ordered = query.order_by(tables.names.c.source_id, tables.names.c.name)
        names = _by(self._connection.execute(ordered).all(), "entity_id")
        pairs = select(tables.apart).where(tables.apart.c.user_id == self._user_id).order_by(tables.apart.c.one_id)
        apart = _by(self._connection.execute(pairs).all(), "other_id")
        for row in self._rows.entities:
            yield EntityData(
                **_values(row, "name", "merged_at"),
                names=tuple(
                    NameData(name=used.name, source=self._source_numbers[used.source_id])
                    for used in names[row.id]
                    if used.source_id in self._source_numbers
                ),
                merged_into=self._entity_numbers.get(row.merged_into),
                apart_from=tuple(
                    self._entity_numbers[pair.one_id] for pair in apart[row.id] if pair.one_id in self._entity_numbers
                ),
            )

    def facts(self) -> Iterator[FactData]:
        """In their order."""
        query = select(tables.fact_sources).where(among(tables.fact_sources.c.fact_id, self._fact_numbers))
        supports = _by(self._connection.execute(query.order_by(tables.fact_sources.c.id)).all(), "fact_id")
        for row in self._rows.facts:
            closer, once = (self._fact_numbers.get(own_id) for own_id in (row.closed_by, row.once_closed_by))
            yield FactData(
                **_values(row, "kind", "relation", "object", "learned", "valid_from", "valid_to"),
                subject=self._entity_numbers[row.subject_id],
                object_entity=self._entity_numbers.get(row.object_id),
                closed_by=closer,
                closed_in=self._source_numbers.get(row.closed_in) if closer else None,
                once_closed_by=once,
                once_closed_in=self._source_numbers.get(row.once_closed_in) if once else None,
                once_valid_to=row.once_valid_to if once else None,
                sources=tuple(map(self._support, supports[row.id])),
            )

    def _support(self, row: Row[Any]) -> SupportData:
        return SupportData(
            source=self._source_numbers[self._source_of[row.passage_id]],
            passage=self._passage_numbers[row.passage_id],
            **_values(row, "start", "end", "since", "ahead"),
        )


def _by(rows: Sequence[Row[Any]], column: str) -> dict[int, list[Row[Any]]]:
    found: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        found[getattr(row, column)].append(row)
    return found


def _values(row: Row[Any], *columns: str) -> dict[str, Any]:
    return {column: getattr(row, column) for column in columns}
