"""The graph as a view of the facts."""

from memory.graph import Edge, Graph

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


def test_the_facts_of_neighbours() -> None:
    graph = Graph(lambda: EDGES)
    assert set(graph.facts_around(1, 10)) == {11, 13}
    assert set(graph.facts_around(3, 10)) == {10, 13}
    assert len(graph.facts_around(1, 1)) == 1
    assert graph.facts_around(99, 10) == []
