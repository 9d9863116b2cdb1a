"""Takes what was read out of one passage into the records: entities resolved, nothing twice, each fact with support.

What is told now closes what whoever read it says that it ends, and never overwrites it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection

from memory.folding import fold
from memory.graph import Edge
from memory.records import closing, entities, facts, merging, places
from memory.records.dating import was_ahead
from memory.records.keys import ENTITY, FACT, key, number
from memory.resolution import Named, choose, named_in
from memory.types import NEVER, Extraction, Fact, FactKind, Held, Passage, Span, Statement


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is learned from; `corrects` are the facts that it is meant to put right."""

    user_id: int
    source_id: int
    passage_id: int
    passage: Passage
    chat: bool
    at: datetime
    corrects: frozenset[int] = frozenset()


@dataclass(slots=True)
class Learned:
    """What came of it; `changed` are the ids of records whose vectors have to be made anew."""

    added: list[Fact] = field(default_factory=list)
    confirmed: list[Fact] = field(default_factory=list)
    closed: list[Fact] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    dropped: int = 0


def learn(connection: Connection, place: Place, extraction: Extraction) -> Learned:
    """Keep the statements of a passage; one without words, or without support in the passage, is dropped.

    So is what the user denies, unless it is known: then it holds no more.
    """
    statements = [stripped for said in extraction.statements if (stripped := _supported(said, place.passage))]
    kept = Extraction(extraction.mentions, tuple(statements))
    start = place.passage.span.start
    resolver = _Resolver(connection, place, kept)
    added: list[int] = []
    confirmed: list[int] = []
    closed: list[int] = []
    dropped = extraction.dropped + len(extraction.statements) - len(statements)
    for statement in statements:
        over = _denied(connection, statement, resolver) if statement.denied else []
        if statement.denied and not over:
            dropped += 1
            continue
        subject_id, object_id = resolver.ends(statement)
        times = statement.held
        if over:
            never = place.corrects.issuperset(fact.id for fact in over)
            times = Held(until=NEVER if never else times.until or place.at)
        new = facts.NewFact(
            statement.kind,
            subject_id,
            statement.relation,
            statement.object,
            object_id,
            learned=place.at,
            valid_from=times.since,
            valid_to=times.until,
        )
        span = Span(start + statement.span.start, start + statement.span.end)
        rests_on = [facts.Support(place.passage_id, span, times.since, times.ahead)]
        fact_id, is_new = facts.add_fact(connection, place.user_id, new, rests_on, closed=bool(over))
        (added if is_new else confirmed).append(fact_id)
        told = {number(FACT, ended) for ended in statement.ends} - {fact_id}
        is_so = bool(times.since or told) and not (times.ahead or times.within)
        if is_so and not is_new and _has_come(connection, fact_id, place):
            closing.begin(connection, fact_id, times.since, place.at)
        if told and (is_new or over or closing.holds(connection, fact_id)):
            holding = closing.holding(connection, place.user_id, told)
            over += [fact for fact in holding if fact not in over and _may_end(fact, times, place)]
        if over := [fact for fact in over if fact.id != fact_id]:
            closed += _end(connection, over, fact_id, new, place, again=not (is_new or statement.denied))
        if is_new and statement.kind is FactKind.DESCRIPTION:
            resolver.changed.add(subject_id)
    entities.reindex_entities(connection, place.user_id, resolver.changed)
    known = facts.facts_by_id(connection, [*added, *confirmed, *closed])
    facts.index_facts(connection, place.user_id, [known[fact_id] for fact_id in added])
    return Learned(
        added=[known[fact_id] for fact_id in added],
        confirmed=[known[fact_id] for fact_id in dict.fromkeys(confirmed) if fact_id not in added],
        closed=[known[fact_id] for fact_id in closed],
        changed=[key(ENTITY, own_id) for own_id in resolver.changed] + [key(FACT, own_id) for own_id in added],
        edges=facts.edges(connection, place.user_id, [*added, *resolver.linked]),
        dropped=dropped,
    )


