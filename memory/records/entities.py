"""Entities and their names."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, false, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert

from memory.errors import UserMistake
from memory.folding import fold
from memory.records import merging, words
from memory.records.among import among, among_listed, listed
from memory.records.keys import ENTITY, key, missing, number
from memory.records.tables import entities, facts, names
from memory.records.within import within
from memory.resolution import Candidate, Named
from memory.types import FactKind, KnownEntity

# Put together once: anew each time, that takes longer than to run them.
_ADDED = insert(entities).returning(entities.c.id)
_NAMED = insert(names).on_conflict_do_nothing()
_CALLED = (
    select(names.c.folded, entities.c.id, merging.SURVIVOR.label("survivor"))
    .join(entities, entities.c.id == names.c.entity_id)
    .where(names.c.user_id == bindparam("user"), among_listed(names.c.folded))
    .order_by(names.c.name != entities.c.name, names.c.entity_id)
)
_LOOSE = and_(
    facts.c.user_id == bindparam("user"),
    facts.c.subject_id != bindparam("entity"),
    facts.c.object_id.is_(None),
    facts.c.object_folded == bindparam("folded"),
)
_LINKED = (
    update(facts).prefix_with("OR IGNORE").where(_LOOSE).values(object_id=bindparam("entity")).returning(facts.c.id)
)


def candidates(
    connection: Connection, user_id: int, keys: Iterable[str], source_ids: Collection[int]
) -> list[Candidate]:
    """The known entities that have one of these folded names; `here` is set for those that a source speaks of."""
    found = _ids_by_name(connection, user_id, keys)
    if not found:
        return []
    spoken_of = select(names.c.entity_id).where(among(names.c.source_id, source_ids), among(names.c.entity_id, found))
    here = set(connection.execute(spoken_of).scalars())
    survivors = merging.survivors_of(connection, found)
    known = own_entities(connection, found)
    described = _descriptions(connection, found)
    return [
        Candidate(
            id=entity_id,
            survivor=survivors[entity_id],
            name=entity.name,
            names=(entity.name, *entity.aliases),
            descriptions=tuple(described[entity_id]),
            facts=entity.facts,
            here=entity_id in here,
        )
        for entity_id, entity in known.items()
    ]


def add_entity(connection: Connection, user_id: int, name: str) -> int:
    """Keep an entity; the caller adds names and a fact in the same transaction."""
    return int(connection.execute(_ADDED, {"user_id": user_id, "name": name}).scalar_one())


def rename_entity(connection: Connection, entity_id: int, name: str) -> bool:
    """Let an entity go by this name; whether it had another one."""
    other = (entities.c.id == entity_id) & (entities.c.name != name)
    return bool(connection.execute(update(entities).where(other).values(name=name)).rowcount)


def rename_stale(connection: Connection, entity_ids: Collection[int]) -> list[int]:
    """Let entities whose name no source uses any more go by the first that one does; which those are."""
    own = select(names.c.name).where(names.c.entity_id == entities.c.id)
    first = own.order_by(names.c.source_id, names.c.name).limit(1).scalar_subquery()
    stale = among(entities.c.id, entity_ids) & entities.c.name.not_in(own)
    return list(connection.execute(update(entities).where(stale).values(name=first).returning(entities.c.id)).scalars())


def add_names(connection: Connection, user_id: int, entity_id: int, named: Named, source_id: int) -> None:
    """Keep the names that a source uses for an entity."""
    rows = [
        {"entity_id": entity_id, "name": name, "source_id": source_id, "user_id": user_id, "folded": fold(name)}
        for name in (named.name, *named.aliases)
    ]
    connection.execute(_NAMED, rows)


def reindex_entities(connection: Connection, user_id: int, entity_ids: Iterable[int]) -> None:
    """Call where names or descriptions changed: the keyword index at once, the vector when it is next embedded."""
    known = own_entities(connection, entity_ids)
    words.put(connection, user_id, ENTITY, [(own_id, " ".join((e.name, *e.aliases))) for own_id, e in known.items()])
    connection.execute(update(entities).where(among(entities.c.id, known)).values(embedded=False))


def link_loose_objects(connection: Connection, user_id: int, entity_id: int, name: str) -> list[int]:
    """Point facts whose object was plain text at the entity of that name, now that there is one; their numbers."""
    if entity_named(connection, user_id, name) != entity_id:
        return []
    bound = {"user": user_id, "entity": entity_id, "folded": fold(name)}
    return list(connection.execute(_LINKED, bound).scalars())


def entity_named(connection: Connection, user_id: int, name: str) -> int | None:
    """The one entity that has this name; None where there is none, or several that were not merged."""
    return entities_called(connection, user_id, [fold(name)]).get(fold(name))


def entities_called(connection: Connection, user_id: int, keys: Iterable[str]) -> dict[str, int]:
    """The one entity that has each of these folded names; without those that none has, or several not merged."""
    found: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in _named(connection, user_id, keys):
        found[row.folded].append(row)
    return {name: rows[0].id for name, rows in found.items() if len({row.survivor for row in rows}) == 1}


def entities_named(connection: Connection, user_id: int, keys: Iterable[str]) -> dict[str, list[int]]:
    """The survivors that have each of these folded names, those with it as their own name first."""
    return _by_name((row.folded, row.survivor) for row in _named(connection, user_id, keys))


def own_named(connection: Connection, user_id: int, keys: Iterable[str]) -> dict[str, list[int]]:
    """As `entities_named`, as if nothing had been merged."""
    return _by_name((row.folded, row.id) for row in _named(connection, user_id, keys))


def _named(connection: Connection, user_id: int, keys: Iterable[str]) -> Iterable[Row[Any]]:
    return connection.execute(_CALLED, {"user": user_id, "listed": listed(keys)})


def _by_name(named: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, dict[int, None]] = defaultdict(dict)
    for folded, entity_id in named:
        found[folded][entity_id] = None
    return {folded: list(ids) for folded, ids in found.items()}


def entities_by_id(connection: Connection, entity_ids: Iterable[int]) -> dict[int, KnownEntity]:
    """The survivors of these entities, with all names, facts and a description of what was merged, in their order."""
    groups = merging.groups(connection, entity_ids)
    own = own_entities(connection, [own_id for group in groups.values() for own_id in group])
    # One may be forgotten between two queries: each sees what there is when it begins.
    there = {survivor: {own_id: own[own_id] for own_id in group if own_id in own} for survivor, group in groups.items()}
    return {survivor: _together(connection, group) for survivor, group in there.items() if group}


def _together(connection: Connection, group: dict[int, KnownEntity]) -> KnownEntity:
    first, *others = group.values()
    if not others:
        return first
    called = [name for entity in group.values() for name in (entity.name, *entity.aliases) if name != first.name]
    description = next((entity.description for entity in group.values() if entity.description), "")
    about = or_(among(facts.c.subject_id, group), among(facts.c.object_id, group))
    count = connection.execute(select(func.count()).select_from(facts).where(about)).scalar_one()
    return KnownEntity(first.id, first.name, tuple(dict.fromkeys(called)), description, count)


def own_entities(connection: Connection, entity_ids: Iterable[int]) -> dict[int, KnownEntity]:
    """Entities as if nothing had been merged: with their other names, first description and number of facts."""
    wanted = list(entity_ids)
    if not wanted:
        return {}
    about = or_(facts.c.subject_id == entities.c.id, facts.c.object_id == entities.c.id)
    count = select(func.count()).select_from(facts).where(about).scalar_subquery()
    query = select(entities.c.id, entities.c.name, count.label("facts")).where(among(entities.c.id, wanted))
    rows = {row.id: row for row in connection.execute(query)}
    aliases: dict[int, list[str]] = defaultdict(list)
    other = select(names.c.entity_id, names.c.name).where(among(names.c.entity_id, wanted)).distinct()
    for row in connection.execute(other.order_by(names.c.source_id, names.c.name)):
        if row.name != rows[row.entity_id].name and row.name not in aliases[row.entity_id]:
            aliases[row.entity_id].append(row.name)
    described = _descriptions(connection, wanted)
    return {
        entity_id: KnownEntity(
            id=key(ENTITY, entity_id),
            name=rows[entity_id].name,
            aliases=tuple(aliases[entity_id]),
            description=next(iter(described[entity_id]), ""),
            facts=rows[entity_id].facts,
        )
        for entity_id in dict.fromkeys(wanted)
        if entity_id in rows
    }


def entity_number(connection: Connection, user_id: int, entity_id: str) -> int:
    """The number of a user's entity, or of the one that stands for it.

    Raises:
        NothingThere: the user has no such entity.
    """
    query = select(merging.SURVIVOR).where(entities.c.user_id == user_id, entities.c.id == number(ENTITY, entity_id))
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise missing(ENTITY, entity_id)
    return int(found)


def numbers_of_own(connection: Connection, user_id: int, numbers: Iterable[int]) -> list[int]:
    """Those of the numbers that are of entities of the user."""
    own = select(entities.c.id).where(entities.c.user_id == user_id, among(entities.c.id, numbers))
    return list(connection.execute(own).scalars())


def entity_called(connection: Connection, user_id: int, called: str) -> int:
    """The number of the entity with this id or name.

    Raises:
        NothingThere: there is none.
        UserMistake: several have that name; the message gives their ids.
    """
    found = entities_named(connection, user_id, [fold(called)]).get(fold(called), [])
    if not found:
        return entity_number(connection, user_id, called)
    if len(found) > 1:
        known = entities_by_id(connection, found).values()
        listed = "; ".join(f"{entity.id} ({entity.description or entity.name})" for entity in known)
        raise UserMistake(
            "Several things are called “{called}”; name one by its id: {listed}.", called=called, listed=listed
        )
    return found[0]


def longer_names(connection: Connection, user_id: int, keys: Iterable[str]) -> set[str]:
    """The names that have one of these folded names as a part, in whole words."""
    padded = " " + names.c.folded + " "
    longer = [and_(within(f" {name} ", padded), names.c.folded != name) for name in keys]
    query = select(names.c.name).where(names.c.user_id == user_id, or_(false(), *longer))
    return set(connection.execute(query).scalars())


def list_entities(connection: Connection, user_id: int, search: str, *, offset: int, limit: int) -> list[KnownEntity]:
    """Entities by name; with `search`, those of whose names it is a part."""
    query = select(entities.c.id).where(entities.c.user_id == user_id, entities.c.merged_into.is_(None))
    if search:
        named = select(merging.SURVIVOR).join(names).where(names.c.user_id == user_id)
        query = query.where(entities.c.id.in_(named.where(within(fold(search), names.c.folded))))
    page = query.order_by(func.lower(entities.c.name), entities.c.id).offset(offset).limit(limit)
    return list(entities_by_id(connection, list(connection.execute(page).scalars())).values())


def latest(connection: Connection, user_id: int, limit: int) -> list[str]:
    """The ids of at most `limit` entities that were not merged, the latest first."""
    query = select(entities.c.id).where(entities.c.user_id == user_id, entities.c.merged_into.is_(None))
    return [
        key(ENTITY, own_id)
        for own_id in connection.execute(query.order_by(entities.c.id.desc()).limit(limit)).scalars()
    ]


def sharing_names(connection: Connection, user_id: int, limit: int) -> list[tuple[int, int]]:
    """At most `limit` pairs of survivors that have a folded name in common; the smaller number first."""
    called = (
        select(names.c.folded, merging.SURVIVOR.label("id"))
        .join(entities, entities.c.id == names.c.entity_id)
        .where(names.c.user_id == user_id)
        .distinct()
        .cte()
    )
    other = called.alias()
    pairs = select(called.c.id, other.c.id).join(other, other.c.folded == called.c.folded)
    rows = connection.execute(pairs.where(called.c.id < other.c.id).distinct().limit(limit))
    return [(row[0], row[1]) for row in rows]


def _ids_by_name(connection: Connection, user_id: int, keys: Iterable[str]) -> list[int]:
    query = select(names.c.entity_id).where(names.c.user_id == user_id, among(names.c.folded, list(keys)))
    return list(connection.execute(query.distinct()).scalars())


def _descriptions(connection: Connection, entity_ids: Sequence[int]) -> dict[int, list[str]]:
    described = and_(among(facts.c.subject_id, entity_ids), facts.c.kind == FactKind.DESCRIPTION)
    found: dict[int, list[str]] = defaultdict(list)
    query = select(facts.c.subject_id, facts.c.object).where(described)
    # One that was brought back has another number, and was learned when it was.
    for row in connection.execute(query.order_by(facts.c.valid_to.is_not(None), facts.c.learned, facts.c.id)):
        found[row.subject_id].append(row.object)
    return found
