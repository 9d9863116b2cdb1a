"""The Markov decision process of KnowGPT, section 3.1: walks over a graph from a source entity towards a target."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assistant.knowledge_bases.graph import Edge, Graph, Neighbours, Numbers
from assistant.search.graphs.terrain import Terrain
from memory.types import Vectors

STEPS = 3  # the paper's K, which it does not tell: 87 % of ConceptNet's answers lie within three steps, 70 % within two
FAR = 4  # further from the target than is looked at
ACTIONS = 48  # of an entity's neighbours, those that a step chooses among
_LOOKED_AT = 200_000  # edges, for the distances of the second step back from a target
SCALARS = 8  # of an action: its direction, its distance from the target (4), relatedness, likeness, steps left


@dataclass(frozen=True)
class Goal:
    """A target: its entities, the mean of their embeddings, and how far each entity of the graph is from it.

    `context` is the embedding c of the question that asks for it. Distances of two are `complete`, or those of entities
    that stand beside hubs are found when a source beside them is looked at.
    """

    entities: tuple[int, ...]
    vector: Vectors
    distances: NDArray[np.int8]
    complete: bool
    context: Vectors


@dataclass(frozen=True)
class Walk:
    """A path so far. `total` is the sum of the embeddings walked through; `cosines` the relatedness after each step."""

    goal: Goal
    entities: tuple[int, ...]
    total: Vectors
    edges: tuple[Edge, ...] = ()
    cosines: tuple[float, ...] = ()
    log_probability: float = 0.0

    @property
    def reached(self) -> bool:
        """Whether it has come to its target."""
        return self.entities[-1] in self.goal.entities


@dataclass(frozen=True)
class Actions:
    """The actions of several walks, one after the other; `walks` tells which walk each belongs to."""

    walks: Numbers
    neighbours: Neighbours
    totals: Vectors  # (n, 128): the walk's total with the action taken
    cosines: Vectors  # (n,): its relatedness then
    states: Vectors  # (walks, 256): equation (1)
    features: Vectors  # (n, 256 + SCALARS): the neighbour, the relation, and the scalars

    def take(self, walk: Walk, action: int, log_probability: float = 0.0) -> Walk:
        """The walk one step further, with the log-probability of all its steps."""
        return replace(
            walk,
            entities=(*walk.entities, int(self.neighbours.entities[action])),
            total=self.totals[action],
            edges=(*walk.edges, self.neighbours.edge(action)),
            cosines=(*walk.cosines, float(self.cosines[action])),
            log_probability=log_probability,
        )


@dataclass(frozen=True)
class Rewards:
    """The λ's: what reaching the target, bearing on the question, and being short are worth."""

    reach: float = 1.0
    relatedness: float = 1.0
    conciseness: float = 0.5

    def of(self, walk: Walk) -> float:
        """The total reward of a walk that is over: equations (2), (3) and (4), weighted."""
        steps = max(1, len(walk.edges))
        related = sum(walk.cosines) / steps
        reach = 1.0 if walk.reached else -1.0
        return self.reach * reach + self.relatedness * related + self.conciseness / steps


def goal(terrain: Terrain, entities: Sequence[int], context: Vectors) -> Goal:
    """The target with its distances, looked at backwards for all but the last step of a walk."""
    vector = terrain.entities(entities).mean(axis=0)
    distances, complete = _distances(terrain.graph, entities)
    return Goal(tuple(entities), vector, distances, complete, context)


def start(terrain: Terrain, goal: Goal, source: int) -> Walk:
    """A walk that stands at its source."""
    return Walk(goal, (source,), terrain.entities([source])[0])


def in_reach(graph: Graph, goal: Goal, source: int) -> int:
    """How many steps the target is away from an entity; FAR where more than can be walked."""
    if source in goal.entities:
        return 0
    near = graph.neighbours(source).entities
    if not goal.complete:
        _meet(graph, goal, near)
    return min(FAR, int(goal.distances[near].min()) + 1) if len(near) else FAR


