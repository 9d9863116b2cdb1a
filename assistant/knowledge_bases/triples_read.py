"""What one run of a program reads of entities: descriptions, and triples, each entity's once."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from assistant.knowledge_bases.base import Deadline, InverseIndex, KnowledgeBase, RelationIndex, ValueIndex
from assistant.knowledge_bases.relations import Asked, turned_back
from assistant.stemming import stem
from assistant.types import Entity, Triple
from memory.folding import fold
from memory.passages import sentences

_AN_ENTITY = 400  # triples
_A_RELATION = 10_000  # triples of one entity
_HAVING = 200  # triples with some entities as objects, where each is asked for
_HAVING_SECONDS = 5.0  # a service that is slow to tell them may not use up the search's time
_DESCRIPTION_CHARACTERS = 600
_OTHER_NAME = frozenset(map(fold, ("别名", "别称", "又名", "全称", "中文名", "alias", "also known as", "full name")))


@dataclass
class TriplesRead:
    """What `kb` says of entities until `deadline`; each method raises `KnowledgeBaseUnreachable` where it does not, and
    as `Deadline.check`."""

    kb: KnowledgeBase
    question: str
    deadline: Deadline
    _read: dict[Entity, dict[Triple, Asked]] = field(default_factory=dict, init=False)
    _cut: set[Entity] = field(default_factory=set, init=False)  # those of which more may be said than was read
    _asked: set[tuple[Entity, str]] = field(default_factory=set, init=False)  # what has an entity in which relation
    _texts: dict[Entity, str] = field(default_factory=dict, init=False)

    def description(self, entity: Entity) -> str:
        """What the encyclopaedia says of the entity, cut to a length; empty where it says nothing."""
        return self._text(entity)[:_DESCRIPTION_CHARACTERS]

    def sentences_with(self, entity: Entity, words: Sequence[str], *, inflected: bool = True) -> str:
        """The sentences of the whole description that have one of `words`, cut to that length; empty without any.

        Words count in every form where they are `inflected`, as names are not. Those with the first one come first.
        """
        text = self._text(entity)
        compared = _stemmed if inflected else _folded
        wanted = [compared(word) for word in words]
        found = []
        for span in sentences(text, 0, len(text)):
            said = compared(text[span.start : span.end])
            if (place := next((n for n, word in enumerate(wanted) if word in said), None)) is not None:
                found.append((place, span))
        found.sort(key=lambda pair: pair[0])
        return " ".join(text[span.start : span.end] for _, span in found)[:_DESCRIPTION_CHARACTERS]

    def of(self, entity: Entity, left_out: Set[str] = frozenset()) -> dict[Triple, Asked]:
        """The entity's triples and how they are seen from it, but for those to an id or folded name left out.

        Where they are very many, each relation has its share.
        """
        return _without(self._all(entity), left_out)

    def inverse_names(self, aliases: Sequence[str]) -> list[str]:
        """What a relation of these names is called from its other end, where what that has must be asked for apart."""
        return list(filter(None, map(turned_back, aliases))) if isinstance(self.kb, InverseIndex) else []

    def ask_having(self, entities: Sequence[Entity], names: Sequence[str]) -> None:
        """Have what `of` gives grow by what has the entities in a relation that bears one of the names.

        Raises:
            QueryRefused: the knowledge base cannot tell.
        """
        asked = {(entity, name) for entity in entities if entity.id for name in names}
        if not isinstance(self.kb, InverseIndex) or asked <= self._asked:
            return
        by_id = {entity.id: entity for entity in entities}
        deadline = Deadline.after(min(_HAVING_SECONDS, self.deadline.remaining / 2), self.deadline.cancel)
        found = self.kb.having(entities, names, _HAVING, deadline)
        self._asked |= asked
        for triple in found:
            entity = by_id[triple.object_id or ""]
            self._all(entity)[triple] = Asked.from_entity(entity, triple)
            if len(found) >= _HAVING:
                self._cut.add(entity)

    def along(
        self, entity: Entity, relations: Collection[Asked], left_out: Set[str] = frozenset()
    ) -> tuple[dict[Triple, Asked], bool]:
        """All of the entity's triples with one of the relations, and whether there may be more than could be read."""
        found = {triple: asked for triple, asked in self._all(entity).items() if asked in relations}
        followed = dict.fromkeys(found.values()) if entity in self._cut else {}
        if not isinstance(self.kb, RelationIndex) or not entity.id:
            whole = not followed or followed.keys().isdisjoint(_most_told(self._all(entity)))
            return _without(found, left_out), whole
        whole = True
        for asked in followed:
            self.deadline.check()
            read = self.kb.related(entity, asked.names, _A_RELATION, self.deadline, outgoing=asked.outgoing)
            # What leads from the entity to itself is seen as outgoing only.
            found |= {triple: seen for triple, seen in _seen(entity, read).items() if seen == asked}
            whole = whole and len(read) < _A_RELATION
        return _without(found, left_out), whole

    def _all(self, entity: Entity) -> dict[Triple, Asked]:
        if entity not in self._read:  # a relation that is not there has them looked through up to three times
            told = self._said_of(entity)
            self._read[entity] = _seen(entity, told)
            if len(told) >= _AN_ENTITY:
                self._cut.add(entity)
        return self._read[entity]

    def _text(self, entity: Entity) -> str:
        if entity not in self._texts:
            self.deadline.check()
            told = (entity.id and self.kb.entity_info(entity, self.deadline)) or entity.description
            self._texts[entity] = told
        return self._texts[entity]

    def _said_of(self, entity: Entity) -> list[Triple]:
        self.deadline.check()
        if not entity.id and isinstance(self.kb, ValueIndex):
            return self.kb.bearing(entity.name, self.question, _AN_ENTITY, self.deadline)
        return self.kb.triples(entity, "both", _AN_ENTITY, self.deadline)

    def other_names(self, entity: Entity) -> Iterator[tuple[Triple, Entity]]:
        """Entities of another name that are said to be the same, each behind the triple that says so."""
        for triple, asked in self.of(entity).items():
            if asked.outgoing and triple.object_id is not None and _OTHER_NAME & {fold(name) for name in asked.names}:
                yield triple, Entity(self.kb.name, triple.object_id, triple.object)

    def share_a_value(self, one: Entity, other: Entity) -> bool:
        """Whether both have a value that is none of their names, or `other` is said to be called like `one`."""
        values, others = (
            {_bare(triple.object) for triple, asked in self.of(entity).items() if asked.outgoing}
            for entity in (one, other)
        )
        return _bare(one.name) in others or bool((values & others) - {_bare(one.name), _bare(other.name)})


