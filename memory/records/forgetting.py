"""What goes when something is forgotten, and what goes with it.

A fact that loses its last support goes; so does an entity that loses its last fact, and a note from the chat that has
no fact left. Documents, and notes that keep other facts, stay; what the forgotten facts rested on is blanked in them,
and of a sentence that other facts rest on the words that only they said.
Of an entity that goes by its name, so is every sentence that names it, as far as the name is no word.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import sqlalchemy as sql
from sqlalchemy import Connection, delete, or_, update

from memory.folding import fold
from memory.mentions import Finder
from memory.records import merging, words
from memory.records.among import among
from memory.records.blanking import blank, blank_prose
from memory.records.closing import release, reopen, take_back
from memory.records.dating import date_again
from memory.records.entities import reindex_entities, rename_stale
from memory.records.facts import facts_by_id, reindex_facts_of
from memory.records.keys import ENTITY, FACT, PASSAGE, key
from memory.records.library import CHAT
from memory.records.selection import Chosen, resting_on
from memory.records.tables import entities, fact_sources, facts, names, passages, places, sources
from memory.records.telling import Beside, Stretch, Told, told_by
from memory.resolution import USER_NAMES
from memory.types import FactKind


@dataclass(slots=True)
class Gone:
    """The numbers of what went, and the texts that must not be found anywhere any more.

    `values` are the names of entities that went, all of them, and what facts that went said of their subjects; `places`
    where sources that went lay, and what these were called.
    `said_in` are the numbers of the sources that said what went, whether they went with it or not.
    `changed` are the ids of what stays but has another text now, so that it has to be embedded anew. `told` is what the
    facts said, and `kept_by` the facts for whose sake a sentence stays that still says what went.
    """

    facts: set[int] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)
    passages: set[int] = field(default_factory=set)
    sources: set[int] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)
    said_in: set[int] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    told: list[Told] = field(default_factory=list)
    kept_by: set[int] = field(default_factory=set)

    @property
    def ids(self) -> list[str]:
        """The ids of all that went and may have a vector."""
        kinds = ((FACT, self.facts), (ENTITY, self.entities), (PASSAGE, self.passages))
        return [key(kind, number) for kind, numbers in kinds for number in numbers]


def remove(connection: Connection, user_id: int, chosen: Chosen) -> Gone:
    """Remove what was chosen, and all that stood on it alone."""
    removal = _Removal(connection, user_id)
    resting = resting_on(connection, chosen.sources)
    rested_on = [
        told
        for told in told_by(connection, chosen.facts | resting)
        if told.fact_id in chosen.facts or told.at.source_id in chosen.sources
    ]
    removal.gone.told = rested_on + chosen.said_again
    told_in = {told.at.source_id for told in rested_on}.difference(chosen.sources)
    removal.facts(chosen.facts)
    removal.sources(chosen.sources)
    elsewhere = sql.select(fact_sources.c.fact_id).where(among(fact_sources.c.fact_id, resting))
    staying = set(connection.execute(elsewhere).scalars())
    removal.facts(resting - staying - removal.gone.facts)
    date_again(connection, staying)
    removal.notes_without_facts(told_in)
    removal.words(chosen.mentions, chosen.named)
    removal.entities_without_facts()
    removal.names_without_source()
    return removal.gone


def blank_again(connection: Connection, user_id: int, told: Iterable[Told], back: Collection[int]) -> None:
    """Blank what was told by facts that stay forgotten where facts that are `back` brought their sentence back."""
    again = Beside(told_by(connection, back))
    concerned = [one for one in told if again(one.at)]
    for own_id, said in _by_source(concerned).items():
        blanked = blank(connection, user_id, own_id, said)
        blank_prose(connection, user_id, own_id, said, blanked, of=back)


class _Removal:
    """Removes step by step, and keeps count of what went and of the entities that it concerned."""

    def __init__(self, connection: Connection, user_id: int) -> None:
        self.gone = Gone()
        self._connection = connection
        self._user_id = user_id
        self._touched: set[int] = set()  # entities that lost a fact
        self._changed: set[int] = set()  # entities that lost a name or a description
        self._called: dict[int, set[str]] = defaultdict(set)  # entities, by the names that sources gave which went
        self._heirs: set[int] = set()  # entities that stand for others, in place of one that went

    def facts(self, fact_ids: set[int]) -> None:
        """Remove facts."""
        told = (facts.c.kind, facts.c.subject_id, facts.c.object_id, facts.c.object)
        for row in self._connection.execute(sql.select(*told).where(among(facts.c.id, fact_ids))):
            self.gone.values.add(row.object)
            self._touched.update(end for end in (row.subject_id, row.object_id) if end is not None)
            if row.kind == FactKind.DESCRIPTION:
                self._changed.add(row.subject_id)
        known = facts_by_id(self._connection, fact_ids).values()
        self.gone.texts.update(fact.text for fact in known)
        self.gone.facts |= fact_ids
        words.remove(self._connection, FACT, fact_ids)
        released = release(self._connection, fact_ids)
        self._connection.execute(delete(facts).where(among(facts.c.id, fact_ids)))
        reopen(self._connection, released)

    def sources(self, source_ids: Collection[int]) -> None:
        """Remove sources with their passages and the names that they gave; what only they closed is open again."""
        reopen(self._connection, take_back(self._connection, source_ids))
        named = sql.select(names.c.entity_id, names.c.name).where(among(names.c.source_id, source_ids))
        for entity_id, name in self._connection.execute(named):
            self._called[entity_id].add(name)
        self._changed.update(self._called)
        query = sql.select(passages.c.id, passages.c.text).where(among(passages.c.source_id, source_ids))
        held = {row.id: row.text for row in self._connection.execute(query)}
        self.gone.texts.update(held.values())
        self.gone.passages.update(held)
        self.gone.sources.update(source_ids)
        called = sql.select(sources.c.name).where(among(sources.c.id, source_ids))
        lay = sql.select(places.c.place).where(among(places.c.source_id, source_ids))
        self.gone.places.update(self._connection.execute(called.union(lay)).scalars())
        words.remove(self._connection, PASSAGE, held)
        self._connection.execute(delete(sources).where(among(sources.c.id, source_ids)))

    def notes_without_facts(self, source_ids: Collection[int]) -> None:
        """Remove those of the sources that were said in the chat, and that no fact rests on any more."""
        notes = sql.select(sources.c.id).where(among(sources.c.id, source_ids), sources.c.kind == CHAT)
        told = sql.select(passages.c.source_id).join(fact_sources, fact_sources.c.passage_id == passages.c.id)
        self.sources(set(self._connection.execute(notes.where(sources.c.id.not_in(told))).scalars()))

    def words(self, mentions: Iterable[Stretch], named: Finder | None) -> None:
        """Blank what was forgotten in the sources that stay; one that has no words left goes."""
        told = _by_source(self.gone.told)
        naming: dict[int, list[Stretch]] = defaultdict(list)
        for stretch in mentions:
            naming[stretch.source_id].append(stretch)
        by_source = told.keys() | naming.keys()
        self.gone.said_in = by_source | self.gone.sources
        for own_id in by_source - self.gone.sources:
            blanked = blank(
                self._connection, self._user_id, own_id, told.get(own_id, ()), mentions=naming[own_id], named=named
            )
            blank_prose(self._connection, self._user_id, own_id, told.get(own_id, ()), blanked)
            self.gone.texts |= blanked.texts
            self.gone.passages |= blanked.gone
            self.gone.kept_by |= blanked.kept_by
            self.gone.changed.update(key(PASSAGE, passage_id) for passage_id in blanked.changed)
            self.gone.changed.update(key(FACT, fact_id) for fact_id in blanked.prose)
            self._changed.update(blanked.prose.values())
        left = sql.select(passages.c.source_id).where(among(passages.c.source_id, by_source))
        self.sources(by_source - self.gone.sources - set(self._connection.execute(left).scalars()))

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
        others = sql.select(names.c.name).where(among(names.c.entity_id, self.gone.entities))
        everywhere = (self._called.get(entity_id, set()) for entity_id in self.gone.entities)
        known = {name for query in (called, others) for name in self._connection.execute(query).scalars()}
        self.gone.values |= {name for name in known.union(*everywhere) if fold(name) not in USER_NAMES}
        words.remove(self._connection, ENTITY, self.gone.entities)
        self._heirs = merging.leave(self._connection, self.gone.entities)
        self._connection.execute(delete(entities).where(among(entities.c.id, self.gone.entities)))

    def names_without_source(self) -> None:
        """Let the entities that stay go by names that a source still uses."""
        rest = self._changed - self.gone.entities
        renamed = rename_stale(self._connection, rest)
        called_otherwise = merging.everyone(self._connection, {*renamed, *self._heirs})
        renamed_facts = reindex_facts_of(self._connection, self._user_id, called_otherwise)
        reindex_entities(self._connection, self._user_id, rest)
        self.gone.changed.update(key(ENTITY, entity_id) for entity_id in rest)
        self.gone.changed.update(key(FACT, fact_id) for fact_id in renamed_facts)


def _by_source(told: Iterable[Told]) -> dict[int, list[Told]]:
    by_source: dict[int, list[Told]] = defaultdict(list)
    for one in told:
        by_source[one.at.source_id].append(one)
    return by_source
