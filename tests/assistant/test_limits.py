"""A turn has a limit of time and of text, and what it has come to by then is said."""

import threading
import time
from datetime import datetime

import pytest

from assistant.answering.pieces import joined
from assistant.errors import ModelTooSlow
from assistant.llm.limits import TurnLimits
from assistant.llm.scripted import Cut, Weights
from assistant.types import Answered, Evidence, Failed, Found, Message, Planned, Token, Turn

LONG = 60.0  # seconds; only tells an end from a hang


def turn(text, **fields):
    return Turn(text, "me", "s", datetime(2026, 1, 5, 12), **fields)


def played(assistant, *args):
    *events, last = assistant.reply(*args)
    assert isinstance(last, Answered)
    return last, events, [event.message for event in events if isinstance(event, Failed)]


def hangs(request):
    """A reply that never comes; the scripted model looks at its stop signal only before each word."""
    time.sleep(0.5)
    return "word " * 10_000


def test_a_turn_that_takes_too_long_ends_with_one_line_and_what_there_is(composed):
    counting = " ".join(map(str, range(10**6)))
    assistant = composed({"understand": ["en chat"] * 2, "answer": ["Good morning!", counting]})
    played(assistant, turn("Good morning."))  # what the first turn loads takes a while
    assistant.model.transport._delay_seconds = 0.01
    assistant.limits = TurnLimits(seconds=5.0, model_seconds=60.0)
    began = time.monotonic()
    answered, _, failed = played(assistant, turn("Count for me."))
    assert time.monotonic() - began < LONG
    assert failed == [assistant.limits.out_of_time]
    assert answered.answer.startswith("0 1 2")
    assert (answered.cut, answered.stopped) == (True, False)


def test_where_the_models_time_is_over_the_rest_of_the_turn_goes_on(composed):
    assistant = composed({"understand": ["en remember"], "extract": [hangs] * 3})
    assistant.limits = TurnLimits(seconds=LONG, model_seconds=0.3)
    answered, _, failed = played(assistant, turn("My locker is number 48-B."))
    assert len(failed) == 1 and "time" in failed[0]
    assert answered.answer
    assert assistant.memory.of("me").recall("locker number")[0].text == "My locker is number 48-B."


def test_a_model_that_was_too_slow_is_not_waited_for_again_in_the_turn(composed):
    slow = ModelTooSlow("The model is too slow.")
    assistant = composed({purpose: [slow] for purpose in ("program", "answer", "link", "relation", "entailment")})
    assistant.memory.of("me").add_document("notes.md", b"My locker is number 48-B.")
    answered, _, failed = played(assistant, turn("What is the number of my locker?"))
    assert "48-B" in answered.answer
    assert set(failed) == {"The model is too slow."}
    assert len(assistant.model.transport.requests) == 2


def test_a_turn_after_a_slow_one_asks_the_model_again(composed):
    assistant = composed({"understand": [ModelTooSlow("Slow."), "en chat"], "answer": ["Hello!"]})
    played(assistant, turn("Good morning."))
    assert played(assistant, turn("Good morning."))[0].answer == "Hello!"


def test_an_answer_that_is_too_long_ends_at_its_limit(composed):
    assistant = composed(["en chat", Weights({"no": 1.0}), " ".join(map(str, range(3_000)))])
    assistant.limits = TurnLimits(characters=1_000)
    answered, _, failed = played(assistant, turn("Count for me."))
    assert len(answered.answer) == 1_000
    assert answered.cut
    assert failed == [assistant.limits.too_long]


def test_stop_is_no_limit(composed):
    cancel = threading.Event()

    def stopping(request):
        cancel.set()
        return "never shown"

    answered, _, failed = played(composed(["en chat", Weights({"no": 1.0}), stopping]), turn("hi"), cancel)
    assert (answered.stopped, answered.cut, failed) == (True, False, [])


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_answer_without_a_word_is_a_failure_and_not_that_nothing_was_found(composed, text):
    spoken, _, failed = played(composed(["en chat", Weights({"no": 1.0}), text]), turn("Good morning."))
    assert spoken.answer.strip() == "" and "without a word" in failed[0]
    assistant = composed({"program": [text] * 5, "answer": [text] * 5, "relation": [Weights({"N": 1.0})] * 9})
    looked, _, failed = played(assistant, turn("What is the number of my locker?"))
    assert failed and "found" not in looked.answer


