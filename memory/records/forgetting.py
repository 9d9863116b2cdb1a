"""What goes when something is forgotten, and what goes with it.

A fact that loses its last support goes; so does an entity that loses its last fact, and a note from the chat that has
no fact left. Where a note keeps other facts, the forgotten words in it are blanked.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sql
from sqlalchemy import Column, Connection, Table, delete, or_, update

from memory.errors import NothingThere, UserMistake
from memory.records import merging, words
from memory.records.among import among
from memory.records.closing import release, reopen
from memory.records.entities import entity_called, reindex_entities
from memory.records.facts import facts_by_id, reindex_facts_of
from memory.records.keys import ENTITY, FACT, PASSAGE, SOURCE, key, missing, number
from memory.records.library import CHAT, rewrite_passage
from memory.records.tables import entities, fact_sources, facts, names, passages, sources
from memory.records.taking_out import Part
from memory.types import FactKind


@dataclass(slots=True)
class Gone:
    """The numbers of what went, and the texts that must not be found anywhere any more.

    `values` are the names of entities that went, and what facts that went said of their subjects.
    `changed` are the ids of what stays but has another text now, so that it has to be embedded anew.
    """

    facts: set[int] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)
    passages: set[int] = field(default_factory=set)
    sources: set[int] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)

    @property
    def ids(self) -> list[str]:
        """The ids of all that went and may have a vector."""
        kinds = ((FACT, self.facts), (ENTITY, self.entities), (PASSAGE, self.passages))
        return [key(kind, number) for kind, numbers in kinds for number in numbers]


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be forgotten; all that is named goes. `entity` is an id or a name."""

    facts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    entity: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    everything: bool = False


def select(connection: Connection, user_id: int, wanted: Selection) -> tuple[set[int], set[int]]:
    """The numbers of the facts and of the sources that are to go.

    Raises:
        NothingThere: something named does not exist, or nothing was learned in that time.
        UserMistake: nothing is named, or several entities have that name.
    """
    if wanted == Selection():
        raise UserMistake("Say what to forget: facts, a source, an entity, a time, or everything.")
    in_time = (wanted.since, wanted.until) != (None, None)
    if wanted.everything or in_time:
        chosen_facts, chosen_sources = _learned_within(connection, user_id, wanted.since, wanted.until)
    else:
        chosen_facts, chosen_sources = set(), set()
    if in_time and not chosen_facts and not chosen_sources:
        raise NothingThere("Nothing was learned in that time.")
    for fact_id in wanted.facts:
        chosen_facts.add(_own(connection, user_id, FACT, fact_id))
    for source_id in wanted.sources:
        chosen_sources.add(_own(connection, user_id, SOURCE, source_id))
    if wanted.entity is not None:
        entity_id = entity_called(connection, user_id, wanted.entity)
        one = merging.everyone(connection, [entity_id])
        about = or_(among(facts.c.subject_id, one), among(facts.c.object_id, one))
        chosen_facts.update(connection.execute(sql.select(facts.c.id).where(about)).scalars())
    return chosen_facts, chosen_sources


def part(connection: Connection, fact_ids: Collection[int], source_ids: Collection[int]) -> Part:
    """All that `remove` may take away or change: these, what rests on them or was closed by them, and their sources."""
    resting = {*fact_ids, *_resting_on(connection, source_ids)}
    closed = sql.select(facts.c.id).where(among(facts.c.closed_by, resting))
    concerned = resting | set(connection.execute(closed).scalars())
    query = sql.select(passages.c.source_id).join(fact_sources, fact_sources.c.passage_id == passages.c.id)
    told = set(connection.execute(query.where(among(fact_sources.c.fact_id, concerned))).scalars())
    return Part(concerned, told | set(source_ids))


