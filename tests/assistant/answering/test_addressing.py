"""What the user said of themselves, said to them."""

import pytest

from assistant.answering.addressing import addressed
from assistant.errors import ModelUnavailable
from assistant.knowledge_bases.personal import passage_evidence, said_evidence
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import Cut, Scripted, ScriptedTransport

SAID = said_evidence("Hi, I'm Nele and I keep 2 goats at home. Vivo en Soria.", "p1")


def turned(text: str, reply: Scripted) -> str:
    return addressed(LanguageModel(ScriptedTransport({"address": [reply]})), text, [SAID])


@pytest.mark.parametrize(
    ("text", "reply", "shown"),
    [
        ("I keep 2 goats at home [1].", "You keep 2 goats at home", "You keep 2 goats at home [1]."),
        ("Vivo en Soria. [1]", "Vives en Soria.", "Vives en Soria. [1]"),
        (
            "I keep 2 goats at home [1].",
            "You keep goats at home",
            "I keep 2 goats at home [1].",
        ),  # a number is lost
        ("Vivo en Soria [1].", "Vives allí", "Vivo en Soria [1]."),  # a name is
        ("Vivo en Soria [1].", "", "Vivo en Soria [1]."),
        ("I keep 2 goats at home [1].", "There are 2 of them", "I keep 2 goats at home [1]."),
        ("I'm Nele and keep 2 goats. [1]", "You're Nele and keep 2 goats.", "You're Nele and keep 2 goats. [1]"),
        ("Vivo en Soria [1].", Cut("Vives en Soria y"), "Vivo en Soria [1]."),
        ("Vivo en Soria [1].", ModelUnavailable("It is away."), "Vivo en Soria [1]."),
    ],
)
def test_what_the_user_said_is_turned_to_them_whole_or_not_at_all(text: str, reply: Scripted, shown: str) -> None:
    assert turned(text, reply) == shown


@pytest.mark.parametrize("text", ["Nele [1].", "You live in Soria [1].", "You keep 2 goats [1]."])
def test_what_is_said_in_other_words_costs_no_call(text: str) -> None:
    assert addressed(LanguageModel(ScriptedTransport({})), text, [SAID]) == text


def test_what_a_document_says_is_not_turned() -> None:
    letter = passage_evidence("p2", "letter.txt", "I keep 2 goats at home.")
    assert addressed(LanguageModel(ScriptedTransport({})), "I keep 2 goats at home [1].", [letter]).startswith("I keep")
