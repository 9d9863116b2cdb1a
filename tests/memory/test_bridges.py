"""What is asked next, by the names in what was found first."""

import pytest

from memory.bridges import further_questions

SEAT = "In which town is the seat of the guild?"


def asked_of(question: str, found: str, *known: str) -> list[str]:
    return [further.name for further in further_questions(question, found, known)]


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
        (
            "Who founded the firm Acme and sold it later?",
            "Bo Lund wrote so. Then came Ann Roe. The firm Acme was founded by Ann Roe.",
            "Ann Roe: Who",
        ),
    ],
)
def test_the_names_that_stand_by_what_is_asked_come_first(question: str, found: str, first: str) -> None:
    further = further_questions(question, found)[0]
    assert f"{further.name}: {further.asked}".startswith(first)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where does Ann Roe live?", "Ann Roe has a hut by the sea."),  # the only name is in the question
        ("Who has an allergy?", "Bo Lund of Skarn has several allergies."),  # nothing is left to ask
        ("What does the mill grind?", "Rye and wheat, since May. Flour is sold."),
        ("What is eaten?", "- Rye\n- “Wheat\n- In June, July and August: Monday and Tuesday, soup"),
        ("Who was there?", "I've been here. I'm well. He said that I came."),
        ("", "Ann Roe came."),
        ("?", ""),
    ],
)
def test_nothing_is_asked_where_no_name_leads_on(question: str, found: str) -> None:
    assert further_questions(question, found) == []


@pytest.mark.parametrize(
    ("found", "names"),
    [
        ("Her uncle, Bo. Bo, that is, saw her.", {"Bo"}),
        ("The guests are Ann Roe, Bo Lund and Cy Park.", {"Ann Roe", "Bo Lund", "Cy Park"}),
        ("Henrik Ibsen wrote. Henrik Ibsen's plays are Ibsen's.", {"Henrik Ibsen"}),
        ("In Oslo they wrote to Édith Þórsdóttir.", {"Oslo", "Édith Þórsdóttir"}),
        ("他在Oslo，Henrik Ibsen的父亲是商人。", {"Oslo", "Henrik Ibsen"}),
    ],
)
def test_names_are_told_by_their_capital_letters(found: str, names: set[str]) -> None:
    assert set(asked_of(SEAT, found)) == names


def test_names_that_memory_knows_need_none() -> None:
    assert asked_of(SEAT, "ann roe and everyone here know 林晚。", "Ann Roe", "Eve", "林晚", "Cy Park") == [
        "Ann Roe",
        "林晚",
    ]


def test_few_questions_are_asked() -> None:
    assert len(asked_of(SEAT, " ".join(f"We saw {letter}nn Roe{letter}." for letter in "ABCDEFGH"))) == 3


def test_a_long_text_is_read() -> None:
    assert len(further_questions("Who? " * 100_000, "Ab of the Cd. " * 500 + "A-A'A" * 500 + "Bo of the " * 500)) <= 3
