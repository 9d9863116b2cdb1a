"""A user's records as plain data."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Table, select

from memory.records import tables
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


def take_out(connection: Connection, user_id: int) -> MemoryData:
    """All of a user's records."""
    taking = _Taking(connection, user_id, _rows(connection, user_id))
    return MemoryData(sources=tuple(taking.sources()), entities=tuple(taking.entities()), facts=tuple(taking.facts()))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of one user, by their numbers."""

    sources: Sequence[Row[Any]]
    passages: Sequence[Row[Any]]
    entities: Sequence[Row[Any]]
    facts: Sequence[Row[Any]]


def _rows(connection: Connection, user_id: int) -> _Rows:
    def rows(table: Table) -> Sequence[Row[Any]]:
        return connection.execute(select(table).where(table.c.user_id == user_id).order_by(table.c.id)).all()

    return _Rows(rows(tables.sources), rows(tables.passages), rows(tables.entities), rows(tables.facts))


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
                    PassageData(**_values(held, "start", "end", "heading", "state")) for held in self._passages[row.id]
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
