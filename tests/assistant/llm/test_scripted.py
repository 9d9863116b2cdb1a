import threading
from itertools import islice

import pydantic
import pytest

from assistant.errors import Interrupted, ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.types import Message

QUESTION = [Message("user", "How many moons has Mars?")]


class Count(pydantic.BaseModel):
    moons: int


def test_a_list_is_used_up_in_order_and_the_requests_are_kept() -> None:
    script = ScriptedTransport(["two", "three"])
    model = LanguageModel(script)
    assert [model.complete(QUESTION, purpose="a"), model.complete(QUESTION, purpose="b")] == ["two", "three"]
    assert [request.purpose for request in script.requests] == ["a", "b"]
    assert script.requests[0].messages == tuple(QUESTION)
    with pytest.raises(AssertionError, match="'c'"):
        model.complete(QUESTION, purpose="c")


def test_a_mapping_keeps_a_list_for_each_purpose() -> None:
    model = LanguageModel(ScriptedTransport({"a": ["1", "2"], "b": ["3"]}))
    assert [model.complete(QUESTION, purpose=p) for p in "aba"] == ["1", "3", "2"]


def test_objects_dicts_functions_and_exceptions_are_replies() -> None:
    model = LanguageModel(
        ScriptedTransport(
            [Count(moons=2), {"moons": 3}, lambda request: request.messages[0].content, ModelUnavailable("down")]
        )
    )
    assert model.parse(QUESTION, Count, purpose="a").moons == 2
    assert model.parse(QUESTION, Count, purpose="a").moons == 3
    assert model.complete(QUESTION, purpose="a") == "How many moons has Mars?"
    with pytest.raises(ModelUnavailable, match="down"):
        model.complete(QUESTION, purpose="a")


def test_the_last_reply_repeats_where_asked() -> None:
    model = LanguageModel(ScriptedTransport(["first", "again"], repeat=True))
    assert [model.complete(QUESTION, purpose="a") for _ in range(3)] == ["first", "again", "again"]


def test_a_reply_streams_by_words_and_can_be_stopped() -> None:
    stop = threading.Event()
    with LanguageModel(ScriptedTransport(["two moons of Mars"])).for_turn(stop.is_set) as turn:
        words = turn.stream(QUESTION, purpose="a")
        assert list(islice(words, 2)) == ["two", " moons"]
        stop.set()
        with pytest.raises(Interrupted):
            next(words)


def test_words_are_counted_as_tokens() -> None:
    model = LanguageModel(ScriptedTransport(["two moons"]))
    model.complete(QUESTION, purpose="a")
    assert (model.usage.total.prompt_tokens, model.usage.total.completion_tokens) == (5, 2)


def test_the_probabilities_of_a_token_are_a_reply() -> None:
    model = LanguageModel(ScriptedTransport([Weights({"A": 0.1, "B": 0.3}), lambda _: Weights({"A": 1.0})]))
    assert model.weigh(QUESTION, ["A", "B"], purpose="a") == pytest.approx([0.25, 0.75])
    assert model.weigh(QUESTION, ["A", "B"], purpose="a") == [1, 0]
    assert model.usage.total.completion_tokens == 2
