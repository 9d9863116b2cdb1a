"""The scores that single rows of `routing` and `world` get."""

from typing import Any

import pytest

from assistant.types import Answered, Evidence
from tests.benchmarks import routing, world


def _label(route: str, **more: Any) -> dict[str, Any]:
    return {"route": route, "language": "en", **more}


@pytest.mark.parametrize(
    ("wanted", "route", "errors"),
    [
        ("search", "search", {"missed_search": 0, "wrong_remember": 0}),
        ("search", "answer", {"missed_search": 1, "wrong_remember": 0}),
        ("search", "search+remember", {"missed_search": 0, "wrong_remember": 1}),
        ("answer", "search", {"needless_search": 1, "wrong_remember": 0}),
        ("answer", "remember", {"needless_search": 0, "wrong_remember": 1}),
        ("remember", "search+remember", {"needless_search": 1, "missed_remember": 0}),
        ("search+remember", "remember", {"missed_search": 1, "missed_remember": 0}),
        ("search+remember", "search", {"missed_search": 0, "missed_remember": 1}),
    ],
)
def test_an_error_is_named_by_what_it_costs(wanted: str, route: str, errors: dict[str, float]) -> None:
    right = float(wanted == route)
    assert routing.judge(_label(wanted), route, "") == {"right": right, "right_en": right, **errors}


def test_what_is_asked_of_the_memory_is_right_with_its_kind() -> None:
    label = _label("answer", kind="forget")
    assert routing.judge(label, "answer", "", "forget")["right_forget"] == 1
    assert routing.judge(label, "answer", "", "chat")["right_forget"] == 0


def test_a_rewritten_question_needs_its_terms_and_only_those() -> None:
    label = _label("search", must_contain=[["Benin"], ["capital"]], must_not_contain=["Burkina"])
    assert routing.judge(label, "search", "What is the capital of Benin?")["rewritten"] == 1
    assert routing.judge(label, "search", "What about Benin?")["rewritten"] == 0
    assert routing.judge(label, "search", "Is Benin's capital larger than Burkina Faso's?")["rewritten"] == 0


def _reply(answer: str, *objects: str, declined: bool = False) -> Answered:
    evidence = tuple(Evidence(n, "world", "Austria", "neighbour", o) for n, o in enumerate(objects, start=1))
    return Answered(answer, "search", "", evidence, declined=declined)


QUESTION = {
    "language": "en",
    "kind": "filter",
    "named": False,
    "answers": [["Germany"], ["Czechia", "Czech Republic"]],
    "wrong": ["Hungary"],
}


@pytest.mark.parametrize(
    ("reply", "answered", "evidenced"),
    [
        (_reply("Germany [1] and Czechia [2].", "Germany", "Czechia"), 1, 1),
        (_reply("Germany and the Czech Republic.", "Germany"), 1, 0),
        (_reply("Germany [1].", "Germany", "Czechia"), 0, 0),
        (_reply("Germany, Czechia and Hungary.", "Germany", "Czechia", "Hungary"), 0, 0),
        (_reply("I found Germany and Czechia, but not the answer.", "Germany", "Czechia", declined=True), 0, 0),
    ],
)
def test_an_answer_has_all_parts_and_no_wrong_one(reply: Answered, answered: float, evidenced: float) -> None:
    scores = world.judge(QUESTION, reply)
    assert (scores["answered"], scores["evidenced"]) == (answered, evidenced)
    assert scores["answered_filter"] == answered
    assert scores["declined_en"] == reply.declined
    assert "named" not in scores


def test_a_count_rests_on_what_was_counted() -> None:
    counted = QUESTION | {"kind": "counting", "answers": [["2", "two"]], "wrong": [], "named": True}
    counted["evidence"] = [["Germany"], ["Czechia"]]
    assert world.judge(counted, _reply("Two [1][2].", "Germany", "Czechia"))["named"] == 1
    assert world.judge(counted, _reply("Two [1].", "2"))["named"] == 0
