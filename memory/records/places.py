"""Where documents lie, by path or address, and which of those that came from one place is the latest.

A place has held several documents where its file was changed; a document stands at several places where its file was
copied. So a changed file replaces what its own place held before, and nothing that still stands elsewhere.
"""

import os
import uuid
from collections.abc import Collection

from sqlalchemy import Connection, and_, delete, exists, func, select, tuple_, update
from sqlalchemy.dialects.sqlite import insert

from memory.records.among import among, among_listed, listed
from memory.records.library import CANCELLED, PAUSED, QUEUED, READING
from memory.records.tables import places, sources

_newer = places.alias("newer")
_LATEST = ~exists().where(
    _newer.c.user_id == places.c.user_id,
    _newer.c.place == places.c.place,
    tuple_(_newer.c.version, _newer.c.source_id) > tuple_(places.c.version, places.c.source_id),
)


def new_place() -> str:
    """A place that nothing has been at, for a document that no path and no address is known of."""
    return f"upload:{uuid.uuid4().hex}"


def put(connection: Connection, user_id: int, source_id: int, place: str, *, guessed: bool = False) -> None:
    """Let a document be the latest at a place; what is the latest nowhere any more is not read on.

    `guessed` is whether only its wording says so.
    """
    here = and_(places.c.user_id == user_id, places.c.place == place)
    latest = select(places.c.source_id).where(here, _LATEST)
    if connection.execute(latest).scalar_one_or_none() != source_id:
        version = 1 + connection.execute(select(func.coalesce(func.max(places.c.version), 0)).where(here)).scalar_one()
        row = insert(places).values(user_id=user_id, source_id=source_id, place=place, version=version, guessed=guessed)
        keys = [column.name for column in places.primary_key]
        now = {"version": version, "guessed": guessed}
        connection.execute(row.on_conflict_do_update(index_elements=keys, set_=now))
    somewhere = select(places.c.source_id).where(places.c.user_id == user_id, _LATEST)
    outdated = select(places.c.source_id).where(here, places.c.source_id.not_in(somewhere))
    waiting = sources.c.state.in_([QUEUED, READING, PAUSED])
    connection.execute(update(sources).where(sources.c.id.in_(outdated), waiting).values(state=CANCELLED))


def keep(connection: Connection, user_id: int, source_id: int, place: str, version: int, *, guessed: bool) -> None:
    """Keep a row as it was elsewhere; nothing, where the document has that place already."""
    row = insert(places).values(user_id=user_id, source_id=source_id, place=place, version=version, guessed=guessed)
    connection.execute(row.on_conflict_do_nothing())


def last_place(connection: Connection, source_id: int) -> str | None:
    """A place of a document, one where it is the latest if there is any."""
    query = select(places.c.place).where(places.c.source_id == source_id).order_by(_LATEST.desc(), places.c.place)
    place: str | None = connection.execute(query.limit(1)).scalar_one_or_none()
    return place


def latest_called(connection: Connection, user_id: int, name: str) -> list[tuple[int, str]]:
    """The documents of that name which are the latest somewhere: number and text."""
    somewhere = select(places.c.source_id).where(places.c.user_id == user_id, _LATEST)
    query = select(sources.c.id, sources.c.text).where(sources.c.name == name, sources.c.id.in_(somewhere))
    return [(row.id, row.text) for row in connection.execute(query.order_by(sources.c.id))]


def places_in(connection: Connection, user_id: int, folder: str) -> set[str]:
    """The places below a folder of a disk that a document is or was at."""
    below = places.c.place.startswith(folder.rstrip(os.sep) + os.sep, autoescape=True)
    return set(connection.execute(select(places.c.place).where(places.c.user_id == user_id, below)).scalars())


def leave(connection: Connection, user_id: int, left: Collection[str]) -> list[int]:
    """Let nothing be at some places any more; the documents that are nowhere else."""
    here = and_(places.c.user_id == user_id, among_listed(places.c.place))
    were = set(connection.execute(select(places.c.source_id).where(here), {"listed": listed(left)}).scalars())
    connection.execute(delete(places).where(here), {"listed": listed(left)})
    still = set(connection.execute(select(places.c.source_id).where(among(places.c.source_id, were))).scalars())
    return sorted(were - still)


def put_upload(connection: Connection, user_id: int, source_id: int, after: int | None) -> None:
    """Let an upload follow the document that it is a later state of wherever that is the latest, if there is one."""
    latest = select(places.c.place).where(places.c.source_id == after, _LATEST)
    for place in list(connection.execute(latest).scalars()) or [new_place()]:
        put(connection, user_id, source_id, place, guessed=True)


def earlier(connection: Connection, source_id: int, *, guessed: bool = False) -> list[int]:
    """The documents that a document follows at its places, or at those that were `guessed`."""
    older = places.alias()
    there = (older.c.user_id == places.c.user_id) & (older.c.place == places.c.place)
    query = select(older.c.source_id).join(places, there & (older.c.version < places.c.version))
    mine = query.where(places.c.source_id == source_id)
    return list(connection.execute((mine.where(places.c.guessed) if guessed else mine).distinct()).scalars())


def part_from(connection: Connection, user_id: int, source_id: int, others: Collection[int]) -> None:
    """Let a document be no longer where any of the others is or was, but at a place of its own."""
    theirs = select(places.c.place).where(places.c.user_id == user_id, among(places.c.source_id, others))
    common = and_(places.c.source_id == source_id, places.c.place.in_(theirs))
    connection.execute(delete(places).where(common))
    keep(connection, user_id, source_id, new_place(), 1, guessed=True)


def take_over(connection: Connection, user_id: int, source_id: int) -> set[int]:
    """Leave a document alone at the places where it is the latest; the others that have no place then."""
    own = select(places.c.place).where(places.c.source_id == source_id, _LATEST)
    taken = list(connection.execute(own).scalars())
    others = and_(places.c.user_id == user_id, among(places.c.place, taken), places.c.source_id != source_id)
    removed = delete(places).where(others).returning(places.c.source_id)
    left = set(connection.execute(removed).scalars())
    still = select(places.c.source_id).where(among(places.c.source_id, left))
    return left - set(connection.execute(still).scalars())
