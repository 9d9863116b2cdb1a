"""What is left of the evidence where a doubtful relation led elsewhere."""

import pytest

from assistant.answering.pruning import without_another_end
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.search.evidence import RESULT, with_objects, with_subjects
from assistant.types import Evidence


def left(question, *evidence, follows=0.05):
    """The ids of what is left, and the calls of the model, which takes the end for the question's to that degree."""
    transport = ScriptedTransport({"entailment": [Weights({"yes": follows, "no": 1.0 - follows})]})
    kept = without_another_end(LanguageModel(transport), question, evidence)
    return [item.id for item in kept], transport.requests


@pytest.mark.parametrize(("follows", "kept"), [(0.05, []), (0.5, [1, 2])])
def test_a_result_that_a_doubtful_relation_led_to_is_held_against_its_last_step(follows, kept):
    names = [f"Writer {number}" for number in range(7)]
    came_to = with_objects(Evidence(1, "films", "Vigilante > films > language", RESULT, "", score=0.87), names)
    step = with_objects(Evidence(2, "films", "Supernova", "written by", "", score=0.87), ("Writer 0", "Writer 1"))
    found, (asked,) = left("Which languages are its films in?", came_to, step, follows=follows)
    assert found == kept
    assert asked.purpose == "entailment"
    assert "Supernova" in asked.messages[-1].content
    assert "Vigilante" not in asked.messages[-1].content


def test_what_was_clearly_found_is_held_against_nothing():
    came_to = Evidence(1, "world", "Peru > capital", RESULT, "Lima")
    capital = Evidence(2, "world", "Peru", "capital", "Lima")
    assert left("What is the capital of Peru?", came_to, capital) == ([1, 2], [])


def test_of_two_things_the_one_that_was_clearly_found_stays():
    came_to = Evidence(1, "world", "Moldova > neighbours, web addresses", RESULT, "", score=0.87)
    came_to = with_objects(came_to, ("Ukraine", "373"))
    neighbours = Evidence(2, "world", "Moldova", "neighbour", "Ukraine", score=1.0)
    code = Evidence(3, "world", "Moldova", "calling code", "373", score=0.87)
    assert left("Which neighbour has Moldova, and its web?", came_to, neighbours, code)[0] == [2]


@pytest.mark.parametrize(
    ("result", "question", "kept"),
    [
        ("1927", "How many people fit into the ground of Fen Rovers?", []),
        ("Sallow Park; 1927", "How many people fit into the ground of Fen Rovers?", []),
    ],
)
def test_a_step_to_what_was_not_found_is_left_for_a_question_that_asks_for_it_too(result, question, kept):
    came_to = Evidence(1, "clubs", "Fen Rovers > home ground > capacity", RESULT, result, score=0.87)
    ground = Evidence(2, "clubs", "Fen Rovers", "home ground", "Sallow Park", score=1.0)
    opened = Evidence(3, "clubs", "Sallow Park", "opened", "1927", score=0.87)
    assert left(question, came_to, ground, opened)[0] == kept


def test_no_step_of_a_longer_path_to_what_was_not_found_is_left():
    came_to = Evidence(1, "films", "Heat > director > father > place of birth", RESULT, "1901", score=0.87)
    director = Evidence(2, "films", "Heat", "director", "Michael Mann", score=1.0)
    father = Evidence(3, "films", "Michael Mann", "father", "Jack Mann", score=1.0)
    born = Evidence(4, "films", "Jack Mann", "born", "1901", score=0.87)
    assert left("Where was the father of the director of Heat born?", came_to, director, father, born)[0] == []


def test_what_is_known_of_the_thing_asked_about_stays():
    came_to = Evidence(1, "kb", "Wall > width", RESULT, "3", score=0.87)
    width = Evidence(2, "kb", "Wall", "widened", "3", score=0.87)
    height = Evidence(3, "kb", "Wall", "height", "9 m", score=1.0)
    assert left("Of what height is the Wall?", came_to, width, height)[0] == [3]


def test_of_several_ends_one_that_was_clearly_found_stays():
    came_to = with_objects(
        Evidence(1, "films", "Ann Lee > films > language", RESULT, "", score=0.87), ("French", "Bo Li")
    )
    films = with_objects(Evidence(2, "films", "Ann Lee", "films", "", score=1.0), ("Dawn", "Dusk"))
    french = Evidence(3, "films", "Dusk", "language", "French", score=1.0)
    writer = with_subjects(Evidence(4, "films", "", "written by", "Bo Li", score=0.87), ("Dawn", "Dusk"))
    found, _ = left("Which languages are the films of Ann Lee in?", came_to, films, french, writer)
    assert found == [3]
