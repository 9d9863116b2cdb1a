"""The user's own memory as a knowledge base (KnowledGPT, section 3.3).

All entities that match are linked, and all relations above a threshold answer, since what one person says about a thing
is spread over several of both.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, zip_longest
from threading import Lock
from weakref import WeakKeyDictionary

from assistant.knowledge_bases.base import Deadline, LinkPolicy, RelationPolicy
from assistant.knowledge_bases.graph import Edge, Graph, GraphBuilder
from assistant.language import language_of
from assistant.types import Direction, Entity, Evidence, Triple
from memory.records.library import CHAT
from memory.types import THE_USER, Fact, FactKind, KnownEntity, Recalled
from memory.user_memory import UserMemory

PERSONAL = "personal"
PASSAGE = "passage"  # the relation of evidence that is text
_FACT_URL, PASSAGE_URL = "memory:fact/", "memory:passage/"
# That a question is worth: a small model reads 120 words in two seconds. Of HotpotQA's questions (60, which no pass
# reports) both paragraphs that tell the answer are among the first two passages for 0.48, the first four for 0.92.
_PASSAGES = 4
_RECALLED_FOR_ONE = 4
_ENTITIES = 100  # of one name
_ALL = 10_000_000  # facts


class Personal:
    """One user's memory; made anew for each turn, so that nothing of one user can reach another."""

    name = PERSONAL
    languages: frozenset[str] = frozenset()
    public = False
    link_policy: LinkPolicy = "all"
    relation_policy: RelationPolicy = "threshold"

    def __init__(self, memory: UserMemory) -> None:
        self._memory = memory
        self._walked: _FactGraph | None = None

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """Every known entity that the mention or an alias fits, best first."""
        del question, deadline
        return [_entity(known) for known in self._memory.find_entities(mention, aliases, _ENTITIES)]

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """What is remembered as the entity's description."""
        del deadline
        return self._memory.entity(entity.id).description

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """Its facts, current ones first; an aspect is a triple with a long object."""
        del deadline
        return [_triple(fact) for fact in _some_of_each(self._facts(entity, direction), limit)]

    def related(
        self, entity: Entity, names: Sequence[str], limit: int, deadline: Deadline, *, outgoing: bool
    ) -> list[Triple]:
        """See `RelationIndex.related`."""
        del deadline
        facts = self._facts(entity, "out" if outgoing else "in")
        return [_triple(fact) for fact in facts if fact.relation in names][:limit]

    def _facts(self, entity: Entity, direction: Direction) -> list[Fact]:
        return [fact for fact in self._memory.facts_of(entity.id, _ALL) if _goes(fact, entity.id, direction)]

    def graph(self) -> Graph:
        """See `Walkable.graph`; of the facts, those that still hold. It stays the same for this object's life."""
        return self._read_graph().graph

    def stated(self, edges: Sequence[Edge], question: str) -> list[Triple]:
        """See `Walkable.stated`."""
        del question
        facts = self._read_graph().facts
        return [_triple(facts[edge.fact]) for edge in edges]

    def _read_graph(self) -> "_FactGraph":
        if self._walked is None:
            with _graphs_lock:
                read = _graphs.get(self._memory)
                if read is None or read.revision != self._memory.revision:
                    read = _graphs[self._memory] = _FactGraph.read(self._memory)
            self._walked = read
        return self._walked

    def search_text(self, question: str, limit: int, deadline: Deadline) -> list[Evidence]:
        """See `TextSearch.search_text`."""
        del deadline
        return list(map(evidence_of, self.recalled(question, limit)))

    def recalled(self, question: str, limit: int) -> list[Recalled]:
        """The best passages, then the best facts that stand elsewhere: what a passage says need not be said twice.

        But that something in it holds no more, it does not say: such facts come before it. Where they are all that it
        says, it is left out, and they come last; those that never were so do not.
        """
        recalled = self._memory.recall_further(question, _RECALLED_FOR_ONE * limit)
        facts = [hit for hit in recalled if hit.fact]
        ended = [hit for hit in facts if hit.fact and hit.fact.valid_to]
        passages = [hit for hit in recalled if hit.fact is None][:_PASSAGES]
        found: list[Recalled] = []
        for passage in passages:
            found += [hit for hit in ended if _holds(passage, hit) and hit not in found]
            found += [] if any(_same_place(passage, hit) for hit in ended) else [passage]
        found += [hit for hit in facts if hit not in found and not any(_holds(passage, hit) for passage in found)]
        shown = [hit for hit in found if hit.fact is None]
        past = [hit for hit in ended if not any(_holds(passage, hit) for passage in shown)]
        found = [hit for hit in found if hit not in past or (hit.fact and not hit.fact.mistaken)][:limit]
        return sorted(found, key=past.__contains__)


