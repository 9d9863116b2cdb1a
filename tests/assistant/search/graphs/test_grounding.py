"""From a question to entities of a graph, by their names and by what words mean."""

import pytest

from assistant.embedding import load_embedder
from assistant.search.graphs.checkpoint import SHIPPED, load
from assistant.search.graphs.grounding import Grounded, ground
from assistant.search.graphs.space import Basis, Space
from assistant.search.graphs.terrain import Terrain
from memory.types import Embedder
from tests.assistant.search.graphs.toys import TOWN, graph_of, question

GARAGE = [("automobile", "has a", "key"), ("key", "at location", "drawer"), ("sea", "has a", "whale"), *TOWN]


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """The embedded model."""
    return load_embedder("", tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def terrain(embedder: Embedder) -> Terrain:
    """A terrain in the trained space."""
    return Terrain.of(graph_of(GARAGE), Space(embedder, load(SHIPPED).basis))


def grounded(terrain: Terrain, text: str, *choices: str) -> Grounded:
    return ground(terrain, question(text, *choices), lambda: choices)


def named(terrain: Terrain, found: Grounded) -> list[tuple[str, str]]:
    return [(source.phrase, terrain.graph.names[entity]) for source in found.sources for entity in source.entities]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("What belongs to my vehicle?", [("vehicle", "automobile")]),
        ("Which animals live in the ocean?", [("ocean", "sea")]),
        ("Which key is in the ocean?", [("key", "key")]),  # what is named goes before what is alike
        ("What is the capital of France?", []),
        ("When does Anna get her certificate from the dentist?", []),
        ("What is it?", []),
        ("它是什么？", []),
        ("", []),
    ],
)
def test_what_a_question_does_not_name_is_found_by_meaning_if_it_is_near_enough(
    terrain: Terrain, text: str, sources: list[tuple[str, str]]
) -> None:
    assert named(terrain, grounded(terrain, text, "drawer")) == sources


def test_in_a_space_without_training_not_just_anything_is_near_enough(embedder: Embedder, terrain: Terrain) -> None:
    """With the embedded model as one that nothing was trained for: any two words have a cosine of 0.8."""
    untrained = Terrain.of(terrain.graph, Space(embedder, Basis.untrained(embedder)))
    untrained.space.learn(untrained.concepts.spellings)
    assert grounded(untrained, "What is the capital of France?", "drawer").sources == ()


def test_an_answer_is_found_by_meaning_as_well(terrain: Terrain) -> None:
    found = grounded(terrain, "What has a key?", "vehicle", "philosophy")
    (target,) = found.targets
    assert [terrain.graph.names[entity] for entity in target.entities] == ["automobile"]
    assert found.searchable


def test_a_question_of_very_many_words_is_compared_by_its_first(terrain: Terrain) -> None:
    text = " ".join(f"word{number}" for number in range(30)) + " vehicle"
    assert grounded(terrain, text, "key").sources == ()
