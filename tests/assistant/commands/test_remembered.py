"""The commands over the personal memory say what is so, and what was."""

from collections.abc import Callable

from assistant.commands.console import Console
from assistant.commands.remembered import recall
from assistant.orchestrator import Assistant
from tests.memory.samples import holding, read


def test_recall_says_which_facts_have_ended(composed: Callable[..., Assistant]) -> None:
    assistant = composed({})
    user = assistant.memory.of("local")
    for text, town in (("I live in Berlin.", "Berlin"), ("I moved to Oslo.", "Oslo")):
        user.note(text, read(text, ("the user", "lives in", town), ends=holding(user, "the user", "lives in")))
    printed: list[str] = []
    recall(assistant, Console(printed.append, printed.append), text="Where do I live?", user="local", k=9, json=False)
    lines = [line for line in "".join(printed).splitlines() if ", fact f" in line]
    assert [("Berlin" in line, "no longer so" in line) for line in lines if "Berlin" in line] == [(True, True)]
    assert not any("no longer so" in line for line in lines if "Oslo" in line)


def test_recall_says_which_of_a_sentences_facts_it_means(composed: Callable[..., Assistant]) -> None:
    assistant = composed({})
    text = "Ann and Bo work at Acme."
    assistant.memory.of("local").note(text, read(text, ("Ann", "works at", "Acme"), ("Bo", "works at", "Acme")))
    printed: list[str] = []
    recall(assistant, Console(printed.append, printed.append), text="Acme", user="local", k=9, json=False)
    said = {line.partition("] ")[2].partition("  (")[0] for line in "".join(printed).splitlines()}
    assert said == {text, *(f"{name} – works at: Acme – {text}" for name in ("Ann", "Bo"))}
