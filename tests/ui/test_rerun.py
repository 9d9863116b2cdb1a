"""What an edited program came to, as HTML."""

from assistant.types import Answered, Evidence, Failed, Found, Planned, ProgramRan, ProgramRun, Token
from tests.ui.samples import read
from ui.rerun import Outcome

EVIDENCE = (Evidence(1, "world", "Peru", "capital", "Lima"),)


def test_the_answer_links_to_its_own_cards() -> None:
    outcome = Outcome("3r")
    outcome.add(ProgramRan(ProgramRun("world", "x", value=("Lima",))))
    outcome.add(Found(EVIDENCE, 0.1))
    outcome.add(Token("It is Lima [1]."))
    assert '<a href="#e-3r-1"' in outcome.html()
    assert 'id="e-3r-1"' in outcome.html()
    assert "built-in knowledge: <b>Lima</b>" in outcome.html()
    outcome.add(Answered("It is Lima, then [1].", "search", "?", EVIDENCE))
    assert "It is Lima, then 1." in read(outcome.html())


def test_what_breaks_is_said_once_and_markup_is_text() -> None:
    outcome = Outcome("3r")
    outcome.add(ProgramRan(ProgramRun("films", "x", error="NameError: <b>")))
    outcome.add(ProgramRan(ProgramRun("far", "x", unreachable=True)))
    for _ in range(2):
        outcome.add(Failed("answer", "The model is <i>away</i>."))
    outcome.add(Token("<script>[9]"))
    assert "films: broke off<pre>NameError: &lt;b&gt;</pre>" in outcome.html()
    assert "far: did not answer" in outcome.html()
    assert outcome.html().count("The model is &lt;i&gt;away") == 1
    assert "<script>[9]" in read(outcome.html())
    assert "<script" not in outcome.html()


def test_a_program_that_has_found_nothing_yet_shows_nothing() -> None:
    outcome = Outcome("3r")
    assert outcome.html() == ""
    outcome.add(Planned("program", "triples", ("world",)))
    assert outcome.html() == ""
    outcome.add(Found((), 0.1))
    assert outcome.html() == ""
