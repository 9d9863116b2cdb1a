"""What each knowledge base must implement: the three functions that KnowledGPT (section 3.2.1) asks of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import pyoxigraph

from assistant.deadline import Deadline as Deadline  # noqa: PLC0414 (whoever implements a knowledge base takes it from here)
from assistant.knowledge_bases.graph import Edge, Graph
from assistant.types import Direction, Entity, Evidence, Triple

LinkPolicy = Literal["one", "all"]
RelationPolicy = Literal["best", "threshold"]
Term = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What a SPARQL query gives: SELECT `rows` of terms under `variables` (None where unbound), ASK a `boolean`."""

    variables: tuple[str, ...] = ()
    rows: tuple[tuple[Term | None, ...], ...] = ()
    boolean: bool | None = None


class KnowledgeBase(Protocol):
    """A source of entities and triples.

    Every function raises `KnowledgeBaseUnreachable` where the source does not answer in time; an empty result means
    that the source answered and has nothing. All of them may be called from several threads at once.
    """

    @property
    def name(self) -> str:
        """The name that `--kb` takes, as in "wikidata"."""

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes of the questions that it is asked; empty for every language."""

    @property
    def public(self) -> bool:
        """Whether asking it sends something out of this machine; such ones can be switched off."""

    @property
    def link_policy(self) -> LinkPolicy:
        """Whether a mention is linked to one entity, or to all that match (section 3.3: the personal memory)."""

    @property
    def relation_policy(self) -> RelationPolicy:
        """Whether the most similar relation answers, or all above a threshold (section 3.3)."""

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """Candidates for `mention` (also known as `aliases`) in the context of `question`, best first."""

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """The encyclopaedic description of `entity`; empty where there is none."""

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """At most `limit` triples with `entity` as subject ("out"), object ("in") or either ("both").

        Fewer are all that there are; of more, each relation has its share.
        """


@runtime_checkable
class NamedInQuestions(Protocol):
    """A knowledge base that knows which questions name something in it, and so should be looked up there."""

    def is_named(self, question: str) -> bool:
        """Whether a question does."""


@runtime_checkable
class QuestionBound(Protocol):
    """A knowledge base of which only a part is told, by what is asked."""

    def asked(self, question: str) -> KnowledgeBase:
        """The same one, for a question."""


@runtime_checkable
class PairIndex(Protocol):
    """A knowledge base that can tell what there is between two of its entities beside triples that join them."""

    def between(self, one: Entity, other: Entity, limit: int, deadline: Deadline) -> list[Triple]:
        """At most `limit` triples of the two. Raises as `KnowledgeBase.triples`."""


@runtime_checkable
class TextSearch(Protocol):
    """A knowledge base that can also be searched for passages of text."""

    def search_text(self, question: str, limit: int, deadline: Deadline) -> list[Evidence]:
        """At most `limit` passages or facts that bear on `question`, best first; their `id` is 0."""


@runtime_checkable
class RelationIndex(Protocol):
    """A knowledge base that can read one relation of an entity apart from its others, which may be thousands."""

    def related(
        self, entity: Entity, names: Sequence[str], limit: int, deadline: Deadline, *, outgoing: bool
    ) -> list[Triple]:
        """At most `limit` triples of the relation with these `names`, of which `entity` is the subject if `outgoing`.

        The names are those of its triples: their relation and its aliases. Raises as `KnowledgeBase.triples`.
        """


@runtime_checkable
class InverseIndex(Protocol):
    """A knowledge base whose `triples` tell only what an entity has; what has the entity is asked for by relation."""

    def having(self, entities: Sequence[Entity], names: Sequence[str], limit: int, deadline: Deadline) -> list[Triple]:
        """At most `limit` triples with one of the entities as object, of the first relation that bears one of `names`.

        Raises:
            QueryRefused: it cannot tell.
            KnowledgeBaseUnreachable: as `KnowledgeBase.triples`.
        """


@runtime_checkable
class ValueIndex(Protocol):
    """A knowledge base in which it can be looked up what has a value, as 74 is an atomic number."""

    def bearing(self, value: str, question: str, limit: int, deadline: Deadline) -> list[Triple]:
        """At most `limit` triples with that value, which is no entity, as their object; in the question's language.

        Raises:
            KnowledgeBaseUnreachable: it cannot be read in time.
        """


@runtime_checkable
class Queryable(Protocol):
    """A knowledge base that can be asked in SPARQL 1.1."""

    def query(self, sparql: str, deadline: Deadline) -> QueryResult:
        """Run a SELECT or an ASK query; of very many rows, the first ones.

        Raises:
            QueryRefused: the query cannot be run as it stands; the message says why.
            KnowledgeBaseUnreachable: there is no result in time.
        """


@runtime_checkable
class Walkable(Protocol):
    """A knowledge base whose triples can be walked from entity to entity (KnowGPT, section 3.1)."""

    @property
    def name(self) -> str:
        """See `KnowledgeBase.name`."""

    def graph(self) -> Graph:
        """All triples that join two entities. The first call takes seconds for a million; the graph is then kept.

        Raises:
            KnowledgeBaseUnreachable: it cannot be read.
        """

    def stated(self, edges: Sequence[Edge], question: str) -> list[Triple]:
        """Edges of the graph as triples: with names in the question's language, and where they are from."""


@runtime_checkable
class Closeable(Protocol):
    """A knowledge base that holds a file or a connection."""

    def close(self) -> None:
        """Let go of it; may be called twice."""
