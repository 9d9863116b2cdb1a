"""Public knowledge bases as one turn may ask them: only with what `Outgoing` lets pass."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from assistant.errors import QueryRefused
from assistant.knowledge_bases.base import (
    Deadline,
    InverseIndex,
    KnowledgeBase,
    LinkPolicy,
    Queryable,
    QueryResult,
    RelationPolicy,
)
from assistant.knowledge_bases.public.leaving_queries import leaving
from assistant.knowledge_bases.public.outgoing import Outgoing
from assistant.knowledge_bases.sparql.bank import Annotated
from assistant.types import Direction, Entity, Triple


def guarded(kb: KnowledgeBase, outgoing: Outgoing) -> KnowledgeBase:
    """The knowledge base behind the gate, able to do what it can do; one that is not public needs none."""
    if not kb.public:
        return kb
    if isinstance(kb, InverseIndex):
        return _GuardedInverse(kb, outgoing)
    return _GuardedQueryable(kb, outgoing) if isinstance(kb, Queryable) else _Guarded(kb, outgoing)


class _Guarded:
    """See `KnowledgeBase`; what is held back is not looked up, as if there were nothing of that name."""

    public = True

    def __init__(self, kb: KnowledgeBase, outgoing: Outgoing) -> None:
        self._kb = kb
        self._outgoing = outgoing
        self.name: str = kb.name
        self.languages: frozenset[str] = kb.languages
        self.link_policy: LinkPolicy = kb.link_policy
        self.relation_policy: RelationPolicy = kb.relation_policy

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        names = self._outgoing.passing(self.name, dict.fromkeys((mention, *aliases)))
        found = self._kb.link(names[0], names[1:], question, deadline) if names else []
        self._outgoing.give(name for entity in found for name in (entity.name, *entity.aliases))
        for entity in found:
            self._outgoing.give_prose(entity.description)
        return found

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        text = self._kb.entity_info(entity, deadline)
        self._outgoing.give_prose(text)
        return text

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        return self._given(self._kb.triples(entity, direction, limit, deadline))

    def _given(self, found: list[Triple]) -> list[Triple]:
        self._outgoing.give(_names(found))
        return found


class _GuardedQueryable(_Guarded):
    """See `Queryable`; a query that says what may not leave is refused."""

    def __init__(self, kb: KnowledgeBase, outgoing: Outgoing) -> None:
        super().__init__(kb, outgoing)
        self.bank_file: Path | None = kb.bank_file if isinstance(kb, Annotated) else None
        self._known = ""  # what the queries of its bank say, and what it gave

    def query(self, sparql: str, deadline: Deadline) -> QueryResult:
        assert isinstance(self._kb, Queryable)
        if not self._known and self.bank_file is not None:
            self._known = self.bank_file.read_text(encoding="utf-8", errors="replace")
        sent = leaving(sparql, self._outgoing, self._known)
        if sent.held:
            self._outgoing.log(self.name, sent.held, sent.reason)
            raise QueryRefused(f"{self.name} is not asked this: the query says {sent.held[:60]!r}, {sent.reason}.")
        found = self._kb.query(sent.query, deadline)
        terms = {term.value for row in found.rows for term in row if term is not None}
        self._known += "".join(f"\n<{term}>" for term in terms)
        self._outgoing.give(terms)
        return QueryResult(tuple(sent.variables.get(name, name) for name in found.variables), found.rows, found.boolean)


class _GuardedInverse(_GuardedQueryable):
    """See `InverseIndex`."""

    def having(self, entities: Sequence[Entity], names: Sequence[str], limit: int, deadline: Deadline) -> list[Triple]:
        assert isinstance(self._kb, InverseIndex)
        passing = self._outgoing.passing(self.name, names)
        return self._given(self._kb.having(entities, passing, limit, deadline)) if passing else []


def _names(triples: Iterable[Triple]) -> Iterable[str]:
    for triple in triples:
        yield from (triple.subject, triple.relation, triple.object)
