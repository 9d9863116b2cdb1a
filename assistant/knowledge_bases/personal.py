"""The user's own memory as a knowledge base (KnowledGPT, section 3.3).

All entities that match are linked, and all relations above a threshold answer, since what one person says about a thing
is spread over several of both.
"""

from collections.abc import Sequence

from assistant.knowledge_bases.base import Deadline, LinkPolicy, RelationPolicy
from assistant.types import Direction, Entity, Evidence, Triple
from memory.store import UserMemory
from memory.types import Fact, FactKind, KnownEntity, Recalled

PERSONAL = "personal"
_PASSAGES = 2  # that a question is worth: a small model reads 120 words in two seconds
_RECALLED_FOR_ONE = 4
_FACTS = 1000  # of one entity looked at, in whichever direction


class Personal:
    """One user's memory; made anew for each turn, so that nothing of one user can reach another."""

    name = PERSONAL
    languages: frozenset[str] = frozenset()
    public = False
    link_policy: LinkPolicy = "all"
    relation_policy: RelationPolicy = "threshold"

    def __init__(self, memory: UserMemory) -> None:
        self._memory = memory

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """Every known entity that the mention or an alias fits, best first."""
        del question, deadline
        return [_entity(known) for known in self._memory.find_entities(mention, aliases)]

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """What is remembered as the entity's description."""
        del deadline
        return self._memory.entity(entity.id).description

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """Its facts, current ones first; an aspect is a triple with a long object."""
        del deadline
        facts = self._memory.facts_of(entity.id, _FACTS)
        return [_triple(fact) for fact in facts if _goes(fact, entity.id, direction)][:limit]

    def search_text(self, question: str, limit: int, deadline: Deadline) -> list[Evidence]:
        """The best passages, then the best facts that stand elsewhere: what a passage says need not be said twice."""
        del deadline
        recalled = self._memory.recall(question, _RECALLED_FOR_ONE * limit)
        passages = [hit for hit in recalled if hit.fact is None][:_PASSAGES]
        facts = [hit for hit in recalled if hit.fact and not any(_holds(passage, hit) for passage in passages)]
        return [_evidence(hit) for hit in [*passages, *facts][:limit]]


def _entity(known: KnownEntity) -> Entity:
    return Entity(PERSONAL, known.id, known.name, known.aliases, known.description)


def _holds(passage: Recalled, hit: Recalled) -> bool:
    same = passage.source_id == hit.source_id
    return same and passage.span.start <= hit.span.start and hit.span.end <= passage.span.end


def _goes(fact: Fact, entity_id: str, direction: Direction) -> bool:
    if fact.kind is FactKind.DESCRIPTION:  # `entity_info` gives it
        return False
    if direction == "both":
        return True
    return entity_id == (fact.subject_id if direction == "out" else fact.object_id)


def _triple(fact: Fact) -> Triple:
    return Triple(
        fact.subject,
        fact.relation,
        fact.object,
        qualifiers=_times(fact),
        kb=PERSONAL,
        subject_id=fact.subject_id,
        object_id=fact.object_id,
        text=fact.text,
        source=fact.source,
        url=_fact_url(fact),
    )


def _times(fact: Fact) -> tuple[tuple[str, str], ...]:
    """When it held; a fact that was closed is history, and the answer must be able to tell."""
    times = (("valid from", fact.valid_from), ("valid to", fact.valid_to))
    return tuple((name, time.date().isoformat()) for name, time in times if time)


def _evidence(recalled: Recalled) -> Evidence:
    fact = recalled.fact
    if fact is None:
        url = f"memory:passage/{recalled.passage_id}"
        return _found(recalled, recalled.source, "passage", recalled.text, url)
    return _found(recalled, fact.subject, fact.relation, fact.object, _fact_url(fact))


def _found(recalled: Recalled, subject: str, relation: str, value: str, url: str) -> Evidence:
    text = recalled.fact.text if recalled.fact else recalled.text
    return Evidence(
        0, PERSONAL, subject, relation, value, text=text, url=url, score=recalled.score, source=recalled.source
    )


def _fact_url(fact: Fact) -> str:
    return f"memory:fact/{fact.id}"