@dataclass(frozen=True)
class _FactGraph:
    """A user's facts as a graph, and the facts themselves in its order."""

    graph: Graph
    facts: tuple[Fact, ...]
    revision: int

    @classmethod
    def read(cls, memory: UserMemory) -> "_FactGraph":
        revision = memory.revision
        facts = tuple(fact for fact in memory.facts(limit=_ALL) if fact.object_id and fact.valid_to is None)
        builder, names = GraphBuilder(), dict[str, str]()
        for fact in facts:
            assert fact.object_id is not None
            builder.add(fact.subject_id, fact.relation, fact.object_id)
            names.update({fact.subject_id: fact.subject, fact.object_id: fact.object})
        aliases = ((known.id, alias) for known in memory.entities(limit=_ALL) for alias in (known.name, *known.aliases))
        graph = builder.build((names[key] for key in builder.entities), builder.relations, aliases)
        return cls(graph, facts, revision)


# A `Personal` lives for one turn, a user's memory as long as the process.
_graphs: WeakKeyDictionary[UserMemory, _FactGraph] = WeakKeyDictionary()
_graphs_lock = Lock()


def _entity(known: KnownEntity) -> Entity:
    return Entity(PERSONAL, known.id, known.name, known.aliases, known.description)


def _holds(passage: Recalled, hit: Recalled) -> bool:
    same = passage.fact is None and passage.source_id == hit.source_id
    return same and passage.span.start <= hit.span.start and hit.span.end <= passage.span.end


def _same_place(one: Recalled, other: Recalled) -> bool:
    return (one.source_id, one.span) == (other.source_id, other.span)


def _goes(fact: Fact, entity_id: str, direction: Direction) -> bool:
    if fact.kind is FactKind.DESCRIPTION:  # `entity_info` gives it
        return False
    if direction == "both":
        return True
    return entity_id == (fact.subject_id if direction == "out" else fact.object_id)


def _some_of_each(facts: Sequence[Fact], limit: int) -> Sequence[Fact]:
    """At most `limit`: of more, the first of each relation, then the second of each, and so on."""
    if len(facts) <= limit:
        return facts
    by_relation: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_relation[fact.relation].append(fact)
    rounds = chain.from_iterable(zip_longest(*by_relation.values()))
    return [fact for fact in rounds if fact is not None][:limit]


def _triple(fact: Fact) -> Triple:
    return Triple(
        fact.subject,
        fact.relation,
        fact.object,
        qualifiers=_times(fact),
        kb=PERSONAL,
        subject_id=fact.subject_id,
        object_id=fact.object_id,
        text=_told(fact),
        source=fact.source,
        url=_FACT_URL + fact.id,
    )


def _times(fact: Fact) -> tuple[tuple[str, str], ...]:
    """When it held; a fact that was closed is history, and the answer must be able to tell."""
    if fact.mistaken:
        return (("valid", "never"),)
    times = (("valid from", fact.valid_from), ("valid to", fact.valid_to))
    return tuple((name, time.date().isoformat()) for name, time in times if time)


def fact_evidence(fact: Fact) -> Evidence:
    """A fact as evidence that is not numbered yet."""
    return Evidence(
        0,
        PERSONAL,
        fact.subject,
        fact.relation,
        fact.object,
        text=_told(fact),
        url=_FACT_URL + fact.id,
        source=fact.source,
    )


def said_evidence(text: str, passage_id: str) -> Evidence:
    """A passage of what the user told, as evidence that is not numbered yet."""
    return replace(passage_evidence(passage_id, CHAT, text), subject=THE_USER.name)


def passage_evidence(passage_id: str, source: str, text: str, heading: str = "", page: int = 0) -> Evidence:
    """A passage as evidence that is not numbered yet."""
    url = PASSAGE_URL + passage_id
    return Evidence(0, PERSONAL, source, PASSAGE, text, text=text, url=url, source=source, heading=heading, page=page)


def remembered_as(evidence: Evidence) -> tuple[str | None, str | None]:
    """The ids of the fact or of the passage that the evidence is, where it is one."""
    url = evidence.url
    fact_id = url.removeprefix(_FACT_URL) if url.startswith(_FACT_URL) else None
    passage_id = url.removeprefix(PASSAGE_URL) if url.startswith(PASSAGE_URL) else None
    return fact_id, passage_id


def evidence_of(hit: Recalled) -> Evidence:
    """What was recalled, as evidence that is not numbered yet."""
    if hit.fact is not None:
        return fact_evidence(hit.fact)
    return passage_evidence(str(hit.passage_id), hit.source, hit.text, hit.heading, hit.page)


def _told(fact: Fact) -> str:
    """The words that support a fact, and when it held."""
    times = when_it_held(fact)
    return f"{fact.text} ({times})" if times else fact.text


def when_it_held(fact: Fact) -> str:
    """When a fact held, where that is known: what was must not be taken for what is."""
    chinese = language_of(fact.text) == "zh"
    if fact.mistaken:
        return "已更正，并非如此" if chinese else "put right since: it was never so"
    times = []
    if fact.valid_from:
        ahead = fact.valid_from > datetime.now(UTC)
        day = f"{fact.valid_from:%Y-%m-%d}"
        times.append(f"{day}起" if chinese else f"{'not before' if ahead else 'since'} {day}")
    if fact.valid_to:
        day = f"{fact.valid_to:%Y-%m-%d}"
        times.append(f"到{day}为止，现在不再是这样" if chinese else f"until {day}, no longer so")
    return ", ".join(times)
