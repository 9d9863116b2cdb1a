"""What the two searches over graphs have in common: from a turn to the triples around its sources and targets."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from threading import Event as Signal
from typing import ClassVar

from assistant.errors import Interrupted, KnowledgeBaseUnreachable, ModelUnavailable
from assistant.knowledge_bases.base import KnowledgeBase, Walkable
from assistant.llm.client import LanguageModel
from assistant.search.base import Emit, unreached
from assistant.search.evidence import READ
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.grounding import Grounded, candidates, ground
from assistant.search.graphs.picked import Picked
from assistant.search.graphs.terrain import Terrain
from assistant.types import Entity, Evidence, Failed, Linked, Triple, Turn, Walked

_BUDGET_FOR_CHOICES = 8  # triples of all graphs; more speak for every option, and so for none
_LEAST_BUDGET = 5  # triples of one graph


class GraphSearch(ABC):
    """A strategy for one turn; subclasses say which triples of a graph they pick."""

    name: ClassVar[str]

    def __init__(self, model: LanguageModel, atlas: Atlas) -> None:
        self._model = model
        self._atlas = atlas

    def available(self, knowledge_bases: Sequence[KnowledgeBase]) -> bool:
        """Whether one of them has a graph."""
        return any(isinstance(kb, Walkable) for kb in knowledge_bases)

    def find(self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], emit: Emit, cancel: Signal) -> list[Evidence]:
        """See `SearchStrategy.find`; the triples of a path follow each other."""
        answers = cache(lambda: self._candidates(turn, emit))  # one call at most, for all of them
        places = [place for kb in knowledge_bases if (place := self._place(kb, turn, answers, emit, cancel))]
        budget = (_BUDGET_FOR_CHOICES if turn.choices else READ) // max(1, len(places))
        found: list[Evidence] = []
        for kb, terrain, grounded in places:
            _check(cancel)
            start = time.monotonic()
            picked = self._pick(terrain, grounded, max(_LEAST_BUDGET, budget))
            triples = kb.stated([related.edge for related in picked.triples], turn.question)
            by_fact = dict(zip((related.edge.fact for related in picked.triples), triples, strict=True))
            paths = tuple(tuple(by_fact[edge.fact] for edge in path) for path in picked.paths)
            emit(Walked(kb.name, paths, picked.unreached, time.monotonic() - start))
            found += [_evidence(number, triple) for number, triple in enumerate(triples, start=len(found) + 1)]
        for _, terrain, grounded in places:  # for the next search: beside this one, it would take three times as long
            terrain.learn_around(grounded.entities)
        return found

    def _place(
        self, kb: KnowledgeBase, turn: Turn, answers: Callable[[], Sequence[str]], emit: Emit, cancel: Signal
    ) -> tuple[Walkable, Terrain, Grounded] | None:
        """Where to search a knowledge base; None where it has no graph, or nothing of the question."""
        _check(cancel)
        if not isinstance(kb, Walkable):
            return None
        try:
            terrain = self._atlas.terrain(kb, cancel)
        except KnowledgeBaseUnreachable as error:
            emit(unreached(error.name, error))
            return None
        grounded = ground(terrain, turn, answers)
        _emit_linked(kb.name, terrain, grounded, emit)
        return (kb, terrain, grounded) if grounded.searchable else None

    @abstractmethod
    def _pick(self, terrain: Terrain, grounded: Grounded, budget: int) -> Picked:
        """At most `budget` triples of the graph."""

    def _candidates(self, turn: Turn, emit: Emit) -> tuple[str, ...]:
        try:
            return candidates(self._model, turn)
        except ModelUnavailable as unavailable:
            emit(Failed(self.name, str(unavailable)))
            return ()


def _check(cancel: Signal) -> None:
    if cancel.is_set():
        raise Interrupted("Stopped.")


def _emit_linked(kb: str, terrain: Terrain, grounded: Grounded, emit: Emit) -> None:
    for concept in dict.fromkeys((*grounded.sources, *grounded.targets)):
        entities = tuple(Entity(kb, str(entity), terrain.graph.names[entity]) for entity in concept.entities)
        emit(Linked(kb, concept.phrase, entities))


def _evidence(number: int, triple: Triple) -> Evidence:
    return Evidence(
        number,
        triple.kb,
        triple.subject,
        triple.relation,
        triple.object,
        text=triple.text,
        url=triple.url,
        source=triple.source,
    )
