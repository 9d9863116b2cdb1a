"""P_RL: walks, their rewards, the policy, and the search that a turn runs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as Signal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.embedding import load_embedder
from assistant.knowledge_bases.graph import Edge, Graph
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.orchestrator import Assistant
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.checkpoint import SHIPPED, load
from assistant.search.graphs.concepts import Concept
from assistant.search.graphs.distances import FAR, STEPS
from assistant.search.graphs.grounding import ground
from assistant.search.graphs.paths import PathSearch, find_paths, pick_paths
from assistant.search.graphs.space import Basis, Space
from assistant.search.graphs.terrain import Terrain
from assistant.search.graphs.walks import Rewards, Walk, actions, goal, start
from assistant.types import Answered, Event, Evidence, Failed, Turn, Walked
from tests.assistant.search.graphs.toys import TOWN, GraphBase, question, stated, terrain_of
from tests.memory.samples import WordEmbedder

POLICY = load(SHIPPED).policy
CONTEXT = np.zeros(128, np.float32)


def walk_of(cosines: list[float], *, reached: bool) -> Walk:
    terrain = terrain_of(TOWN)
    to = goal(terrain, [len(cosines) if reached else 9], CONTEXT)
    entities = tuple(range(len(cosines) + 1))
    edges = tuple(Edge(n, 0, n + 1, n) for n in range(len(cosines)))
    return Walk(to, entities, CONTEXT, edges, tuple(cosines))


@pytest.mark.parametrize(
    ("rewards", "reached", "value"),
    [
        (Rewards(1, 0, 0), True, 1.0),  # equation (2)
        (Rewards(1, 0, 0), False, -1.0),
        (Rewards(0, 1, 0), True, 0.4),  # equation (3): the mean over the steps
        (Rewards(0, 0, 1), True, 0.5),  # equation (4): one over the length
        (Rewards(2, 1, 4), False, -2 + 0.4 + 2),
    ],
)
def test_rewards_are_those_of_the_paper(rewards: Rewards, reached: bool, value: float) -> None:
    assert rewards.of(walk_of([0.2, 0.6], reached=reached)) == pytest.approx(value)


def shortest(graph: Graph, source: int, target: int) -> int:
    """Plain breadth-first search, as what the arrays have to agree with."""
    reached, frontier = {source}, [source]
    for distance in range(FAR):
        if target in frontier:
            return distance
        frontier = list({int(e) for at in frontier for e in graph.neighbours(at).entities} - reached)
        reached |= set(frontier)
    return FAR


NODES = [f"node{number}" for number in range(9)]
GRAPHS = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(["r", "s"]), st.sampled_from(NODES)), max_size=25)


@settings(max_examples=20)
@given(GRAPHS)
def test_a_target_is_reached_by_a_path_of_the_graph_exactly_where_there_is_one(
    triples: list[tuple[str, str, str]],
) -> None:
    terrain = terrain_of([*triples, ("node0", "r", "first"), ("last", "r", "node8")])
    names = list(terrain.graph.names)
    source, target = names.index("first"), names.index("last")
    to = goal(terrain, [target], CONTEXT)
    assert to.distances.from_source(source) == shortest(terrain.graph, source, target)
    turn = question("first", "last")
    (walks,) = find_paths(terrain, POLICY, ground(terrain, turn, lambda: turn.choices))
    assert bool(walks) == (shortest(terrain.graph, source, target) <= STEPS)
    for walk in walks:
        assert walk.entities[0] == source
        assert walk.entities[-1] == target
        assert len(set(walk.entities)) == len(walk.entities)
        for near, far, edge in zip(walk.entities, walk.entities[1:], walk.edges, strict=False):
            assert {near, far} == {edge.subject, edge.object}
            assert stated(terrain, [edge])[0] in [*triples, ("node0", "r", "first"), ("last", "r", "node8")]


def test_of_very_many_neighbours_those_near_the_target_are_actions() -> None:
    count = 100_000
    names = ["town", "door", *(f"thing {number}" for number in range(count))]
    zeros = np.zeros(count, np.int32)
    subjects, objects = np.append(zeros, 1).astype(np.int32), np.append(np.arange(2, count + 2), 4).astype(np.int32)
    embedder = WordEmbedder(size=128)
    graph = Graph(names, ["has a"], (subjects, np.zeros(count + 1, np.int32), objects))
    terrain = Terrain.of(graph, Space(embedder, Basis.untrained(embedder)))
    to = goal(terrain, [1], CONTEXT)
    for guided in (True, False):
        possible = actions(terrain, [start(terrain, to, 0)], guided=guided)
        assert len(possible.neighbours.entities) < 100
        assert 4 in possible.neighbours.entities


def test_a_target_beyond_a_hub_with_very_many_neighbours_is_reached_from_the_other_end() -> None:
    count = 250_000
    names = ["door", "hinge", "hub", "castle", *(f"thing {number}" for number in range(count))]
    things: list[int] = list(range(4, count + 4))
    middle = count // 2
    subjects = np.array([0, *[2] * middle, 2, 2, *[2] * (count - middle)], np.int32)
    objects = np.array([1, *things[:middle], 1, 3, *things[middle:]], np.int32)
    embedder = WordEmbedder(size=128)
    graph = Graph(names, ["has a"], (subjects, np.zeros(len(subjects), np.int32), objects))
    terrain = Terrain.of(graph, Space(embedder, Basis.untrained(embedder)))
    for target, source, steps in ((3, 0, 3), (2, 0, 2), (0, 3, 3), (0, count, 3)):
        assert goal(terrain, [target], CONTEXT).distances.from_source(source) == steps
    turn = question("What has the door to do with it?", "castle")
    (walks,) = find_paths(terrain, POLICY, ground(terrain, turn, lambda: turn.choices))
    assert [walk.entities for walk in walks] == [(0, 1, 2, 3)]


def test_probabilities_of_a_walks_actions_add_up_to_one() -> None:
    terrain = terrain_of(TOWN)
    to = goal(terrain, [list(terrain.graph.names).index("building")], CONTEXT)
    walks = [start(terrain, to, list(terrain.graph.names).index(name)) for name in ("bank", "mall", "unicorn")]
    possible = actions(terrain, walks, guided=False)
    sums = np.bincount(possible.walks, np.exp(POLICY.log_probabilities(possible)))
    assert sums == pytest.approx(np.ones(3), abs=1e-4)


def test_paths_are_whole_and_the_most_rewarding_come_first() -> None:
    terrain = terrain_of(TOWN)
    turn = question("Where is a revolving door?", "bank", "mall", "library")
    grounded = ground(terrain, turn, lambda: turn.choices)
    for budget in range(12):
        picked = pick_paths(terrain, POLICY, Rewards(), grounded, budget)
        facts = [related.edge.fact for related in picked.triples]
        assert len(facts) == len(set(facts)) <= budget
        assert {edge.fact for path in picked.paths for edge in path} <= set(facts)
    assert stated(terrain, picked.paths[0]) == [("revolving door", "at location", "bank")]
    reached = [target.entities for target in grounded.targets for path in picked.paths if _ends_in(path, target)]
    assert len(set(reached)) == 3
    scores = [related.score for related in picked.triples]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("budget", range(2, 9))
def test_each_target_that_is_unreached_has_a_triple_whatever_the_budget(budget: int) -> None:
    terrain = terrain_of([*TOWN, ("whale", "at location", "sea")])
    turn = question("Where is a revolving door?", "bank", "mall", "library", "unicorn", "whale")
    picked = pick_paths(terrain, POLICY, Rewards(), ground(terrain, turn, lambda: turn.choices), budget)
    assert picked.unreached == ("unicorn", "whale")
    found = stated(terrain, [related.edge for related in picked.triples])
    assert {("unicorn", "is a", "myth"), ("whale", "at location", "sea")} <= set(found)
    assert len(found) <= budget


def test_a_target_that_the_question_names_is_reached() -> None:
    terrain = terrain_of(TOWN)
    turn = question("Is it the bank that has an opening?", "bank", "library", "unicorn")
    picked = pick_paths(terrain, POLICY, Rewards(), ground(terrain, turn, lambda: turn.choices), 8)
    assert picked.unreached == ("unicorn",)
    assert stated(terrain, picked.paths[0]) == [("bank", "is a", "building"), ("library", "is a", "building")]


def test_paths_between_what_the_question_names_go_before_those_to_answers() -> None:
    terrain = terrain_of(TOWN)
    grounded = ground(terrain, question("How is security connected to New York?"), lambda: ["door", "revolving door"])
    for budget in range(4, 9):
        picked = pick_paths(terrain, POLICY, Rewards(), grounded, budget)
        names = {terrain.graph.names[end] for edge in picked.paths[0] for end in (edge.subject, edge.object)}
        assert {"security", "new york"} <= names
        assert picked.unreached == ("door",)


def test_what_the_question_names_and_nothing_joins_is_told() -> None:
    terrain = terrain_of([*TOWN, ("whale", "at location", "sea")])
    apart = ground(terrain, question("How is the unicorn connected to the whale?"), lambda: ["myth"])
    picked = pick_paths(terrain, POLICY, Rewards(), apart, 8)
    assert picked.unreached == ("whale",)
    assert len(picked.paths) == 1, "the one from the unicorn to the answer"
    assert pick_paths(terrain, POLICY, Rewards(), replace(apart, targets=apart.targets[1:]), 8).unreached == (
        "unicorn",
        "whale",
    )
    some = ground(terrain, question("How are the unicorn, a mall and a library connected?"), list)
    assert pick_paths(terrain, POLICY, Rewards(), some, 8).unreached == (), "two of the three are joined"


def test_several_relations_between_two_entities_are_one_way() -> None:
    rows = [("start", f"relation {n}", "hub") for n in range(9)] + [
        ("start", "other", "side"),
        ("side", "other", "end"),
    ]
    terrain = terrain_of([*rows, ("hub", "relation", "end")])
    grounded = ground(terrain, question("Where is the start?", "end"), lambda: ["end"])
    [walks] = find_paths(terrain, POLICY, grounded)
    assert len({walk.entities for walk in walks}) == len(walks) == 2
    told = pick_paths(terrain, POLICY, Rewards(), grounded, 8).triples
    assert len(told) == 8, "what the budget leaves tells how else they are joined"


def test_what_is_joined_in_several_ways_is_told_with_all_of_them() -> None:
    rows = [("Eastwood", said, "Unforgiven") for said in ("directed", "starred in", "produced", "composed")]
    terrain = terrain_of(rows)
    grounded = ground(terrain, question("Did Eastwood direct Unforgiven?"), list)
    picked = pick_paths(terrain, POLICY, Rewards(), grounded, 14)
    assert sorted(stated(terrain, [related.edge for related in picked.triples])) == sorted(rows)


def _ends_in(path: Sequence[Edge], target: Concept) -> bool:
    return bool({path[-1].subject, path[-1].object} & set(target.entities))


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    return Atlas(load_embedder("", tmp_path_factory.mktemp("cache")))


class TestSearch:
    """The strategy, as a turn runs it, with the embedded embedding model and the shipped policy."""

    def find(self, atlas: Atlas, turn: Turn, base: GraphBase) -> tuple[list[Evidence], list[Event]]:
        events: list[Event] = []
        search = PathSearch(LanguageModel(ScriptedTransport([])), atlas)
        return search.find(turn, [base], events.append, Signal()), events  # type: ignore[list-item]

    def test_paths_are_told_and_their_triples_follow_each_other(self, atlas: Atlas) -> None:
        found, events = self.find(atlas, question("Where is a revolving door?", "library"), GraphBase("town", TOWN))
        (walked,) = [event for event in events if isinstance(event, Walked)]
        path = [(t.subject, t.relation, t.object) for t in walked.paths[0]]
        assert path == [
            ("revolving door", "at location", "bank"),
            ("bank", "is a", "building"),
            ("library", "is a", "building"),
        ]
        assert [(e.subject, e.relation, e.object) for e in found[:3]] == path
        assert walked.unreached == ()

    def test_for_a_target_that_no_path_reaches_the_subgraph_is_given_and_said(self, atlas: Atlas) -> None:
        asked = question("Where is a revolving door?", "bank", "unicorn")
        found, events = self.find(atlas, asked, GraphBase("town", TOWN))
        (walked,) = [event for event in events if isinstance(event, Walked)]
        assert walked.unreached == ("unicorn",)
        assert any(e.subject == "unicorn" for e in found)
        assert found[0].object == "bank"

    def test_with_another_embedder_it_says_so_and_gives_the_subgraph(self) -> None:
        found, events = self.find(
            Atlas(WordEmbedder()), question("Where is a revolving door?", "bank"), GraphBase("town", TOWN)
        )
        assert found[0].object == "bank"
        (failed,) = [event for event in events if isinstance(event, Failed)]
        assert failed.stage == "paths"
        assert "words (32) is used" in failed.message

    def test_a_damaged_checkpoint_of_ones_own_is_said_as_well(self, tmp_path: Path) -> None:
        (tmp_path / "policy.npz").write_bytes(b"no archive")
        found, events = self.find(
            Atlas(WordEmbedder(), tmp_path), question("Where is a revolving door?", "bank"), GraphBase("town", TOWN)
        )
        assert found
        (failed,) = [event for event in events if isinstance(event, Failed)]
        assert "policy.npz cannot be read" in failed.message
        assert failed.message.endswith("Until then the subgraph is searched.")


def test_a_turn_can_be_searched_by_paths(composed: Callable[..., Assistant], tmp_path: Path) -> None:
    file = tmp_path / "town.tsv"
    file.write_text("\n".join("\t".join(triple) for triple in TOWN), "utf-8")
    replies = {
        "understand": ["en ask"],
        "candidates": ["bank"],
        "answer": ["By the bank, which is a building [2]."],
        "entailment": [Weights({"yes": 1.0})],  # what a path says of itself is held against the question
    }
    assistant = composed(replies)
    assistant.knowledge_bases.add("town", file)
    asked = replace(
        question("How is a revolving door connected to a library?"), knowledge_bases=("town",), strategy="paths"
    )
    events = list(assistant.reply(asked))
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert answered.strategy == "paths"
    (walked,) = [event for event in events if isinstance(event, Walked)]
    ends = [{path[0].subject, path[-1].subject, path[-1].object} for path in walked.paths]
    assert any({"revolving door", "library"} <= end for end in ends)
    assert {"bank", "building"} <= {name for item in answered.evidence for name in (item.subject, item.object)}