def _denied(connection: Connection, statement: Statement, resolver: "_Resolver") -> list[closing.Current]:
    """The facts that hold and say the very thing that the user denies."""
    subject_id = resolver.known(statement.subject)
    if subject_id is None:
        return []
    one = merging.everyone(connection, [subject_id])
    return closing.saying(connection, one, facts.digest_of(statement.kind, statement.relation, statement.object))


def _has_come(connection: Connection, fact_id: int, place: Place) -> bool:
    """Whether a fact that holds had been still to come wherever it was told before."""
    return closing.holds(connection, fact_id) and was_ahead(connection, fact_id, place.passage_id)


def _may_end(fact: closing.Current, times: Held, place: Place) -> bool:
    """Whether what holds at these times ends a fact: only one that it corrects, where it is still to come or was within
    a time, or where the fact has held since a later day."""
    is_later = fact.valid_from is not None and times.since is not None and times.since < fact.valid_from
    return fact.id in place.corrects or not (times.ahead or times.within or is_later)


def _end(
    connection: Connection, over: Sequence[closing.Current], by: int, new: facts.NewFact, place: Place, *, again: bool
) -> list[int]:
    """Close facts of which a new one, or one that is said `again`, takes the place; which those are.

    What is corrected never held, unless the other is told to have begun on a day: until that it held.
    """
    again_in = place.source_id if again else None
    began = new.valid_from is not None and new.valid_from <= place.at
    mistakes = [fact.id for fact in over if fact.id in place.corrects and not began]
    closing.close(connection, mistakes, by, NEVER, again_in)
    ended = [fact.id for fact in over if fact.id not in mistakes]
    closing.close(connection, ended, by, new.valid_to or new.valid_from or place.at, again_in)
    return [fact.id for fact in over]


def _supported(said: Statement, passage: Passage) -> Statement | None:
    subject, relation, object_ = said.subject.strip(), said.relation.strip(), said.object.strip()
    inside = 0 <= said.span.start < said.span.end <= len(passage.text)
    if not (subject and relation and object_ and inside):
        return None
    return replace(said, subject=subject, relation=relation, object=object_)


class _Resolver:
    """Finds or makes the entities of one passage."""

    def __init__(self, connection: Connection, place: Place, extraction: Extraction) -> None:
        self._connection = connection
        self._place = place
        self._named = named_in(extraction)
        # A changed document goes on to speak of whom it spoke of before.
        one_document = [place.source_id, *places.earlier(connection, place.source_id)]
        self._candidates = entities.candidates(connection, place.user_id, self._named, one_document)
        objects = {fold(said.object) for said in extraction.statements if said.kind is FactKind.TRIPLE}
        self._objects = entities.entities_called(connection, place.user_id, objects - self._named.keys())
        self._resolved: dict[str, int] = {}  # by the name that the passage uses
        self.changed: set[int] = set()
        self.linked: list[int] = []

    def ends(self, statement: Statement) -> tuple[int, int | None]:
        """The entities that a statement joins; the second is None where its object is no entity."""
        subject = self._named[fold(statement.subject)]
        subject_id = self._entity(subject)
        if statement.kind is not FactKind.TRIPLE:
            return subject_id, None
        name = fold(statement.object)
        object_id = self._entity(self._named[name]) if name in self._named else self._objects.get(name)
        return subject_id, None if object_id == subject_id else object_id

    def known(self, subject: str) -> int | None:
        """The entity of that name, where there is one."""
        named = self._named[fold(subject)]
        if named.name in self._resolved:
            return self._resolved[named.name]
        found = choose(named, self._candidates, chat=self._place.chat)
        return None if found is None else found.id

    def _entity(self, named: Named) -> int:
        if named.name in self._resolved:
            return self._resolved[named.name]
        user_id = self._place.user_id
        found = choose(named, self._candidates, chat=self._place.chat)
        entity_id = entities.add_entity(self._connection, user_id, named.name) if found is None else found.id
        entities.add_names(self._connection, user_id, entity_id, named, self._place.source_id)
        if found is None or not named.keys <= found.keys:
            self.changed.add(entity_id)
        if found is None:
            self.linked += entities.link_loose_objects(self._connection, user_id, entity_id, named.name)
        self._resolved[named.name] = entity_id
        return entity_id
