"""Forgotten words in sources that stay: spaces are written over them, so that the spans of other facts still hold.

A sentence that other facts rest on stays, without the words that only the forgotten ones say; so do descriptions and
aspects that say these words, too. A passage that is left without words goes. One that is not read yet is another
passage from then on, since whoever reads it at that moment has the old words before them.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from memory.mentions import Finder
from memory.passages import sentences
from memory.records import library, words
from memory.records.among import among
from memory.records.facts import rewrite_fact
from memory.records.keys import PASSAGE, number
from memory.records.tables import fact_sources, passages, sources
from memory.records.telling import Beside, Stretch, Told, only_theirs, prose_saying, told_by, told_in
from memory.spelling import Word, words_of
from memory.types import Passage, Span

_WORD = re.compile(r"\w")
# What stands before a sentence that is told once more by itself, from where its sentence begins: nothing, what ends
# another one before a small letter, a word and a colon; then marks of lists and of stress, the number or the time.
_MARKS = r"[\s(\[（【*_`~#>+•–—-]*"
_BEFORE = re.compile(rf"(?:^|[.!?…]\s|[:：\t|])(?:{_MARKS}|\s*)(?:\d{{1,3}}[.)]\s+)?(?:\d{{1,2}}[:.]\d\d\s+)?{_MARKS}$")
_BEHIND = re.compile(r"[)\]）】*_`~]*(?:[.!…。！]+[)\]）】*_`~]*(?=\s|$)|(?=[\t|])|$)")
_TELLING_SIGNS = re.compile(
    r"[^\w\s'\"’‘“”«»„「」『』《》,.;:!…*_`~()\[\]{}•·|#，。！；：、（）【】–—−-]"
    r"|[-−–+](?=\d)|(?<=\w)[-−](?!\w)|(?<=\d)[.:](?=\d)|~(?=\d)"
)
_SENTENCE = 3  # words; of less, another may say the same of something else
_COPIES = 1_000  # passages

_Signed = dict[tuple[str, ...], list[Told]]  # what is told in the same words, by their telling signs


@dataclass(slots=True)
class Blanked:
    """What came of it: the words that went, and the numbers of passages that went and that say less now.

    `prose` are the descriptions and aspects that say less now, each with what it is about; `kept_by` the facts for
    whose sake a sentence stays of which nothing could be blanked.
    """

    texts: set[str] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)
    prose: dict[int, int] = field(default_factory=dict)
    kept_by: set[int] = field(default_factory=set)


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


def said_again(connection: Connection, user_id: int, fact_ids: Collection[int]) -> tuple[list[Told], list[Stretch]]:
    """What facts say where a sentence that they rest on stands once more, and they do not rest on it: in texts that are
    not read yet, or of which something else was read.

    It stands there by itself, as `_BEFORE` and `_BEHIND` say. Longer sentences that have its words, and those that
    quote it, may say something else, and are the second of what is returned.
    """
    own = told_by(connection, fact_ids)
    texts = _texts(connection, {one.at.source_id for one in own})
    by_sentence: dict[str, list[Told]] = defaultdict(list)
    for one in own:
        by_sentence[texts[one.at.source_id][one.at.start : one.at.end]].append(one)
    by_words: dict[tuple[str, ...], _Signed] = defaultdict(dict)
    lengths: dict[str, set[int]] = defaultdict(set)  # in words, by the first one
    holding: set[int] = set()  # passages
    for sentence, told in by_sentence.items():
        keys = tuple(word.key for word in words_of(sentence))
        if len(keys) < _SENTENCE:
            continue
        by_words[keys].setdefault(_telling_signs(sentence), []).extend(told)
        lengths[keys[0]].add(len(keys))
        held = words.search(connection, user_id, PASSAGE, sentence, _COPIES, every=True)
        holding.update(number(PASSAGE, id_) for id_ in held)
    places = select(passages.c.source_id, passages.c.start, passages.c.end).where(among(passages.c.id, holding))
    parts = connection.execute(places).all()
    texts |= _texts(connection, {part.source_id for part in parts} - texts.keys())
    resting = Beside(own)
    found: list[Told] = []
    longer: list[Stretch] = []
    for part in parts:
        text = texts[part.source_id]
        standing = list(_standing(words_of(text, part.start, part.end), by_words, lengths))
        spans = list(sentences(text, part.start, part.end)) if standing else []
        for start, end, said in standing:
            begins, ends = (next(span for span in spans if place < span.end) for place in (start, end - 1))
            behind = _BEHIND.match(text, end, ends.end)
            at = Stretch(part.source_id, start, behind.end() if behind else end)
            told = said.get(_telling_signs(text[start : at.end]), [])
            if resting(at):
                continue
            if told and behind and _BEFORE.search(text[begins.start : start]):
                found += [replace(one, at=at) for one in told]
            else:
                longer.append(Stretch(part.source_id, begins.start, begins.end))
    return found, longer


def _texts(connection: Connection, source_ids: Collection[int]) -> dict[int, str]:
    rows = connection.execute(select(sources.c.id, sources.c.text).where(among(sources.c.id, source_ids)))
    return {row.id: row.text for row in rows}


def _standing(
    words: Sequence[Word], phrases: Mapping[tuple[str, ...], _Signed], lengths: Mapping[str, Collection[int]]
) -> Iterator[tuple[int, int, _Signed]]:
    """Where phrases stand that are given by their words, and by how long those are that begin with a word; the longest
    where several do."""
    keys = tuple(word.key for word in words)
    place = 0
    while place < len(keys):
        wanted = (keys[place : place + length] for length in sorted(lengths.get(keys[place], ()), reverse=True))
        said = next((phrase for phrase in wanted if phrase in phrases), ())
        if said:
            yield words[place].start, words[place + len(said) - 1].end, phrases[said]
        place += len(said) or 1


def _telling_signs(sentence: str) -> tuple[str, ...]:
    """The signs that let the same words say something else, as in "> 7" and "A-"."""
    return tuple(_TELLING_SIGNS.findall(sentence))


def blank(
    connection: Connection,
    user_id: int,
    source_id: int,
    told: Sequence[Told],
    *,
    mentions: Iterable[Stretch] = (),
    named: Finder | None = None,
) -> Blanked:
    """Blank what facts that went rested on in a source, and sentences that name what goes, but for what others rest on.

    There, the words are blanked that only those facts said, and what `named` finds.
    """
    source = connection.execute(select(sources).where(sources.c.id == source_id)).one()
    blanked = Blanked()
    staying = told_in(connection, [source_id])
    on_it = Beside(staying)
    beside = {at: on_it(at) for at in {one.at for one in told}}
    over = bytearray(len(source.text))
    for stretch in (*(one.at for one in told), *mentions):
        over[stretch.start : stretch.end] = b"\1" * (stretch.end - stretch.start)
        blanked.texts.add(source.text[stretch.start : stretch.end])
    for one in staying:
        over[one.at.start : one.at.end] = bytes(one.at.end - one.at.start)
    for one in told:
        for character in only_theirs(source.text, one.at, [one], beside[one.at]):
            over[character] = 1
    text = "".join(" " if hidden else character for character, hidden in zip(source.text, over, strict=True))
    text = named.sub(lambda said: " " * len(said), text) if named else text
    for at, others in beside.items():
        if text[at.start : at.end] == source.text[at.start : at.end]:
            blanked.kept_by.update(one.fact_id for one in others)
    values = {"text": text}
    if source.kind == library.DOCUMENT and text != source.text:
        values["digest"] = library.digest_of_blanked(source_id, text)
    connection.execute(update(sources).where(sources.c.id == source_id).values(values))
    for row in connection.execute(select(passages).where(passages.c.source_id == source_id)).all():
        heading = " ".join(named.sub(lambda _: "", row.heading).split()) if named else row.heading
        part = Passage(text[row.start : row.end], Span(row.start, row.end), heading, row.page)
        if (part.text, heading) != (row.text, row.heading):
            _rewrite(connection, user_id, row, part, blanked)
    return blanked


def blank_prose(
    connection: Connection,
    user_id: int,
    source_id: int,
    told: Sequence[Told],
    blanked: Blanked,
    *,
    of: Collection[int] | None = None,
) -> None:
    """Blank what only facts said that went in the descriptions and aspects that rest on the same as they did.

    With `of`, only in those of these numbers: the others lack it already.
    """
    staying = told_in(connection, [source_id])
    prose = {one.fact_id: one for one in staying if one.is_prose and (of is None or one.fact_id in of)}
    beside = Beside(staying)
    for fact_id, going in prose_saying(told, prose.values()).items():
        one = prose[fact_id]
        rest = [other for gone in going for other in beside(gone.at)]
        over = only_theirs(one.object, Stretch(source_id, 0, len(one.object)), going, rest)
        if over:
            left = "".join(" " if place in over else character for place, character in enumerate(one.object))
            rewrite_fact(connection, user_id, fact_id, left)
            blanked.texts.add(one.object)
            blanked.prose[fact_id] = one.subject_id


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
