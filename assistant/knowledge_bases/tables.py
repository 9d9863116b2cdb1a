"""The tables in a user's documents as a knowledge base: what programs filter, count, add up and join.

A table has its rows, a row has a value in each column; a value that a row of some table is called by stands for that
row. What a row says is its evidence, in the words of the document.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby, islice
from typing import NamedTuple

from assistant.knowledge_bases.base import Deadline, LinkPolicy, RelationPolicy
from assistant.knowledge_bases.kept import Kept
from assistant.knowledge_bases.personal import PASSAGE_URL
from assistant.types import Direction, Entity, Triple
from memory.folding import fold, possible_names
from memory.formats.tables import EMPTY
from memory.outlines import file_names
from memory.tables import Table, TableRow
from memory.user_memory import UserMemory

TABLES = "tables"
_ROWS = "rows"
_ROW_ALIASES = ("row", "entries", "records", "list", "lines")
_CANDIDATES = 20
_LONGEST_PHRASE = 24  # words of a name in a question, or characters of a Chinese one
_LONGEST_NAME = 100  # characters of a value that may be named
_FEW = 3  # rows that a value may have to name one


class _Place(NamedTuple):
    """The tables of a document, one of them, or a row."""

    name: str
    aliases: tuple[str, ...]
    tables: tuple[Table, ...] = ()
    row: TableRow | None = None


class Tables:
    """One user's tables; made anew for each turn, so that nothing of one user can reach another."""

    name = TABLES
    languages: frozenset[str] = frozenset()
    public = False
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(self, memory: UserMemory) -> None:
        self._memory = memory

    @cached_property
    def _index(self) -> "_Index":
        """What the user's tables are called and hold, kept beyond the turn as long as they stay the same."""
        return _indexes.of(self._memory, self._memory.tables())

    @property
    def is_empty(self) -> bool:
        """Whether no document has a table."""
        return not self._index.tables

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """The tables and rows that are called so, tables first."""
        del question, deadline
        index = self._index
        found = [id_ for name in (mention, *aliases) for id_ in index.called.get(fold(name), ())]
        found.sort(key=lambda id_: index.places[id_].row is not None)
        return [_entity(id_, index.places[id_]) for id_ in islice(dict.fromkeys(found), _CANDIDATES)]

    def known(self, phrases: Sequence[str], deadline: Deadline) -> dict[str, set[str]]:
        """See `NameIndex.known`; of values too."""
        del deadline
        index = self._index
        return {phrase: written for phrase in phrases if (written := index.written(fold(phrase)))}

    def is_named(self, question: str) -> bool:
        """Whether a question names a file with a table, or one row or a few by what they are called or by a value: what
        it asks may have to be counted or looked up, and of a passage with many values a small model takes any."""
        whole = f" {fold(question)} "
        names = (name for name in possible_names(question, _LONGEST_PHRASE) if any(map(str.isalpha, name)))
        by_file = any(f" {name} " in whole for name in self._index.files)
        return by_file or any(0 < len(self._index.rows_with(name)) <= _FEW for name in names)

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """What a row says; of a table its rows tell."""
        del deadline
        place = self._index.places.get(entity.id)
        return place.row.text if place and place.row else ""

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """A table's rows, a row's values, and which rows have the row as a value."""
        index, found = self._index, list[Triple]()
        place = index.places.get(entity.id)
        if place is None:
            return []
        row = place.row
        if direction != "in":
            rows = ((table, one) for table in place.tables for one in table.rows)
            outgoing = index.values_of(place.tables[0], row) if row else (_row_of(entity, *one) for one in rows)
            for triple in outgoing:
                deadline.check()
                found.append(triple)
                if len(found) >= limit:
                    break
        if row and direction != "out":
            found += islice(index.having(row.name, entity.id), limit - len(found))
        return found

    def bearing(self, value: str, question: str, limit: int, deadline: Deadline) -> list[Triple]:
        """See `ValueIndex.bearing`."""
        del question, deadline
        return list(islice(self._index.having(value), limit))

    def related(
        self, entity: Entity, names: Sequence[str], limit: int, deadline: Deadline, *, outgoing: bool
    ) -> list[Triple]:
        """See `RelationIndex.related`."""
        every = self.triples(entity, "out" if outgoing else "in", sys.maxsize, deadline)
        return [triple for triple in every if triple.relation in names][:limit]


