"""What is forgotten in a conversation is not in what is saved of it, nor in the history of its next turns."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.commands.console import Console
from assistant.commands.turns import ask
from assistant.orchestrator import Assistant
from tests.memory.test_forgetting import found_in

TOLD = "My sister Annalotta lives in Bergenstad."
SISTER = "the user|sister|Annalotta\nAnnalotta|lives in|Bergenstad"
NAMES = ("Annalotta", "Bergenstad")


@pytest.fixture
def say(composed: Callable[..., Assistant]) -> Callable[[str, str], str]:
    """Says something in one saved conversation, as the command `ask` does; what it printed."""
    assistant = composed({"extract": [SISTER], "answer": ["She lives in Bergenstad, as you said."]})

    def said(text: str, means: str) -> str:
        assistant.model.transport._replies["understand"].insert(0, f"en {means}")
        printed: list[str] = []
        options = {"kb": [], "strategy": "", "format": "", "json": False, "yes": True}
        ask(assistant, Console(printed.append, printed.append), question=text, user="me", session="s", **options)
        return "".join(printed)

    said.memory = assistant.memory.of("me")  # type: ignore[attr-defined]
    return said


@pytest.mark.parametrize("about", ["that", "Annalotta", "my sister lives in Bergenstad"])
def test_no_byte_is_saved_of_what_a_turn_forgot(say, home: Path, about: str) -> None:
    say(TOLD, "remember")
    say("And where is that?", "chat")  # answered from the conversation alone
    assert found_in(home, "Bergenstad")
    assert "- Annalotta – lives in: Bergenstad" in say(f"Forget {about}!", f"forget: {about}")  # shown once
    assert found_in(home, "Bergenstad", "Bergenstad".lower()) == []
    assert not [message for message in say.memory.sessions.load("s") if "Bergenstad" in str(message)]
    if not about.endswith("Bergenstad"):  # of the two facts, that forgets one
        assert found_in(home, *NAMES) == []


def test_of_two_facts_of_one_sentence_that_are_forgotten_one_by_one_no_byte_is_saved(say, home: Path) -> None:
    say(TOLD, "remember")
    say("forget that my sister lives in Bergenstad", "forget: my sister lives in Bergenstad")
    assert found_in(home, "Annalotta")
    say("forget that Annalotta is my sister", "forget: Annalotta is my sister")
    assert found_in(home, *NAMES) == []


def test_what_came_back_and_went_again_leaves_no_byte(say, home: Path) -> None:
    say(TOLD, "remember")
    say("Forget that!", "forget: that")
    assert "lives in: Bergenstad" in say("Undo!", "undo")
    assert found_in(home, *NAMES)
    say("forget Annalotta", "forget: Annalotta")
    assert found_in(home, *NAMES) == []
