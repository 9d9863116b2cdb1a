"""What of a user's records is meant to be forgotten: facts, sources, and the sentences that name an entity."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sql
from sqlalchemy import Column, Connection, Row, Table, or_

from memory.errors import NothingThere, UserMistake
from memory.folding import fold
from memory.mentions import Finder, is_proper, is_telling, saying, within_another, without_article
from memory.records import merging
from memory.records.among import among
from memory.records.blanking import said_again, sentences_with
from memory.records.entities import entities_named, entity_called, longer_names, own_entities
from memory.records.keys import ENTITY, FACT, SOURCE, missing, number
from memory.records.tables import fact_sources, facts, passages, sources
from memory.records.taking_out import Part
from memory.records.telling import Beside, Stretch, Told, concerned_prose, saying_no_more, told_in
from memory.resolution import USER_NAMES


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be forgotten; all that is named goes. `entity` is an id or a name."""

    facts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    entity: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    everything: bool = False


@dataclass(slots=True)
class Chosen:
    """What is to go: the numbers of facts and of sources, and the names that nothing may say any more.

    `others` are longer names, of other things, that such a name is a part of; `mentions` are the sentences that have
    such a name by itself, and `said_again` is what the facts say where they do not rest on it; the sentences `longer`
    have its words. `left` are names that words are too; of those that are `doubtful` alone (`is_telling`), `mentions`
    are the sentences that nothing else rests on.
    """

    facts: set[int] = field(default_factory=set)
    sources: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    mentions: list[Stretch] = field(default_factory=list)
    said_again: list[Told] = field(default_factory=list)
    longer: list[Stretch] = field(default_factory=list)
    doubtful: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)

    @property
    def stretches(self) -> list[Stretch]:
        """Where sentences lose their words though no fact that goes rests on them."""
        return [*self.mentions, *(one.at for one in self.said_again)]

    @property
    def named(self) -> Finder | None:
        """Finds the names, but not within those of others."""
        return saying(self.names, self.others)

    def sentences_left(self, connection: Connection, user_id: int) -> int:
        """How many sentences have a name of `left`, as it is or where a sentence begins with it, or are `longer`."""
        bare = [without_article(name) for name in self.left]
        found = saying(form for name in bare for form in (name, name[:1].upper() + name[1:]))
        named = set(sentences_with(connection, user_id, found)) if found else set[Stretch]()
        return len(named.union(self.longer).difference(self.mentions))


def select(connection: Connection, user_id: int, wanted: Selection) -> Chosen:
    """What is to go.

    Raises:
        NothingThere: something named does not exist, or nothing was learned in that time.
        UserMistake: nothing is named, or several entities have that name.
    """
    if wanted == Selection():
        raise UserMistake("Say what to forget: facts, a source, an entity, a time, or everything.")
    in_time = (wanted.since, wanted.until) != (None, None)
    chosen = Chosen()
    if wanted.everything or in_time:
        chosen.facts, chosen.sources = _learned_within(connection, user_id, wanted.since, wanted.until)
    if in_time and not chosen.facts and not chosen.sources:
        raise NothingThere("Nothing was learned in that time.")
    named = {_own(connection, user_id, FACT, fact_id) for fact_id in wanted.facts}
    chosen.facts.update(named, _copies(connection, named))
    chosen.sources.update(_own(connection, user_id, SOURCE, source_id) for source_id in wanted.sources)
    if wanted.entity is not None:
        _choose_about(connection, user_id, wanted.entity, chosen)
    chosen.facts |= saying_no_more(connection, chosen.facts, but=chosen.sources)
    if wanted.facts or wanted.entity is not None:  # what is forgotten for its time or its source may be said elsewhere
        chosen.said_again, chosen.longer = said_again(connection, user_id, chosen.facts)
    return chosen


