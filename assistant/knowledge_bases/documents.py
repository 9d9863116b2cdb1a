"""A user's documents as a knowledge base: how many there are, by whom, tagged what, and what their parts say.

The collection has its documents as rows; a document has what it says of itself (author, date, tags …), the day on which
it was added, its pages, and its parts by their headings and numbers, whose values are their text. Of the parts only
those are told that the question may mean: a book has hundreds.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from email.utils import getaddresses
from functools import cached_property
from itertools import islice, takewhile

from assistant.knowledge_bases.base import Deadline, LinkPolicy, RelationPolicy
from assistant.knowledge_bases.kept import Kept
from assistant.knowledge_bases.personal import PASSAGE_URL
from assistant.types import Direction, Entity, Triple
from memory.errors import NothingThere
from memory.folding import HEADINGS_APART, fold, possible_names, terms
from memory.formats.tables import EMPTY
from memory.outlines import Outline, Part, file_names, plain_digits
from memory.passages import sentences
from memory.speakers import above, as_said
from memory.types import Passage
from memory.user_memory import UserMemory

DOCUMENTS = "documents"
_COLLECTION = Entity(DOCUMENTS, "documents", "documents", ("files", "notes", "uploads", "collection"))
_ROWS = "rows"
_ROW_ALIASES = ("documents", "files", "notes", "list", "names")
_CANDIDATES = 20
_LONGEST_PHRASE = 24  # words of a name in a question, or characters of a Chinese one
_SHORTEST_NAME = 3  # letters of what may be named; one less in other scripts
_FEW_PARTS = 30  # of a document, which are told whatever is asked
_MOST_PARTS = 60  # that may be meant
_FIRST_PASSAGES = 12  # of a document, or of a part of it
_PART_CHARACTERS = 1_500  # of a part's text
_TOLD_OF_A_PART, _BEFORE = 300, 60  # characters, where two documents are compared, and before they differ
BEGINNING = "beginning"  # what stands under no heading
DIFFERING = "parts that differ"  # of two documents; so many
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_LISTS_APART = ", "


class Documents:
    """One user's documents. Each is made anew for each turn; what is kept beyond it is kept by the user's memory."""

    name = DOCUMENTS
    languages: frozenset[str] = frozenset()
    public = False
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(self, memory: UserMemory, question: str = "") -> None:
        """`question` is what is asked: it says which parts of documents may be meant."""
        self._memory = memory
        self._asked = {*terms(question), *_NUMBER.findall(plain_digits(question))}

    def asked(self, question: str) -> "Documents":
        """See `QuestionBound.asked`."""
        return Documents(self._memory, question)

    @cached_property
    def _index(self) -> "_Index":
        """What the user's documents are called and say of themselves, kept beyond the turn while they stay the same."""
        return _indexes.of(self._memory, self._memory.outlines())

    @property
    def is_empty(self) -> bool:
        """Whether there is no document."""
        return not self._index.outlines

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """The collection, or the documents that are called so."""
        del question, deadline
        wanted = [fold(name) for name in (mention, *aliases)]
        called = [one for name in wanted for one in self._index.called.get(name, ())]
        found = [_entity(one) for one in self._as_they_are(called)]
        if not found and set(wanted) & {fold(name) for name in (_COLLECTION.name, *_COLLECTION.aliases)}:
            return [_COLLECTION]
        return list(dict.fromkeys(found))[:_CANDIDATES]

    def known(self, phrases: Sequence[str], deadline: Deadline) -> dict[str, set[str]]:
        """See `NameIndex.known`; of values too."""
        del deadline
        written = {phrase: self._index.written(fold(phrase)) for phrase in phrases}
        return {phrase: names for phrase, names in written.items() if names}

    def is_named(self, question: str) -> bool:
        """Whether a question names two files, a part of one by its number, or a value of several words that one says
        of itself, as an author is: what else is asked of a document, its passages tell."""
        names = set(filter(_may_name, possible_names(question, _LONGEST_PHRASE)))
        files = {one.id: one for name in names for one in self._index.files.get(name, ())}
        numbers = set(_NUMBER.findall(plain_digits(question)))
        by_part = any(part.number in numbers for one in files.values() for part in one.parts)
        return len(files) > 1 or by_part or any(_is_long(name) and name in self._index.having for name in names)

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """What a document says of itself, and how it begins."""
        del deadline
        if entity.id not in self._index.outlines:
            return ""
        with suppress(NothingThere):  # forgotten meanwhile
            return _cut(as_said(passage for _, passage in self._memory.passages(entity.id, limit=_FIRST_PASSAGES)))
        return ""

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """The documents of the collection; what one says of itself, its pages, and the parts that may be meant."""
        if direction == "in":
            return []
        one = self._index.outlines.get(entity.id)
        found = self._of(one, deadline) if one else self._rows() if entity.id == _COLLECTION.id else iter(())
        return list(islice(found, limit))

    def bearing(self, value: str, question: str, limit: int, deadline: Deadline) -> list[Triple]:
        """See `ValueIndex.bearing`."""
        del question, deadline
        having = self._index.having.get(fold(value), ())[:limit]
        there = {one.id for one in self._as_they_are([one for one, _, _ in having])}
        return [_told(one, field, item) for one, field, item in having if one.id in there]

    def related(
        self, entity: Entity, names: Sequence[str], limit: int, deadline: Deadline, *, outgoing: bool
    ) -> list[Triple]:
        """See `RelationIndex.related`."""
        every = self.triples(entity, "out", sys.maxsize, deadline) if outgoing else []
        return [triple for triple in every if triple.relation in names][:limit]

    def between(self, one: Entity, other: Entity, limit: int, deadline: Deadline) -> list[Triple]:
        """What two documents say differently, part by part: the sentences that only one of them has, EMPTY where that
        has none; and in how many parts, where those are none or more than are told. See `PairIndex.between`."""
        pair = [outline for entity in (one, other) if (outline := self._index.outlines.get(entity.id))]
        sections = [self._sections(outline) for outline in pair]
        if len(self._as_they_are(pair)) != 2:
            return []
        mine, theirs = sections
        found, parts = list[Triple](), 0
        for heading in dict.fromkeys((*mine, *theirs)):
            deadline.check()
            said = [mine.get(heading, {}), theirs.get(heading, {})]
            only = [[sentence for sentence in own if sentence not in others] for own, others in (said, said[::-1])]
            if not any(only):
                continue
            parts += 1
            if 2 * parts < limit:  # and one for how many there are
                texts = _from_where_they_differ([" ".join(sentences_) for sentences_ in only])
                for outline, own, sentences_, text in zip(pair, said, only, texts, strict=True):
                    url = PASSAGE_URL + own[sentences_[0]] if sentences_ else ""
                    found.append(_told(outline, heading, _cut([text], _TOLD_OF_A_PART) or EMPTY, url=url))
        counted = [] if found and 2 * parts == len(found) else [_told(pair[0], DIFFERING, str(parts))]
        return [*found, *counted]

    def _sections(self, one: Outline) -> dict[str, dict[str, str]]:
        """The sentences under each heading of a document but its title, with the ids of their passages."""
        sections, passages = defaultdict[str, dict[str, str]](dict), list[tuple[str, Passage]]()
        with suppress(NothingThere):  # forgotten meanwhile
            passages = self._memory.passages(one.id)
        paths = [above(passage.heading).split(HEADINGS_APART) for _, passage in passages]
        below = 1 if len({path[0] for path in paths} - {""}) == 1 else 0
        for (passage_id, passage), path in zip(passages, paths, strict=True):
            own = sections[HEADINGS_APART.join(path[below:]) or BEGINNING]
            for span in sentences(passage.text, 0, len(passage.text)):
                own.setdefault(" ".join(passage.text[span.start : span.end].split()), passage_id)
        return sections

    def _rows(self) -> Iterator[Triple]:
        for one in self._as_they_are(list(self._index.outlines.values())):
            told = _told(one, _ROWS, one.name, _ROW_ALIASES)
            yield replace(told, subject=_COLLECTION.name, subject_id=_COLLECTION.id, object_id=one.id)

    def _of(self, one: Outline, deadline: Deadline) -> Iterator[Triple]:
        if not self._as_they_are([one]):
            return
        for field, value in one.about:
            yield _told(one, field, value)
        yield _told(one, "added", f"{one.added:%Y-%m-%d}", ("uploaded", "added on"))
        if one.pages:
            yield _told(one, "pages", str(one.pages), ("number of pages",))
        for part in self._meant(one):
            deadline.check()
            aliases = (part.title, *(f"{kind} {part.number}" for kind in ("chapter", "section") if part.number))
            passages = self._memory.passages_with_ids(part.passage_ids[:_FIRST_PASSAGES])
            text = _cut(as_said(passages[id_] for id_ in part.passage_ids if id_ in passages))
            yield _told(one, part.name, text, () if part.is_page else aliases, PASSAGE_URL + part.passage_ids[0])

    def _meant(self, one: Outline) -> list[Part]:
        """The parts of a document that may be meant: all of a few; else those whose number, or a word of whose heading
        that is not in most of them, is asked for."""
        sections = [part for part in one.parts if not part.is_page]
        titles = [set(terms(part.title)) for part in sections] if self._asked else []
        times = Counter(term for title in titles for term in title)
        telling = {term for term in self._asked if 2 * times[term] <= len(titles)}
        named = {part.name for part, title in zip(sections, titles, strict=False) if title & telling}
        few = sections if len(sections) <= _FEW_PARTS else []
        found = [part for part in one.parts if part.number in self._asked or (part.name in named and not part.is_page)]
        return list(dict.fromkeys([*few, *found]))[:_MOST_PARTS]

    def _as_they_are(self, outlines: Sequence[Outline]) -> list[Outline]:
        """Those of documents of which nothing was forgotten since they were read."""
        now = self._memory.digests([one.id for one in outlines])
        return [one for one in outlines if now.get(one.id) == one.digest]


