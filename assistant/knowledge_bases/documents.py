"""A user's documents as a knowledge base: how many there are, by whom, tagged what, and what their parts say.

The collection has its documents as rows; a document has what it says of itself (author, date, tags …), the day on which
it was added, its pages, and its parts by their headings and numbers, whose values are their text. Of the parts only
those are told that the question may mean: a book has hundreds.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from weakref import WeakKeyDictionary

from assistant.knowledge_bases.base import Deadline, LinkPolicy, RelationPolicy
from assistant.knowledge_bases.personal import PASSAGE_URL
from assistant.types import Direction, Entity, Triple
from memory.errors import NothingThere
from memory.folding import fold, possible_names, terms
from memory.outlines import Outline, Part, file_names
from memory.user_memory import UserMemory

DOCUMENTS = "documents"
_COLLECTION = Entity(DOCUMENTS, "documents", "documents", ("files", "notes", "uploads", "collection"))
_ROWS = "rows"
_ROW_ALIASES = ("documents", "files", "notes", "list", "names")
_CANDIDATES = 20
_LONGEST_PHRASE = 24  # words of a name in a question, or characters of a Chinese one
_LONGEST_VALUE = 100  # characters of one of several in a field
_FEW_PARTS = 30  # of a document, which are told whatever is asked
_PART_CHARACTERS = 1_500  # of a part's text
_LISTS_APART = ", "


class Documents:
    """One user's documents; made anew for each turn, so that nothing of one user can reach another."""

    name = DOCUMENTS
    languages: frozenset[str] = frozenset()
    public = False
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(self, memory: UserMemory, question: str = "") -> None:
        """`question` is what is asked: it says which parts of documents may be meant."""
        self._memory = memory
        self._asked = set(terms(question))
        self._passages = dict[str, dict[str, str]]()  # the texts of a document's, by their ids

    def asked(self, question: str) -> "Documents":
        """The same documents, for a question."""
        return Documents(self._memory, question)

    @cached_property
    def _index(self) -> "_Index":
        """What the user's documents are called and say of themselves, kept beyond the turn while they stay the same."""
        outlines = self._memory.outlines()
        index = _indexes.get(self._memory)
        if index is None or list(map(id, index.outlines.values())) != list(map(id, outlines)):
            index = _indexes[self._memory] = _Index(outlines)
        return index

    @property
    def is_empty(self) -> bool:
        """Whether there is no document."""
        return not self._index.outlines

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """The collection, or the documents that are called so."""
        del question, deadline
        wanted = [fold(name) for name in (mention, *aliases)]
        found = [_entity(one) for name in wanted for one in self._index.called.get(name, ())]
        if not found and set(wanted) & {fold(name) for name in (_COLLECTION.name, *_COLLECTION.aliases)}:
            return [_COLLECTION]
        return list(dict.fromkeys(found))[:_CANDIDATES]

    def known(self, phrases: Sequence[str], deadline: Deadline) -> dict[str, set[str]]:
        """See `NameIndex.known`; of values too."""
        del deadline
        written = {phrase: self._index.written(fold(phrase)) for phrase in phrases}
        return {phrase: names for phrase, names in written.items() if names}

    def is_named(self, question: str) -> bool:
        """Whether a question names a document, or what one says of itself."""
        names = (name for name in possible_names(question, _LONGEST_PHRASE) if any(map(str.isalpha, name)))
        return any(self._index.written(name) for name in names)

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """What a document says of itself, and how it begins."""
        del deadline
        one = self._index.outlines.get(entity.id)
        return self._text(one, self._passages_of(one)) if one else ""

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """The documents of the collection; what one says of itself, its pages, and the parts that may be meant."""
        if direction == "in":
            return []
        one = self._index.outlines.get(entity.id)
        found = self._of(one) if one else self._rows() if entity.id == _COLLECTION.id else iter(())
        told = list[Triple]()
        for triple in islice(found, limit):
            deadline.check()
            told.append(triple)
        return told

    def bearing(self, value: str, question: str, limit: int, deadline: Deadline) -> list[Triple]:
        """See `ValueIndex.bearing`."""
        del question, deadline
        return [_told(one, field, item) for one, field, item in self._index.having.get(fold(value), ())[:limit]]

    def related(
        self, entity: Entity, names: Sequence[str], limit: int, deadline: Deadline, *, outgoing: bool
    ) -> list[Triple]:
        """See `RelationIndex.related`."""
        every = self.triples(entity, "out", sys.maxsize, deadline) if outgoing else []
        return [triple for triple in every if triple.relation in names][:limit]

    def _rows(self) -> Iterator[Triple]:
        for one in self._index.outlines.values():
            told = _told(one, _ROWS, one.name, _ROW_ALIASES)
            yield replace(told, subject=_COLLECTION.name, subject_id=_COLLECTION.id, object_id=one.id)

    def _of(self, one: Outline) -> Iterator[Triple]:
        for field, value in one.about:
            for item in _items(field, value):
                yield _told(one, field, item)
        yield _told(one, "added", f"{one.added:%Y-%m-%d}", ("uploaded", "added on"))
        if one.pages:
            yield _told(one, "pages", str(one.pages), ("number of pages",))
        for part in one.parts:
            if self._may_be_meant(one, part):
                aliases = (part.title, *(f"{kind} {part.number}" for kind in ("chapter", "section") if part.number))
                url = PASSAGE_URL + part.passage_ids[0]
                yield _told(one, part.name, self._text(one, part.passage_ids), () if part.is_page else aliases, url)

    def _may_be_meant(self, one: Outline, part: Part) -> bool:
        is_few = len(one.parts) <= _FEW_PARTS and not part.is_page
        return is_few or part.number in self._asked or not self._asked.isdisjoint(terms(part.title))

    def _passages_of(self, one: Outline) -> dict[str, str]:
        """The texts of a document's passages, by their ids."""
        if one.id not in self._passages:
            try:
                self._passages[one.id] = {id_: passage.text for id_, passage in self._memory.passages(one.id)}
            except NothingThere:  # forgotten meanwhile
                self._passages[one.id] = {}
        return self._passages[one.id]

    def _text(self, one: Outline, passage_ids: Iterable[str]) -> str:
        """What passages of a document say, up to a length."""
        texts, said = self._passages_of(one), ""
        for passage_id in passage_ids:
            said += f"{texts.get(passage_id, '')} "
            if len(said) > _PART_CHARACTERS:
                break
        return said[:_PART_CHARACTERS].strip()


