"""Where documents lie, by path or address, and which of those that came from one place is the latest.

A place has held several documents where its file was changed; a document stands at several places where its file was
copied. So a changed file replaces what its own place held before, and nothing that still stands elsewhere.
"""

from sqlalchemy import Connection, and_, delete, exists, func, select, tuple_, update
from sqlalchemy.dialects.sqlite import insert

from memory.records.among import among
from memory.records.library import CANCELLED, PAUSED, QUEUED, READING
from memory.records.tables import places, sources

_newer = places.alias("newer")
_LATEST = ~exists().where(
    _newer.c.user_id == places.c.user_id,
    _newer.c.place == places.c.place,
    tuple_(_newer.c.version, _newer.c.source_id) > tuple_(places.c.version, places.c.source_id),
)


_UPLOAD = "upload:"


def own_place(digest: str) -> str:
    """The place of a document that no path and no address is known of, by its bytes."""
    return f"{_UPLOAD}{digest}"


def put(connection: Connection, user_id: int, source_id: int, place: str) -> None:
    """Let a document be the latest at a place; what is the latest nowhere any more is not read on."""
    here = and_(places.c.user_id == user_id, places.c.place == place)
    latest = select(places.c.source_id).where(here, _LATEST)
    if connection.execute(latest).scalar_one_or_none() != source_id:
        version = 1 + connection.execute(select(func.coalesce(func.max(places.c.version), 0)).where(here)).scalar_one()
        row = insert(places).values(user_id=user_id, source_id=source_id, place=place, version=version)
        keys = [column.name for column in places.primary_key]
        connection.execute(row.on_conflict_do_update(index_elements=keys, set_={"version": version}))
    somewhere = select(places.c.source_id).where(places.c.user_id == user_id, _LATEST)
    outdated = select(places.c.source_id).where(here, places.c.source_id.not_in(somewhere))
    waiting = sources.c.state.in_([QUEUED, READING, PAUSED])
    connection.execute(update(sources).where(sources.c.id.in_(outdated), waiting).values(state=CANCELLED))


def keep(connection: Connection, user_id: int, source_id: int, place: str, version: int) -> None:
    """Keep a row as it was elsewhere; nothing, where the document has that place already."""
    row = insert(places).values(user_id=user_id, source_id=source_id, place=place, version=version)
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


def earlier(connection: Connection, source_id: int) -> list[int]:
    """The documents that a document follows at its places."""
    older = places.alias()
    there = (older.c.user_id == places.c.user_id) & (older.c.place == places.c.place)
    query = select(older.c.source_id).join(places, there & (older.c.version < places.c.version))
    return list(connection.execute(query.where(places.c.source_id == source_id).distinct()).scalars())


def before_upload(connection: Connection, source_id: int) -> list[int]:
    """The documents that an upload is taken for a later state of; none for what has a path or an address."""
    older = places.alias()
    there = (older.c.user_id == places.c.user_id) & (older.c.place == places.c.place)
    query = select(older.c.source_id).join(places, there & (older.c.version < places.c.version))
    mine = query.where(places.c.source_id == source_id, places.c.place.startswith(_UPLOAD, autoescape=True))
    return list(connection.execute(mine.distinct()).scalars())


def stand_alone(connection: Connection, user_id: int, source_id: int, place: str) -> None:
    """Let a document be at a place of its own, and nowhere else."""
    own = and_(places.c.user_id == user_id, places.c.source_id == source_id)
    connection.execute(delete(places).where(own))
    keep(connection, user_id, source_id, place, 1)


def take_over(connection: Connection, user_id: int, source_id: int) -> set[int]:
    """Leave a document alone at the places where it is the latest; the others that have no place then."""
    own = select(places.c.place).where(places.c.source_id == source_id, _LATEST)
    taken = list(connection.execute(own).scalars())
    others = and_(places.c.user_id == user_id, among(places.c.place, taken), places.c.source_id != source_id)
    removed = delete(places).where(others).returning(places.c.source_id)
    left = set(connection.execute(removed).scalars())
    still = select(places.c.source_id).where(among(places.c.source_id, left))
    return left - set(connection.execute(still).scalars())
