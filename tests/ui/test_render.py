"""Events to messages: what is shown, what is folded, what is safe."""

import json

import gradio as gr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.types import (
    Answered,
    Call,
    Entity,
    Event,
    Evidence,
    Failed,
    Found,
    Linked,
    Planned,
    ProgramRan,
    ProgramRun,
    ProgramWritten,
    QueryRan,
    Remembered,
    Routed,
    Token,
    Triple,
    Walked,
)
from ui.render import TurnView, as_typed, safe_markdown, step
from ui.transcript import from_details, to_details
from ui.why import planned, why_html

EVIDENCE = (Evidence(1, "world", "Kenya", "currency", "Kenyan shilling", source="GeoNames"),)
RUN = ProgramRun("world", "answer = 1", (Call("find_entity_or_value", ("'Kenya'",), "Found it.", ("x",)),), ("x",))
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


def test_why_says_how_each_search_was_chosen_in_words_of_every_day() -> None:
    tried = Planned("paths", "sentences", ("world",), "bandit", 0.62, 0.25)
    guessed = Planned("sparql", "triples", ("world",), "bandit", 0.3, 0.99)
    answered = Answered("Lima.", "search", "?", plans=(tried, Planned("program", "sentences", ("world",), "fallback")))
    shown = why_html(answered, "1")
    assert "Along chains of facts; what it finds is read as sentences. By the thumbs so far, 62 of 100" in shown
    assert "should please, give or take 25." in shown
    assert "30 of 100 such answers should please; a first guess until more answers are rated." in planned(guessed)
    assert "With a search program; what it finds is read as sentences. Tried since the first way found" in shown


def test_the_program_of_an_answer_can_be_edited_and_its_query_read() -> None:
    program = why_html(Answered("Lima.", "search", "?", program="x = 1\n</textarea><b>"), "7")
    assert 'data-turn="7"' in program
    assert "x = 1\n&lt;/textarea&gt;&lt;b&gt;</textarea>" in program
    query = why_html(Answered("Lima.", "search", "?", query="SELECT ?x"), "7")
    assert "SELECT ?x" in query
    assert "textarea" not in query


def test_a_walk_shows_its_paths_and_what_none_leads_to() -> None:
    there = (Triple("door", "at location", "bank"), Triple("bank", "is a", "building"))
    back = (Triple("bank", "has a", "door"), Triple("bank", "is a", "building"))
    shown = step(Walked("town", (there, back), ("unicorn",), 0.1))
    assert shown is not None
    assert shown.title == "Followed links in town: 2 chains of facts"
    assert "- door → at location → bank → is a → building\n" in shown.content
    assert "- door ← has a ← bank → is a → building\n" in shown.content
    assert "Nothing leads to unicorn" in shown.content
    around = step(Walked("town", (), (), 0.1))
    assert around is not None
    assert around.content == ""


def test_a_query_shows_its_examples_and_a_result_that_was_cut() -> None:
    rows = tuple((f"town {i}", "Peru") for i in range(50))
    remark = "Only the first 10,000 rows were read."
    shown = step(QueryRan("wikidata", "SELECT", rows, remark, 0.1, ("Towns of Chile?",)))
    assert shown is not None
    assert shown.title == "Queried Wikidata: more rows than can be read"
    assert "- Towns of Chile?" in shown.content
    assert "- town 0 · Peru" in shown.content
    assert "town 49" not in shown.content
    assert "… and more." in shown.content
    assert remark in shown.content


def text_of(message: gr.ChatMessage) -> str:
    return message.content.value if isinstance(message.content, gr.HTML) else str(message.content)


def test_a_turn_is_one_folded_parent_its_steps_the_answer_and_its_sources() -> None:
    parent, *rest = view(TURN).messages()
    *steps, answer, footer = rest
    assert parent.metadata["status"] == "done"
    assert parent.metadata["title"] == "6 steps"
    assert [s.metadata["parent_id"] for s in steps] == [parent.metadata["id"]] * 6
    assert {s.metadata["status"] for s in steps} == {"done"}
    assert answer.content == 'The Kenyan shilling [1](#e-3-1 "Source 1: Kenya currency").'
    assert 'id="e-3-1"' in text_of(footer)
    assert "1 source" in text_of(footer)


def test_while_a_turn_runs_its_parent_is_open_and_says_what_happens() -> None:
    parent, *_ = view(TURN[:3]).messages()
    assert parent.metadata["status"] == "pending"
    assert parent.metadata["title"] == "Wrote a search program"
    assert view(TURN[:7]).messages()[0].metadata["status"] == "done"  # the answer is coming


