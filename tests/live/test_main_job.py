"""A person opens the page, uploads a document about somebody whom no model knows, and asks; then starts it anew."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import Served, ask

pytestmark = pytest.mark.live

_FIRST_START = 2_400_000  # milliseconds: the model may have to be fetched, and the heads of prompts are read
_TURN = 240_000

DOCUMENT = """# Tamsin Okoro-Vale

Tamsin Okoro-Vale is a glaciologist who was born in Port Ellery in 1979. She has worked at the Veldmar Observatory
since 2011, where she leads the ice core laboratory.

The Veldmar Observatory stands above the town of Ostrel, at a height of 2,340 metres. It was founded in 1958 by the
physicist Henrik Dahlgaard and employs forty people.

Her doctoral thesis on the winter melt of the Korvo glacier was supervised by Ines Baltasar. In 2019 she received the
Amber Compass for her map of the Korvo glacier.

In her free time Tamsin Okoro-Vale builds harpsichords with her brother Jonah, who runs a workshop in Quillhaven.
"""

# question, what the answer has to say (a pattern), what the cited evidence has to hold
QUESTIONS = [
    ("What did Tamsin Okoro-Vale receive in 2019?", "Amber Compass", "Amber Compass"),
    ("Who founded the observatory where Tamsin Okoro-Vale works?", "Dahlgaard", "Dahlgaard"),  # two steps
    ("And who supervised her thesis?", "Ines Baltasar", "Baltasar"),  # a follow-up
    ("Is Tamsin Okoro-Vale a glaciologist?", r"\byes\b|is a glaciologist", "glaciologist"),
]


def answered(page: Page, turn: int, question: str) -> str:
    """What the page shows below the question, once its turn has ended."""
    page.locator("#lk-chat .lk-footer").nth(turn - 1).wait_for(timeout=_TURN)
    return page.locator("#lk-chat").inner_text().rpartition(question)[2]


def cited(page: Page, turn: int) -> str:
    """The evidence that the first citation of a turn's answer opens; a card is named by its message's place."""
    citation = page.locator(f'#lk-chat a[href^="#e-{2 * turn - 1}-"]').first
    citation.click()
    card = page.locator(citation.get_attribute("href") or "")
    expect(card).to_be_visible()
    return card.inner_text()


def test_a_document_is_asked_about_in_the_browser(
    server: Callable[[], str], visit: Callable[..., Page], shot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    document = tmp_path / "tamsin.md"
    document.write_text(DOCUMENT)
    page = visit(Served(server(), None, None))
    page.locator('#lk-composer input[type="file"]').set_input_files(document)
    expect(page.locator("#lk-chat-progress")).to_contain_text("tamsin.md", timeout=_TURN)
    expect(page.locator("#lk-chat-progress .lk-progress")).to_have_count(0, timeout=_FIRST_START)

    for turn, (question, says, holds) in enumerate(QUESTIONS, start=1):
        ask(page, question)
        assert re.search(says, answered(page, turn, question), re.IGNORECASE)
        assert holds in cited(page, turn)
    shot(page, "live-answers")

    ask(page, "What is the name of Tamsin Okoro-Vale's dog?")
    expect(page.locator("#lk-chat")).to_contain_text("I don't know", timeout=_TURN)
    page.locator("#lk-chat .lk-footer").nth(len(QUESTIONS)).wait_for(timeout=_TURN)
    shot(page, "live-declined")

    page.close()
    again = visit(Served(server(), None, None))
    again.get_by_role("tab", name="Memory").click()
    expect(again.locator("#lk-memory")).to_contain_text("tamsin.md", timeout=_TURN)
    again.get_by_role("tab", name=re.compile("Chat")).click()
    turn, question = len(QUESTIONS) + 2, "When was Tamsin Okoro-Vale born?"  # the conversation goes on
    ask(again, question)
    assert "1979" in answered(again, turn, question)
    assert "1979" in cited(again, turn)
    shot(again, "live-after-a-restart")
