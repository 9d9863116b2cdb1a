"""When a fact holds, as the sources tell that it rests on."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection, bindparam, select, update

from memory.records.among import among
from memory.records.tables import fact_sources, facts

_TOLD = select(fact_sources.c.fact_id, fact_sources.c.since, fact_sources.c.ahead)


def date_again(connection: Connection, fact_ids: Collection[int]) -> None:
    """Let facts that lost a source hold since what the others tell; nobody knows since when, where these do not say."""
    open_or_dated = facts.c.valid_to.is_(None) | facts.c.valid_from.is_not(None)
    query = _TOLD.join(facts, facts.c.id == fact_sources.c.fact_id).where(among(facts.c.id, fact_ids), open_or_dated)
    told = connection.execute(query.order_by(fact_sources.c.fact_id, fact_sources.c.id)).all()
    since = [
        {"own_id": fact_id, "told": _since([(place.since, place.ahead) for place in places])}
        for fact_id, places in groupby(told, lambda row: row.fact_id)
    ]
    if since:
        dated = update(facts).where(facts.c.id == bindparam("own_id")).values(valid_from=bindparam("told"))
        connection.execute(dated, since)


def was_ahead(connection: Connection, fact_id: int, passage_id: int) -> bool:
    """Whether a fact was still to come wherever it was told but in this passage."""
    elsewhere = _TOLD.where(fact_sources.c.fact_id == fact_id, fact_sources.c.passage_id != passage_id)
    told = connection.execute(elsewhere).all()
    return bool(told) and all(place.ahead for place in told)


def _since(told: Sequence[tuple[datetime | None, bool]]) -> datetime | None:
    """The first day that is told; what has come did not begin on the day for which it was planned."""
    has_come = [since for since, ahead in told if not ahead]
    return next(filter(None, has_come or [since for since, _ in told]), None)