def _own(connection: Connection, user_id: int, kind: str, id_: str) -> int:
    table = {FACT: facts, SOURCE: sources}[kind]
    query = sql.select(table.c.id).where(table.c.user_id == user_id, table.c.id == number(kind, id_))
    found: int | None = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise missing(kind, id_)
    return found


def _learned_within(
    connection: Connection, user_id: int, since: datetime | None, until: datetime | None
) -> tuple[set[int], set[int]]:
    """Facts learned, and sources added, from `since` on and before `until`; all, where neither is given."""

    def within(table: Table, when: Column[datetime]) -> set[int]:
        query = sql.select(table.c.id).where(table.c.user_id == user_id)
        query = query if since is None else query.where(when >= since)
        query = query if until is None else query.where(when < until)
        return set(connection.execute(query).scalars())

    return within(facts, facts.c.learned), within(sources, sources.c.added)


def remove(connection: Connection, user_id: int, fact_ids: Collection[int], source_ids: Collection[int]) -> Gone:
    """Remove facts and sources, and all that stood on them alone."""
    removal = _Removal(connection, user_id)
    stretches = _supports(connection, fact_ids)
    resting = _resting_on(connection, source_ids)
    removal.facts(set(fact_ids))
    removal.sources(source_ids)
    elsewhere = sql.select(fact_sources.c.fact_id).where(among(fact_sources.c.fact_id, resting))
    removal.facts(resting - set(connection.execute(elsewhere).scalars()) - removal.gone.facts)
    for source_id in {stretch.source_id for stretch in stretches if stretch.kind == CHAT} - removal.gone.sources:
        if _resting_on(connection, [source_id]):
            removal.words_of_a_note(source_id, [stretch for stretch in stretches if stretch.source_id == source_id])
        else:
            removal.sources([source_id])
    removal.entities_without_facts()
    removal.names_without_source()
    return removal.gone


@dataclass(frozen=True, slots=True)
class _Stretch:
    source_id: int
    kind: str
    start: int
    end: int