def _most_told(read: Mapping[Triple, Asked]) -> set[Asked]:
    """The relations of which not all triples may have been read: those that have the most, each its share."""
    counts = Counter(read.values())
    least = max(2, max(counts.values()) - 1)
    return {asked for asked, count in counts.items() if count >= least}


def _seen(entity: Entity, triples: Sequence[Triple]) -> dict[Triple, Asked]:
    return {triple: Asked.from_entity(entity, triple) for triple in triples}


def _without(found: dict[Triple, Asked], left_out: Set[str]) -> dict[Triple, Asked]:
    return {
        triple: asked
        for triple, asked in found.items()
        if not {fold(other_end(triple, asked)), other_id(triple, asked)} & left_out
    }


def other_end(triple: Triple, asked: Asked) -> str:
    """The name at the triple's other end, seen from the entity."""
    return triple.object if asked.outgoing else triple.subject


def other_id(triple: Triple, asked: Asked) -> str | None:
    """The id at the triple's other end; None for a value."""
    return triple.object_id if asked.outgoing else triple.subject_id


def _folded(text: str) -> str:
    """Folded words with a space around each, so that whole ones are found in it; an ideograph is a word."""
    return f" {fold(text)} "


def _stemmed(text: str) -> str:
    return _folded(" ".join(map(stem, fold(text).split())))


def _bare(name: str) -> str:
    return fold(name).replace(" ", "")
