"""The Markov decision process of KnowGPT, section 3.1: walks over a graph from a source entity towards a target."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.knowledge_bases.graph import Edge, Graph, Neighbours, Numbers
from assistant.search.graphs.distances import STEPS, Distances
from assistant.search.graphs.terrain import Terrain
from memory.types import Vectors

ACTIONS = 48  # of an entity's neighbours, those that a step chooses among
SCALARS = 8  # of an action: its direction, its distance from the target (4), relatedness, likeness, steps left


@dataclass(frozen=True)
class Goal:
    """A target: its entities, the mean of their embeddings, and how far each entity of the graph is from it.

    `context` is the embedding c of the question that asks for it.
    """

    entities: tuple[int, ...]
    vector: Vectors
    distances: Distances
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
    """The target of walks over a graph."""
    vector = terrain.entities(entities).mean(axis=0)
    return Goal(tuple(entities), vector, Distances(terrain.graph, entities), context)


def start(terrain: Terrain, goal: Goal, source: int) -> Walk:
    """A walk that stands at its source."""
    return Walk(goal, (source,), terrain.entities([source])[0])


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
    distances = np.concatenate(
        [walk.goal.distances.of(some.entities) for walk, some in zip(walks, chosen, strict=True)]
    )
    scalars[np.arange(len(of)), 1 + np.minimum(distances, STEPS)] = 1
    scalars[:, 5] = cosines
    scalars[:, 6] = (vectors * goals[of]).sum(axis=1)
    scalars[:, 7] = np.array([1 - len(walk.edges) / STEPS for walk in walks], np.float32)[of]
    states = np.concatenate([here, goals - here], axis=1)
    return Actions(of, neighbours, totals, cosines, states, np.concatenate([vectors, relations, scalars], axis=1))


def _pruned(graph: Graph, walk: Walk, *, guided: bool) -> Neighbours:
    found = graph.neighbours(walk.entities[-1])
    distances = walk.goal.distances.of(found.entities)
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
