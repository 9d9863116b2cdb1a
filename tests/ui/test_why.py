"""Why an answer is what it is, in words."""

from assistant.types import Answered, Planned
from ui.why import planned, why_html


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
