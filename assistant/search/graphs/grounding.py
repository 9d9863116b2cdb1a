"""From a question to entities of a graph: its sources, and targets in its candidate answers (KnowGPT, section 2)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.search.graphs.concepts import Concept, has_content
from assistant.search.graphs.terrain import Terrain
from assistant.types import Turn
from memory.folding import fold
from memory.types import Vectors

_SOURCES = 8
_CANDIDATES = 5
_MAX_TOKENS = 48
_COMPARED = 12  # words of a question whose meaning is looked for, at 8 ms for each that is new
_SIMILAR_WORDS = 2
# Cosine of a word that stands for one that the graph does not have: "vehicle" and "automobile" have 0.70, one pair of a
# thousand has 0.55.
_LEAST_LIKENESS = 0.65


@dataclass(frozen=True)
class Grounded:
    """A question on a graph: Q_s, Q_t, and its context embedding c of shape (128,).

    `own` are the entities of those sources that are targets for each other as well.
    """

    sources: tuple[Concept, ...]
    targets: tuple[Concept, ...]
    context: Vectors
    own: frozenset[tuple[int, ...]] = frozenset()

    @property
    def entities(self) -> list[int]:
        """All that it names, sources first."""
        return [entity for concept in (*self.sources, *self.targets) for entity in concept.entities]

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

    The words around the sources are learned while the model thinks of answers. Where a turn has no choices, the
    entities that the question mentions are targets for each other as well ("how is Marie Curie connected to Warsaw?").
    """
    sources = _sources(terrain, turn.question)
    if not turn.choices:
        terrain.learn_around([entity for source in sources for entity in source.entities])
    targets = [target for answer in answers() if (target := _target(terrain, answer))] if sources else []
    own = [] if turn.choices else sources
    unique = {target.entities: target for target in reversed([*targets, *own])}
    context = terrain.space.question(turn.question)
    own_entities = frozenset(concept.entities for concept in own)
    return Grounded(tuple(sources), tuple(reversed(unique.values())), context, own_entities)


def _sources(terrain: Terrain, question: str) -> list[Concept]:
    """What the question names; else, by embedding, what means nearly the same as one of its words.

    Single characters, as Chinese is cut into, mean too little by themselves to be compared.
    """
    if named := terrain.concepts.in_text(question, _SOURCES):
        return named
    words = dict.fromkeys(word for word in fold(question).split() if len(word) > 1 and has_content([word]))
    similar = _similar(terrain, list(words)[:_COMPARED])
    return list({concept.entities: concept for concept in similar}.values())[:_SOURCES]


def _target(terrain: Terrain, answer: str) -> Concept | None:
    """The answer's entity; else, by embedding, entities called by a word that means nearly the same."""
    return terrain.concepts.of_answer(answer) or next(iter(_similar(terrain, [answer])), None)


def _similar(terrain: Terrain, phrases: Sequence[str]) -> list[Concept]:
    """Each phrase with the entities that are called by a single word which means nearly the same, if there are any."""
    similar = []
    nearest = terrain.space.nearest(terrain.concepts, phrases, _SIMILAR_WORDS, _LEAST_LIKENESS)
    for phrase, words in zip(phrases, nearest, strict=True):
        entities = tuple(dict.fromkeys(entity for word in words for entity in terrain.concepts.called([word])[:1]))
        if entities:
            similar.append(Concept(phrase, entities))
    return similar
