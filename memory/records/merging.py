"""Entities that were found to be one, and taking that back.

Facts and names keep the entity that their source speaks of; a merge only says which entity stands for it from now on:
the survivor, whom all reading leads to. So nothing moves, and what is learned meanwhile is kept as if there were no
merge. Merges form trees: where one is taken back, an entity stands alone again, with all that was merged into it, and
it stays known that the two were taken apart.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from memory.errors import UserMistake
from memory.records.among import among, among_listed, listed
from memory.records.keys import ENTITY, MERGE, key, missing, number
from memory.records.tables import apart, entities
from memory.types import Merge

SURVIVOR = func.coalesce(entities.c.survivor_id, entities.c.id)
_ALONE: dict[str, Any] = {"merged_into": None, "merged_at": None, "survivor_id": None}


def merge(connection: Connection, entity_id: int, into_id: int, at: datetime) -> list[int]:
    """Let the survivor of `into_id` stand for an entity that none stands for yet; all those it stands for now, too.

    Raises:
        UserMistake: the two are one already.
    """
    survivor_id = survivors_of(connection, [into_id])[into_id]
    if survivor_id == entity_id:
        raise UserMistake("These two are one already; choose another.")
    group, others = everyone(connection, [entity_id]), everyone(connection, [survivor_id])
    for ones, rest in ((group, others), (others, group)):
        connection.execute(delete(apart).where(among(apart.c.one_id, ones), among(apart.c.other_id, rest)))
    connection.execute(update(entities).where(among(entities.c.id, group)).values(survivor_id=survivor_id))
    merged = update(entities).where(entities.c.id == entity_id)
    connection.execute(merged.values(merged_into=into_id, merged_at=at))
    return group


def unmerge(connection: Connection, user_id: int, merge_id: str) -> list[int]:
    """Take a merge back, for good; the entity that stands alone again, and those it stands for.

    Raises:
        NothingThere: there is no such merge (any more).
    """
    entity_id = number(MERGE, merge_id)
    own = select(entities.c.merged_into).where(entities.c.user_id == user_id, entities.c.merged_into.is_not(None))
    into_id = connection.execute(own.where(entities.c.id == entity_id)).scalar_one_or_none()
    if into_id is None:
        raise missing(MERGE, merge_id)
    alone = [entity_id]
    for own_id in alone:  # grows as it is walked: a tree, level by level
        alone += _children(connection, own_id)
    connection.execute(update(entities).where(among(entities.c.id, alone)).values(survivor_id=entity_id))
    connection.execute(update(entities).where(entities.c.id == entity_id).values(_ALONE))
    keep_apart(connection, user_id, entity_id, into_id)
    return alone


def keep_apart(connection: Connection, user_id: int, entity_id: int, other_id: int) -> None:
    """Keep that two entities, which no merge joins, were taken apart; until one is merged into the other again."""
    one_id, other_id = sorted((entity_id, other_id))
    row = {"one_id": one_id, "other_id": other_id, "user_id": user_id}
    connection.execute(insert(apart).values(row).on_conflict_do_nothing())


def kept_apart(connection: Connection, user_id: int) -> set[frozenset[int]]:
    """The pairs of survivors that were taken apart, or that stand for entities that were."""
    pairs = connection.execute(select(apart.c.one_id, apart.c.other_id).where(apart.c.user_id == user_id)).all()
    survivors = survivors_of(connection, {end for pair in pairs for end in pair})
    return {frozenset((survivors[pair.one_id], survivors[pair.other_id])) for pair in pairs}


def taken_from(connection: Connection, entity_ids: Iterable[int]) -> list[int]:
    """The entities that were taken apart from one of these."""
    ids = list(entity_ids)
    ones = select(apart.c.one_id).where(among(apart.c.other_id, ids))
    others = select(apart.c.other_id).where(among(apart.c.one_id, ids))
    return list(connection.execute(ones.union(others)).scalars())


def leave(connection: Connection, entity_ids: Collection[int]) -> set[int]:
    """Take entities that are to go out of all merges; those that stand for others in their place."""
    standing = select(entities.c.survivor_id).where(entities.c.survivor_id.is_not(None))
    concerned = entities.c.survivor_id.is_not(None) | entities.c.id.in_(standing)
    heirs: set[int] = set()
    for row in connection.execute(select(entities).where(among(entities.c.id, entity_ids), concerned)).all():
        heirs.discard(row.id)
        heir: int | None = _parent(connection, row.id)
        connection.execute(update(entities).where(entities.c.id == row.id).values(_ALONE))
        if heir is None and (children := _children(connection, row.id)):
            heir = children[0]
            heirs.add(heir)
            connection.execute(update(entities).where(entities.c.survivor_id == row.id).values(survivor_id=heir))
            connection.execute(update(entities).where(entities.c.id == heir).values(_ALONE))
        connection.execute(update(entities).where(entities.c.merged_into == row.id).values(merged_into=heir))
    return heirs


def merges(connection: Connection, user_id: int) -> list[Merge]:
    """A user's merges, the latest first."""
    into = entities.alias()
    query = (
        select(entities.c.id, entities.c.name, into.c.id.label("into_id"), into.c.name.label("into"))
        .add_columns(entities.c.merged_at)
        .join(into, into.c.id == entities.c.merged_into)
        .where(entities.c.user_id == user_id)
        .order_by(entities.c.merged_at.desc(), entities.c.id.desc())
    )
    return [
        Merge(key(MERGE, row.id), key(ENTITY, row.id), row.name, key(ENTITY, row.into_id), row.into, row.merged_at)
        for row in connection.execute(query)
    ]


