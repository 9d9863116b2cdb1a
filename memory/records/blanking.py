"""Forgotten words in sources that stay: spaces are written over them, so that the spans of other facts still hold.

A passage that is left without words goes. One that is not read yet is another passage from then on, since whoever reads
it at that moment has the old words before them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from memory.mentions import Finder
from memory.passages import sentences
from memory.records import library, words
from memory.records.among import among
from memory.records.keys import PASSAGE
from memory.records.tables import fact_sources, passages, sources
from memory.types import Passage, Span

_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters `start` (included) to `end` (not included) of a source's text."""

    source_id: int
    start: int
    end: int


@dataclass(slots=True)
class Blanked:
    """What came of it: the words that went, and the numbers of passages that went and that say less now."""

    texts: set[str] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)


def supports(connection: Connection, fact_ids: Collection[int]) -> list[Stretch]:
    """What facts rest on."""
    query = (
        select(passages.c.source_id, fact_sources.c.start, fact_sources.c.end)
        .join(fact_sources, fact_sources.c.passage_id == passages.c.id)
        .where(among(fact_sources.c.fact_id, fact_ids))
    )
    return [Stretch(*row) for row in connection.execute(query)]


def sentences_with(connection: Connection, user_id: int, named: Finder) -> list[Stretch]:
    """The sentences of a user's sources that name something; the name alone where it stands in none, as in headings."""
    found: list[Stretch] = []
    own = select(sources.c.id, sources.c.text).where(sources.c.user_id == user_id)
    for source in connection.execute(own):
        matches = [match.span() for match in named.finditer(source.text)]
        if not matches:
            continue
        parts = select(passages.c.start, passages.c.end).where(passages.c.source_id == source.id)
        held = [
            (span.start, span.end)
            for part in connection.execute(parts.order_by(passages.c.start))
            if bisect_left(matches, (part.start,)) < bisect_left(matches, (part.end,))
            for span in sentences(source.text, part.start, part.end)
        ]
        ends = [end for _, end in held]
        spans = dict.fromkeys(
            span
            for start, end in matches
            for span in held[bisect_right(ends, start) : bisect_left(held, (end,))] or [(start, end)]
        )
        found += [Stretch(source.id, *span) for span in spans]
    return found


def blank(
    connection: Connection, user_id: int, source_id: int, stretches: Iterable[Stretch], named: Finder | None
) -> Blanked:
    """Blank stretches of a source but for what other facts rest on; what `named` finds is blanked there, too."""
    source = connection.execute(select(sources).where(sources.c.id == source_id)).one()
    blanked = Blanked()
    over = bytearray(len(source.text))
    for stretch in stretches:
        over[stretch.start : stretch.end] = b"\1" * (stretch.end - stretch.start)
        blanked.texts.add(source.text[stretch.start : stretch.end])
    for start, end in _kept(connection, source_id):
        over[start:end] = bytes(end - start)
    text = "".join(" " if hidden else character for character, hidden in zip(source.text, over, strict=True))
    text = named.sub(lambda said: " " * len(said), text) if named else text
    values = {"text": text}
    if source.kind == library.DOCUMENT and text != source.text:
        values["digest"] = library.digest_of_blanked(source_id, text)
    connection.execute(update(sources).where(sources.c.id == source_id).values(values))
    for row in connection.execute(select(passages).where(passages.c.source_id == source_id)).all():
        heading = " ".join(named.sub(lambda _: "", row.heading).split()) if named else row.heading
        part = Passage(text[row.start : row.end], Span(row.start, row.end), heading)
        if (part.text, heading) != (row.text, row.heading):
            _rewrite(connection, user_id, row, part, blanked)
    return blanked


def _kept(connection: Connection, source_id: int) -> Iterator[tuple[int, int]]:
    query = select(fact_sources.c.start, fact_sources.c.end).join(passages, passages.c.id == fact_sources.c.passage_id)
    for row in connection.execute(query.where(passages.c.source_id == source_id)):
        yield row.start, row.end


def _rewrite(connection: Connection, user_id: int, row: Row[Any], part: Passage, blanked: Blanked) -> None:
    rests = select(fact_sources.c.id).where(fact_sources.c.passage_id == row.id).limit(1)
    says_something = _WORD.search(part.text) or connection.execute(rests).first()
    if says_something and row.state != library.UNREAD:
        library.rewrite_passage(connection, user_id, row.id, part.heading, part.text)
        blanked.changed.add(row.id)
        return
    words.remove(connection, PASSAGE, [row.id])
    connection.execute(delete(passages).where(passages.c.id == row.id))
    blanked.gone.add(row.id)
    if says_something:
        blanked.changed.add(library.add_passage(connection, user_id, row.source_id, part, library.UNREAD))
