"""Facts that hold no more: closed by the one that took their place, and open again where that one is forgotten."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, case, func, literal, select, update

from memory.records.among import among
from memory.records.library import CHAT
from memory.records.tables import Moment, fact_sources, facts, passages, sources
from memory.types import FactKind

_NEVER_CLOSED: dict[str, None] = {"once_closed_by": None, "once_closed_in": None, "once_valid_to": None}


@dataclass(frozen=True, slots=True)
class Current:
    """A triple that holds: its number, what it says of its subject, since when, and when it was learned."""

    id: int
    relation: str
    object: str
    object_id: int | None
    valid_from: datetime | None
    learned: datetime


def relations_of(connection: Connection, subject_ids: Collection[int]) -> list[str]:
    """The relations in which these entities stand, or stood; quick, also where much is known of them."""
    query = select(facts.c.relation).where(among(facts.c.subject_id, subject_ids)).distinct()
    return list(connection.execute(query).scalars())


def current_of(
    connection: Connection,
    subject_ids: Collection[int],
    passage_id: int,
    relations: Collection[str],
) -> list[Current]:
    """The triples of these entities that hold and have one of the relations.

    Not those that rest on this passage, too.
    """
    here = select(fact_sources.c.fact_id).where(fact_sources.c.passage_id == passage_id)
    of_them = among(facts.c.subject_id, subject_ids), among(facts.c.relation, relations)
    return _current(connection, *of_them, facts.c.kind == FactKind.TRIPLE, facts.c.id.not_in(here))


def holding(connection: Connection, fact_ids: Collection[int]) -> list[Current]:
    """Those of the facts that hold."""
    return _current(connection, among(facts.c.id, fact_ids))


def _current(connection: Connection, *which: ColumnElement[bool]) -> list[Current]:
    told = ("id", "relation", "object", "object_id", "valid_from", "learned")
    query = select(*(facts.c[name] for name in told)).where(facts.c.valid_to.is_(None), *which)
    return [Current(*row) for row in connection.execute(query.order_by(facts.c.id))]


@dataclass(frozen=True, slots=True)
class Told:
    """A triple that nothing closed, as it was told: `said` are the words that first support it.

    It holds, unless it was told as what has ended; `chat` is whether the user told it.
    """

    id: int
    subject_id: int
    relation: str
    object: str
    learned: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    source_id: int
    passage_id: int
    said: str
    chat: bool


def told_of(connection: Connection, subject_ids: Collection[int]) -> list[Told]:
    """The triples of these entities that nothing closed, in the order in which they were learned."""
    first = select(func.min(fact_sources.c.id)).where(fact_sources.c.fact_id == facts.c.id).correlate(facts)
    length = fact_sources.c.end - fact_sources.c.start
    query: Select[Any] = (
        select(
            *(
                facts.c[name]
                for name in ("id", "subject_id", "relation", "object", "learned", "valid_from", "valid_to")
            ),
            passages.c.source_id,
            fact_sources.c.passage_id,
            func.substr(passages.c.text, fact_sources.c.start - passages.c.start + 1, length),
            sources.c.kind == CHAT,
        )
        .join(fact_sources, fact_sources.c.id == first.scalar_subquery())
        .join(passages, passages.c.id == fact_sources.c.passage_id)
        .join(sources, sources.c.id == passages.c.source_id)
        .where(among(facts.c.subject_id, subject_ids), facts.c.kind == FactKind.TRIPLE, facts.c.closed_by.is_(None))
    )
    return [Told(*row) for row in connection.execute(query.order_by(facts.c.learned, facts.c.id))]


def holds(connection: Connection, fact_id: int) -> bool:
    """Whether nothing has closed a fact, and it was not told as what has ended."""
    return connection.execute(select(facts.c.valid_to).where(facts.c.id == fact_id)).scalar_one() is None


def begin(connection: Connection, fact_id: int, since: datetime | None, at: datetime) -> None:
    """Let a fact that was to come have come: `since` then, where that is told, and else from no day after `at`."""
    now = update(facts).where(facts.c.id == fact_id)
    connection.execute((now if since else now.where(facts.c.valid_from > at)).values(valid_from=since))


def close(connection: Connection, fact_ids: Iterable[int], by: int, at: datetime, again_in: int | None = None) -> None:
    """Let facts have held until `at`, or until they began to where that is later; `by` took their place.

    `again_in` is the source that says `by` again, where only that closes them.
    """
    until = case((facts.c.valid_from > at, facts.c.valid_from), else_=literal(at, Moment))
    closed = {"valid_to": until, "closed_by": by, "closed_in": again_in}
    connection.execute(update(facts).where(among(facts.c.id, fact_ids)).values(closed))


@dataclass(frozen=True, slots=True)
class Released:
    """A fact whose closer goes, and what closes it instead: nothing, where all are None."""

    id: int
    valid_to: datetime | None
    closed_by: int | None
    closed_in: int | None = None


def release(connection: Connection, fact_ids: Collection[int]) -> list[Released]:
    """Free the facts that these closed, before these go; the next in the row closes them, where there is one."""
    going = {row.id: row for row in connection.execute(select(facts).where(among(facts.c.id, fact_ids)))}
    found = []
    for row in connection.execute(select(facts).where(among(facts.c.closed_by, fact_ids))):
        if row.id in going:
            continue
        last = row
        while last.closed_by in going and last.closed_by != last.id:  # an import may have let one close itself
            last = going[last.closed_by]
        found.append(_closed_as(row.id, last))
    _free(connection, found)
    once = update(facts).where(among(facts.c.once_closed_by, fact_ids))
    connection.execute(once.values(_NEVER_CLOSED))
    return found


def take_back(connection: Connection, source_ids: Collection[int]) -> list[Released]:
    """Free the facts that are closed only since these sources said another again, before the sources go.

    What closed that other one closes them, where there is such a one.
    """
    query = select(facts).where(among(facts.c.closed_in, source_ids))
    taken_back = {row.id: row for row in connection.execute(query)}
    found = []
    for row in taken_back.values():
        last = row
        while last.id in taken_back:
            last = connection.execute(select(facts).where(facts.c.id == last.closed_by)).one()
        found.append(_closed_as(row.id, last))
    _free(connection, found)
    once = update(facts).where(among(facts.c.once_closed_in, source_ids))
    connection.execute(once.values(_NEVER_CLOSED))
    return found


def _closed_as(fact_id: int, other: Row[Any]) -> Released:
    """What closes a fact, where the same closes it as another."""
    until = other.valid_to if other.closed_by else None
    return Released(fact_id, until, other.closed_by, other.closed_in)


def _free(connection: Connection, released: Iterable[Released]) -> None:
    freed = update(facts).where(among(facts.c.id, [fact.id for fact in released]))
    connection.execute(freed.values(closed_by=None, closed_in=None))


def reopen(connection: Connection, released: Iterable[Released]) -> None:
    """Let facts hold as told by `release`; one that is said anew by another stays closed."""
    for fact in released:
        times = {"valid_to": fact.valid_to, "closed_by": fact.closed_by, "closed_in": fact.closed_in}
        change = update(facts).where(facts.c.id == fact.id).values(times)
        if fact.valid_to is None:
            other = facts.alias()
            same = (other.c.subject_id == facts.c.subject_id) & (other.c.digest == facts.c.digest)
            same &= other.c.object_id.is_not_distinct_from(facts.c.object_id)
            again = select(other.c.id).where(same, other.c.valid_to.is_(None), other.c.id != facts.c.id)
            change = change.where(~again.correlate(facts).exists())
        connection.execute(change)


def reopen_apart(connection: Connection, entity_ids: Collection[int]) -> None:
    """Open the facts that were closed by one of another entity, now that these entities are no longer one with it.

    What closed them is kept for `close_again`.
    """
    closer = facts.alias()
    across = among(facts.c.subject_id, entity_ids) != among(closer.c.subject_id, entity_ids)
    query = select(facts).join(closer, closer.c.id == facts.c.closed_by).where(across)
    released = [
        _closed_by_its_own(connection, row, row.closed_by, row.valid_to, entity_ids)
        for row in connection.execute(query).all()
    ]
    freed = among(facts.c.id, [fact.id for fact in released])
    now = {"closed_by": facts.c.closed_by, "closed_in": facts.c.closed_in, "valid_to": facts.c.valid_to}
    kept = {f"once_{name}": value for name, value in now.items()}
    connection.execute(update(facts).where(freed).values(kept))
    _free(connection, released)
    reopen(connection, released)


def close_again(connection: Connection, entity_ids: Collection[int], other_ids: Collection[int]) -> None:
    """Close what `reopen_apart` opened between these entities and others, now that they are one again.

    What has been closed otherwise since stays as it is.
    """
    closer = facts.alias()
    ours, theirs = among(facts.c.subject_id, entity_ids), among(facts.c.subject_id, other_ids)
    by_us, by_them = among(closer.c.subject_id, entity_ids), among(closer.c.subject_id, other_ids)
    query = select(facts.c.id).join(closer, closer.c.id == facts.c.once_closed_by)
    between = query.where((ours & by_them) | (theirs & by_us)).order_by(facts.c.once_valid_to.desc(), facts.c.id)
    for fact_id in connection.execute(between).scalars().all():  # the last first, since they decide on those before
        row = connection.execute(select(facts).where(facts.c.id == fact_id)).one()
        left = _closed_by_its_own(connection, row, row.once_closed_by, row.once_valid_to, entity_ids)
        if row.closed_by == left.closed_by and row.valid_to in (left.valid_to, row.once_valid_to):
            again = {name.removeprefix("once_"): row._mapping[name] for name in _NEVER_CLOSED}
            connection.execute(update(facts).where(facts.c.id == fact_id).values(again | _NEVER_CLOSED))


def _closed_by_its_own(
    connection: Connection, fact: Row[Any], by: int | None, until: datetime | None, apart: Collection[int]
) -> Released:
    """What closes a fact that `by` closed, where those on the other side of what is apart do not count."""
    left = Released(fact.id, until, by)
    while left.closed_by is not None:
        closer = connection.execute(select(facts).where(facts.c.id == left.closed_by)).one()
        if (closer.subject_id in apart) == (fact.subject_id in apart):
            break
        left = _closed_as(fact.id, closer)
    return left