class _Index:
    """Documents by what they are called, as files and else, and by what they say of themselves; all folded."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self.outlines = {one.id: one for one in outlines}
        self.called, self.files = defaultdict[str, list[Outline]](list), defaultdict[str, list[Outline]](list)
        self.having = defaultdict[str, list[tuple[Outline, str, str]]](list)  # with the field, and the value
        for one in outlines:
            for names, index in ((file_names(one.name), self.files), (_names(one), self.called)):
                for name in {fold(name) for name in names} - {""}:
                    index[name].append(one)
            for field, value in one.about:
                for item in _items(value):
                    if (folded := fold(item)) and any(map(str.isalpha, folded)):
                        self.having[folded].append((one, field, item.strip()))

    def written(self, name: str) -> set[str]:
        """How a folded name of a document, or a value, is written; empty where it is too short to be one."""
        if not _may_name(name):
            return set()
        called = {own for one in self.called.get(name, ()) for own in _names(one) if fold(own) == name}
        return called | {item for _, _, item in self.having.get(name, ())}


_indexes = Kept(_Index)


def _may_name(folded: str) -> bool:
    """Whether it is long enough: "en" and "de" are words, too."""
    return len(folded.replace(" ", "")) >= (_SHORTEST_NAME if folded.isascii() else _SHORTEST_NAME - 1)


def _is_long(folded: str) -> bool:
    """Whether it has several words; two Chinese characters are one."""
    return " " in folded and len(folded.replace(" ", "")) >= _SHORTEST_NAME


def _from_where_they_differ(texts: Sequence[str]) -> list[str]:
    """Two texts without what they begin with alike, where that is long."""
    alike = sum(1 for _ in takewhile(lambda signs: len(set(signs)) == 1, zip(*texts, strict=False))) - _BEFORE
    return [f"… {text[alike:]}" for text in texts] if alike > _TOLD_OF_A_PART // 2 else list(texts)


def _items(value: str) -> Iterable[str]:
    """A value, the items of a list, and of mail addresses whose they are."""
    people = (part for pair in getaddresses([value]) for part in pair) if "@" in value else ()
    return dict.fromkeys((value, *value.split(_LISTS_APART), *people))


def _names(one: Outline) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*file_names(one.name), *one.titles)))


def _cut(texts: Iterable[str], characters: int = _PART_CHARACTERS) -> str:
    """Texts one behind the other in one line, up to a length."""
    said = ""
    for text in texts:
        said += f"{' '.join(text.split())} "
        if len(said) > characters:
            return f"{said[:characters].rstrip()} …"
    return said.strip()


def _entity(one: Outline) -> Entity:
    return Entity(DOCUMENTS, one.id, one.name, _names(one)[1:], one.told)


def _told(one: Outline, relation: str, value: str, aliases: tuple[str, ...] = (), url: str = "") -> Triple:
    """What a document has, with the place where it says so."""
    return Triple(
        one.name,
        relation,
        value,
        kb=DOCUMENTS,
        subject_id=one.id,
        relation_aliases=tuple(filter(None, aliases)),
        source=one.name,
        url=url or (PASSAGE_URL + one.passage_id if one.passage_id else ""),
    )
