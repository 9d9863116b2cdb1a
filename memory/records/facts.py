"""Facts and what they rest on."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Boolean,
    ColumnElement,
    Connection,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from memory.folding import fold
from memory.graph import Edge
from memory.records import merging, words
from memory.records.among import among, among_listed, listed
from memory.records.keys import ENTITY, FACT, SOURCE, key, number
from memory.records.tables import entities, fact_sources, facts, passages, sources
from memory.records.within import within
from memory.types import Fact, FactKind, Span

_told_of = entities.alias("told_of")  # by the source; the survivor of it is the subject
_subject = entities.alias("subject")
_object = entities.alias("object")
_LONGEST_NAME = 80  # characters; a longer object is prose, never a name


@dataclass(frozen=True, slots=True)
class Support:
    """What a fact rests on: a stretch of a passage, in the source's characters, and when the fact began by it."""

    passage_id: int
    span: Span
    since: datetime | None = None
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact before it has an id."""

    kind: FactKind
    subject_id: int
    relation: str
    object: str
    object_id: int | None
    learned: datetime
    valid_from: datetime | None = None
    valid_to: datetime | None = None


def add_fact(
    connection: Connection, user_id: int, new: NewFact, supports: Sequence[Support], *, closed: bool = False
) -> tuple[int, bool]:
    """Keep a fact, or let the one that says the same rest on `supports` too; its number, and whether it is new.

    The same is said by one that held as long, or that was learned at that very moment (and closed since), and whose
    object is not known to be another entity. Where it did not say since when it holds, it does now. `closed` is for one
    that another fact has closed: only the moment tells it from others, since all that was a mistake ended at `NEVER`.
    """
    may_be_name = new.kind is FactKind.TRIPLE and len(new.object) <= _LONGEST_NAME
    row = {
        "user_id": user_id,
        "kind": new.kind.value,
        "subject_id": new.subject_id,
        "relation": new.relation,
        "object": new.object,
        "object_id": new.object_id,
        "object_folded": fold(new.object) if may_be_name else None,
        "digest": digest_of(new.kind, new.relation, new.object),
        "learned": new.learned,
        "valid_from": new.valid_from,
        "valid_to": new.valid_to,
    }
    known: int | None = connection.execute(_SAME, {**row, "closed": closed}).scalar_one_or_none()
    fact_id = int(connection.execute(_ADDED, row).scalar_one()) if known is None else known
    if known is not None and new.valid_from is not None:
        vague = update(facts).where(facts.c.id == known, facts.c.valid_from.is_(None), facts.c.valid_to.is_(None))
        connection.execute(vague.values(valid_from=new.valid_from))
    rows = [
        {
            "fact_id": fact_id,
            "passage_id": support.passage_id,
            "start": support.span.start,
            "end": support.span.end,
            "since": support.since,
            "ahead": support.ahead,
        }
        for support in supports
    ]
    if rows:
        connection.execute(_SUPPORTED, rows)
    return fact_id, known is None


def _same() -> Select[Any]:
    """Which fact says the same as the one that is bound; see `add_fact`."""
    at_once = facts.c.learned == bindparam("learned")
    as_long = and_(~bindparam("closed", type_=Boolean), facts.c.valid_to.is_not_distinct_from(bindparam("valid_to")))
    object_id = bindparam("object_id", type_=Integer)
    same_object = facts.c.object_id.is_not_distinct_from(object_id)
    same = select(facts.c.id).where(
        facts.c.subject_id == bindparam("subject_id"),
        facts.c.digest == bindparam("digest"),
        or_(at_once, as_long),
        or_(same_object, facts.c.object_id.is_(None), object_id.is_(None)),
    )
    return same.order_by(same_object.desc(), at_once.desc()).limit(1)


# Put together once: for each fact anew, that takes longer than to run them.
_SAME = _same()
_ADDED = insert(facts).returning(facts.c.id)
_SUPPORTED = insert(fact_sources).on_conflict_do_nothing()


def rewrite_fact(connection: Connection, user_id: int, fact_id: int, object_: str) -> None:
    """Give a description or an aspect another text; its vector has to be made anew."""
    kind, relation = connection.execute(select(facts.c.kind, facts.c.relation).where(facts.c.id == fact_id)).one()
    values = {"object": object_, "digest": digest_of(kind, relation, object_), "embedded": False}
    connection.execute(update(facts).where(facts.c.id == fact_id).values(values))
    index_facts(connection, user_id, facts_by_id(connection, [fact_id]).values())


def index_facts(connection: Connection, user_id: int, added: Iterable[Fact]) -> None:
    """Make facts findable by their words."""
    words.put(connection, user_id, FACT, [(number(FACT, fact.id), wording(fact)) for fact in added])


def reindex_facts_of(connection: Connection, user_id: int, entity_ids: Sequence[int]) -> list[int]:
    """Call where entities go by other names now: the facts told of them; keywords at once, vectors later."""
    query = select(facts.c.id).where(among(facts.c.subject_id, entity_ids))
    fact_ids = list(connection.execute(query).scalars())
    index_facts(connection, user_id, facts_by_id(connection, fact_ids).values())
    connection.execute(update(facts).where(among(facts.c.id, fact_ids)).values(embedded=False))
    return fact_ids


def wording(fact: Fact) -> str:
    """A fact as one line of text, for search."""
    if fact.kind is FactKind.DESCRIPTION:
        return f"{fact.subject}: {fact.object}"
    return f"{fact.subject} {fact.relation}: {fact.object}"


def facts_by_id(connection: Connection, fact_ids: Iterable[int]) -> dict[int, Fact]:
    """Facts with the first source that each rests on, in the order asked for."""
    wanted = list(dict.fromkeys(fact_ids))
    if not wanted:
        return {}
    rows = {row.id: _fact(row) for row in connection.execute(_BY_ID, {"listed": listed(wanted)})}
    return {fact_id: rows[fact_id] for fact_id in wanted if fact_id in rows}


def own_facts(connection: Connection, user_id: int, fact_ids: Iterable[int]) -> list[Fact]:
    """As `facts_by_id`, only what is the user's."""
    wanted = list(fact_ids)
    own = select(facts.c.id).where(facts.c.user_id == user_id, among(facts.c.id, wanted))
    there = set(connection.execute(own).scalars())
    return list(facts_by_id(connection, [fact_id for fact_id in wanted if fact_id in there]).values())


