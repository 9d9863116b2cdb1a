"""What one source says of an entity, made an entity of its own: two of one name had been taken for one.

What nobody else says moves. What others say too is then said of both, each with its own support. Of merged entities,
each is taken apart by itself, and what the source speaks of stays merged; so nobody else's part of them changes.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from memory.errors import UserMistake
from memory.records import closing, entities, facts, merging, tables
from memory.records.among import among
from memory.records.dating import date_again
from memory.records.keys import ENTITY, FACT, SOURCE, key, number
from memory.resolution import Named
from memory.types import Source


@dataclass(frozen=True, slots=True)
class Split:
    """What came of it: the number of what the source speaks of, and the ids of what has to be embedded anew."""

    entity_id: int
    changed: list[str]


def speakers(connection: Connection, entity_ids: Iterable[int]) -> dict[int, set[int]]:
    """By these survivors, the numbers of the sources whose facts are about them."""
    groups = merging.groups(connection, entity_ids)
    survivor_of = {own_id: survivor for survivor, group in groups.items() for own_id in group}
    found: dict[int, set[int]] = {survivor: set() for survivor in groups}
    for end in (tables.facts.c.subject_id, tables.facts.c.object_id):
        query = (
            select(end, tables.passages.c.source_id)
            .join(tables.fact_sources, tables.fact_sources.c.fact_id == tables.facts.c.id)
            .join(tables.passages, tables.passages.c.id == tables.fact_sources.c.passage_id)
        )
        for own_id, source_id in connection.execute(query.where(among(end, survivor_of)).distinct()):
            found[survivor_of[own_id]].add(source_id)
    return found


def take_apart(connection: Connection, user_id: int, entity_id: int, source: Source) -> Split:
    """Let what a source says of a survivor be an entity of its own, kept apart from the rest.

    Both stay apart from what the whole was taken apart from before.

    Raises:
        UserMistake: the source says nothing of it, or no other does.
    """
    splitting = _Splitting(connection, user_id, entity_id, number(SOURCE, source.id))
    name = entities.own_entities(connection, [entity_id])[entity_id].name
    if not splitting.here:
        raise UserMistake("{source} says nothing of {name}.", source=source.name, name=name)
    if not splitting.elsewhere:
        raise UserMistake(
            "Only {source} speaks of {name}, so there is nothing to take apart.", source=source.name, name=name
        )
    outside = merging.taken_from(connection, splitting.group)
    splitting.entities()
    copies = splitting.facts()
    splitting.names()
    splitting.merges()
    for other_id in outside:
        merging.keep_apart(connection, user_id, splitting.root, other_id)
        merging.keep_apart(connection, user_id, splitting.rest, other_id)
    merging.keep_apart(connection, user_id, splitting.root, splitting.rest)
    closing.reopen_apart(connection, splitting.pieces.values())
    return Split(splitting.root, splitting.reindex(name, copies))


class _Splitting:
    """Takes apart step by step, and keeps which entity has what the source says of which."""

    def __init__(self, connection: Connection, user_id: int, entity_id: int, source_id: int) -> None:
        self._connection = connection
        self._user_id = user_id
        self._source_id = source_id
        self._passages = select(tables.passages.c.id).where(tables.passages.c.source_id == source_id)
        self.group = merging.everyone(connection, [entity_id])
        query = select(tables.entities).where(among(tables.entities.c.id, self.group))
        self._before = {row.id: row for row in connection.execute(query)}
        told = self._told()
        self.here = [row for row in told if row.here]
        self.elsewhere = [row for row in told if row.elsewhere]
        spoken, of_others = _ends(self.here), _ends(self.elsewhere)
        self._shared = [own_id for own_id in self.group if own_id in spoken & of_others]
        self._whole = [own_id for own_id in self.group if own_id in spoken - of_others]
        self.pieces = {own_id: own_id for own_id in self.group if own_id in spoken}

    @property
    def root(self) -> int:
        """The one that what the source says goes by."""
        return next(iter(self.pieces.values()))

    @property
    def rest(self) -> int:
        """The one that what the others say goes by."""
        left = [own_id for own_id in self.group if own_id not in self._whole][:1]
        return merging.survivors_of(self._connection, left)[left[0]]

    def entities(self) -> None:
        """Have an entity for each that the source speaks of: itself where nobody else does, or a new one."""
        merging.leave(self._connection, self._whole)
        for own_id in self._shared:
            self.pieces[own_id] = entities.add_entity(self._connection, self._user_id, self._before[own_id].name)

    def facts(self) -> list[int]:
        """Move what the source alone says; of what others say too, give it one of its own: the numbers of these."""
        moved = [row.id for row in self.here if not row.elsewhere]
        for own_id in self._shared:
            for end in (tables.facts.c.subject_id, tables.facts.c.object_id):
                its = update(tables.facts).where(among(tables.facts.c.id, moved), end == own_id)
                self._connection.execute(its.values({end: self.pieces[own_id]}))
        copies = {row.id: self._copy(row) for row in self.here if row.elsewhere}
        closed = among(tables.facts.c.id, [*moved, *copies.values()])
        for fact_id, copy in copies.items():
            here = closed | (tables.facts.c.closed_in == self._source_id)
            by_it = update(tables.facts).where(here, tables.facts.c.closed_by == fact_id)
            self._connection.execute(by_it.values(closed_by=copy))
        date_again(self._connection, [*copies, *copies.values()])
        return list(copies.values())

    def _copy(self, row: Row[Any]) -> int:
        """The same fact, of the source's entities and with its support."""
        kept = self._connection.execute(select(tables.facts).where(tables.facts.c.id == row.id)).one()._asdict()
        ends = {end: self.pieces.get(kept[end], kept[end]) for end in ("subject_id", "object_id")}
        values = {name: value for name, value in kept.items() if name not in ("id", "embedded")} | ends
        added = insert(tables.facts).values(values).returning(tables.facts.c.id)
        copy = int(self._connection.execute(added).scalar_one())
        its = (tables.fact_sources.c.fact_id == row.id) & tables.fact_sources.c.passage_id.in_(self._passages)
        self._connection.execute(update(tables.fact_sources).where(its).values(fact_id=copy))
        return copy

    def names(self) -> None:
        """Let each side have the names that its sources use, and go by one of these."""
        from_here = tables.names.c.source_id == self._source_id
        for own_id in self._shared:
            own = update(tables.names).where(tables.names.c.entity_id == own_id, from_here)
            self._connection.execute(own.values(entity_id=self.pieces[own_id]))
        # A source may still name one of the group of which it says nothing any more.
        staying = [own_id for own_id in self.group if own_id not in self._whole]
        for own_ids, by_others, to in ((staying, from_here, self.root), (self._whole, ~from_here, self.rest)):
            strays = among(tables.names.c.entity_id, own_ids) & by_others
            moved = update(tables.names).prefix_with("OR IGNORE").where(strays).values(entity_id=to)
            self._connection.execute(moved)
            self._connection.execute(delete(tables.names).where(strays))
        self._name_objects([*self.pieces.values(), *staying])
        entities.rename_stale(self._connection, [*self.pieces.values(), *staying])

    def _name_objects(self, own_ids: Collection[int]) -> None:
        """Name those that no source names by what they are called as an object of facts."""
        named = select(tables.names.c.entity_id).where(tables.names.c.entity_id == tables.facts.c.object_id)
        query = (
            select(tables.facts.c.object_id, tables.facts.c.object, tables.passages.c.source_id)
            .join(tables.fact_sources, tables.fact_sources.c.fact_id == tables.facts.c.id)
            .join(tables.passages, tables.passages.c.id == tables.fact_sources.c.passage_id)
            .where(among(tables.facts.c.object_id, own_ids), ~named.exists())
            .distinct()
        )
        for own_id, name, source_id in self._connection.execute(query).all():
            entities.add_names(self._connection, self._user_id, own_id, Named(name), source_id)

    def merges(self) -> None:
        """Let what was merged be so on the source's side, too."""
        for own_id, piece in self.pieces.items():
            if piece != self.root:
                merging.merge(self._connection, piece, self.root, self._before[own_id].merged_at)

    def reindex(self, name_before: str, copies: Collection[int]) -> list[str]:
        """Make it all findable; the ids of what has to be embedded anew."""
        changed = {*self.pieces.values(), *self._shared, self.rest}
        entities.reindex_entities(self._connection, self._user_id, changed)
        renamed = list(self.pieces.values())
        if entities.own_entities(self._connection, [self.rest])[self.rest].name != name_before:
            renamed += merging.everyone(self._connection, [self.rest])
        fact_ids = facts.reindex_facts_of(self._connection, self._user_id, renamed)
        facts.index_facts(self._connection, self._user_id, facts.facts_by_id(self._connection, copies).values())
        return [key(ENTITY, own_id) for own_id in changed] + [key(FACT, own_id) for own_id in {*fact_ids, *copies}]

    def _told(self) -> list[Row[Any]]:
        """The facts about the group, with whether the source says them, and whether others do."""
        own = tables.passages.c.source_id == self._source_id
        query = (
            select(
                tables.facts.c.id,
                tables.facts.c.subject_id,
                tables.facts.c.object_id,
                func.max(own).label("here"),
                func.max(~own).label("elsewhere"),
            )
            .join(tables.fact_sources, tables.fact_sources.c.fact_id == tables.facts.c.id)
            .join(tables.passages, tables.passages.c.id == tables.fact_sources.c.passage_id)
            .where(or_(among(tables.facts.c.subject_id, self.group), among(tables.facts.c.object_id, self.group)))
            .group_by(tables.facts.c.id)
        )
        return list(self._connection.execute(query.order_by(tables.facts.c.id)))


def _ends(told: Iterable[Row[Any]]) -> set[int]:
    return {end for row in told for end in (row.subject_id, row.object_id) if end is not None}
