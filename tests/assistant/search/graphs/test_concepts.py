"""Which entities of a graph a text names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.knowledge_bases.graph import GraphBuilder
from assistant.search.graphs.concepts import Concepts
from tests.assistant.search.graphs.toys import TOWN, graph_of

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
        ("the old revolving door", "revolving door"),  # the head with what belongs to it
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("中华人民共和国的首都是哪里？", ["中华人民共和国"]),  # seven characters, and one of them 和
        ("和田在哪里？", ["和田"]),  # not 田, though 和 by itself is a function word
        ("水是在哪里的？", ["水"]),  # 的 is an entity, but names nothing by itself
        ("他生活的目的是什么？", ["目的"]),
    ],
)
def test_chinese_names_are_found_whole(text: str, found: list[str]) -> None:
    chinese = Concepts(
        graph_of([("中华人民共和国", "首都", "北京"), ("和田", "属于", "田"), ("水", "是", "的"), ("目的", "是", "目")])
    )
    assert [chinese.graph.names[concept.entities[0]] for concept in chinese.in_text(text, 5)] == found


@pytest.mark.parametrize(("answer", "entity"), [("旧火车站", "火车站"), ("高速列车", "列车"), ("目的", "目的")])
def test_a_chinese_answer_is_headed_by_its_end(answer: str, entity: str) -> None:
    triples = [("火车站", "是", "站"), ("列车", "是", "车"), ("目的", "是", "的")]
    chinese = Concepts(graph_of(triples))
    concept = chinese.of_answer(answer)
    assert concept is not None
    assert chinese.graph.names[concept.entities[0]] == entity


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    CONCEPTS.of_answer(text)
    assert len(CONCEPTS.in_text(text, 3)) <= 3


def test_an_empty_graph_names_nothing() -> None:
    empty = Concepts(graph_of([]))
    assert empty.in_text("Where is a bank?", 5) == []
    assert empty.of_answer("bank") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How is Marie Curie connected to Warsaw?", ["Warsaw"]),  # she is not there, and none of the Mari
        ("Did marie live in Warsaw?", ["Mari", "Warsaw"]),
        ("Who climbed Mount Everest in Poland?", ["Everest", "Poland"]),
        ("Is Everest higher than Poland?", ["Everest", "Poland"]),  # "than" names nothing
        ("MARIES AND WARSAW", ["Mari", "Warsaw"]),  # no case to go by
        ("Where do Arctic Maris live? Poland. Warsaw.", ["Mari", "Poland", "Warsaw"]),  # a plural
        ("Who was Thomas More of Pola\u0301nd?", ["Thomas More", "Poland"]),
        ("Who was Thomas? There are many more.", ["Thomas"]),
    ],
)
def test_a_part_of_a_proper_name_is_what_is_spelled_just_so(text: str, found: list[str]) -> None:
    triples = [("Mari", "in", "Russia"), ("Warsaw", "in", "Poland"), ("Everest", "than", "Than")]
    triples += [("Thomas", "is a", "name"), ("Thomas More", "in", "England"), ("more", "many", "there")]
    concepts = Concepts(graph_of(triples))
    assert [concepts.graph.names[concept.entities[0]] for concept in concepts.in_text(text, 5)] == found


def test_what_is_spelled_like_the_text_goes_before_what_only_has_its_stem() -> None:
    concepts = Concepts(
        graph_of([("university", "is a", "school"), ("school", "in", "town"), ("universe", "has", "star")])
    )
    assert [concepts.graph.names[e] for e in concepts.called(["universe"])] == ["universe"]
    assert [concepts.graph.names[e] for e in concepts.called(["universes"])] == ["university", "universe"]


def test_irregular_forms_name_what_they_are_forms_of() -> None:
    concepts = Concepts(graph_of([("child", "capable of", "buy toy"), ("tooth", "part of", "mouth")]))
    found = concepts.in_text("The children bought toys and lost teeth.", 5)
    assert [concepts.graph.names[concept.entities[0]] for concept in found] == ["child", "buy toy", "tooth"]


def test_a_phrase_is_told_as_the_text_has_it() -> None:
    concepts = Concepts(graph_of([("居里夫人", "出生于", "华沙"), ("New York", "has", "bank")]))
    assert [concept.phrase for concept in concepts.in_text("居里夫人去过New York吗？", 5)] == ["居里夫人", "New York"]


def test_i_is_whoever_is_called_so_and_by_another_word_for_the_user() -> None:
    triples = [("The user", "lives in", "Oslo"), ("iodine", "is a", "element")]
    builder = GraphBuilder()
    for triple in triples:
        builder.add(*triple)
    aliases = [("The user", "I"), ("The user", "me"), ("The user", "my"), ("iodine", "I")]
    concepts = Concepts(builder.build(builder.entities, builder.relations, aliases))
    assert concepts.in_text("Am I in Oslo?", 5) == concepts.in_text("I, Oslo", 5)
    found = concepts.in_text("How am I connected to Oslo?", 5)
    assert [[concepts.graph.names[e] for e in concept.entities] for concept in found] == [["The user"], ["Oslo"]]
    assert Concepts(graph_of([("I", "is a", "letter")])).in_text("What do I need?", 5) == []
    assert concepts.in_text("When was Elizabeth I born, and what is iodine (I)?", 5) == concepts.in_text("iodine", 5)
    assert concepts.in_text("Which user interface is best?", 5) == []