def _choose_about(connection: Connection, user_id: int, called: str, chosen: Chosen) -> None:
    """Choose all about an entity, and all mentions of its names; of a text not read yet, the name alone is known."""
    try:
        one = merging.everyone(connection, [entity_called(connection, user_id, called)])
        names_of_it = {
            name for known in own_entities(connection, one).values() for name in (known.name, *known.aliases)
        }
        about = or_(among(facts.c.subject_id, one), among(facts.c.object_id, one))
        chosen.facts.update(connection.execute(sql.select(facts.c.id).where(about)).scalars())
    except NothingThere:
        one, names_of_it = [], {called}
    namesakes = entities_named(connection, user_id, map(fold, names_of_it))
    only_its = {
        name for name in names_of_it if fold(name) not in USER_NAMES and set(namesakes.get(fold(name), ())) <= set(one)
    }
    telling = {name for name in only_its if is_telling(name)}
    chosen.names = {name for name in telling if is_proper(name)}
    chosen.doubtful, chosen.left = telling - chosen.names, only_its - chosen.names
    longer = longer_names(connection, user_id, map(fold, telling)) - names_of_it
    chosen.others = {other for other in longer if any(within_another(name, other) for name in telling)}
    if named := chosen.named:
        told = sql.select(facts.c.id, facts.c.object).where(facts.c.user_id == user_id)
        chosen.facts.update(row.id for row in connection.execute(told) if named.search(row.object))
        chosen.mentions = sentences_with(connection, user_id, named)
    if named := saying(chosen.doubtful, chosen.others, surely=True):
        mentions = sentences_with(connection, user_id, named)
        in_them = told_in(connection, {at.source_id for at in mentions})
        staying = Beside(one for one in in_them if one.fact_id not in chosen.facts)
        chosen.mentions += [at for at in mentions if not staying(at)]
    if not chosen.facts and not chosen.mentions:
        raise missing(ENTITY, called)


def part(connection: Connection, chosen: Chosen) -> Part:
    """All that may go or change: the chosen, what rests on them, what these close; what closes any; their sources."""
    concerned = {*chosen.facts, *resting_on(connection, chosen.sources)}
    concerned |= concerned_prose(connection, concerned)
    closers = (facts.c.closed_by, facts.c.once_closed_by)
    closed = sql.select(facts.c.id).where(or_(*(among(closer, concerned) for closer in closers)))
    concerned.update(connection.execute(closed).scalars())
    latest = set(concerned)
    while latest:  # each may be closed by one that is closed itself
        above = connection.execute(sql.select(*closers).where(among(facts.c.id, latest))).all()
        latest = {own_id for row in above for own_id in row if own_id is not None} - concerned
        concerned |= latest
    query = sql.select(passages.c.source_id).join(fact_sources, fact_sources.c.passage_id == passages.c.id)
    told = set(connection.execute(query.where(among(fact_sources.c.fact_id, concerned))).scalars())
    return Part(concerned, told | chosen.sources | {at.source_id for at in chosen.stretches})


def _own(connection: Connection, user_id: int, kind: str, id_: str) -> int:
    table = {FACT: facts, SOURCE: sources}[kind]
    query = sql.select(table.c.id).where(table.c.user_id == user_id, table.c.id == number(kind, id_))
    found: int | None = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise missing(kind, id_)
    return found


def _copies(connection: Connection, fact_ids: Collection[int]) -> set[int]:
    """The numbers of the facts that say just the same of what is one now: of each of two that were taken apart."""
    told = connection.execute(sql.select(facts).where(among(facts.c.id, fact_ids))).all()
    subjects = merging.everyone(connection, {row.subject_id for row in told})
    digests = sql.select(facts.c.digest).where(among(facts.c.id, fact_ids))
    same = among(facts.c.subject_id, subjects) & facts.c.digest.in_(digests)
    alike = connection.execute(sql.select(facts).where(same)).all()
    ends = {end for row in alike for end in (row.subject_id, row.object_id) if end is not None}
    survivors = merging.survivors_of(connection, ends)

    def said(row: Row[Any]) -> tuple[object, ...]:
        return survivors[row.subject_id], row.digest, survivors.get(row.object_id), row.learned, row.valid_to

    wanted = set(map(said, told))
    return {row.id for row in alike if said(row) in wanted}


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


def resting_on(connection: Connection, source_ids: Collection[int]) -> set[int]:
    """The numbers of the facts that rest on these sources, perhaps among others."""
    query = sql.select(fact_sources.c.fact_id).join(passages, passages.c.id == fact_sources.c.passage_id)
    return set(connection.execute(query.where(among(passages.c.source_id, source_ids))).scalars())
