"""Sources and their passages."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, Row, Select, bindparam, distinct, func, insert, select, text, update

from memory.folding import topic
from memory.records import words
from memory.records.among import among, among_listed, listed
from memory.records.keys import PASSAGE, SOURCE, key, missing, number
from memory.records.tables import fact_sources, facts, passages, sources, users
from memory.speakers import above
from memory.types import Passage, Source, Span

CHAT, DOCUMENT = "chat", "document"
QUEUED, READING, PAUSED, READY, CANCELLED = "queued", "reading", "paused", "ready", "cancelled"
UNREAD, READ, SKIPPED = "unread", "read", "skipped"
_LOOKED_BACK = 50  # passages


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source before it has an id."""

    kind: str
    name: str
    digest: str
    text: str
    added: datetime
    state: str
    error: str = ""


def add_source(connection: Connection, user_id: int, new: NewSource, own_id: int | None = None) -> int:
    """Keep a source; returns its number, which is `own_id` where that is given: the one that it had."""
    values = {name: getattr(new, name) for name in ("kind", "name", "digest", "text", "added", "state", "error")}
    values |= {} if own_id is None else {"id": own_id}
    added = insert(sources).values(user_id=user_id, **values)
    source_id: int = connection.execute(added.returning(sources.c.id)).scalar_one()
    return source_id


def digest_of_blanked(source_id: int, text: str) -> str:
    """The digest of a document in which something was blanked: no file has it, so that each upload is read anew."""
    return hashlib.sha256(f"{source_id} {text}".encode()).hexdigest()


def add_passage(connection: Connection, user_id: int, source_id: int, part: Passage, state: str) -> int:
    """Keep one passage of a source; returns its number."""
    added = insert(passages).values(
        user_id=user_id,
        source_id=source_id,
        text=part.text,
        heading=part.heading,
        start=part.span.start,
        end=part.span.end,
        page=part.page,
        state=state,
        topic=_topic(part.heading),
    )
    passage_id: int = connection.execute(added.returning(passages.c.id)).scalar_one()
    words.put(connection, user_id, PASSAGE, [(passage_id, searched_text(part.heading, part.text))])
    return passage_id


def rewrite_passage(connection: Connection, user_id: int, own_id: int, heading: str, text: str) -> None:
    """Give a passage another heading and other words, as long as before; its vector has to be made anew."""
    values = {"text": text, "heading": heading, "topic": _topic(heading), "embedded": False}
    connection.execute(update(passages).where(passages.c.id == own_id).values(values))
    words.put(connection, user_id, PASSAGE, [(own_id, searched_text(heading, text))])


def searched_text(heading: str, text: str) -> str:
    """A passage as it is searched: what its headings say counts too."""
    return f"{heading}\n{text}" if heading else text


def has_sources(connection: Connection, user_id: int) -> bool:
    """Whether a user has a source; quick, also where there are many."""
    return connection.execute(select(sources.c.id).where(sources.c.user_id == user_id).limit(1)).first() is not None


def counts(connection: Connection, user_id: int) -> tuple[int, int]:
    """How many facts and how many passages a user has."""
    numbers = [
        connection.execute(select(func.count()).where(table.c.user_id == user_id)).scalar_one()
        for table in (facts, passages)
    ]
    return numbers[0], numbers[1]


def document(connection: Connection, user_id: int, digest: str) -> Source | None:
    """The document of these bytes, where it is known."""
    row = connection.execute(
        _sources(user_id).where(sources.c.kind == DOCUMENT, sources.c.digest == digest)
    ).one_or_none()
    return None if row is None else _source(row)


def source(connection: Connection, user_id: int, source_id: str) -> Source:
    """One source.

    Raises:
        NothingThere: the user has no such source.
    """
    query = _sources(user_id).where(sources.c.id == number(SOURCE, source_id))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise missing(SOURCE, source_id)
    return _source(row)


def all_sources(connection: Connection, user_id: int) -> list[Source]:
    """Every source of a user, oldest first."""
    return [_source(row) for row in connection.execute(_sources(user_id).order_by(sources.c.id))]


def names_of(connection: Connection, user_id: int) -> list[str]:
    """The names of a user's sources."""
    return list(connection.execute(select(sources.c.name).where(sources.c.user_id == user_id)).scalars())


def documents(connection: Connection, user_id: int) -> dict[int, str]:
    """The names of a user's documents by their numbers, oldest first."""
    query = select(sources.c.id, sources.c.name).where(sources.c.user_id == user_id, sources.c.kind == DOCUMENT)
    return {row.id: row.name for row in connection.execute(query.order_by(sources.c.id))}


class State(NamedTuple):
    """A document as it is now: with another digest it has another text, with another first passage it came back."""

    name: str
    added: datetime
    digest: str
    first_passage: int


def states(connection: Connection, user_id: int) -> dict[int, State]:
    """The documents of a user by their numbers, oldest first."""
    first = func.coalesce(func.min(passages.c.id), 0)
    query = select(sources.c.id, sources.c.name, sources.c.added, sources.c.digest, first.label("first"))
    query = query.join(passages, passages.c.source_id == sources.c.id, isouter=True).group_by(sources.c.id)
    rows = connection.execute(query.where(sources.c.user_id == user_id, sources.c.kind == DOCUMENT))
    return {row.id: State(row.name, row.added, row.digest, row.first) for row in sorted(rows, key=lambda row: row.id)}