def resting_on_passage(connection: Connection, passage_id: int) -> list[int]:
    """The numbers of the facts that rest on a passage."""
    query = select(fact_sources.c.fact_id).where(fact_sources.c.passage_id == passage_id).order_by(fact_sources.c.id)
    return list(dict.fromkeys(connection.execute(query).scalars()))


def facts_about(connection: Connection, entity_ids: Sequence[int], limit: int) -> list[Fact]:
    """Facts told of these very entities, as subject or object: current ones first, then the latest learned."""
    return [_fact(row) for row in connection.execute(_LATEST, {"ends": entity_ids, "limit": limit})]


def ids_about(connection: Connection, entity_ids: Sequence[int], limit: int) -> list[str]:
    """The ids of the facts that `facts_about` gives, in its order."""
    ids = connection.execute(_LATEST_IDS, {"ends": entity_ids, "limit": limit}).scalars()
    return [key(FACT, fact_id) for fact_id in ids]


def list_facts(
    connection: Connection, user_id: int, search: str, source_id: str | None, *, offset: int, limit: int
) -> list[Fact]:
    """Facts, the latest learned first; of one source, or with `search` in subject, relation or object."""
    query = _FACTS.where(facts.c.user_id == user_id)
    if search:
        query = query.where(_says(search))
    if source_id is not None:
        of_source = (
            select(fact_sources.c.fact_id)
            .join(passages, passages.c.id == fact_sources.c.passage_id)
            .where(passages.c.source_id == number(SOURCE, source_id))
        )
        query = query.where(facts.c.id.in_(of_source))
    page = query.order_by(facts.c.learned.desc(), facts.c.id.desc()).offset(offset).limit(limit)
    return [_fact(row) for row in connection.execute(page)]


