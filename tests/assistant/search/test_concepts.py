"""Which entities of a graph a text names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.search.concepts import Concepts
from tests.assistant.search.graphs import TOWN, graph_of

CONCEPTS = Concepts(graph_of(TOWN))


def names(entities: tuple[int, ...]) -> list[str]:
    return [CONCEPTS.graph.names[entity] for entity in entities]


def in_text(text: str, most: int = 9) -> list[str]:
    return [name for concept in CONCEPTS.in_text(text, most) for name in names(concept.entities)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Where are revolving doors used?", ["revolving door"]),  # not "door", which is shorter
        ("Is the BANK in New York?", ["bank", "new york"]),
        ("We met in libraries.", ["library"]),
        ("reading of books", ["reading books"]),
        ("Is there a shop?", ["your shop"]),
        ("nothing of it", []),
        ("", []),
    ],
)
def test_the_longest_name_at_each_place_is_found_whatever_its_form(text: str, found: list[str]) -> None:
    assert in_text(text) == found


def test_of_many_the_least_connected_ones_stay_in_their_order() -> None:
    assert in_text("Which building is a bank, not a house?", 2) == ["building", "house"]


@pytest.mark.parametrize(
    ("answer", "entity"),
    [
        ("a bank", "bank"),
        ("the old bank", "bank"),  # its head noun
        ("bank of England", "bank"),  # the head stands before "of"
        ("houses everywhere", "house"),  # what there is of it
    ],
)
def test_an_answer_is_its_entity_or_that_of_its_head(answer: str, entity: str) -> None:
    concept = CONCEPTS.of_answer(answer)
    assert concept is not None
    assert names(concept.entities)[0] == entity
    assert concept.phrase == answer


@pytest.mark.parametrize("answer", ["", "xylophone", "of the", "🦄 ☃"])
def test_an_answer_that_names_nothing_has_no_entity(answer: str) -> None:
    assert CONCEPTS.of_answer(answer) is None


def test_other_scripts_are_compared_character_by_character() -> None:
    concepts = Concepts(graph_of([("内罗毕", "首都", "肯尼亚"), ("São Paulo", "in", "Brasil")]))
    (kenya,) = concepts.in_text("肯尼亚的首都是哪里？", 5)
    assert concepts.graph.names[kenya.entities[0]] == "肯尼亚"
    assert len(concepts.in_text("Where is Sao Paulo?", 5)) == 1


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    CONCEPTS.of_answer(text)
    assert len(CONCEPTS.in_text(text, 3)) <= 3


def test_an_empty_graph_names_nothing() -> None:
    empty = Concepts(graph_of([]))
    assert empty.in_text("Where is a bank?", 5) == []
    assert empty.of_answer("bank") is None