def passages_within(connection: Connection, source_id: int, pages: Collection[int], limit: int) -> list[str]:
    """The ids of the first passages of a source, where `pages` are given only of those."""
    query = select(passages.c.id).where(passages.c.source_id == source_id)
    query = query.where(passages.c.page.in_(pages)) if pages else query
    rows = connection.execute(query.order_by(passages.c.start).limit(limit))
    return [key(PASSAGE, row.id) for row in rows]


def digests(connection: Connection, user_id: int, numbers: Iterable[int]) -> dict[int, str]:
    """The digests of those of some sources' numbers that are a user's."""
    query = select(sources.c.id, sources.c.digest).where(sources.c.user_id == user_id, among(sources.c.id, numbers))
    return {row.id: row.digest for row in connection.execute(query)}


def held_digests(connection: Connection, wanted: Collection[str]) -> set[str]:
    """Those of some digests that a document of anybody has."""
    query = select(sources.c.digest).where(sources.c.kind == DOCUMENT, among(sources.c.digest, wanted))
    return set(connection.execute(query).scalars())


def sources_by_id(connection: Connection, numbers: Iterable[int]) -> list[Source]:
    """The sources of these numbers, oldest first."""
    return [
        _source(row)
        for row in connection.execute(_sources(None).where(among(sources.c.id, numbers)).order_by(sources.c.id))
    ]


def unfinished(connection: Connection) -> list[tuple[str, Source]]:
    """What is not read to its end, and not cancelled, of all users, oldest first: (user, source)."""
    query = _sources(None).add_columns(users.c.name.label("user")).join(users, users.c.id == sources.c.user_id)
    rows = connection.execute(query.where(sources.c.state.in_([QUEUED, READING, PAUSED])).order_by(sources.c.id))
    return [(row.user, _source(row)) for row in rows]


def source_text(connection: Connection, user_id: int, source_id: str) -> str:
    """The whole text; raises as `source`."""
    query = select(sources.c.text).where(sources.c.user_id == user_id, sources.c.id == number(SOURCE, source_id))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise missing(SOURCE, source_id)
    return str(row.text)


def set_state(connection: Connection, source_id: str, state: str, error: str = "") -> None:
    """Say how far the reading of a source is."""
    connection.execute(
        update(sources).where(sources.c.id == number(SOURCE, source_id)).values(state=state, error=error)
    )


def passages_of(
    connection: Connection, source_id: str, *, unread: bool = False, limit: int | None = None
) -> list[tuple[str, Passage]]:
    """The first `limit` passages of a source in their order, with their ids; with `unread`, of those that wait."""
    own = select(passages).where(passages.c.source_id == number(SOURCE, source_id))
    query = own.order_by(passages.c.start).limit(limit)
    if unread:
        query = query.where(passages.c.state == UNREAD)
    return [(key(PASSAGE, row.id), _passage(row)) for row in connection.execute(query)]


def passages_with_ids(connection: Connection, user_id: int, passage_ids: Iterable[str]) -> dict[str, Passage]:
    """Those of a user's passages with these ids that are there."""
    wanted = among(passages.c.id, [number(PASSAGE, passage_id) for passage_id in passage_ids])
    rows = connection.execute(select(passages).where(passages.c.user_id == user_id, wanted))
    return {key(PASSAGE, row.id): _passage(row) for row in rows}


