"""The graph as a view of the facts."""

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory.graph import Edge, Graph, _pagerank

EDGES: list[Edge] = [(1, 2, 10, "sister"), (2, 3, 11, "lives in"), (4, 3, 12, "is mayor of"), (2, 5, 13, "dog")]


def test_it_is_built_when_asked_for_and_anew_after_forgetting() -> None:
    edges = list(EDGES)
    graph = Graph(lambda: edges)
    edges.append((5, 6, 14, "breed"))
    graph.add([(7, 8, 99, "ignored, since nothing is built")])
    assert graph.facts() == {10, 11, 12, 13, 14}
    graph.add([(6, 1, 15, "likes")])
    assert 15 in graph.facts()
    edges.pop()
    graph.forget()
    assert graph.facts() == {10, 11, 12, 13}


def test_nearer_facts_come_first() -> None:
    graph = Graph(lambda: EDGES)
    assert graph.facts_around([1], 10)[0] == 10
    assert set(graph.facts_around([1], 10)) == {10, 11, 12, 13}
    assert set(graph.facts_around([1], 3)) == {10, 11, 13}
    assert graph.facts_around([1, 3], 10)[:2] in ([11, 10], [10, 11], [11, 12], [12, 11])
    assert graph.facts_around([99], 10) == []


def test_a_hub_is_followed_only_so_far() -> None:
    edges: list[Edge] = [(0, n, n, "knows") for n in range(1, 5000)] + [(1, 5001, 5001, "lives in")]
    found = Graph(lambda: edges).facts_around([1], 3)
    assert set(found[:2]) == {1, 5001}


def test_only_the_nearest_entities_are_walked_to() -> None:
    chain: list[Edge] = [(n, n + 1, n, "leads to") for n in range(1000)]
    assert set(Graph(lambda: chain).facts_around([0], 1000)) == set(range(299))  # those between the first 300


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=40))
def test_ranks_are_those_of_networkx(pairs: list[tuple[int, int]]) -> None:
    nodes = sorted({node for pair in pairs for node in pair})
    place = {node: row for row, node in enumerate(nodes)}
    ends = np.array([[place[a], place[b]] for a, b in pairs])
    graph = nx.MultiDiGraph()
    graph.add_edges_from(edge for a, b in ends.tolist() for edge in ((a, b), (b, a)))
    wanted = nx.pagerank(graph, alpha=0.5, personalization={0: 1.0})
    assert np.allclose(_pagerank(ends, len(nodes), 1), [wanted[n] for n in range(len(nodes))], atol=1e-3)