def actions(terrain: Terrain, walks: Sequence[Walk], *, guided: bool) -> Actions:
    """What each walk can do next: go to a neighbour that it has not been to.

    Of very many, those nearest to the target stay, and some of the others. Where walks are `guided`, the neighbours
    from which the target is too far for the steps that are left are no actions: their reward is known to be -1.
    """
    chosen = [_pruned(terrain.graph, walk, guided=guided) for walk in walks]
    neighbours = Neighbours(*(np.concatenate(column) for column in zip(*chosen, strict=True)))
    of: Numbers = np.repeat(np.arange(len(walks), dtype=np.int32), [len(some.entities) for some in chosen])
    there, places = np.unique(neighbours.entities, return_inverse=True)
    vectors = terrain.entities(there)[places]
    relations = terrain.relations[np.where(neighbours.relations < 0, ~neighbours.relations, neighbours.relations)]
    goals = np.stack([walk.goal.vector for walk in walks])
    totals = np.stack([walk.total for walk in walks])[of] + relations + vectors
    cosines = terrain.related(totals, np.stack([walk.goal.context for walk in walks])[of])
    here = terrain.entities([walk.entities[-1] for walk in walks])
    scalars = np.zeros((len(of), SCALARS), np.float32)
    scalars[:, 0] = neighbours.relations >= 0
    distances = np.concatenate([walk.goal.distances[some.entities] for walk, some in zip(walks, chosen, strict=True)])
    scalars[np.arange(len(of)), 1 + np.minimum(distances, STEPS)] = 1
    scalars[:, 5] = cosines
    scalars[:, 6] = (vectors * goals[of]).sum(axis=1)
    scalars[:, 7] = np.array([1 - len(walk.edges) / STEPS for walk in walks], np.float32)[of]
    states = np.concatenate([here, goals - here], axis=1)
    return Actions(of, neighbours, totals, cosines, states, np.concatenate([vectors, relations, scalars], axis=1))


def _pruned(graph: Graph, walk: Walk, *, guided: bool) -> Neighbours:
    found = graph.neighbours(walk.entities[-1])
    distances = walk.goal.distances[found.entities]
    left = STEPS - len(walk.edges) - 1
    allowed = distances <= left if guided else np.ones(len(distances), bool)
    for entity in walk.entities:
        allowed &= found.entities != entity
    places = np.flatnonzero(allowed)
    if len(places) > ACTIONS:
        by_distance = places[np.argsort(distances[places], kind="stable")]
        nearest, others = np.split(by_distance, [ACTIONS * 3 // 4])
        places = np.concatenate([nearest, others[:: -(-len(others) // (ACTIONS - len(nearest)))]])
    return found.at(places)


def _distances(graph: Graph, entities: Sequence[int]) -> tuple[NDArray[np.int8], bool]:
    """Distances of up to two; whether those of two are complete, or some edges of very many were left out."""
    distances = np.full(len(graph), FAR, np.int8)
    target: Numbers = np.array(entities, np.int32)
    beside = graph.neighbours_of(target, int(graph.degrees(target).max())).entities
    distances[beside] = 1
    distances[target] = 0
    found, complete = _edges_of(graph, np.unique(beside))
    distances[found.entities[distances[found.entities] == FAR]] = 2
    return distances, complete


def _meet(graph: Graph, goal: Goal, near: Numbers) -> None:
    """Find those near a source that are two steps from the target, from their end: it is not the hub's."""
    found, _ = _edges_of(graph, np.unique(near[goal.distances[near] == FAR]))
    goal.distances[found.origins[goal.distances[found.entities] == 1]] = 2


def _edges_of(graph: Graph, entities: Numbers) -> tuple[Neighbours, bool]:
    """All edges of the entities; of very many, as many of each."""
    degrees = graph.degrees(entities)
    complete = int(degrees.sum()) <= _LOOKED_AT
    most = int(degrees.max(initial=1)) if complete else max(1, _LOOKED_AT // len(entities))
    return graph.neighbours_of(entities, most), complete
