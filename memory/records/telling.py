"""What facts say, and where: which words of a sentence only some of the facts that rest on it say."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from memory.folding import STOP_WORDS, fold
from memory.mentions import is_proper
from memory.records.among import among
from memory.records.tables import entities, fact_sources, facts, names, passages
from memory.resolution import USER_NAMES
from memory.spelling import Word, at, standing, telling, words_of
from memory.types import FactKind

_BLOCK = 256  # characters


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters `start` (included) to `end` (not included) of a source's text."""

    source_id: int
    start: int
    end: int

    def overlaps(self, other: "Stretch") -> bool:
        """Whether the two have characters in common."""
        return self.source_id == other.source_id and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Told:
    """What a fact says in a stretch that it rests on: its ends by all their names, and its relation.

    Of a description or an aspect (`is_prose`) the object is text, and no end.
    """

    fact_id: int
    at: Stretch
    is_prose: bool
    subject_id: int
    ends: tuple[str, ...]
    relation: str
    object: str

    @property
    def own(self) -> set[str]:
        """What it may be alone in saying: its object, and names that are no common nouns."""
        return {said for said in self.ends if said == self.object or is_proper(said)}


class Beside:
    """What rests on something in common with a stretch, found without a look at all else."""

    def __init__(self, told: Iterable[Told]) -> None:
        self._by_block: dict[tuple[int, int], list[Told]] = defaultdict(list)
        for one in told:
            for block in _blocks(one.at):
                self._by_block[block].append(one)

    def __call__(self, at: Stretch) -> list[Told]:
        """All of it that overlaps with the stretch."""
        near = dict.fromkeys(one for block in _blocks(at) for one in self._by_block.get(block, ()))
        return [one for one in near if one.at.overlaps(at)]


def told_by(connection: Connection, fact_ids: Collection[int], *, but: Collection[int] = ()) -> list[Told]:
    """What facts say wherever they rest on a source, without the sources `but`."""
    rows = connection.execute(_TOLD.where(among(facts.c.id, fact_ids))).all()
    return _told(connection, [row for row in rows if row.source_id not in but])


def told_in(connection: Connection, source_ids: Collection[int], *, prose_alone: bool = False) -> list[Told]:
    """What every fact says that rests on one of these sources; with `prose_alone`, every description and aspect."""
    query = _TOLD.where(among(passages.c.source_id, source_ids))
    return _told(connection, connection.execute(query.where(_IS_PROSE) if prose_alone else query).all())


def prose_saying(going: Iterable[Told], others: Iterable[Told]) -> dict[int, list[Told]]:
    """Which of the others are descriptions and aspects that rest on what relations do which go, and on which."""
    relations = Beside(one for one in going if not one.is_prose)
    found: dict[int, list[Told]] = defaultdict(list)
    for prose in others:
        if prose.is_prose and (beside := relations(prose.at)):
            found[prose.fact_id] += beside
    return dict(found)


def concerned_prose(connection: Connection, fact_ids: Collection[int]) -> set[int]:
    """The descriptions and aspects that may say less once these facts are forgotten."""
    going = told_by(connection, fact_ids)
    return prose_saying(going, told_in(connection, {one.at.source_id for one in going}, prose_alone=True)).keys() - {
        one.fact_id for one in going
    }


def saying_no_more(connection: Connection, fact_ids: Collection[int], *, but: Collection[int] = ()) -> set[int]:
    """The descriptions and aspects that say nothing but what these facts do; not of the sources `but`."""
    going = told_by(connection, fact_ids, but=but)
    prose = {one.fact_id: one for one in told_in(connection, {one.at.source_id for one in going}, prose_alone=True)}
    saying = prose_saying(going, prose.values())
    return {own_id for own_id, others in saying.items() if _says_no_more(prose[own_id], others)}


def only_theirs(text: str, at_it: Stretch, going: Iterable[Told], staying: Collection[Told]) -> set[int]:
    """The characters of a stretch that only facts say which go; none that a fact which stays says as well.

    Those are the words of what a fact is about; where others say these, too, the words of its relation. What else an
    aspect or a description says has no words of its own: its other words may be needed by what stays.
    """
    words = words_of(text, at_it.start, at_it.end)
    said = {phrase for one in staying for phrase in (*one.ends, *(() if one.is_prose else (one.relation,)))}
    kept = at(words, {word for phrase in said for word in telling(phrase)}) | _naming(words, staying)
    over: set[int] = set()
    for one in going:
        if one.is_prose:
            continue
        own = {place for said in one.own for place in standing(words, said)} - kept
        over |= own or at(words, telling(one.relation)) - kept
    blank = {character for place in over for character in range(words[place].start, words[place].end)}
    for place in over & {other - 1 for other in over}:  # what stands between two words of one phrase
        blank.update(range(words[place].end, words[place + 1].start))
    return blank


def _blocks(at: Stretch) -> Iterator[tuple[int, int]]:
    return ((at.source_id, block) for block in range(at.start // _BLOCK, at.end // _BLOCK + 1))


def _says_no_more(prose: Told, others: Collection[Told]) -> bool:
    words = words_of(prose.object)
    said = _naming(words, [prose, *others]).union(*(standing(words, other.relation) for other in others))
    return {word.key for place, word in enumerate(words) if place not in said} <= STOP_WORDS


def _naming(words: Sequence[Word], told: Iterable[Told]) -> set[int]:
    return {place for one in told for named in one.ends for place in standing(words, named)}


def _stretches() -> Select[Any]:
    kept = [facts.c[name] for name in ("id", "kind", "subject_id", "object_id", "relation", "object")]
    return (
        select(*kept, passages.c.source_id, fact_sources.c.start, fact_sources.c.end)
        .join(fact_sources, fact_sources.c.fact_id == facts.c.id)
        .join(passages, passages.c.id == fact_sources.c.passage_id)
    )


_TOLD = _stretches()
_IS_PROSE = facts.c.kind != FactKind.TRIPLE


def _told(connection: Connection, rows: Sequence[Row[Any]]) -> list[Told]:
    called = _names(connection, {end for row in rows for end in (row.subject_id, row.object_id) if end is not None})
    return [
        Told(
            fact_id=row.id,
            at=Stretch(row.source_id, row.start, row.end),
            is_prose=row.kind != FactKind.TRIPLE,
            subject_id=row.subject_id,
            ends=(
                *called[row.subject_id],
                *called.get(row.object_id, ()),
                *((row.object,) if row.kind == FactKind.TRIPLE else ()),
            ),
            relation=row.relation,
            object=row.object,
        )
        for row in rows
    ]


def _names(connection: Connection, entity_ids: Collection[int]) -> dict[int, set[str]]:
    """All names of entities; what the user is called is also what everybody calls themselves."""
    found: dict[int, set[str]] = {own_id: set() for own_id in entity_ids}
    own = select(entities.c.id, entities.c.name).where(among(entities.c.id, entity_ids))
    used = select(names.c.entity_id, names.c.name).where(among(names.c.entity_id, entity_ids))
    for query in (own, used):
        for own_id, name in connection.execute(query):
            found[own_id] |= {name} if fold(name) not in USER_NAMES else set()
    return found
