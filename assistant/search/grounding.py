"""From a question to entities of a graph: its sources, and targets in its candidate answers (KnowGPT, section 2)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.search.concepts import Concept
from assistant.search.terrain import Terrain
from assistant.types import Turn
from memory.types import Vectors

_SOURCES = 8
_CANDIDATES = 5
_MAX_TOKENS = 48
_SIMILAR_WORDS = 2
_LEAST_LIKENESS = 0.5  # cosine of a word that stands for an answer that the graph does not have


@dataclass(frozen=True)
class Grounded:
    """A question on a graph: Q_s, Q_t, and its context embedding c of shape (128,)."""

    sources: tuple[Concept, ...]
    targets: tuple[Concept, ...]
    context: Vectors

    @property
    def searchable(self) -> bool:
        """Whether there is anything to look for: a target, and a source that is another entity."""
        return any(source.entities != target.entities for source in self.sources for target in self.targets)


def candidates(model: LanguageModel, turn: Turn) -> tuple[str, ...]:
    """The candidate answers: the turn's choices, or what the model comes up with in one short call.

    Raises:
        ModelUnavailable: it has to be asked and does not answer.
    """
    if turn.choices:
        return turn.choices
    messages = prompting.load("candidates").render(question=turn.question)
    reply = model.complete(messages, purpose="candidates", max_tokens=_MAX_TOKENS)
    parts = (part.strip(" \t.-*\"'") for part in re.split(r"[\n;；]", reply))
    return tuple(dict.fromkeys(part for part in parts if part))[:_CANDIDATES]


def ground(terrain: Terrain, turn: Turn, answers: Callable[[], Sequence[str]]) -> Grounded:
    """Recognise sources and targets; the candidate `answers` are asked for only where there is a source.

    Where a turn has no choices, the entities that the question mentions are targets for each other as well ("how is
    Marie Curie connected to Warsaw?").
    """
    sources = terrain.concepts.in_text(turn.question, _SOURCES)
    targets = [target for answer in answers() if (target := _target(terrain, answer))] if sources else []
    if not turn.choices:
        targets += sources
    unique = {target.entities: target for target in reversed(targets)}
    context = terrain.space.question(turn.question)
    return Grounded(tuple(sources), tuple(reversed(unique.values())), context)


def _target(terrain: Terrain, answer: str) -> Concept | None:
    """The answer's entity; else, by embedding, entities called by a word that means nearly the same."""
    if named := terrain.concepts.of_answer(answer):
        return named
    words = terrain.space.nearest(terrain.concepts, answer, _SIMILAR_WORDS, _LEAST_LIKENESS)
    similar = tuple(dict.fromkeys(entity for word in words for entity in terrain.concepts.called([word])[:1]))
    return Concept(answer, similar) if similar else None
