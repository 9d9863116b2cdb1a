"""Entities that may be one, found without a language model: proposed to the user, some of them to a `Matcher` first.

They share a name and were not told apart by what they are; or their vectors are near each other, and their bare names
are too: of things described alike ("a town in Norway") the descriptions' likeness says nothing. What the user took
apart is not proposed again.
"""

import re
from collections.abc import Sequence

from sqlalchemy import Connection

from memory.folding import fold
from memory.indexing import Indexer
from memory.records import entities, merging
from memory.records.keys import ENTITY, number
from memory.resolution import told_apart
from memory.types import KnownEntity

Pair = tuple[KnownEntity, KnownEntity]

_COMPARED = 1000  # entities whose vectors are compared, the latest ones
_JUDGED = 20  # pairs of names that are embedded
_NAMESAKES = 500  # pairs
_DIGITS = re.compile(r"\d+")


class Duplicates:
    """One user's; worked out anew where memory has changed, and no two names judged twice in a row."""

    def __init__(self, user_id: int, indexer: Indexer) -> None:
        self._id = user_id
        self._indexer = indexer
        self._known: tuple[int, list[Pair]] | None = None  # of which revision
        self._alike: dict[tuple[str, str], bool] = {}  # whether two names are; to embed them takes its time

    def likely(self, connection: Connection, revision: int) -> list[Pair]:
        """Pairs of entities, those that share a name first; of the second of a pair more is known."""
        if self._known is None or self._known[0] != revision:
            self._known = revision, self._found(connection)
        return self._known[1]

    def _found(self, connection: Connection) -> list[Pair]:
        near = self._indexer.near_each_other(self._id, entities.latest(connection, self._id, _COMPARED), _JUDGED)
        numbers = ((number(ENTITY, one), number(ENTITY, other)) for one, other in near)
        wanted = dict.fromkeys([*entities.sharing_names(connection, self._id, _NAMESAKES), *numbers])
        known = entities.entities_by_id(connection, {end for pair in wanted for end in pair})
        apart = merging.kept_apart(connection, self._id)
        pairs = [
            ordered(known[one], known[other])
            for one, other in wanted
            if {one, other} <= known.keys() and frozenset((one, other)) not in apart
        ]
        sharing = [pair for pair in pairs if _share_a_name(pair)]
        others = [pair for pair in pairs if not _share_a_name(pair) and _same_numbers(pair)]
        alike = self._judged([(one.name, other.name) for one, other in others])
        return [
            *(pair for pair in sharing if not _told_apart(*pair)),
            *((one, other) for one, other in others if alike[one.name, other.name]),
        ]

    def _judged(self, names: Sequence[tuple[str, str]]) -> dict[tuple[str, str], bool]:
        known = {pair: self._alike[pair] for pair in names if pair in self._alike}
        new = [pair for pair in dict.fromkeys(names) if pair not in known]
        self._alike = known | dict(zip(new, self._indexer.names_alike(new), strict=True))
        return self._alike


def ordered(one: KnownEntity, other: KnownEntity) -> Pair:
    """The two of a pair, the one of which more is known last: the one to merge into."""
    first, second = sorted((one, other), key=lambda entity: (entity.facts, -number(ENTITY, entity.id)))
    return first, second


def _share_a_name(pair: Sequence[KnownEntity]) -> bool:
    one, other = ({fold(name) for name in _names(entity)} for entity in pair)
    return not one.isdisjoint(other)


def _told_apart(one: KnownEntity, other: KnownEntity) -> bool:
    return told_apart(one.description, [other.description], [*_names(one), *_names(other)])


def _names(entity: KnownEntity) -> tuple[str, ...]:
    return entity.name, *entity.aliases


def _same_numbers(pair: Sequence[KnownEntity]) -> bool:
    one, other = (_DIGITS.findall(entity.name) for entity in pair)
    return one == other  # 2019 is like 2020, and is not
