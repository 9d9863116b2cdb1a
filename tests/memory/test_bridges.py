"""What is asked next, by the names in what was found first."""

import pytest

from memory.bridges import further_questions


@pytest.mark.parametrize(
    ("question", "found", "first"),
    [
        (
            "Where was the author of Brand born?",
            "Brand is a play in verse by Henrik Ibsen, first shown in Stockholm.",
            "Henrik Ibsen: Where was the author of born?",
        ),
        (
            "Who was the first president of the association that publishes the Journal of Applied Glazing?",
            "It came out in 1991. The Journal of Applied Glazing is published by the Guild of Glaziers in Utrecht.",
            "Guild of Glaziers in Utrecht: Who was the first president of the association that publishes the of ?",
        ),
        ("When was the founder of Acme born?", "Acme was founded by Ann Roe. Lund is a town.", "Ann Roe: When was the"),
    ],
)
def test_the_names_that_stand_by_what_is_asked_come_first(question: str, found: str, first: str) -> None:
    assert further_questions(question, found)[0].startswith(first)


def test_a_name_that_the_question_has_leads_nowhere() -> None:
    assert further_questions("Where does Ann Roe live?", "Ann Roe lives by the sea.") == []


def test_what_only_begins_a_sentence_or_names_a_month_is_no_name() -> None:
    assert further_questions("What does the mill grind?", "Rye and wheat, since May. Flour is sold.") == []
    assert further_questions("Who met her in Oslo?", "Her uncle, Bo. Bo, that is, met her in Oslo.")[0].startswith(
        "Bo: "
    )


def test_few_questions_are_asked() -> None:
    found = "The guests are " + ", ".join(f"Guest{letter} Name{letter}" for letter in "ABCDEFGH") + "."
    assert len(further_questions("Who are they?", found)) <= 3
