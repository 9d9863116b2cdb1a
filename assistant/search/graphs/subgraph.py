"""Subgraph search: P_sub of KnowGPT, the two-hop subgraph around sources and targets, pruned to a budget."""

from collections.abc import Sequence

import numpy as np

from assistant.knowledge_bases.graph import Neighbours, Numbers
from assistant.search.graphs.graph_search import GraphSearch
from assistant.search.graphs.grounding import Grounded
from assistant.search.graphs.picked import Picked, Related
from assistant.search.graphs.terrain import Terrain
from memory.types import Vectors

_BRIDGES = 400  # edges, here and in the next line
_FIRST_HOP = 800
_WIDENED = 20  # entities around which the second hop is taken
_OF_ONE_WIDENED = 16
# What a triple is worth beside its cosine with the question: that it joins two concepts, or lies on a way between them.
_JOINS, _BRIDGE, _SECOND_HOP = 0.6, 0.3, -0.1


class SubgraphSearch(GraphSearch):
    """The `subgraph` strategy for one turn."""

    name = "subgraph"

    def _pick(self, terrain: Terrain, grounded: Grounded, budget: int) -> Picked:
        return Picked(tuple(extract(terrain, grounded, budget)))


def extract(terrain: Terrain, grounded: Grounded, budget: int) -> list[Related]:
    """The most relevant triples within two hops of the sources and targets, at most `budget`, best first.

    Relevance is the cosine of the triple's embedding with the question, more where the triple joins sources and
    targets. Each target is represented before any is for the second time, so that no answer wins by its neighbours.
    """
    groups = [concept.entities for concept in (*grounded.targets, *grounded.sources)]
    seeds: Numbers = np.unique(np.array([entity for group in groups for entity in group], np.int32))
    if not len(seeds) or not budget:
        return []
    found, scores = _candidates(terrain, seeds, grounded.context)
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(found.facts[order], return_index=True)
    order = order[np.sort(first)]
    ends = np.stack([found.origins[order], found.entities[order]])
    leading = [_first_touching(ends, concept.entities) for concept in grounded.targets]
    chosen = dict.fromkeys([place for place in leading if place is not None][:budget])
    chosen.update(dict.fromkeys(range(len(order))))
    places = sorted(list(chosen)[:budget])
    return [Related(found.edge(int(order[place])), float(scores[order[place]])) for place in places]


def _candidates(terrain: Terrain, seeds: Numbers, context: Vectors) -> tuple[Neighbours, Vectors]:
    """Edges within two hops, and what each is worth: its relevance, and more or less by its place."""
    graph = terrain.graph
    each = [graph.neighbours(seed) for seed in seeds.tolist()]
    around = Neighbours(*(np.concatenate(column) for column in zip(*each, strict=True)))
    seeds_near = np.zeros(len(graph), np.int16)
    for of_seed in each:
        seeds_near[np.unique(of_seed.entities)] += 1
    joining = np.isin(around.entities, seeds)
    bridging = (seeds_near[around.entities] > 1) & ~joining
    plain = ~joining & ~bridging
    first = [_some(around, joining, _BRIDGES), _some(around, bridging, _BRIDGES), _some(around, plain, _FIRST_HOP)]
    relevance = [_relevance(terrain, part, context) for part in first]
    nearest = np.argsort(-relevance[2], kind="stable")[:_WIDENED]
    second = graph.neighbours_of(np.unique(first[2].entities[nearest]), _OF_ONE_WIDENED)
    parts = [*first, second]
    relevance.append(_relevance(terrain, second, context))
    scores = [one + worth for one, worth in zip(relevance, (_JOINS, _BRIDGE, 0.0, _SECOND_HOP), strict=True)]
    return Neighbours(*(np.concatenate(column) for column in zip(*parts, strict=True))), np.concatenate(scores)


def _some(found: Neighbours, mask: "np.ndarray[tuple[int], np.dtype[np.bool_]]", most: int) -> Neighbours:
    """At most `most` of those where the mask is true, evenly among them."""
    places = np.flatnonzero(mask)
    return found.at(places[:: max(1, -(-len(places) // most))])


def _relevance(terrain: Terrain, found: Neighbours, context: Vectors) -> Vectors:
    """The cosine of each verbalised triple with the question; shape (n,)."""
    there, places = np.unique(np.concatenate([found.origins, found.entities]), return_inverse=True)
    vectors = terrain.entities(there)
    near, far = np.split(places, 2)
    relations = terrain.relations[np.where(found.relations < 0, ~found.relations, found.relations)]
    return terrain.related(vectors[near] + relations + vectors[far], context)


def _first_touching(ends: "np.ndarray[tuple[int, int], np.dtype[np.int32]]", entities: Sequence[int]) -> int | None:
    touching = np.flatnonzero(np.isin(ends, entities).any(axis=0))
    return int(touching[0]) if len(touching) else None
