"""Multiple-choice questions as turns: no routing, evidence in the prompt, and the likeliest letter's option."""

from datetime import datetime

import pytest

from assistant import prompting
from assistant.answering.multiple_choice import weigh
from assistant.errors import UserMistake
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.types import Answered, Evidence, Planned, Turn

CHOICES = ("freezer", "oven", "library")


class Finding:
    """A strategy that finds ice in a freezer."""

    name = "program"

    def __init__(self, found=True):
        self._found = found

    def available(self, knowledge_bases):
        return True

    def find(self, turn, knowledge_bases, emit, cancel):
        assert turn.choices == CHOICES
        return [Evidence(1, "conceptnet", "ice", "at location", "freezer")] if self._found else []


def turn(**fields):
    return Turn("Where is ice kept?", "me", "s", datetime(2026, 1, 5, 12), **{"choices": CHOICES, **fields})


def test_the_likeliest_letter_is_the_answer():
    model = LanguageModel(ScriptedTransport([Weights({"C": 0.2, "A": 0.6, "The": 0.2})]))
    assert weigh(model, "Where is ice kept?", CHOICES, "") == pytest.approx([0.75, 0, 0.25])


@pytest.mark.parametrize(("alone", "likeliest"), [({"A": 0.4, "B": 0.6}, 0), ({"B": 1.0}, 1)])
def test_knowledge_tips_a_balance_and_does_not_overrule(alone, likeliest):
    model = LanguageModel(ScriptedTransport([Weights(alone), Weights({"A": 1.0})]))
    weights = weigh(model, "Where is ice kept?", CHOICES, "[1] ice | at location | freezer")
    assert sum(weights) == pytest.approx(1)
    assert weights.index(max(weights)) == likeliest


def test_with_knowledge_the_prompt_goes_on_from_the_one_without_so_that_a_server_reads_the_question_once():
    model = LanguageModel(ScriptedTransport([Weights({"B": 1.0}), Weights({"B": 1.0})]))
    weigh(model, "Where is ice kept?", CHOICES, "[1] ice | at location | freezer")
    without, with_ = (request.messages for request in model.transport.requests)
    assert without[-1].content == "Question: Where is ice kept?\nA. freezer\nB. oven\nC. library"
    assert with_[-1].content == without[-1].content + "\n\nKnowledge:\n[1] ice | at location | freezer"
    assert with_[:-1] == without[:-1]


def test_the_examples_of_the_prompt_favour_no_letter():
    head = prompting.load("choose").head
    answers = [message.content for message in head if message.role == "assistant"]
    assert sorted(answers) == ["A", "B", "C", "D", "E"]
    for asked, answer in zip(head[1::2], answers, strict=True):
        assert f"\n{answer}. " in asked.content


@pytest.mark.parametrize("found", [True, False])
def test_a_turn_with_choices(composed, monkeypatch, found):
    assistant = composed({"choose": [Weights({"B": 0.7, "A": 0.3})] * (1 + found)})
    monkeypatch.setitem(assistant.searching._strategies, "program", lambda model: Finding(found))
    events = list(assistant.reply(turn(format="sentences")))
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert (answered.answer, answered.route, answered.strategy) == ("oven", "search", "program")
    assert answered.usage.calls == 1 + found
    assert sum(isinstance(event, Planned) for event in events) == 1
    prompt = assistant.model.transport.requests[-1].messages[-1].content
    assert ("ice is found at freezer." in prompt) == found


@pytest.mark.parametrize("choices", [("one",), tuple(str(number) for number in range(27))])
def test_options_that_cannot_be_told_apart_are_refused(composed, choices):
    with pytest.raises(UserMistake, match="2 to 26 options"):
        list(composed([]).reply(turn(choices=choices)))
