"""Whole turns in other languages than English: what is said in words of ours is said in the message's."""

from datetime import datetime

import pytest

from assistant.errors import ModelUnavailable
from assistant.llm.scripted import Weights
from assistant.types import Turn


def said(assistant, text, **fields):
    return list(assistant.reply(Turn(text, "me", "s", datetime(2026, 1, 5, 12), **fields)))[-1].answer


def test_in_german_what_is_remembered_asked_about_and_forgotten(composed):
    lines = "the user|Schwester|Anna\nAnna|wohnt in|Bergen"
    understand = ["de remember", "de forget: Anna", "de yes", "de undo", "de forget: Ortrud"]
    assistant = composed({"understand": understand, "extract": [lines], "forget": [Weights({"no": 1.0})] * 2})
    assert said(assistant, "Meine Schwester Anna wohnt in Bergen.").startswith("Ich merke mir:\n- ")
    assert said(assistant, "Vergiss Anna.") == "Soll ich 2 Fakten vergessen? Sag „ja“, und es ist erledigt."
    assert said(assistant, "Ja, mach das.").startswith("Vergessen: 2 Fakten.")
    assert said(assistant, "Rückgängig!").startswith("Das weiß ich jetzt wieder:\n- ")
    assert "gibt es nichts zu vergessen" in said(assistant, "Vergiss Ortrud.", confirmed=True)


@pytest.mark.parametrize(
    ("liked", "answer"),
    [
        (["чай"], "Забыт 1 факт."),
        (["чай", "море"], "Забыто 2 факта."),
        (["чай", "море", "Осло", "хлеб", "снег"], "Забыто 5 фактов."),
    ],
)
def test_in_russian_facts_are_counted_as_russian_does(composed, liked, answer):
    lines = "\n".join(f"Анна|любит|{thing}" for thing in liked)
    assistant = composed({"understand": ["ru remember", "ru forget: that"], "extract": [lines]})
    said(assistant, f"Анна любит {', '.join(liked)}.")
    assert said(assistant, "Забудь это.").startswith(answer)


def test_in_japanese_what_is_not_known_is_said_so(composed):
    assistant = composed({"understand": ["ja ask"], "program": ["0"] * 4, "answer": ["UNKNOWN"] * 2})
    assert said(assistant, "わたしの自転車はどこですか？").startswith("わかりません。")


def test_without_a_model_the_text_tells_the_language(composed):
    assistant = composed(
        {"understand": [ModelUnavailable("No model.")], "program": [ModelUnavailable("No model.")] * 2}
    )
    assert said(assistant, "Was ist mein Name?").startswith("Ohne das Sprachmodell kann ich nicht antworten")
