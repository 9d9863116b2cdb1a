"""Takes what was read out of one passage into the records: entities resolved, nothing twice, each fact with support.

What is told now closes what it contradicts, and never overwrites it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain

from sqlalchemy import Connection

from memory.contradiction import affirmed, as_former, as_state, ends
from memory.folding import fold
from memory.graph import Edge
from memory.records import closing, entities, facts, places
from memory.records.keys import ENTITY, FACT, key
from memory.resolution import USER_NAMES, Named, choose, named_in
from memory.superseding import Superseding
from memory.times import Held, held
from memory.types import NEVER, Extraction, Fact, FactKind, Passage, Span, Statement


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
    superseding = Superseding(
        connection, place.source_id, place.passage_id, place.at, chat=place.chat, corrects=place.corrects
    )
    added: list[int] = []
    confirmed: list[int] = []
    closed: list[int] = []
    dropped = extraction.dropped + len(extraction.statements) - len(statements)
    for told in statements:
        said = place.passage.text[told.span.start : told.span.end]
        statement, over = _denied(told, resolver, superseding) if place.chat else (told, [])
        if statement.denied and not over:
            dropped += 1
            continue
        by_words = statement.ends is None  # nobody has said what it ends, and when it holds
        words = said if by_words else ""
        subject_id, object_id = resolver.ends(statement)
        times = _times(statement, said, place)
        if over:
            times = Held(until=NEVER if superseding.never_held(over, words) else place.at)
        relation = as_former(statement.relation, statement.object, said) if by_words else statement.relation
        if place.chat and by_words and not times.ahead:
            relation = _as_state(statement, relation, said, statements, superseding.relations_of(subject_id))
        new = facts.NewFact(
            statement.kind,
            subject_id,
            relation,
            statement.object,
            object_id,
            learned=place.at,
            valid_from=times.since,
            valid_to=times.until,
        )
        span = Span(start + statement.span.start, start + statement.span.end)
        rests_on = [facts.Support(place.passage_id, span)]
        fact_id, is_new = facts.add_fact(connection, place.user_id, new, rests_on, closed=bool(over))
        (added if is_new else confirmed).append(fact_id)
        if over:
            closed += superseding.end(over, fact_id, new, words)
        elif statement.kind is FactKind.TRIPLE:
            if statement.ends is None:
                closed += (superseding.close if is_new else superseding.confirm)(fact_id, new, said, times)
            elif not times.ahead:
                ended = superseding.told(statement.ends, fact_id)
                closed += superseding.end(ended, fact_id, new, words, None if is_new else place.source_id)
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


def _times(statement: Statement, said: str, place: Place) -> Held:
    """When a statement holds: as whoever read it tells, or else its words."""
    if statement.ends is None:
        return held(said, statement.object, place.at, spoken=place.chat, ends=ends(statement.relation))
    now = place.at
    return Held(
        statement.since,
        statement.until if statement.until and statement.until <= now else None,
        ahead=statement.since is not None and statement.since > now,
    )


def _denied(
    statement: Statement, resolver: "_Resolver", superseding: Superseding
) -> tuple[Statement, list[closing.Current]]:
    """A statement, and what is known that it denies; then in the words in which that is known.

    It may do so in its relation: "not allergic to".
    """
    relation = statement.relation if statement.denied else affirmed(statement.relation)
    subject_id = resolver.known(statement.subject)
    if statement.kind is not FactKind.TRIPLE or relation is None or subject_id is None:
        return statement, []
    over = superseding.denied(subject_id, relation, statement.object)
    return (replace(statement, relation=over[0].relation, denied=True) if over else statement), over


def _as_state(statement: Statement, relation: str, said: str, beside: Iterable[Statement], known: Iterable[str]) -> str:
    subject = fold(statement.subject)
    of_it = chain(known, (other.relation for other in beside if fold(other.subject) == subject))
    return as_state(relation, statement.object, said, is_user=subject in USER_NAMES, known=of_it)


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
