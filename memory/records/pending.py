"""What the vector index still lacks. A record is written first and embedded later; until then it is marked here.

So a process that ends in between loses nothing, and another embedding model only has to unmark everything.
"""

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, Table, func, select, union, update

from memory.records import words
from memory.records.among import among
from memory.records.entities import own_entities, reindex_entities
from memory.records.facts import facts_by_id, wording
from memory.records.keys import ENTITY, FACT, PASSAGE, key, number
from memory.records.library import searched_text
from memory.records.tables import entities, facts, passages, users
from memory.types import KnownEntity

# In this order, so that new facts do not wait behind a long document.
_TABLES: dict[str, Table] = {ENTITY: entities, FACT: facts, PASSAGE: passages}


def pending(connection: Connection, user_id: int, limit: int) -> list[str]:
    """The ids of at most `limit` records that are not embedded."""
    found: list[str] = []
    for kind, table in _TABLES.items():
        query = select(table.c.id).where(table.c.user_id == user_id, ~table.c.embedded).order_by(table.c.id)
        found += [key(kind, own_id) for own_id in connection.execute(query.limit(limit - len(found))).scalars()]
    return found


def texts(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """What to embed for each record; one that is not there any more is left out."""
    found: dict[str, str] = {}
    for kind in _TABLES:
        found |= _texts(connection, kind, [number(kind, id_) for id_ in ids if id_.startswith(kind)])
    return found


def mark_embedded(connection: Connection, ids: Iterable[str], *, embedded: bool = True) -> None:
    """Say that the vectors of these records are in the index, or that they are not."""
    wanted = list(ids)
    for kind, table in _TABLES.items():
        numbers = [number(kind, id_) for id_ in wanted if id_.startswith(kind)]
        if numbers:
            connection.execute(update(table).where(among(table.c.id, numbers)).values(embedded=embedded))


def unmark(connection: Connection, user_id: int) -> None:
    """Say that no vector of the user is in the index."""
    for table in _TABLES.values():
        connection.execute(update(table).where(table.c.user_id == user_id).values(embedded=False))


def unmark_all(connection: Connection) -> None:
    """Say that no vector of any user is in the index."""
    for table in _TABLES.values():
        connection.execute(update(table).values(embedded=False))


def users_waiting(connection: Connection) -> list[str]:
    """The names of users with records that are not embedded."""
    waiting = union(*(select(table.c.user_id).where(~table.c.embedded) for table in _TABLES.values()))
    return list(connection.execute(select(users.c.name).where(users.c.id.in_(waiting))).scalars())


def embedded_ids(connection: Connection, user_id: int) -> set[str]:
    """The ids that the index has to hold."""
    return {
        key(kind, own_id)
        for kind, table in _TABLES.items()
        for own_id in connection.execute(
            select(table.c.id).where(table.c.user_id == user_id, table.c.embedded)
        ).scalars()
    }


def counts(connection: Connection, user_id: int) -> tuple[int, int]:
    """How many records are embedded, and how many wait."""
    own = (select(func.count()).where(table.c.user_id == user_id) for table in _TABLES.values())
    all_, waiting = sum(connection.execute(query).scalar_one() for query in own), count(connection, user_id)
    return all_ - waiting, waiting


def count(connection: Connection, user_id: int) -> int:
    """How many records wait."""
    # Counted by themselves, in the indexes of what waits: a look at each record takes a second for a million.
    own = (select(func.count()).where(table.c.user_id == user_id, ~table.c.embedded) for table in _TABLES.values())
    return sum(connection.execute(query).scalar_one() for query in own)


def without_words(connection: Connection, user_id: int) -> list[str]:
    """The ids of the records that the keyword index lacks."""
    return [
        key(kind, own_id)
        for kind, table in _TABLES.items()
        for own_id in words.missing(connection, user_id, kind, table.name)
    ]


def put_words(connection: Connection, user_id: int, ids: Collection[str]) -> None:
    """Index these records by their words."""
    numbers = {kind: [number(kind, id_) for id_ in ids if id_.startswith(kind)] for kind in _TABLES}
    reindex_entities(connection, user_id, numbers[ENTITY])
    for kind in (FACT, PASSAGE):
        found = _texts(connection, kind, numbers[kind])
        words.put(connection, user_id, kind, [(number(kind, id_), said) for id_, said in found.items()])


def _texts(connection: Connection, kind: str, numbers: list[int]) -> dict[str, str]:
    if kind == FACT:
        return {fact.id: wording(fact) for fact in facts_by_id(connection, numbers).values()}
    if kind == ENTITY:
        return {entity.id: _about(entity) for entity in own_entities(connection, numbers).values()}
    query = select(passages.c.id, passages.c.heading, passages.c.text).where(among(passages.c.id, numbers))
    return {key(kind, row.id): searched_text(row.heading, row.text) for row in connection.execute(query)}


def _about(entity: KnownEntity) -> str:
    names = ", ".join((entity.name, *entity.aliases))
    return f"{names}: {entity.description}" if entity.description else names
