"""The path that a question means by its likeness to it, where it is plain which one that is: no program is written.

The relations that lead on from a thing which the question names, one after the other, are a text, as "capital currency"
is; and the text nearest to what the question says beside the name is the path that it asks for. Three things make that
plain: whatever else could be found lies clearly behind it; the nearest examples ask for a path too, and not for a count
or a comparison; and no further relation that is not there, of those in the examples, would make it liker, as "currency
founded in" would for a question about when the currency came to be. What is left is the model's.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import TURNED_ROUND_PENALTY, Asked, certainty
from assistant.search.examples import Example, Nearest
from assistant.search.programs.path import followed, following
from assistant.search.programs.ways import End, Ways
from assistant.types import Certainty
from memory.types import Vectors

_STEPS = 3
_FOLLOWED = 12  # paths that are followed a step further
_JUDGED = 40  # of all: as texts, which tells best how like they are, and takes longest
_OF_PLAN = 0.4  # as much as the question
_NEARBY = 0.1  # further away than the nearest example, one has a third of its weight
_IMAGINED, _LIKER = 8, 0.005  # further relations that are tried, and by how much one of them has to be liker
_AHEAD = 0.015  # by how much one path is more like than those that lead elsewhere


class _Path(NamedTuple):
    """A way from the thing called `name`, what it leads to, and how like the question is."""

    name: str
    relations: tuple[Asked, ...]
    ends: frozenset[str]
    likeness: float = 0.0

    @property
    def steps(self) -> list[str]:
        return [asked.shown for asked in self.relations]

    @property
    def text(self) -> str:
        return " ".join(self.steps)

    @property
    def program(self) -> str:
        return following([self.name, *self.steps], [self.name], [[step] for step in self.steps])


def read_nearest(names: Sequence[str], linking: Linking, near: Sequence[Nearest], known: Sequence[str]) -> str:
    """The program that follows the path which the question is likest to; empty where that is not plain.

    `near` are the examples nearest to the question; most by weight have to ask for a path, and a longer one than this
    may not have more weight. `known` are names of relations such as there are.

    Raises:
        KnowledgeBaseUnreachable: as `KnowledgeBase.link` and `KnowledgeBase.triples`.
        TimeoutError, Interrupted: as `Deadline.check`.
    """
    weights = _weights(near)
    paths = _ranked(Ways(linking), names) if asks_for_path(near) else []
    if not paths:
        return ""
    first = paths[0]
    longer = any(weights[length] > weights[len(first.steps)] for length in weights if length > len(first.steps))
    rivals = (path.likeness for path in paths if path.ends != first.ends)
    if longer or first.likeness - next(rivals, 0.0) < _AHEAD or _stops_short(first, linking, known):
        return ""
    return first.program


def read_planned(plan: Sequence[str], linking: Linking, known: Sequence[str]) -> str:
    """The program that follows the path which is likest to the question and to a `plan` for it together: a name, and
    what the relations that lead on from there may be called. Empty where none is clearly like the plan, or
    where it has not as many steps and stops short. Raises as `read_nearest`."""
    name, *steps = plan
    planned = " ".join(steps)
    paths = _ranked(Ways(linking), [name], planned)
    if not paths:
        return ""
    first, vectors = paths[0], linking.ranker.vectors([planned, paths[0].text])
    if certainty(float(vectors[planned] @ vectors[first.text])) < Certainty.CLEAR:  # there is no such thing
        return ""
    return "" if len(first.steps) != len(steps) and _stops_short(first, linking, known) else first.program


@lru_cache(maxsize=4)
def relations_in(examples: Sequence[Example]) -> tuple[str, ...]:
    """What the relations are called that the programs of the examples follow."""
    given = [followed(example.code) for example in examples]
    return tuple(dict.fromkeys(name for arguments in given for names in arguments[1:] for name in names))


def asks_for_path(near: Sequence[Nearest]) -> bool:
    """Whether most of the nearest examples, the nearest ones first, follow relations and do nothing else."""
    weights = _weights(near)
    return 2 * sum(weight for length, weight in weights.items() if length) > sum(weights.values())


def _weights(near: Sequence[Nearest]) -> Mapping[int, float]:
    """How much the examples weigh whose programs follow so many relations; 0 are those that do anything else."""
    weights = defaultdict[int, float](float)
    for example, similarity in near:
        weights[_length(example)] += math.exp((similarity - near[0].similarity) / _NEARBY)
    return weights


def _length(example: Example) -> int:
    """How many relations the example's program follows from what it names; none where it does anything else."""
    return max(len(followed(example.code)) - 1, 0)


