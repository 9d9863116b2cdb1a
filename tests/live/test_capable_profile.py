"""The embedded model, as the probes find it, and taken for a capable one: a real server gets the schema calls."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime

import pytest

from app import compose
from assistant.answering.checker import Sentence, judged
from assistant.answering.reader import Reader
from assistant.commands.console import Console
from assistant.commands.turns import await_model
from assistant.llm.profile import BUILT_IN, probed
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from assistant.types import Evidence, Message, Turn

pytestmark = pytest.mark.live

NOTE = "Paul Otterbein has kept the lighthouse of Brenholm since 2011. He pays 320 euros a month for the cottage."


@pytest.fixture(scope="module")
def capable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    settings = Settings.from_environment(
        {
            "LOREKEEPER_HOME": str(tmp_path_factory.mktemp("home")),
            "LOREKEEPER_PUBLIC": "off",
            "LOREKEEPER_PROFILE": "capable",
        }
    )
    with closing(compose(settings)) as assistant:
        await_model(assistant, Console(lambda _: None, lambda _: None))
        yield assistant


def test_the_embedded_model_is_as_the_probes_find_it(capable: Assistant) -> None:
    found = probed(capable.model)
    assert found.size == BUILT_IN.size
    assert (found.structured, found.weights, found.grammar) == (True, True, True)
    assert found.context_tokens == BUILT_IN.context_tokens


@pytest.mark.parametrize(("seldom", "other"), [("red", "blue"), ("blue", "red")])
def test_a_seldom_word_of_a_grammar_is_drawn_only_where_it_is_much_likelier(
    capable: Assistant, seldom: str, other: str
) -> None:
    asked = [Message("user", "Red or blue? Reply with one of the two, in small letters.")]
    liked, disliked = capable.model.weigh(asked, [seldom, other], purpose="profile")
    grammar = f'root ::= "{seldom}" | "{other}"'
    drawn = "".join(capable.model.stream(asked, purpose="profile", max_tokens=4, grammar=grammar, seldom=seldom))
    assert drawn == (seldom if liked > 7.4 * disliked else other)


def test_a_judgement_comes_in_the_form_that_was_asked_for(capable: Assistant) -> None:
    sentences = [Sentence("Paul pays 320 euros [1].", "supported"), Sentence("He hates the sea [1].", "doubtful")]
    asked = Turn("What does Paul pay?", "me", "s", datetime(2026, 1, 5, 12))
    found = judged(capable.model, asked, (), f"[1] note.md: {NOTE}", sentences)
    assert found[0].finding == "supported"
    assert found[1].finding in ("supported", "unsupported")


def test_the_free_reader_answers_and_is_checked(capable: Assistant) -> None:
    reader = Reader(capable.policy)
    question = "In one word: who keeps the lighthouse of Brenholm?"
    asked = Turn(question, "me", "s", datetime(2026, 1, 5, 12), question=question)
    evidence = [Evidence(1, "personal", "note.md", "passage", "", NOTE)]
    assert "".join(piece.text for piece in reader.answer(capable.model, asked, evidence)).strip()
    assert "entailment" not in capable.model.usage.by_purpose