class _Index:
    """What is called how, and which rows have a value; `tables` is what it was made of, `files` how their documents are
    called."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables
        self.places: dict[str, _Place] = {}
        self.called: dict[str, list[str]] = defaultdict(list)
        self._values: dict[str, list[tuple[Table, TableRow, int]]] = defaultdict(list)
        self._spelled: dict[str, set[str]] = defaultdict(set)
        self.files = {fold(name) for table in tables for name in file_names(table.document)}
        for source_id, of_document in groupby(tables, key=lambda table: table.id.rpartition("/")[0]):
            whole = tuple(of_document)
            own = _called(whole[0]) if len(whole) == 1 else ()
            self._put(source_id, _Place(whole[0].document, (*file_names(whole[0].document), *own), whole))
            for table in whole:
                if len(whole) > 1 and (names := _called(table)):
                    self._put(table.id, _Place(names[0], names, (table,)))
                for row in table.rows:
                    self._put(row.id, _Place(row.name, (), (table,), row))
                    self._put_values(table, row)
        called = ((name, [id_ for id_ in ids if self.places[id_].row]) for name, ids in self.called.items())
        self._sole = {name: rows[0] for name, rows in called if len(rows) == 1}  # what a value stands for

    def written(self, name: str) -> set[str]:
        """How a folded name or value is written; empty where there is none."""
        return self._spelled.get(name, set())

    def values_of(self, table: Table, row: TableRow) -> Iterator[Triple]:
        """What a row has in its columns, but for the one that names it; an empty cell has a sign for its value: where
        it had none, another column would be the nearest to what is asked."""
        return (self._value(table, row, column) for column in range(len(row.cells)) if column != table.key)

    def having(self, value: str, row_id: str = "") -> Iterator[Triple]:
        """Which rows have a value; with `row_id` only those in which it stands for that row."""
        for table, row, column in self._values.get(fold(value), ()):
            triple = self._value(table, row, column)
            if not row_id or triple.object_id == row_id:
                yield triple

    def rows_with(self, name: str) -> set[str]:
        """The ids of the rows that are called so, or have it as a value; `name` is folded."""
        called = {id_ for id_ in self.called.get(name, ()) if self.places[id_].row}
        return called | {row.id for _, row, _ in self._values.get(name, ())}

    def _value(self, table: Table, row: TableRow, column: int) -> Triple:
        cell, relation = row.cells[column], table.columns[column]
        stands_for = self._sole.get(fold(cell)) if cell else None
        stands_for = None if stands_for == row.id else stands_for
        told = replace(_told(table, row), subject=row.name, relation=relation)
        return replace(told, object=cell or EMPTY, object_id=stands_for)

    def _put(self, id_: str, place: _Place) -> None:
        self.places[id_] = place
        for name in dict.fromkeys((place.name, *place.aliases)):
            if folded := fold(name):
                self.called[folded].append(id_)
                self._spelled[folded].add(name)

    def _put_values(self, table: Table, row: TableRow) -> None:
        for column, cell in enumerate(row.cells):
            if cell and column != table.key:
                self._values[fold(cell)].append((table, row, column))
                if len(cell) <= _LONGEST_NAME and any(map(str.isalpha, cell)):
                    self._spelled[fold(cell)].add(cell)


def _row_of(entity: Entity, table: Table, row: TableRow) -> Triple:
    """That a table, or a document, has a row."""
    aliases = (*file_names(table.document), *_called(table), *_ROW_ALIASES)
    told = replace(_told(table, row), subject=entity.name, subject_id=entity.id)
    return replace(told, object_id=row.id, relation_aliases=tuple(dict.fromkeys(aliases)))


def _told(table: Table, row: TableRow) -> Triple:
    """What all triples of a row have in common, as the one that the table has it."""
    url = PASSAGE_URL + row.passage_id
    return Triple(
        table.document, _ROWS, row.name, kb=TABLES, subject_id=row.id, text=row.text, source=table.document, url=url
    )


_indexes = Kept(_Index)


def _called(table: Table) -> tuple[str, ...]:
    """What a table is called but for its file: as the line before it, as its headings, as what each of its rows is."""
    key = () if table.key is None else (table.columns[table.key],)
    return tuple(dict.fromkeys((*table.titles, *key)))


def _entity(id_: str, place: _Place) -> Entity:
    return Entity(TABLES, id_, place.name, place.aliases, place.row.text if place.row else "")
