"""Plain data into a user's records, beside what is there already."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from sqlalchemy import Connection, select, update

from memory.folding import fold
from memory.records import closing, library, merging, tables
from memory.records import entities as entity_records
from memory.records import facts as fact_records
from memory.records import places as place_records
from memory.records.among import among
from memory.records.portable import FactData, MemoryData, PassageData, SourceData, SupportData
from memory.records.taking_out import Taken
from memory.resolution import Named
from memory.types import FactKind, Passage, Span


@dataclass(frozen=True, slots=True)
class Put:
    """The numbers that the facts of the data have now, in their order, and which of these are new."""

    facts: list[int]
    new: list[int]


def put_in(connection: Connection, user_id: int, taken: Taken) -> Put:
    """Add records to a user's, those that are there already left out.

    A document is known by its bytes, a note also by its time, an entity by its name. Entities without facts stay out.
    What was taken out of these very records has the numbers that they had. By that, an entity that is still there is
    known, and goes by its former name again; what is told by a source that speaks of a namesake now is of that one. A
    source that is gone is the same source again. A description says again what was blanked in it.

    Raises:
        KeyError: a number names no record.
        ValueError: a place is outside its text.
    """
    putting = _Putting(connection, user_id, taken.data)
    putting.sources(taken.source_ids)
    putting.entities(taken.entity_ids)
    putting.merges()
    putting.apart()
    putting.words_again(taken.fact_ids)
    return putting.facts()


class _Putting:
    """Puts data in, list by list, and keeps which number of the data became which record."""

    def __init__(self, connection: Connection, user_id: int, data: MemoryData) -> None:
        self._connection = connection
        self._user_id = user_id
        self._data = data
        self._source_ids: dict[int, int] = {}
        self._passage_ids: dict[tuple[int, int], int] = {}
        self._entity_ids: dict[int, int] = {}
        self._namesakes: dict[tuple[int, int], int] = {}  # by the numbers of an entity and of a source

    def sources(self, former: Sequence[int]) -> None:
        """Sources first, with their passages and places."""
        for number, (source, own_id) in enumerate(zip_longest(self._data.sources, former), 1):
            source_id = _put_source(self._connection, self._user_id, source, own_id)
            self._source_ids[number] = source_id
            _put_places(self._connection, self._user_id, source_id, source)
            for part, passage in enumerate(source.passages, 1):
                passage_id = _put_passage(self._connection, self._user_id, source_id, source.text, passage)
                self._passage_ids[number, part] = passage_id
            library.read_on(self._connection, source_id)

    def entities(self, former: Sequence[int]) -> None:
        """Then entities, with their names; namesakes stay apart.

        Those that no fact uses are there for what was merged or taken apart only: they are known already, or stay out.
        """
        again = entity_records.own_entities(self._connection, former)
        known = {number: own_id for number, own_id in enumerate(former, 1) if own_id in again}
        free = self._free(taken=known.values())
        self._find_namesakes(known)
        used = {end for fact in self._data.facts for end in (fact.subject, fact.object_entity)}
        for number, entity in sorted(enumerate(self._data.entities, 1), key=lambda item: item[0] in used):
            same = [known[number]] if number in known else free.get(fold(entity.name))
            if not same and number not in used:
                continue
            own_id = same.pop(0) if same else entity_records.add_entity(self._connection, self._user_id, entity.name)
            self._entity_ids[number] = own_id
            for used_name in entity.names:
                named, source_id = Named(used_name.name), self._source_ids[used_name.source]
                of = self._spoken_of(number, used_name.source)
                entity_records.add_names(self._connection, self._user_id, of, named, source_id)
        for number, own_id in self._entity_ids.items():  # to facts that are there already it was plain text
            name = self._data.entities[number - 1].name
            entity_records.link_loose_objects(self._connection, self._user_id, own_id, name)
        taken_apart = {number for number, _ in self._namesakes}  # each went by a name of its own sources then
        self._rename({known[number]: self._data.entities[number - 1].name for number in known.keys() - taken_apart})
        spoken_of = {*self._entity_ids.values(), *self._namesakes.values()}
        entity_records.reindex_entities(self._connection, self._user_id, spoken_of)

    def _find_namesakes(self, known: Mapping[int, int]) -> None:
        """Find of which others the sources speak by the names of entities that were here, and of these no more."""
        numbers = {source_id: number for number, source_id in self._source_ids.items()}
        query = select(tables.names).where(among(tables.names.c.source_id, numbers))
        spoken_of: dict[tuple[int, str], set[int]] = defaultdict(set)
        for row in self._connection.execute(query):
            spoken_of[numbers[row.source_id], row.folded].add(row.entity_id)
        for number, own_id in known.items():
            entity = self._data.entities[number - 1]
            for source in self._source_ids:
                used = {fold(name.name) for name in entity.names if name.source == source} or {fold(entity.name)}
                found = {other for name in used for other in spoken_of.get((source, name), ())}
                survivors = merging.survivors_of(self._connection, [own_id, *found])
                if len(found) == 1 and survivors[own_id] not in {survivors[other] for other in found}:
                    self._namesakes[number, source] = found.pop()

    def _spoken_of(self, number: int, source: int) -> int:
        """Of which entity a source speaks, where it says something of this one in the data."""
        return self._namesakes.get((number, source), self._entity_ids[number])

    def _free(self, taken: Collection[int]) -> dict[str, list[int]]:
        """By their folded names, the entities that are there and that the data may mean."""
        names = {fold(entity.name) for entity in self._data.entities}
        known = entity_records.own_named(self._connection, self._user_id, names)
        return {name: [own_id for own_id in ids if own_id not in taken] for name, ids in known.items()}

    def _rename(self, names: Mapping[int, str]) -> None:
        renamed = [
            own_id for own_id, name in names.items() if entity_records.rename_entity(self._connection, own_id, name)
        ]
        group = merging.everyone(self._connection, renamed)
        fact_records.reindex_facts_of(self._connection, self._user_id, group)

    def merges(self) -> None:
        """Then what was merged, where it stands alone."""
        for number, entity_id in self._entity_ids.items():
            entity = self._data.entities[number - 1]
            if entity.merged_into not in self._entity_ids or entity.merged_at is None:
                continue
            into_id = self._entity_ids[entity.merged_into]
            merged = merging.merged(self._connection, self._user_id)
            if entity_id not in merged and merged.get(into_id, into_id) != entity_id:
                group = merging.merge(self._connection, entity_id, into_id, entity.merged_at)
                fact_records.reindex_facts_of(self._connection, self._user_id, group)

    def apart(self) -> None:
        """Then what was taken apart, where it is not one here."""
        survivors = merging.survivors_of(self._connection, self._entity_ids.values())
        for number, entity_id in self._entity_ids.items():
            for other in self._data.entities[number - 1].apart_from:
                other_id = self._entity_ids.get(other)
                if other_id is not None and survivors[other_id] != survivors[entity_id]:
                    merging.keep_apart(self._connection, self._user_id, entity_id, other_id)

    def words_again(self, former: Sequence[int]) -> None:
        """Then the words that facts lack which stayed."""
        there = (tables.facts.c.user_id == self._user_id) & among(tables.facts.c.id, former)
        said = select(tables.facts.c.id, tables.facts.c.object).where(there)
        held = {row.id: row.object for row in self._connection.execute(said)}
        for fact, own_id in zip(self._data.facts, former, strict=False):
            if own_id in held and held[own_id] != fact.object and _is_blanked(held[own_id], fact.object):
                fact_records.rewrite_fact(self._connection, self._user_id, own_id, fact.object)

    def facts(self) -> Put:
        """Then facts, and which of them closed which."""
        fact_ids: dict[int, int] = {}
        added = []
        known_here = self._known_here()
        closers = {fact.closed_by for fact in self._data.facts}
        for number, fact in enumerate(self._data.facts, 1):
            # A denial ends with what it denies, and says the same of it: the two stay two.
            was_closed = fact.closed_by is not None or (number in closers and fact.valid_to is not None)
            for new, supports in self._new_facts(fact, known_here).items():
                fact_id, is_new = fact_records.add_fact(
                    self._connection, self._user_id, new, supports, closed=was_closed
                )
                fact_ids.setdefault(number, fact_id)
                added += [fact_id] if is_new else []
        for number, fact in enumerate(self._data.facts, 1):
            if fact.valid_to is not None:
                closed = {
                    "closed_by": fact_ids[fact.closed_by] if fact.closed_by else None,
                    "closed_in": self._source_ids[fact.closed_in] if fact.closed_by and fact.closed_in else None,
                    "valid_to": fact.valid_to,
                }
                # Without its closer it was closed by the next in the row, as `closing.release` tells.
                next_ = [fact_ids[other] for other in self._closed_in_turn(fact.closed_by)]
                by = tables.facts.c.closed_by
                free = (tables.facts.c.id == fact_ids[number]) & (by.is_(None) | by.in_(next_))
                self._connection.execute(update(tables.facts).where(free).values(closed))
            if fact.once_closed_by is not None:
                once = {
                    "once_closed_by": fact_ids[fact.once_closed_by],
                    "once_closed_in": self._source_ids[fact.once_closed_in] if fact.once_closed_in else None,
                    "once_valid_to": fact.once_valid_to,
                }
                free = (tables.facts.c.id == fact_ids[number]) & tables.facts.c.once_closed_by.is_(None)
                self._connection.execute(update(tables.facts).where(free).values(once))
        if self._namesakes:  # of two that were taken apart since, the one does not close what is told of the other
            apart = merging.everyone(self._connection, self._namesakes.values())
            closing.reopen_apart(self._connection, apart)
        fact_records.index_facts(
            self._connection, self._user_id, fact_records.facts_by_id(self._connection, added).values()
        )
        return Put(list(fact_ids.values()), added)

    def _closed_in_turn(self, number: int | None) -> list[int]:
        """The numbers of what closed a closer, and what closed that, as far as the row goes."""
        row: list[int] = []
        while number and (number := self._data.facts[number - 1].closed_by) and number not in row:
            row.append(number)
        return row

    def _known_here(self) -> dict[str, int]:
        """By their folded names, the entities that are here and not in the data, where an object is plain text yet."""
        loose = {fold(fact.object) for fact in self._data.facts if _is_loose(fact)}
        called = entity_records.entities_called(self._connection, self._user_id, loose)
        put = set(self._entity_ids.values())
        return {name: own_id for name, own_id in called.items() if own_id not in put}

    def _new_facts(
        self, fact: FactData, known_here: Mapping[str, int]
    ) -> dict[fact_records.NewFact, list[fact_records.Support]]:
        """A fact with what it rests on; several, where sources say it of namesakes."""
        found: dict[fact_records.NewFact, list[fact_records.Support]] = defaultdict(list)
        for rest in fact.sources:
            found[self._new_fact(fact, rest.source, known_here)].append(self._support(rest, fact))
        return found

    def _new_fact(self, fact: FactData, source: int, known_here: Mapping[str, int]) -> fact_records.NewFact:
        subject_id = self._spoken_of(fact.subject, source)
        object_id = None if fact.object_entity is None else self._spoken_of(fact.object_entity, source)
        if _is_loose(fact):
            object_id = known_here.get(fold(fact.object))
        return fact_records.NewFact(
            kind=fact.kind,
            subject_id=subject_id,
            relation=fact.relation,
            object=fact.object,
            object_id=None if object_id == subject_id else object_id,
            learned=fact.learned,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
        )

    def _support(self, rest: SupportData, fact: FactData) -> fact_records.Support:
        source = self._data.sources[rest.source - 1]
        span = _span(rest, source.text)
        since, ahead, began = rest.since, rest.ahead, fact.valid_from
        if began and "since" not in rest.model_fields_set:  # a file of before does not say which of the places tells it
            only = len(fact.sources) == 1 or str(began.year) in source.text[span.start : span.end]
            since, ahead = (began, began > source.added) if only else (None, False)
        return fact_records.Support(self._passage_ids[rest.source, rest.passage], span, since, ahead)


def _is_loose(fact: FactData) -> bool:
    """Whether its object may be an entity, and is plain text in the data."""
    return fact.kind is FactKind.TRIPLE and fact.object_entity is None


def _put_source(connection: Connection, user_id: int, source: SourceData, own_id: int | None) -> int:
    own = select(tables.sources.c.id).filter_by(user_id=user_id, kind=source.kind)
    the_same = own.filter_by(digest=source.digest)
    this_one = own.filter_by(added=source.added, name=source.name)  # its words may have been blanked since
    queries = (the_same, this_one) if source.kind == library.DOCUMENT else (the_same.filter_by(added=source.added),)
    for query in queries:
        known: int | None = connection.execute(query.limit(1)).scalar_one_or_none()
        if known is not None:
            _put_back_words(connection, user_id, known, source)
            return known
    new = library.NewSource(**source.model_dump(exclude={"passages", "places"}))
    return library.add_source(connection, user_id, new, own_id)


def _put_places(connection: Connection, user_id: int, source_id: int, source: SourceData) -> None:
    for lies in source.places:
        place_records.keep(connection, user_id, source_id, lies.place, lies.version, guessed=lies.guessed)
    # From before places were kept there are none.
    if source.kind == library.DOCUMENT and place_records.last_place(connection, source_id) is None:
        place_records.keep(connection, user_id, source_id, place_records.new_place(), 1, guessed=True)


def _put_back_words(connection: Connection, user_id: int, source_id: int, source: SourceData) -> None:
    """Give a source the words again that were blanked in it; passages that lacked some are as far as they were."""
    this = tables.sources.c.id == source_id
    held = connection.execute(select(tables.sources.c.text).where(this)).scalar_one()
    if held == source.text or not _is_blanked(held, source.text):
        return
    connection.execute(update(tables.sources).where(this).values(text=source.text, digest=source.digest))
    before = {(passage.start, passage.end): passage for passage in source.passages}
    for row in connection.execute(select(tables.passages).where(tables.passages.c.source_id == source_id)).all():
        passage, text = before[row.start, row.end], source.text[row.start : row.end]
        if (row.text, row.heading) != (text, passage.heading):
            library.rewrite_passage(connection, user_id, row.id, passage.heading, text)
            again = update(tables.passages).where(tables.passages.c.id == row.id)
            connection.execute(again.values(state=passage.state))


def _is_blanked(text: str, whole: str) -> bool:
    return len(text) == len(whole) and all(left in (" ", was) for left, was in zip(text, whole, strict=True))


def _put_passage(connection: Connection, user_id: int, source_id: int, text: str, passage: PassageData) -> int:
    span = _span(passage, text)
    same = select(tables.passages.c.id).filter_by(source_id=source_id, start=span.start, end=span.end)
    known: int | None = connection.execute(same).scalar_one_or_none()
    if known is not None:
        return known
    part = Passage(text[span.start : span.end], span, passage.heading, passage.page)
    return library.add_passage(connection, user_id, source_id, part, passage.state)


def _span(place: PassageData | SupportData, text: str) -> Span:
    if not 0 <= place.start < place.end <= len(text):
        raise ValueError(f"There are no characters {place.start} to {place.end} in a text of {len(text)}.")
    return Span(place.start, place.end)
