"""Events to messages: what is shown, what is folded, what is safe."""

import json

import gradio as gr
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.turns.kept_events import from_details, to_details
from assistant.types import (
    Answered,
    Entity,
    Event,
    Failed,
    Forgot,
    Found,
    Linked,
    Planned,
    ProgramRan,
    ProgramWritten,
    Routed,
    Token,
)
from tests.ui.samples import EVIDENCE, RUN, read
from ui.render import TurnView

TURN: list[Event] = [
    Routed("search", "What is the currency of Kenya?", 0.5),
    Planned("program", "triples", ("personal", "world")),
    ProgramWritten("answer = 1", 1, 2.0),
    Linked("world", "Kenya", (Entity("world", "1", "Kenya", (), "a country"),)),
    ProgramRan(RUN),
    Found(EVIDENCE, 2.5),
    Token("The Kenyan "),
    Token("shilling [1]."),
    Answered("The Kenyan shilling [1].", "search", "What is the currency of Kenya?", EVIDENCE, grounded=True),
]


def view(events: list[Event]) -> TurnView:
    shown = TurnView("3")
    for event in events:
        shown.add(event)
    return shown


def text_of(message: gr.ChatMessage) -> str:
    """The HTML of a footer, the text of any other message."""
    if isinstance(message.content, gr.HTML):
        return str(message.content.value)
    return read(str(message.content))


def test_a_turn_is_one_folded_parent_its_steps_the_answer_and_its_sources() -> None:
    parent, *rest = view(TURN).messages()
    *steps, answer, footer = rest
    assert parent.metadata["status"] == "done"
    assert parent.metadata["title"] == "6 steps"
    assert [s.metadata["parent_id"] for s in steps] == [parent.metadata["id"]] * 6
    assert {s.metadata["status"] for s in steps} == {"done"}
    assert text_of(answer) == "The Kenyan shilling 1."
    assert 'href="#e-3-1" title="Source 1: Kenya currency"' in answer.content
    assert 'id="e-3-1"' in text_of(footer)
    assert "1 source" in text_of(footer)


def test_while_a_turn_runs_its_parent_is_open_and_says_what_happens() -> None:
    for i, now in enumerate(("Thinking …", "Needs to look something up", "Asks your memory and built-in knowledge")):
        parent, *before = view(TURN[:i]).messages()
        assert parent.metadata["status"] == "pending"
        assert read(parent.metadata["title"]) == now
        assert now not in [read(step.metadata["title"]) for step in before]  # nothing is said twice
    assert view(TURN[:7]).messages()[0].metadata["status"] == "done"  # the answer is coming


def test_a_failure_without_an_answer_is_the_answer_and_one_beside_it_is_a_notice() -> None:
    alone = view([Failed("answer", "The model is asleep."), Answered("", "search", "q")]).messages()
    assert text_of(alone[-2]) == "The model is asleep."
    assert "lk-notice" not in text_of(alone[-1])
    failure = Failed("wikipedia", "Wikipedia <b>sleeps</b>.")
    beside = view([failure, failure, Answered("Yes.", "search", "q")]).messages()
    assert text_of(beside[-2]) == "Yes."
    assert text_of(beside[-1]).count("Wikipedia &lt;b&gt;sleeps") == 1


def test_a_stopped_turn_says_so_and_only_an_answer_is_accounted_for() -> None:
    half = text_of(view([Token("Half"), Answered("Half", "answer", "q", stopped=True)]).messages()[-1])
    (nothing,) = map(text_of, view([Answered("", "answer", "q", stopped=True)]).messages())
    assert "Stopped." in half
    assert "Stopped." in nothing
    assert "Why this answer" in half
    assert "Why this answer" not in nothing


@settings(max_examples=60)
@given(st.lists(st.from_type(Event)))
def test_what_a_session_keeps_gives_the_same_page_again(events: list[Event]) -> None:
    kept = json.dumps(to_details(events))
    again = from_details(json.loads(kept))
    assert [type(e) for e in again] == [
        type(e) for e in events if not (isinstance(e, Token | Forgot) or (isinstance(e, Failed) and e.lasting))
    ]
    assert json.dumps(to_details(again)) == kept


def test_the_question_that_asked_to_forget_is_not_kept() -> None:
    asked = "Forget that Anna works as a nurse."
    turn = [
        Routed("remember", asked, 0.1),
        Forgot(("Anna – works as: nurse",), "u1"),
        Answered("Done.", "remember", asked),
    ]
    assert "nurse" not in json.dumps(to_details(turn))
    assert asked in json.dumps(to_details([turn[0], turn[2]]))


def test_what_an_earlier_version_kept_of_evidence_opens() -> None:
    """It said with a number how like the asked relation was to the one found."""
    kept = to_details([Answered("Lima [1].", "search", "Where?", EVIDENCE)])
    rows = json.loads(json.dumps(kept))
    for one in rows["events"][0]["evidence"]:
        one["score"] = 0.9
        del one["certainty"]
    (again,) = from_details(rows)
    assert isinstance(again, Answered)
    assert [one.text for one in again.evidence] == [one.text for one in EVIDENCE]


def test_details_of_another_version_are_left_out() -> None:
    details = to_details(TURN)
    rows = details["events"]
    assert isinstance(rows, list)
    rows += [{"kind": "Danced"}, {"kind": "Routed", "route": "waltz"}]
    assert from_details(details) == from_details(to_details(TURN))
    assert from_details({}) == []
