"""When a fact holds, as the sources tell that it rests on."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, bindparam, func, select, update

from memory.records.among import among
from memory.records.library import CHAT
from memory.records.tables import fact_sources, facts, passages, sources
from memory.times import Held, held


def date_again(connection: Connection, fact_ids: Collection[int]) -> None:
    """Let facts that lost a source hold since what the others tell; nobody knows since when, where these do not say."""
    told: dict[int, list[Held]] = defaultdict(list)
    open_or_dated = facts.c.valid_to.is_(None) | facts.c.valid_from.is_not(None)
    for fact_id, times in _told(connection, among(facts.c.id, fact_ids) & open_or_dated):
        told[fact_id].append(times)
    since = {fact_id: _since(all_times) for fact_id, all_times in told.items()}
    if since:
        dated = update(facts).where(facts.c.id == bindparam("fact_id")).values(valid_from=bindparam("told"))
        connection.execute(dated, [{"fact_id": fact_id, "told": day} for fact_id, day in since.items()])


def was_ahead(connection: Connection, fact_id: int, passage_id: int) -> bool:
    """Whether a fact was still to come wherever it was told but in this passage."""
    elsewhere = _told(connection, (facts.c.id == fact_id) & (fact_sources.c.passage_id != passage_id))
    first = next(elsewhere, None)
    return first is not None and first[1].ahead and all(told.ahead for _, told in elsewhere)


def _since(told: list[Held]) -> datetime | None:
    """The first day that is told; what has come did not begin on the day for which it was planned."""
    has_come = [times for times in told if not times.ahead]
    return next((times.since for times in has_come or told if times.since), None)


def _told(connection: Connection, which: ColumnElement[bool]) -> Iterator[tuple[int, Held]]:
    """When facts held, as each of the places tells that they rest on, with their numbers."""
    length = fact_sources.c.end - fact_sources.c.start
    said = func.substr(passages.c.text, fact_sources.c.start - passages.c.start + 1, length).label("said")
    query = (
        select(facts.c.id, facts.c.object, sources.c.added, sources.c.kind, said)
        .join(fact_sources, fact_sources.c.fact_id == facts.c.id)
        .join(passages, passages.c.id == fact_sources.c.passage_id)
        .join(sources, sources.c.id == passages.c.source_id)
        .where(which)
    )
    for row in connection.execute(query.order_by(fact_sources.c.id)):
        yield row.id, held(row.said, row.object, row.added, spoken=row.kind == CHAT)
