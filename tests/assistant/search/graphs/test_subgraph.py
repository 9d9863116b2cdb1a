"""P_sub: what is given of the two hops around a question's entities."""

from threading import Event as Signal

import numpy as np
import pytest

from assistant.errors import Interrupted, ModelUnavailable
from assistant.knowledge_bases.base import KnowledgeBase
from assistant.knowledge_bases.graph import Graph
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.grounding import ground
from assistant.search.graphs.space import Basis, Space
from assistant.search.graphs.subgraph import SubgraphSearch, extract
from assistant.search.graphs.terrain import Terrain
from assistant.types import Event, Evidence, Failed, Linked, Turn, Walked
from tests.assistant.search.graphs.toys import TOWN, GraphBase, graph_of, question, stated, terrain_of
from tests.memory.samples import WordEmbedder


def extracted(text: str, *choices: str, budget: int = 16) -> list[tuple[str, str, str]]:
    terrain = terrain_of(TOWN)
    turn = question(text, *choices)
    return stated(terrain, [r.edge for r in extract(terrain, ground(terrain, turn, lambda: choices), budget)])


def test_triples_that_join_question_and_answer_come_first() -> None:
    assert extracted("Where is a revolving door?", "bank", "library")[0] == ("revolving door", "at location", "bank")


def test_each_answer_is_represented_before_the_budget_is_spent() -> None:
    found = extracted("Where is a revolving door?", "bank", "mall", "library", budget=3)
    assert len(found) == 3
    for name in ("bank", "mall", "library"):
        assert any(name in triple for triple in found)


def test_nothing_is_repeated_and_nothing_is_further_than_two_hops() -> None:
    found = extracted("Where is a revolving door?", "bank")
    assert len(set(found)) == len(found)
    assert ("library", "used for", "reading books") not in found
    assert ("unicorn", "is a", "myth") not in found


def test_relevance_to_the_question_decides_among_the_others() -> None:
    about_building = extracted("Which bank is a building?", "bank", budget=2)
    assert ("bank", "is a", "building") in about_building


def test_a_budget_of_nothing_gives_nothing() -> None:
    assert extracted("Where is a revolving door?", "bank", budget=0) == []


def test_a_hub_with_a_hundred_thousand_neighbours_is_searched() -> None:
    count = 100_000
    names = ["town", "door", *(f"thing {number}" for number in range(count))]
    ends = np.arange(2, count + 2, dtype=np.int32)
    subjects = np.concatenate([np.zeros(count, np.int32), np.array([1, 0], np.int32)])
    objects = np.concatenate([ends, np.array([5, 0], np.int32)])  # the last one is a loop
    embedder = WordEmbedder(size=128)
    graph = Graph(names, ["has a"], (subjects, np.zeros(count + 2, np.int32), objects))
    terrain = Terrain.of(graph, Space(embedder, Basis.untrained(embedder)))
    turn = question("What has the town to do with a door?", "door")
    found = extract(terrain, ground(terrain, turn, lambda: turn.choices), 16)
    assert len(found) == 16
    assert {("door", "has a", "thing 3"), ("town", "has a", "thing 3")} <= set(stated(terrain, [r.edge for r in found]))


class TestSearch:
    """The strategy, as a turn runs it."""

    def find(
        self, turn: Turn, *bases: GraphBase, replies: tuple[str | Exception, ...] = (), cancel: Signal | None = None
    ) -> tuple[list[Evidence], list[Event]]:
        events: list[Event] = []
        search = SubgraphSearch(LanguageModel(ScriptedTransport(list(replies))), Atlas(WordEmbedder()))
        knowledge_bases: list[KnowledgeBase] = list(bases)  # type: ignore[arg-type]
        return search.find(turn, knowledge_bases, events.append, cancel or Signal()), events

    def test_evidence_is_numbered_and_says_where_it_is_from(self) -> None:
        found, events = self.find(question("Where is a revolving door?", "bank"), GraphBase("town", TOWN))
        assert [item.id for item in found] == list(range(1, len(found) + 1))
        assert (found[0].subject, found[0].object, found[0].source) == ("revolving door", "bank", "town")
        assert {event.mention for event in events if isinstance(event, Linked)} == {"revolving door", "bank"}
        assert [event.paths for event in events if isinstance(event, Walked)] == [()]

    def test_in_a_chat_the_model_names_candidate_answers(self) -> None:
        asked = question("Where is a revolving door?")
        found, _ = self.find(asked, GraphBase("town", TOWN), replies=("mall; bank",))
        assert any("mall" in (item.subject, item.object) for item in found)

    def test_entities_that_a_question_mentions_are_targets_for_each_other(self) -> None:
        asked = question("How is New York connected to security?")
        found, _ = self.find(asked, GraphBase("town", TOWN), replies=("nothing of it",))
        assert {"new york", "security"} <= {name for item in found for name in (item.subject, item.object)}

    def test_without_the_model_the_question_alone_is_searched(self) -> None:
        asked = question("How is New York connected to security?")
        found, events = self.find(asked, GraphBase("town", TOWN), replies=(ModelUnavailable("The model is away."),))
        assert found
        assert Failed("subgraph", "The model is away.") in events

    def test_the_model_is_asked_once_for_all_graphs(self) -> None:
        bases = GraphBase("town", TOWN), GraphBase("copy", TOWN)
        found, _ = self.find(question("Where is a revolving door?"), *bases, replies=("mall; bank",))
        assert {item.kb for item in found} == {"town", "copy"}

    def test_graphs_share_the_budget(self) -> None:
        asked = question("Where is a revolving door?", "bank", "mall", "library")
        found, _ = self.find(asked, GraphBase("town", TOWN), GraphBase("copy", TOWN))
        assert {item.kb for item in found} == {"town", "copy"}
        assert len(found) <= 16

    @pytest.mark.parametrize("triples", [[], [("bank", "is a", "bank")], [("cat", "is a", "animal")]])
    @pytest.mark.parametrize("choices", [("bank",), ()])
    def test_where_the_graph_has_nothing_of_it_nothing_is_found(
        self, triples: list[tuple[str, str, str]], choices: tuple[str, ...]
    ) -> None:
        """Nor is the model asked for candidate answers, of which there is none in its script."""
        found, events = self.find(question("Where is a revolving door?", *choices), GraphBase("other", triples))
        assert found == []
        assert not any(isinstance(event, Walked) for event in events)

    def test_stop_stops(self) -> None:
        cancel = Signal()
        cancel.set()
        with pytest.raises(Interrupted):
            self.find(question("Where is a door?", "bank"), GraphBase("town", TOWN), cancel=cancel)

    def test_it_is_available_where_there_is_a_graph(self) -> None:
        search = SubgraphSearch(LanguageModel(ScriptedTransport([])), Atlas(WordEmbedder()))
        base: KnowledgeBase = GraphBase("town", TOWN)  # type: ignore[assignment]
        assert search.available([base])
        assert not search.available([])


def test_a_graph_is_indexed_once() -> None:
    atlas, base = Atlas(WordEmbedder()), GraphBase("town", TOWN)
    assert atlas.terrain(base) is atlas.terrain(base)
    assert len(graph_of(TOWN)) == len(base.graph())