def merged(connection: Connection, user_id: int) -> dict[int, int]:
    """All entities of a user that were merged, with the survivor of each."""
    query = select(entities.c.id, entities.c.survivor_id)
    rows = connection.execute(query.where(entities.c.user_id == user_id, entities.c.merged_into.is_not(None)))
    return {row.id: row.survivor_id for row in rows}


def survivors_of(connection: Connection, entity_ids: Iterable[int]) -> dict[int, int]:
    """The survivor of each of these entities, in their order: itself, where it was not merged."""
    wanted = list(dict.fromkeys(entity_ids))
    if not wanted:
        return {}
    rows = connection.execute(select(entities.c.id, SURVIVOR).where(among(entities.c.id, wanted)))
    found: dict[int, int] = {row[0]: row[1] for row in rows}
    return {entity_id: found[entity_id] for entity_id in wanted if entity_id in found}


def groups(connection: Connection, entity_ids: Iterable[int]) -> dict[int, list[int]]:
    """By survivor, in the order asked for: that survivor, and all entities that it stands for."""
    wanted = list(dict.fromkeys(entity_ids))
    if not wanted:
        return {}
    rows = connection.execute(_GROUPS, {"listed": listed(wanted)})
    survivor_of: dict[int, int] = {row[0]: row[1] for row in rows}
    found = {survivor_of[own_id]: [survivor_of[own_id]] for own_id in wanted if own_id in survivor_of}
    for own_id, survivor in survivor_of.items():
        if own_id != survivor:
            found[survivor].append(own_id)
    return found


def _groups() -> Select[Any]:
    survivors = select(SURVIVOR).where(among_listed(entities.c.id)).scalar_subquery()
    one = entities.c.id.in_(survivors) | entities.c.survivor_id.in_(survivors)
    return select(entities.c.id, SURVIVOR).where(one).order_by(entities.c.merged_at, entities.c.id)


_GROUPS = _groups()


def everyone(connection: Connection, entity_ids: Iterable[int]) -> list[int]:
    """These entities, and all others that are one with them."""
    return [own_id for group in groups(connection, entity_ids).values() for own_id in group]


def _parent(connection: Connection, entity_id: int) -> int | None:
    parent: int | None = connection.execute(
        select(entities.c.merged_into).where(entities.c.id == entity_id)
    ).scalar_one()
    return parent


def _children(connection: Connection, entity_id: int) -> list[int]:
    query = select(entities.c.id).where(entities.c.merged_into == entity_id)
    return list(connection.execute(query.order_by(entities.c.merged_at, entities.c.id)).scalars())