class _Removal:
    """Removes step by step, and keeps count of what went and of the entities that it concerned."""

    def __init__(self, connection: Connection, user_id: int) -> None:
        self.gone = Gone()
        self._connection = connection
        self._user_id = user_id
        self._touched: set[int] = set()  # entities that lost a fact
        self._changed: set[int] = set()  # entities that lost a name or a description
        self._heirs: set[int] = set()  # entities that stand for others, in place of one that went

    def facts(self, fact_ids: set[int]) -> None:
        """Remove facts."""
        query = sql.select(facts.c.kind, facts.c.subject_id, facts.c.object_id).where(among(facts.c.id, fact_ids))
        for row in self._connection.execute(query):
            self._touched.update(end for end in (row.subject_id, row.object_id) if end is not None)
            if row.kind == FactKind.DESCRIPTION:
                self._changed.add(row.subject_id)
        known = facts_by_id(self._connection, fact_ids).values()
        self.gone.texts.update(fact.text for fact in known)
        self.gone.values.update(fact.object for fact in known)
        self.gone.facts |= fact_ids
        words.remove(self._connection, FACT, fact_ids)
        released = release(self._connection, fact_ids)
        self._connection.execute(delete(facts).where(among(facts.c.id, fact_ids)))
        reopen(self._connection, released)

    def sources(self, source_ids: Collection[int]) -> None:
        """Remove sources with their passages and the names that they gave."""
        named = sql.select(names.c.entity_id).where(among(names.c.source_id, source_ids))
        self._changed.update(self._connection.execute(named).scalars())
        query = sql.select(passages.c.id, passages.c.text).where(among(passages.c.source_id, source_ids))
        held = {row.id: row.text for row in self._connection.execute(query)}
        self.gone.texts.update(held.values())
        self.gone.passages.update(held)
        self.gone.sources.update(source_ids)
        words.remove(self._connection, PASSAGE, held)
        self._connection.execute(delete(sources).where(among(sources.c.id, source_ids)))

    def words_of_a_note(self, source_id: int, stretches: Iterable[_Stretch]) -> None:
        """Write spaces over what only forgotten facts rested on, so that the other facts' spans still hold."""
        other = (
            sql.select(fact_sources.c.start, fact_sources.c.end)
            .join(passages, passages.c.id == fact_sources.c.passage_id)
            .where(passages.c.source_id == source_id)
        )
        kept = {place for row in self._connection.execute(other) for place in range(row.start, row.end)}
        blank = {place for stretch in stretches for place in range(stretch.start, stretch.end)} - kept
        text = self._connection.execute(sql.select(sources.c.text).where(sources.c.id == source_id)).scalar_one()
        text = "".join(" " if place in blank else character for place, character in enumerate(text))
        self._connection.execute(update(sources).where(sources.c.id == source_id).values(text=text))
        for row in self._connection.execute(sql.select(passages).where(passages.c.source_id == source_id)).all():
            rewrite_passage(self._connection, self._user_id, row.id, row.heading, text[row.start : row.end])
            self.gone.changed.add(key(PASSAGE, row.id))

    def entities_without_facts(self) -> None:
        """Remove the entities that lost their last fact, or the last source that named them.

        Of these, facts of other sources may have had the name as their object; there it is plain text again.
        """
        named = sql.exists().where(names.c.entity_id == entities.c.id)
        nameless = sql.select(entities.c.id).where(among(entities.c.id, self._changed), ~named)
        self._connection.execute(update(facts).where(facts.c.object_id.in_(nameless)).values(object_id=None))
        about = or_(facts.c.subject_id == entities.c.id, facts.c.object_id == entities.c.id)
        concerned = among(entities.c.id, self._touched | self._changed)
        without = sql.select(entities.c.id).where(concerned, ~sql.exists().where(about))
        self.gone.entities.update(self._connection.execute(without).scalars())
        called = sql.select(entities.c.name).where(among(entities.c.id, self.gone.entities))
        self.gone.values.update(self._connection.execute(called).scalars())
        words.remove(self._connection, ENTITY, self.gone.entities)
        self._heirs = merging.leave(self._connection, self.gone.entities)
        self._connection.execute(delete(entities).where(among(entities.c.id, self.gone.entities)))

    def names_without_source(self) -> None:
        """Let the entities that stay go by names that a source still uses."""
        rest = self._changed - self.gone.entities
        own = sql.select(names.c.name).where(names.c.entity_id == entities.c.id)
        first = own.order_by(names.c.source_id, names.c.name).limit(1).scalar_subquery()
        stale = among(entities.c.id, rest) & entities.c.name.not_in(own)
        renamed = self._connection.execute(update(entities).where(stale).values(name=first).returning(entities.c.id))
        called_otherwise = merging.everyone(self._connection, {*renamed.scalars(), *self._heirs})
        renamed_facts = reindex_facts_of(self._connection, self._user_id, called_otherwise)
        reindex_entities(self._connection, self._user_id, rest)
        self.gone.changed.update(key(ENTITY, entity_id) for entity_id in rest)
        self.gone.changed.update(key(FACT, fact_id) for fact_id in renamed_facts)


def _supports(connection: Connection, fact_ids: Collection[int]) -> list[_Stretch]:
    query = (
        sql.select(sources.c.id, sources.c.kind, fact_sources.c.start, fact_sources.c.end)
        .join(passages, passages.c.source_id == sources.c.id)
        .join(fact_sources, fact_sources.c.passage_id == passages.c.id)
        .where(among(fact_sources.c.fact_id, fact_ids))
    )
    return [_Stretch(*row) for row in connection.execute(query)]


def _resting_on(connection: Connection, source_ids: Collection[int]) -> set[int]:
    query = sql.select(fact_sources.c.fact_id).join(passages, passages.c.id == fact_sources.c.passage_id)
    return set(connection.execute(query.where(among(passages.c.source_id, source_ids))).scalars())
