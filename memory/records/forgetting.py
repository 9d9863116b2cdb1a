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
from memory.records import words
from memory.records.among import among
from memory.records.entities import entity_called, reindex_entities
from memory.records.facts import facts_by_id
from memory.records.keys import ENTITY, FACT, PASSAGE, SOURCE, missing, number
from memory.records.library import CHAT, searched_text
from memory.records.tables import entities, fact_sources, facts, names, passages, sources


@dataclass(slots=True)
class Gone:
    """The numbers of what went, and the texts that must not be found anywhere any more."""

    facts: set[int] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)
    passages: set[int] = field(default_factory=set)
    sources: set[int] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be forgotten; all that is named goes. `entity` is an id or a name."""

    facts: tuple[str, ...] = ()
    source: str | None = None
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
    if wanted.source is not None:
        chosen_sources.add(_own(connection, user_id, SOURCE, wanted.source))
    if wanted.entity is not None:
        entity_id = entity_called(connection, user_id, wanted.entity)
        about = or_(facts.c.subject_id == entity_id, facts.c.object_id == entity_id)
        chosen_facts.update(connection.execute(sql.select(facts.c.id).where(about)).scalars())
    return chosen_facts, chosen_sources


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
    gone = Gone()
    touched = _entities_of_sources(connection, source_ids)
    resting = _resting_on(connection, source_ids)
    notes = _supports(connection, fact_ids)
    touched |= _remove_facts(connection, set(fact_ids), gone)
    _remove_sources(connection, source_ids, gone)
    supported = set(
        connection.execute(sql.select(fact_sources.c.fact_id).where(among(fact_sources.c.fact_id, resting))).scalars()
    )
    touched |= _remove_facts(connection, resting - supported - gone.facts, gone)
    for source_id in {note.source_id for note in notes if note.kind == CHAT} - gone.sources:
        stretches = [note for note in notes if note.source_id == source_id]
        if _resting_on(connection, [source_id]):
            _blank(connection, user_id, source_id, stretches)
        else:
            touched |= _entities_of_sources(connection, [source_id])
            _remove_sources(connection, [source_id], gone)
    _settle_entities(connection, user_id, touched, gone)
    return gone


@dataclass(frozen=True, slots=True)
class _Stretch:
    source_id: int
    kind: str
    passage_id: int
    start: int
    end: int


def _supports(connection: Connection, fact_ids: Collection[int]) -> list[_Stretch]:
    query = (
        sql.select(sources.c.id, sources.c.kind, passages.c.id, fact_sources.c.start, fact_sources.c.end)
        .join(passages, passages.c.id == fact_sources.c.passage_id)
        .join(sources, sources.c.id == passages.c.source_id)
        .where(among(fact_sources.c.fact_id, fact_ids))
    )
    return [_Stretch(*row) for row in connection.execute(query)]


def _resting_on(connection: Connection, source_ids: Collection[int]) -> set[int]:
    query = sql.select(fact_sources.c.fact_id).join(passages, passages.c.id == fact_sources.c.passage_id)
    return set(connection.execute(query.where(among(passages.c.source_id, source_ids))).scalars())


def _entities_of_sources(connection: Connection, source_ids: Collection[int]) -> set[int]:
    return set(connection.execute(sql.select(names.c.entity_id).where(among(names.c.source_id, source_ids))).scalars())


def _remove_facts(connection: Connection, fact_ids: set[int], gone: Gone) -> set[int]:
    """Remove facts; returns the entities that they were about."""
    query = sql.select(facts.c.subject_id, facts.c.object_id).where(among(facts.c.id, fact_ids))
    about = {entity_id for row in connection.execute(query) for entity_id in row if entity_id is not None}
    gone.texts.update(fact.text for fact in facts_by_id(connection, fact_ids).values())
    words.remove(connection, FACT, fact_ids)
    connection.execute(delete(facts).where(among(facts.c.id, fact_ids)))
    gone.facts |= fact_ids
    return about


def _remove_sources(connection: Connection, source_ids: Collection[int], gone: Gone) -> None:
    query = sql.select(passages.c.id, passages.c.text).where(among(passages.c.source_id, source_ids))
    held = {row.id: row.text for row in connection.execute(query)}
    gone.texts.update(held.values())
    gone.passages.update(held)
    gone.sources.update(source_ids)
    words.remove(connection, PASSAGE, held)
    connection.execute(delete(sources).where(among(sources.c.id, source_ids)))


def _blank(connection: Connection, user_id: int, source_id: int, stretches: Iterable[_Stretch]) -> None:
    """Write spaces over what only forgotten facts rested on, so that the other facts' spans still hold."""
    other = (
        sql.select(fact_sources.c.start, fact_sources.c.end)
        .join(passages, passages.c.id == fact_sources.c.passage_id)
        .where(passages.c.source_id == source_id)
    )
    kept = {place for row in connection.execute(other) for place in range(row.start, row.end)}
    blank = {place for stretch in stretches for place in range(stretch.start, stretch.end)} - kept
    text = connection.execute(sql.select(sources.c.text).where(sources.c.id == source_id)).scalar_one()
    text = "".join(" " if place in blank else character for place, character in enumerate(text))
    connection.execute(update(sources).where(sources.c.id == source_id).values(text=text))
    for row in connection.execute(sql.select(passages).where(passages.c.source_id == source_id)).all():
        part = text[row.start : row.end]
        connection.execute(update(passages).where(passages.c.id == row.id).values(text=part, embedded=False))
        words.put(connection, user_id, PASSAGE, [(row.id, searched_text(row.heading, part))])


def _settle_entities(connection: Connection, user_id: int, touched: set[int], gone: Gone) -> None:
    """Remove the entities that have no fact left; let the others keep only names that a source still uses."""
    about = sql.select(facts.c.subject_id).union(sql.select(facts.c.object_id).where(facts.c.object_id.is_not(None)))
    without = sql.select(entities.c.id).where(among(entities.c.id, touched), entities.c.id.not_in(about))
    empty = set(connection.execute(without).scalars())
    words.remove(connection, ENTITY, empty)
    connection.execute(delete(entities).where(among(entities.c.id, empty)))
    gone.entities |= empty
    rest = touched - empty
    own = sql.select(names.c.name).where(names.c.entity_id == entities.c.id)
    first = own.order_by(names.c.source_id, names.c.name).limit(1).scalar_subquery()
    stale = among(entities.c.id, rest) & entities.c.name.not_in(own)
    connection.execute(update(entities).where(stale).values(name=first))
    reindex_entities(connection, user_id, rest)