def edges(connection: Connection, user_id: int, fact_ids: Sequence[int] | None = None) -> list[Edge]:
    """The facts (of these numbers, or all) that join two entities."""
    query = select(facts.c.subject_id, facts.c.object_id, facts.c.id, facts.c.relation).where(
        facts.c.user_id == user_id, facts.c.object_id.is_not(None)
    )
    if fact_ids is not None:
        query = query.where(among(facts.c.id, fact_ids))
    merged = merging.merged(connection, user_id)
    return [
        (merged.get(subject, subject), merged.get(object_, object_), fact_id, relation)
        for subject, object_, fact_id, relation in connection.execute(query)
    ]


def _says(search: str) -> ColumnElement[bool]:
    columns = (_subject.c.name, facts.c.relation, facts.c.object)
    return or_(*(within(search, column) for column in columns))


def _facts() -> Select[Any]:
    first = (
        select(func.min(fact_sources.c.id))
        .where(fact_sources.c.fact_id == facts.c.id)
        .correlate(facts)
        .scalar_subquery()
    )
    kept = [facts.c[name] for name in ("id", "kind", "relation", "object")]
    times = [facts.c[name] for name in ("learned", "valid_from", "valid_to")]
    return (
        select(
            *kept,
            *times,
            _subject.c.id.label("subject_id"),
            _subject.c.name.label("subject"),
            func.coalesce(_object.c.survivor_id, _object.c.id).label("object_id"),
            fact_sources.c.start,
            fact_sources.c.end,
            passages.c.start.label("passage_start"),
            passages.c.text.label("passage_text"),
            sources.c.id.label("source_id"),
            sources.c.name.label("source"),
        )
        .join(_told_of, _told_of.c.id == facts.c.subject_id)
        .join(_subject, _subject.c.id == func.coalesce(_told_of.c.survivor_id, _told_of.c.id))
        .outerjoin(_object, _object.c.id == facts.c.object_id)
        .join(fact_sources, fact_sources.c.id == first)
        .join(passages, passages.c.id == fact_sources.c.passage_id)
        .join(sources, sources.c.id == passages.c.source_id)
    )


def _latest(query: Select[Any]) -> Select[Any]:
    ends: BindParameter[Any] = bindparam("ends", expanding=True)
    # Entities have one owner, and a condition on the user would keep SQLite from the index of each end.
    return (
        query.where(or_(facts.c.subject_id.in_(ends), facts.c.object_id.in_(ends)))
        .order_by(facts.c.valid_to.is_not(None), facts.c.learned.desc(), facts.c.id.desc())
        .limit(bindparam("limit"))
    )


_FACTS = _facts()
_BY_ID = _FACTS.where(among_listed(facts.c.id))
_LATEST = _latest(_FACTS)
_LATEST_IDS = _latest(select(facts.c.id))


def _fact(row: Row[Any]) -> Fact:
    return Fact(
        id=key(FACT, row.id),
        kind=FactKind(row.kind),
        subject_id=key(ENTITY, row.subject_id),
        subject=row.subject,
        relation=row.relation,
        object=row.object,
        object_id=None if row.object_id is None else key(ENTITY, row.object_id),
        text=row.passage_text[row.start - row.passage_start : row.end - row.passage_start],
        source_id=key(SOURCE, row.source_id),
        source=row.source,
        span=Span(row.start, row.end),
        learned=row.learned,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
    )


def digest_of(kind: str, relation: str, object_: str) -> bytes:
    """What two facts of one subject have in common that say the same."""
    # The object is not folded: "-5 °C" is not "5 °C".
    value = " ".join(object_.casefold().split()).rstrip(".。")
    said = "\x1f".join((kind, fold(relation), value))
    return hashlib.blake2b(said.encode(), digest_size=16).digest()