def test_an_answer_that_the_server_cut_says_so_and_can_be_continued(composed):
    assistant = composed(["en chat", Weights({"no": 1.0}), Cut("Roses are red, violets are blu")])
    first, _, failed = played(assistant, turn("Say a poem."))
    assert (first.answer, first.cut, first.stopped, failed) == ("Roses are red, violets are blu", True, False, [])
    assistant = composed(["Roses are red, violets are blue, and so are you."])
    events = list(assistant.reply(turn("Say a poem.", continues=first.answer)))
    answered = events[-1]
    assert "".join(event.text for event in events if isinstance(event, Token)) == "e, and so are you."
    assert (answered.answer, answered.cut) == ("Roses are red, violets are blue, and so are you.", False)
    [request] = assistant.model.transport.requests
    assert [message.content for message in request.messages[-3:-1]] == [
        request.messages[-3].content,
        "Roses are red, violets are blu",
    ]
    assert "Say a poem." in request.messages[-3].content


def test_a_continued_answer_goes_on_from_the_same_evidence_without_another_search(composed):
    evidence = (
        Evidence(1, "personal", "lease.pdf", "passage", "", text="The rent is due on the third of each month."),
    )
    assistant = composed({"answer": ["rent is due on the third of each month [1]."]})
    before = "Every month the rent is due"
    asked = turn("and when?", question="When is the rent due?", continues=before, evidence=evidence)
    *events, answered = assistant.reply(asked)
    assert not any(isinstance(event, Planned | Found) for event in events)
    assert answered.answer == "Every month the rent is due on the third of each month [1]."
    assert answered.evidence == evidence
    assert (answered.route, answered.question) == ("search", "When is the rent due?")
    assert answered.grounded
    request, judged = assistant.model.transport.requests
    assert "The rent is due on the third" in request.messages[-3].content
    assert answered.answer.removesuffix(" [1].") in judged.messages[-1].content


def test_what_is_continued_may_be_cut_again_or_fail_and_keeps_what_there_was(composed):
    cut = played(composed([Cut("Three, four, fi")]), turn("Count.", continues="One, two,"))[0]
    assert (cut.answer, cut.cut) == ("One, two,Three, four, fi", True)
    answered, _, failed = played(composed([ModelTooSlow("Slow.")]), turn("Count.", continues="One, two,"))
    assert (answered.answer, answered.cut, failed) == ("One, two,", True, ["Slow."])


def test_history_goes_before_what_is_continued(composed):
    assistant = composed(["five."])
    played(assistant, turn("Go on.", continues="Four,", history=(Message("user", "Count, please."),)))
    contents = [message.content for message in assistant.model.transport.requests[0].messages]
    assert contents.index("Count, please.") < contents.index("Four,")


@pytest.mark.parametrize(
    ("before", "further", "whole"),
    [
        ("The capital of Pe", "The capital of Peru is Lima.", "The capital of Peru is Lima."),
        ("The capital of Peru", "Certainly: the capital of Peru is Lima.", "The capital of Peru is Lima."),
        ("The capital of Peru is", "Lima.", "The capital of Peru is Lima."),
        ("The capital of Peru is ", "the capital of Peru is Lima.", "The capital of Peru is Lima."),
        ("The capital of Peru is ", "Lima.", "The capital of Peru is Lima."),
        ("The capital of Peru", " is Lima.", "The capital of Peru is Lima."),
        ("秘鲁的首都是利", "马。", "秘鲁的首都是利马。"),
        ("秘鲁的首都是利", "秘鲁的首都是利马。", "秘鲁的首都是利马。"),
        ("It is a", "and so on", "It is a and so on"),
        ("x", "", "x"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_two_parts_of_an_answer_join(before, further, whole, size):
    pieces = iter([further[start : start + size] for start in range(0, len(further), size)])
    assert before + "".join(joined(before, pieces)) == whole
