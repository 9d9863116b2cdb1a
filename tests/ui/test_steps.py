"""Each event of a turn as a line to unfold."""

import pytest

from assistant.types import (
    Answered,
    Entity,
    Event,
    Failed,
    Found,
    Linked,
    Planned,
    ProgramRan,
    ProgramRun,
    ProgramWritten,
    QueryRan,
    Remembered,
    Token,
    Triple,
    Walked,
)
from tests.ui.samples import EVIDENCE, RUN, read
from ui.steps import step


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
        (ProgramWritten("x = 1", 1, 0.1, "question"), "Read a search program from the question itself", "x = 1"),
        (ProgramRan(RUN), "Ran it on built-in knowledge: 1 value", "Found it."),
        (ProgramRan(RUN), "Ran it on built-in knowledge: 1 value", "find_entity_or_value(['Kenya'], ['currency'])"),
        (ProgramRan(ProgramRun("w", "x", error="NameError: y")), "Ran it on w: broke off", "NameError: y"),
        (ProgramRan(ProgramRun("w", "x")), "Ran it on w: found nothing", ""),
        (ProgramRan(ProgramRun("w", "x", unreachable=True)), "Ran it on w: it did not answer", ""),
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
        (Failed("knowledge base", "It is away.", knowledge_base="wikipedia"), "Trouble with Wikipedia", "It is away."),
    ],
)
def test_each_event_has_its_line(event: Event, title: str, content: str) -> None:
    shown = step(event)
    assert shown is not None
    assert shown.title == title
    assert content in read(shown.content)


def test_tokens_and_the_end_are_no_steps() -> None:
    assert step(Token("x")) is None
    assert step(Answered("x", "answer", "?")) is None


def test_a_walk_shows_its_paths_and_what_none_leads_to() -> None:
    there = (Triple("door", "at location", "bank"), Triple("bank", "is a", "building"))
    back = (Triple("bank", "has a", "door"), Triple("bank", "is a", "building"))
    shown = step(Walked("town", (there, back), ("unicorn",), 0.1))
    assert shown is not None
    assert shown.title == "Followed links in town: 2 chains of facts"
    assert "- door → at location → bank → is a → building\n" in shown.content
    assert "- door ← has a ← bank → is a → building\n" in shown.content
    assert "Found no short chain of facts to unicorn" in shown.content
    around = step(Walked("town", (), (), 0.1))
    assert around is not None
    assert around.content == ""


def test_a_query_shows_its_examples_and_a_result_that_was_cut() -> None:
    rows = tuple((f"town {i}", "Peru") for i in range(50))
    remark = "Only the first 10,000 rows were read."
    shown = step(QueryRan("wikidata", "SELECT", rows, remark, 0.1, ("Towns of Chile?",)))
    assert shown is not None
    assert shown.title == "Queried Wikidata: more rows than can be read"
    assert "- Towns of Chile?" in read(shown.content)
    assert "- town 0 · Peru" in read(shown.content)
    assert "town 49" not in shown.content
    assert "… and more." in shown.content
    assert remark in read(shown.content)


def test_code_cannot_break_out_of_its_fence() -> None:
    shown = step(ProgramWritten("a = '''\n```\n<img src=x>\n'''", 1, 0.1))
    assert shown is not None
    assert shown.content.startswith("````python\n")
    assert shown.content.endswith("\n````")
