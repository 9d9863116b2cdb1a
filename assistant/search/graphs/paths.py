"""Path search: P_RL of KnowGPT, paths from source to target entities that a learned policy walks (section 3.1)."""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from threading import Event as Signal

import numpy as np

from assistant.knowledge_bases.base import KnowledgeBase
from assistant.knowledge_bases.graph import Edge, Graph
from assistant.search.base import Emit
from assistant.search.graphs.concepts import Concept
from assistant.search.graphs.distances import STEPS
from assistant.search.graphs.graph_search import GraphSearch
from assistant.search.graphs.grounding import Grounded
from assistant.search.graphs.picked import Picked, Related
from assistant.search.graphs.policy import Policy
from assistant.search.graphs.subgraph import extract
from assistant.search.graphs.terrain import Terrain
from assistant.search.graphs.walks import Goal, Rewards, Walk, actions, goal, start
from assistant.types import Evidence, Failed, Turn

_BEAM = 4  # walks of one source and target that go on after each step
_SOURCES = 4  # of one target, the nearest ones
_PATHS = 3  # of one target that are given at most


class PathSearch(GraphSearch):
    """The `paths` strategy for one turn.

    Where there is no policy for the embedder in use it says so and picks the subgraph; so it does for targets that no
    path reaches.
    """

    name = "paths"

    def find(self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], emit: Emit, cancel: Signal) -> list[Evidence]:
        """See `SearchStrategy.find`; says once in a conversation that the policy is not the one that was to be used."""
        if trouble := self._atlas.trouble_to_tell(turn.user, turn.session):
            instead = "the shipped one is used" if self._atlas.trained.policy else "the subgraph is searched"
            emit(Failed(self.name, f"{trouble} Until then {instead}."))
        return super().find(turn, knowledge_bases, emit, cancel)

    def _pick(self, terrain: Terrain, grounded: Grounded, budget: int) -> Picked:
        trained = self._atlas.trained
        if trained.policy is None:
            return Picked(tuple(extract(terrain, grounded, budget)))
        return pick_paths(terrain, trained.policy, trained.rewards, grounded, budget)


def pick_paths(terrain: Terrain, policy: Policy, rewards: Rewards, grounded: Grounded, budget: int) -> Picked:
    """The most rewarding paths, whole ones only, and what else joins their entities; for targets without a path, what
    the budget leaves of the subgraph.

    The best path between two things that the question names goes first: that may be what it asks, and answers are
    guesses. The targets do not take turns: how much of the budget leads to one is what tells it from the rest. But a
    triple is kept for each answer that is unreached.
    """
    by_target = find_paths(terrain, policy, grounded)
    without = [target for target, walks in zip(grounded.targets, by_target, strict=True) if not walks]
    named = {entity for source in grounded.sources for entity in source.entities}
    unreached = [target for target in without if named.isdisjoint(target.entities)]
    rewarded = [[(rewards.of(walk), walk) for walk in walks] for walks in by_target]
    worth = itemgetter(0)
    best = [pair for pairs in rewarded for pair in heapq.nlargest(_PATHS, pairs, key=worth)]
    best.sort(key=worth, reverse=True)
    between = next((pair for pair in best if pair[1].goal.entities in grounded.own), None)
    best.sort(key=lambda pair: pair is not between)
    room = budget - len(unreached)
    triples: dict[int, Related] = {}
    walks = []
    for reward, walk in best:
        new = {edge.fact: Related(edge, reward) for edge in walk.edges if edge.fact not in triples}
        if new and len(triples) + len(new) <= room:
            triples |= new
            walks.append((reward, walk))
    for reward, walk in sorted(walks, key=lambda pair: len(pair[1].edges)):
        beside = (edge for edge in _beside(terrain.graph, walk) if edge.fact not in triples)
        triples |= {edge.fact: Related(edge, reward) for edge in islice(beside, room - len(triples))}
    if without:
        unreached_first = tuple(sorted(without, key=lambda target: target not in unreached))
        for related in extract(terrain, replace(grounded, targets=unreached_first), budget - len(triples)):
            triples.setdefault(related.edge.fact, related)
    told = [*unreached, *_apart(grounded, without, {walk.entities[0] for _, walk in walks})]
    paths = tuple(walk.edges for _, walk in walks)
    return Picked(tuple(triples.values()), paths, tuple(target.phrase for target in told))


def _apart(grounded: Grounded, without: Sequence[Concept], begun: Set[int]) -> list[Concept]:
    """What the question names, where it names several and no two are joined; but not those where a path has `begun`."""
    if len(grounded.own) < 2 or not grounded.own <= {target.entities for target in without}:
        return []
    return [target for target in without if target.entities in grounded.own and begun.isdisjoint(target.entities)]


def _beside(graph: Graph, walk: Walk) -> Iterator[Edge]:
    """The facts that join the entities of a path as its own steps do."""
    for edge in walk.edges:
        found = graph.neighbours(edge.subject)
        yield from (found.edge(int(place)) for place in np.flatnonzero(found.entities == edge.object))


def find_paths(terrain: Terrain, policy: Policy, grounded: Grounded) -> list[list[Walk]]:
    """For each target, the walks of the beam that reach it from some source."""
    goals = [goal(terrain, target.entities, grounded.context) for target in grounded.targets]
    sources = list({entity: None for concept in grounded.sources for entity in concept.entities})
    starts = [start(terrain, to, source) for to in goals for source in _nearest(to, sources)]
    arrived: dict[int, list[Walk]] = defaultdict(list)
    for walk in walk_on(terrain, policy, starts):
        arrived[id(walk.goal)].append(walk)
    return [arrived[id(to)] for to in goals]


def walk_on(terrain: Terrain, policy: Policy, walks: Sequence[Walk]) -> list[Walk]:
    """Beam search: those walks that reach their targets within the steps that they have left."""
    arrived: list[Walk] = []
    for _ in range(STEPS):
        if not walks:
            break
        further = _one_step_further(terrain, policy, walks)
        arrived += [walk for walk in further if walk.reached]
        walks = [walk for walk in further if not walk.reached]
    return arrived


def _nearest(to: Goal, sources: Sequence[int]) -> list[int]:
    steps = {source: to.distances.from_source(source) for source in sources}
    return sorted((source for source in sources if 0 < steps[source] <= STEPS), key=lambda s: steps[s])[:_SOURCES]


def _one_step_further(terrain: Terrain, policy: Policy, walks: Sequence[Walk]) -> list[Walk]:
    """The most probable `_BEAM` walks of each source and target after one more step."""
    possible = actions(terrain, walks, guided=True)
    before = np.array([walk.log_probability for walk in walks], np.float32)
    log = before[possible.walks] + policy.log_probabilities(possible)
    groups: dict[tuple[int, int], int] = {}
    of_walk = [groups.setdefault((id(walk.goal), walk.entities[0]), len(groups)) for walk in walks]
    group = np.array(of_walk, np.int32)[possible.walks]
    order = np.lexsort((-log, group))
    leads_to = possible.walks.astype(np.int64) * len(terrain.graph) + possible.neighbours.entities
    _, likeliest = np.unique(leads_to[order], return_index=True)
    order = order[np.sort(likeliest)]  # of several relations between two entities one, or they fill the beam
    _, first, sizes = np.unique(group[order], return_index=True, return_counts=True)
    chosen = [
        place for begin, size in zip(first, sizes, strict=True) for place in order[begin : begin + min(size, _BEAM)]
    ]
    return [possible.take(walks[possible.walks[place]], int(place), float(log[place])) for place in chosen]
