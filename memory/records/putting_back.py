"""Rows put back as they were before something was forgotten, but for what has been made of them since.

What was told since holds. A row that says something else now stays. Of one that went and is there again by another
number, that one has what belonged to it. A row that needs one which is gone for good stays away, and so does a fact
that rests on nothing.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, delete, insert, or_, select, update

from memory.folding import fold
from memory.records import entities, facts, library, merging, pending, tables, words
from memory.records.among import among
from memory.records.dating import date_again
from memory.records.forgetting import remove
from memory.records.keys import ENTITY, FACT, PASSAGE, key
from memory.records.recording import RAW, Changes, Key, Row, begin, key_of
from memory.records.selection import Chosen

_INDEXED = {"entities": ENTITY, "facts": FACT, "passages": PASSAGE}
_WORDING = ("text", "heading", "topic")
_TOGETHER = (  # columns that say one thing
    _WORDING,
    ("merged_into", "merged_at", "survivor_id"),
    ("valid_to", "closed_by", "closed_in"),
    ("once_valid_to", "once_closed_by", "once_closed_in"),
)


@dataclass(frozen=True, slots=True)
class PutBack:
    """The numbers of the facts that are back, and of those that stay as they were told or changed since.

    `gone` are the ids of what is there no more.
    """

    facts: list[int]
    stayed: set[int]
    gone: list[str]


def put_back(connection: Connection, user_id: int, undone: Changes, later: Sequence[Changes]) -> PutBack:
    """Undo changes; and, before, those that came `later`, in their order, which the caller then makes again.

    Of documents and facts that are there again, only what was undone comes to belong to them.
    """
    begin(connection)
    connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    putting = _Putting(connection, user_id)
    for changes in reversed(later):
        putting.put(changes, joining=False)
    others = set(putting.inserted["facts"])
    putting.put(undone, joining=True)
    putting.finish(undone.newest)
    return PutBack(sorted(putting.inserted["facts"] - others), putting.stayed, putting.gone)


class _Putting:
    """Puts rows back, and keeps what came of them, by table."""

    def __init__(self, connection: Connection, user_id: int) -> None:
        self.inserted: dict[str, set[int]] = {name: set() for name in RAW}
        self.stayed: set[int] = set()
        self.gone: list[str] = []
        self._connection = connection
        self._user_id = user_id
        self._changed: dict[str, set[int]] = {name: set() for name in RAW}
        self._supported: set[int] = set()
        self._renamed: set[int] = set()
        self._instead: dict[tuple[str, Any], int] = {}  # the number of what took the place of another

    def put(self, changes: Changes, *, joining: bool) -> None:
        """Put back what was changed, table by table: first those that others refer to."""
        self._put_values(changes)
        for table in tables.metadata.sorted_tables:
            if table is tables.user_state:
                continue
            images = changes.images[table.name]
            now = self._now(table, images)
            for at, image in images.items():
                if image.before is None and at in now and _same(now[at], image.after):
                    self._delete(table, at)
            went = [image.before for at, image in images.items() if image.before and not image.after and at not in now]
            left = self._not_there(table, went, changes.newest, joining=joining)
            for at, image in images.items():  # before what was told anew can be: of two that say the same, one holds
                if image.before and image.after and at in now:
                    self._restore(table, image.before, image.after, now[at], joining=joining)
            self._insert(table, left)

    def finish(self, newest: Mapping[str, int]) -> None:
        """Let what is back agree with the rest, and be found; `newest` as in the first of the changes."""
        self._let_go("entities", "merged_into")
        self._let_go("facts", "closed_by")
        self._let_go("facts", "once_closed_by")
        self._leave_out()
        self._renamed.update(merging.settle(self._connection, self._user_id))
        date_again(self._connection, self._supported - self.inserted["facts"])
        self._link(newest)
        for source_id in self._changed["sources"]:
            library.read_on(self._connection, source_id)
        group = merging.everyone(self._connection, self._renamed)
        facts.reindex_facts_of(self._connection, self._user_id, group)
        ids = [key(kind, own_id) for name, kind in _INDEXED.items() for own_id in self._changed[name]]
        pending.put_words(self._connection, self._user_id, ids)

    def _put_values(self, changes: Changes) -> None:
        """Put back what was kept by name, as far as it has parts with names of their own: those that are as left."""
        raw = RAW["user_state"]
        images = changes.images["user_state"]
        now = self._now(tables.user_state, images)
        for at, image in images.items():
            rows = (image.before, image.after, now.get(at))
            before, after, held = (json.loads(row["value"]) if row else {} for row in rows)
            if not isinstance(before, dict):
                continue
            back = {name: part for name, part in before.items() if held.get(name) == after.get(name) != part}
            row = dict(zip(("user_id", "name"), at, strict=True)) | {"value": json.dumps(held | back)}
            if back:
                self._connection.execute(insert(raw).prefix_with("OR REPLACE").values(row))

    def _now(self, table: Table, keys: Collection[Key]) -> dict[Key, Row]:
        """What is there with these keys."""
        raw = RAW[table.name]
        first = raw.c[table.primary_key.columns[0].name]
        rows = self._connection.execute(select(raw).where(among(first, {at[0] for at in keys}))).mappings()
        return {at: dict(row) for row in rows if (at := key_of(table.name, dict(row))) in keys}

    def _delete(self, table: Table, at: Key) -> None:
        self._connection.execute(delete(RAW[table.name]).where(_is(table, at)))
        if table.name in _INDEXED:
            words.remove(self._connection, _INDEXED[table.name], at)
            self.gone.append(key(_INDEXED[table.name], at[0]))

    def _not_there(self, table: Table, went: Iterable[Row], newest: Mapping[str, int], *, joining: bool) -> list[Row]:
        """Those of the rows that nothing came to be instead of."""
        left = []
        for row in self._pointing(table, went):
            instead = self._in_its_place(table, row, newest, joining=joining)
            if instead is None:
                left.append(row)
                continue
            self._instead[table.name, row["id"]] = instead
            self._changed[table.name].add(instead)
            self.stayed |= {instead} if table is tables.facts else set()
        return left

    def _insert(self, table: Table, left: Iterable[Row]) -> None:
        rows = [row | _not_embedded(row) for row in self._pointing(table, left)]
        if rows:
            self._connection.execute(insert(RAW[table.name]).prefix_with("OR IGNORE"), rows)
        if "id" in table.c:
            back = {own_id for (own_id,) in self._now(table, {(row["id"],) for row in rows})}
            self.inserted[table.name] |= back
            self._changed[table.name] |= back
        self._supported.update(row["fact_id"] for row in rows if table is tables.fact_sources)
        self._changed["entities"].update(row["entity_id"] for row in rows if table is tables.names)

    def _restore(self, table: Table, before: Row, after: Row, now: Row, *, joining: bool) -> None:
        """Let a row say again what it said before, but for what has come to say something else."""
        changed = [column for column in before if column != "embedded" and before[column] != after[column]]
        as_left = [column for column in changed if all(now[part] == after[part] for part in _together(column, now))]
        if joining and table is tables.facts and len(as_left) < len(changed):
            self.stayed.add(now["id"])
        for row in self._pointing(table, [before]):
            self._set(table, now, {column: row[column] for column in as_left})
        if table is tables.entities and {"name", "survivor_id"}.intersection(as_left):
            self._renamed.add(now["id"])

    def _set(self, table: Table, now: Row, values: Row) -> None:
        this = _is(table, key_of(table.name, now))
        if values := values | _not_embedded(now):
            self._connection.execute(update(RAW[table.name]).prefix_with("OR IGNORE").where(this).values(values))
        if "id" in now:
            self._changed[table.name].add(now["id"])

    def _pointing(self, table: Table, rows: Iterable[Row]) -> list[Row]:
        """Rows as they refer to what is there now, without those that need what is not."""
        left = [dict(row) for row in rows]
        for constraint in table.foreign_key_constraints:
            target, own = constraint.referred_table, list(constraint.column_keys)
            for row in left:
                row |= {column: self._instead.get((target.name, row[column]), row[column]) for column in own}
            if target is table:  # which may come yet
                continue
            raw = RAW[target.name]
            theirs = [raw.c[element.column.name] for element in constraint.elements]
            wanted = {row[own[0]] for row in left if row[own[0]] is not None}
            there = {tuple(row) for row in self._connection.execute(select(*theirs).where(among(theirs[0], wanted)))}
            lacking = [row for row in left if row[own[0]] is not None and tuple(row[at] for at in own) not in there]
            for row in lacking:
                row.update(dict.fromkeys(_together(own[0], row)))
            if not table.c[own[0]].nullable:
                left = [row for row in left if row[own[0]] is not None]
        for row in left if table is tables.apart else ():
            row["one_id"], row["other_id"] = sorted((row["one_id"], row["other_id"]))
        return left

    def _in_its_place(self, table: Table, row: Row, newest: Mapping[str, int], *, joining: bool) -> int | None:
        """The number of what came since to be what the row was; an unread passage that lost words has them again."""
        match table.name:
            case "passages":
                return self._passage_in_its_place(row)
            case "entities":
                name = fold(row["name"])
                called = entities.own_named(self._connection, self._user_id, [name]).get(name, [])
                since = [own_id for own_id in called if own_id > newest.get("entities", 0)]
                return since[0] if len(since) == 1 else None
            case "sources" if joining and row["kind"] == library.DOCUMENT:
                same = {name: row[name] for name in ("user_id", "kind", "digest")}
                return self._connection.execute(select(table.c.id).filter_by(**same)).scalar_one_or_none()
            case "facts" if joining and row["valid_to"] is None:
                return self._connection.execute(_told_since(row, newest)).scalar_one_or_none()
        return None

    def _passage_in_its_place(self, row: Row) -> int | None:
        raw = RAW["passages"]
        place = [raw.c[name] == row[name] for name in ("source_id", "start", "end")]
        held = self._connection.execute(select(raw).where(*place)).mappings().one_or_none()
        if held is None:
            return None
        if held["text"] != row["text"]:
            self._set(tables.passages, dict(held), {name: row[name] for name in (*_WORDING, "state")})
        return int(held["id"])

    def _let_go(self, name: str, column: str) -> None:
        """Let rows that are back refer to none of their own table that is not."""
        raw = RAW[name]
        lacking = among(raw.c.id, self._changed[name]) & raw.c[column].not_in(select(raw.alias().c.id))
        together = dict.fromkeys(_together(column, raw.c.keys()))
        self._connection.execute(update(raw).where(lacking).values(together))

    def _leave_out(self) -> None:
        """Remove facts again that rest on nothing, and entities without facts."""
        rests = select(tables.fact_sources.c.id).where(tables.fact_sources.c.fact_id == tables.facts.c.id).exists()
        own = among(tables.facts.c.id, self.inserted["facts"])
        on_nothing = set(self._connection.execute(select(tables.facts.c.id).where(own, ~rests)).scalars())
        if on_nothing:
            remove(self._connection, self._user_id, Chosen(facts=on_nothing))
            self.inserted["facts"] -= on_nothing
        about = or_(*(tables.facts.c[end] == tables.entities.c.id for end in ("subject_id", "object_id")))
        own = among(tables.entities.c.id, self.inserted["entities"])
        bare = select(tables.entities.c.id).where(own, ~select(tables.facts.c.id).where(about).exists())
        without = list(self._connection.execute(bare).scalars())
        merging.leave(self._connection, without)
        self._connection.execute(delete(tables.entities).where(among(tables.entities.c.id, without)))

    def _link(self, newest: Mapping[str, int]) -> None:
        """Point facts whose object is plain text at the entity of that name, where one is back and one came since."""
        own = among(tables.names.c.entity_id, self.inserted["entities"])
        loose = among(tables.facts.c.id, self.inserted["facts"]) & tables.facts.c.object_id.is_(None)
        query = select(tables.names.c.folded).where(own).union(select(tables.facts.c.object_folded).where(loose))
        called = {name for name in self._connection.execute(query).scalars() if name is not None}
        for name, own_id in entities.entities_called(self._connection, self._user_id, called).items():
            after = 0 if own_id > newest.get("entities", 0) else newest.get("facts", 0)
            entities.link_loose_objects(self._connection, self._user_id, own_id, name, after=after)


def _is(table: Table, at: Key) -> ColumnElement[bool]:
    return and_(*(RAW[table.name].c[part.name] == value for part, value in zip(table.primary_key, at, strict=True)))


def _same(row: Row, other: Row | None) -> bool:
    """Whether two say the same, whether their vectors are made or not."""
    return other is not None and row | _not_embedded(row) == other | _not_embedded(other)


def _not_embedded(row: Row) -> Row:
    return {"embedded": 0} if "embedded" in row else {}


def _together(column: str, row: Iterable[str]) -> list[str]:
    """The columns of a row that say one thing with this one."""
    others = next((group for group in _TOGETHER if column in group), (column,))
    return [name for name in others if name in set(row)]


def _told_since(row: Row, newest: Mapping[str, int]) -> Select[Any]:
    """The fact that was told since, holds, and says the same as one that held."""
    raw = RAW["facts"]
    same = (raw.c.subject_id == row["subject_id"]) & (raw.c.digest == row["digest"]) & raw.c.valid_to.is_(None)
    if row["object_id"] is not None:  # else it may be text here, and an entity there
        same &= raw.c.object_id.is_(None) | (raw.c.object_id == row["object_id"])
    return select(raw.c.id).where(same, raw.c.id > newest.get("facts", 0)).limit(1)