class _Index:
    """Documents by what they are called, and by what they say of themselves; both folded."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self.outlines = {one.id: one for one in outlines}
        self.called = defaultdict[str, list[Outline]](list)
        self.having = defaultdict[str, list[tuple[Outline, str, str]]](list)  # with the field, and the value
        for one in outlines:
            for name in {fold(name) for name in _names(one)} - {""}:
                self.called[name].append(one)
            for field, value in one.about:
                for item in _items(field, value):
                    self.having[fold(item)].append((one, field, item))

    def written(self, name: str) -> set[str]:
        """How a folded name of a document, or a value, is written."""
        called = {own for one in self.called.get(name, ()) for own in _names(one) if fold(own) == name}
        return called | {item for _, _, item in self.having.get(name, ()) if any(map(str.isalpha, item))}


_indexes: WeakKeyDictionary[UserMemory, _Index] = WeakKeyDictionary()


def _names(one: Outline) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*file_names(one.name), *one.titles)))


def _items(field: str, value: str) -> list[str]:
    """The things that a field lists; a title is one, whatever it is made of."""
    items = [item.strip() for item in value.split(_LISTS_APART)] if fold(field) != "title" else [value]
    return list(filter(None, items)) if max(map(len, items)) <= _LONGEST_VALUE else [value]


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