def passage(connection: Connection, source_id: str, passage_id: str) -> Passage:
    """One passage of a source.

    Raises:
        NothingThere: the source has no such passage.
    """
    query = select(passages).where(
        passages.c.id == number(PASSAGE, passage_id), passages.c.source_id == number(SOURCE, source_id)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise missing(PASSAGE, passage_id)
    return _passage(row)


def passages_by_id(connection: Connection, numbers: Sequence[int]) -> dict[str, tuple[str, str, Passage]]:
    """Passages by their ids, each with the id and the name of its source."""
    rows = connection.execute(_PASSAGES, {"listed": listed(numbers)})
    return {key(PASSAGE, row.id): (key(SOURCE, row.source_id), row.name, _passage(row)) for row in rows}


def passages_about(connection: Connection, user_id: int, topics: Iterable[str], limit: int) -> dict[str, list[str]]:
    """The ids of the passages under headings of these folded names, by name; at most `limit` of each."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in connection.execute(_ABOUT, {"user": user_id, "listed": listed(topics)}):
        if len(found[row.topic]) < limit:
            found[row.topic].append(key(PASSAGE, row.id))
    return dict(found)


def headings(connection: Connection, passage_ids: Iterable[str]) -> dict[str, str]:
    """The headings of passages, by their ids."""
    rows = connection.execute(_HEADINGS, {"listed": listed(number(PASSAGE, id_) for id_ in passage_ids)})
    return {key(PASSAGE, row.id): row.heading for row in rows}


def before(connection: Connection, passage_ids: Iterable[str]) -> dict[str, str]:
    """By the ids of passages, the nearest one before each in its source that stands under other headings, if near."""
    rows = connection.execute(_BEFORE, {"listed": listed(number(PASSAGE, id_) for id_ in passage_ids)})
    return {key(PASSAGE, row.id): key(PASSAGE, row.before) for row in rows if row.before is not None}


# Put together once: for each question anew, that takes as long as to run them.
_PASSAGES = (
    select(passages, sources.c.name)
    .join(sources, sources.c.id == passages.c.source_id)
    .where(among_listed(passages.c.id))
)
_HEADINGS = select(passages.c.id, passages.c.heading).where(among_listed(passages.c.id))
_BEFORE = text(
    "SELECT own.id, (SELECT near.id FROM (SELECT id, start, heading FROM passages WHERE source_id = own.source_id"
    f" AND start < own.start ORDER BY start DESC LIMIT {_LOOKED_BACK}) AS near WHERE near.heading <> own.heading"
    " ORDER BY near.start DESC LIMIT 1) AS before"
    " FROM passages AS own WHERE own.id IN (SELECT value FROM json_each(:listed))"
)
_ABOUT = (
    select(passages.c.topic, passages.c.id)
    .where(passages.c.user_id == bindparam("user"), among_listed(passages.c.topic))
    .order_by(passages.c.id)
)


def finish_passage(connection: Connection, source_id: str, passage_id: str, state: str) -> bool:
    """Mark a passage as read or skipped; whether it was the last one, and its source is ready."""
    connection.execute(update(passages).where(passages.c.id == number(PASSAGE, passage_id)).values(state=state))
    rows = connection.execute(
        select(passages.c.state, func.count())
        .where(passages.c.source_id == number(SOURCE, source_id))
        .group_by(passages.c.state)
    )
    counts: dict[str, int] = {row[0]: row[1] for row in rows}
    if UNREAD not in counts:
        set_state(connection, source_id, READY, _skipped_message(counts.get(SKIPPED, 0)))
        return True
    waiting = update(sources).where(sources.c.id == number(SOURCE, source_id), sources.c.state == QUEUED)
    connection.execute(waiting.values(state=READING))
    return False


def end_read(connection: Connection, user_id: int) -> list[int]:
    """Let a user's sources be ready of which no passage waits to be read any more; the numbers of those."""
    waits = select(passages.c.id).where(passages.c.source_id == sources.c.id, passages.c.state == UNREAD).exists()
    waiting = (sources.c.user_id == user_id) & sources.c.state.in_([QUEUED, READING, PAUSED])
    ended = update(sources).where(waiting, ~waits).values(state=READY).returning(sources.c.id)
    return list(connection.execute(ended).scalars())


def read_on(connection: Connection, source_id: int) -> None:
    """Let a source be read that was ready before some of its passages came back unread."""
    waits = select(passages.c.id).where(passages.c.source_id == source_id, passages.c.state == UNREAD).exists()
    ready = (sources.c.id == source_id) & (sources.c.state == READY)
    connection.execute(update(sources).where(ready, waits).values(state=QUEUED))


def _topic(heading: str) -> str | None:
    return topic(above(heading)) if above(heading) else None


def queue_skipped(connection: Connection, source_id: str) -> bool:
    """Let the passages that no facts could be read from wait again; whether there are any."""
    skipped = (passages.c.source_id == number(SOURCE, source_id)) & (passages.c.state == SKIPPED)
    if not connection.execute(update(passages).where(skipped).values(state=UNREAD)).rowcount:
        return False
    set_state(connection, source_id, QUEUED)
    return True


def _skipped_message(skipped: int) -> str:
    if not skipped:
        return ""
    noun = "passage" if skipped == 1 else "passages"
    return f"No facts could be read from {skipped} {noun}; the text can still be searched."


def _sources(user_id: int | None) -> Select[tuple[object, ...]]:
    own = passages.c.source_id == sources.c.id
    counts = [
        select(func.count()).where(own).scalar_subquery().label("passages"),
        select(func.count()).where(own, passages.c.state != UNREAD).scalar_subquery().label("passages_read"),
        select(func.count(distinct(fact_sources.c.fact_id)))
        .where(fact_sources.c.passage_id == passages.c.id, own)
        .scalar_subquery()
        .label("facts"),
        func.length(sources.c.text).label("characters"),
    ]
    shown = [sources.c[name] for name in ("id", "kind", "name", "digest", "added", "state", "error")]
    query = select(*shown, *counts)
    return query if user_id is None else query.where(sources.c.user_id == user_id)


def _source(row: Row[tuple[object, ...]]) -> Source:
    return Source(
        id=key(SOURCE, row.id),
        kind=row.kind,
        name=row.name,
        digest=row.digest,
        added=row.added,
        characters=row.characters,
        state=row.state,
        passages=row.passages,
        passages_read=row.passages_read,
        facts=row.facts,
        error=row.error,
    )


def _passage(row: Row[tuple[object, ...]]) -> Passage:
    return Passage(row.text, Span(row.start, row.end), row.heading, row.page)