def _paths(ways: Ways, name: str, wanted: Vectors) -> Iterator[_Path]:
    """The paths from what is called `name` that do not lead back to it; each next step behind the likest ones only."""
    start = ways.linking.bearers(name)
    origin, level = {entity.id for entity in start}, [(_Path(name, (), frozenset()), start)]
    for _ in range(_STEPS):
        further = list[tuple[_Path, Sequence[End]]]()
        for path, entities in level:
            for asked, all_ends in ways.on_from(entities).items():
                if ends := [end for end in all_ends if end[1] not in origin]:
                    longer = _Path(name, (*path.relations, asked), frozenset(end for end, _ in ends))
                    further.append((longer, ends))
        vectors = ways.linking.ranker.vectors({step for path, _ in further for step in path.steps})
        judged = [
            (_likeness(path, wanted, _joined(vectors[step] for step in path.steps)), ends) for path, ends in further
        ]
        yield from (path for path, _ in judged)
        judged.sort(key=lambda one: -one[0].likeness)
        level = [(path, ways.reached(ends)) for path, ends in judged[:_FOLLOWED]]


def _ranked(ways: Ways, names: Sequence[str], plan: str = "") -> list[_Path]:
    """The paths that are likest to what the question says beside the name from which they lead, and to a `plan` where
    there is one; best first."""
    ranker = ways.linking.ranker
    asked = {name: _beside(name, ways.linking.question) for name in names}
    vectors = ranker.vectors([*asked.values(), plan])
    wanted = {name: vectors[text] + _OF_PLAN * vectors[plan] if plan else vectors[text] for name, text in asked.items()}
    rough = [path for name in names for path in _paths(ways, name, wanted[name])]
    judged = sorted(rough, key=lambda path: -path.likeness)[:_JUDGED]
    whole = ranker.vectors({path.text for path in judged})
    exact = [_likeness(path, wanted[path.name], whole[path.text]) for path in judged]
    return sorted(exact, key=lambda path: -path.likeness)


def _stops_short(path: _Path, linking: Linking, known: Sequence[str]) -> bool:
    """Whether one of the `known` relations behind the path would make it liker to the question."""
    ranker, beside = linking.ranker, _beside(path.name, linking.question)
    if not known:
        return False
    vectors = ranker.vectors([beside, *path.steps, *known])
    so_far = np.sum([vectors[step] for step in path.steps], axis=0)
    rough = [(float(vectors[beside] @ _joined([so_far, vectors[name]])), name) for name in known]
    likest = [name for _, name in sorted(rough, reverse=True)[:_IMAGINED]]
    longer = [f"{path.text} {name}" for name in likest]
    whole = ranker.vectors([path.text, *longer])
    reached = max((float(vectors[beside] @ whole[text]) for text in longer), default=0.0)
    return reached - float(vectors[beside] @ whole[path.text]) >= _LIKER


def _beside(name: str, question: str) -> str:
    return question.replace(name, " ").strip()


def _likeness(path: _Path, asked: Vectors, told: Vectors) -> _Path:
    turned_round = sum(not relation.outgoing for relation in path.relations)
    return path._replace(likeness=float(asked @ told) - turned_round * TURNED_ROUND_PENALTY)


def _joined(vectors: Iterable[Vectors]) -> Vectors:
    total = np.sum(list(vectors), axis=0)
    joined: Vectors = total / max(float(np.linalg.norm(total)), np.finfo(np.float32).tiny)
    return joined
