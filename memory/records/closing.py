"""Facts that hold no more: closed by the one that took their place, and open again where that one is forgotten."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, case, literal, select, update

from memory.records.among import among
from memory.records.tables import Moment, facts

_NEVER_CLOSED: dict[str, None] = {"once_closed_by": None, "once_closed_in": None, "once_valid_to": None}


@dataclass(frozen=True, slots=True)
class Current:
    """A fact that holds: its number, and since when."""

    id: int
    valid_from: datetime | None


def saying(connection: Connection, subject_ids: Collection[int], digest: bytes) -> list[Current]:
    """The facts of these entities that hold and say what has this digest."""
    return _current(connection, among(facts.c.subject_id, subject_ids), facts.c.digest == digest)


def holding(connection: Connection, user_id: int, fact_ids: Collection[int]) -> list[Current]:
    """Those of a user's facts that hold."""
    return _current(connection, facts.c.user_id == user_id, among(facts.c.id, fact_ids))


def _current(connection: Connection, *which: ColumnElement[bool]) -> list[Current]:
    query = select(facts.c.id, facts.c.valid_from).where(facts.c.valid_to.is_(None), *which)
    return [Current(*row) for row in connection.execute(query.order_by(facts.c.id))]


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