@pytest.mark.parametrize(
    ("event", "title", "content"),
    [
        (Planned("program", "triples", ("personal",)), "Asks your memory", "program"),
        (
            Planned("program", "triples", ("personal",), "fallback"),
            "Found nothing that way: asks your memory",
            "program",
        ),
        (ProgramWritten("x = 1", 2, 0.1), "Wrote a better program (round 2)", "x = 1"),
        (ProgramRan(RUN), "Ran it on built-in knowledge: 1 value", "Found it."),
        (ProgramRan(ProgramRun("w", "x", error="NameError: y")), "Ran it on w: broke off", "NameError: y"),
        (ProgramRan(ProgramRun("w", "x")), "Ran it on w: found nothing", ""),
        (QueryRan("w", "SELECT", (("a", "b"),), "", 0.1), "Queried w: 1 row", "a · b"),
        (QueryRan("w", "SELECT", (), "", 0.1), "Queried w: found nothing", "SELECT"),
        (QueryRan("w", "SELEC", (), "That is no query.", 0.1), "Queried w: broke off", "That is no query."),
        (Linked("w", "Kenya", ()), "“Kenya” is not known in w", ""),
        (Linked("w", "Kenya", (Entity("w", "1", "Kenya"),)), "Found “Kenya” in w", "Kenya"),
        (Linked("w", "KE", (Entity("w", "1", "Kenya"),)), "Took “KE” in w to be Kenya", "Kenya"),
        (Found((), 0.1), "Found nothing that helps", ""),
        (Found(EVIDENCE, 0.1), "Found 1 piece of evidence", "Kenya · currency · Kenyan shilling"),
        (Remembered(("I – live in: Lisbon",), ("f1",), "s1"), "Remembered 1 fact", "Lisbon"),
        (Failed("model", "It is being fetched."), "The language model is not there", "It is being fetched."),
        (Failed("program", "It went on too long."), "Could not search with a program", "too long"),
        (Failed("knowledge base wikipedia", "It is away."), "Trouble with Wikipedia", "It is away."),
    ],
)
def test_each_event_has_its_line(event: Event, title: str, content: str) -> None:
    shown = step(event)
    assert shown is not None
    assert shown.title == title
    assert content in shown.content


def test_tokens_and_the_end_are_no_steps() -> None:
    assert step(Token("x")) is None
    assert step(TURN[-1]) is None


def test_a_failure_without_an_answer_is_the_answer_and_one_beside_it_is_a_notice() -> None:
    alone = view([Failed("answer", "The model is asleep."), Answered("", "search", "q")]).messages()
    assert alone[-2].content == "The model is asleep."
    assert "lk-notice" not in text_of(alone[-1])
    failure = Failed("wikipedia", "Wikipedia <b>sleeps</b>.")
    beside = view([failure, failure, Answered("Yes.", "search", "q")]).messages()
    assert beside[-2].content == "Yes."
    assert text_of(beside[-1]).count("Wikipedia &lt;b&gt;sleeps") == 1


def test_a_stopped_turn_says_so() -> None:
    assert "Stopped." in text_of(view([Token("Half"), Answered("Half", "answer", "q", stopped=True)]).messages()[-1])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("a &lt; b", "a &amp;lt; b"),
        ("![x](https://e.example/x.png)", "!\\[x](https://e.example/x.png)"),
        ("`<b>`", "`<b>`"),
        ("```html\n<b>\n```", "```html\n<b>\n```"),
        ("```mermaid\ngraph\n```", "```text\ngraph\n```"),
        ("**bold** _it_", "**bold** _it_"),
    ],
)
def test_markup_of_a_model_is_text_but_markdown_stays(text: str, shown: str) -> None:
    assert safe_markdown(text) == shown


@given(st.text(alphabet="a&<>;#lt/`\n "))
def test_a_message_is_edited_as_it_was_typed(text: str) -> None:
    assert as_typed(safe_markdown(text)) == text


def test_code_cannot_break_out_of_its_fence() -> None:
    shown = step(ProgramWritten("a = '''\n```\n<img src=x>\n'''", 1, 0.1))
    assert shown is not None
    assert shown.content.startswith("````python\n")
    assert shown.content.endswith("\n````")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.from_type(Event)))
def test_what_a_session_keeps_gives_the_same_page_again(events: list[Event]) -> None:
    kept = json.dumps(to_details(events))
    again = from_details(json.loads(kept))
    assert [type(e) for e in again] == [type(e) for e in events if not isinstance(e, Token)]
    assert json.dumps(to_details(again)) == kept


def test_details_of_another_version_are_left_out() -> None:
    details = to_details(TURN)
    rows = details["events"]
    assert isinstance(rows, list)
    rows += [{"kind": "Danced"}, {"kind": "Routed", "route": "waltz"}]
    assert from_details(details) == from_details(to_details(TURN))
    assert from_details({}) == []
