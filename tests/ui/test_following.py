"""A chat that follows an answer while it comes, and lets the reader go."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import TURN, Served, ask

Serve = Callable[..., Served]
Visit = Callable[..., Page]

LONG = "\n\n".join(f"Paragraph {i} of a long story about a falcon and the harbour." for i in range(200))
_LOG = "document.querySelector('#lk-chat .bubble-wrap')"
_TOP = f"{_LOG}.scrollTop"
_LENGTH = f"{_LOG}.scrollHeight"
_REST = f"({_LENGTH} - {_LOG}.clientHeight - {_TOP})"


def grows(page: Page, by: int = 200) -> None:
    """Wait until so many pixels of text have come."""
    page.wait_for_function(f"(before) => {_LENGTH} > before + {by}", arg=page.evaluate(_LENGTH))


@pytest.fixture
def streaming(serve: Serve, visit: Visit) -> Page:
    page = visit(serve({**TURN, "understand": ["en chat"], "answer": [LONG]}, delay=0.02), width=390, height=844)
    ask(page, "Tell me a long story")
    page.wait_for_function(f"{_LENGTH} > 1500")
    return page


def test_whoever_scrolls_up_stays_there_while_more_comes(streaming: Page) -> None:
    page = streaming
    page.mouse.move(190, 300)
    for _ in range(3):
        page.mouse.wheel(0, -120)
    page.wait_for_function(f"{_REST} > 250")
    page.wait_for_timeout(500)  # what the wheel set going has come to rest
    place = page.evaluate(_TOP)
    grows(page)
    grows(page)
    assert page.evaluate(_TOP) == place
    newest = page.get_by_role("button", name="Jump to the newest")
    expect(newest).to_be_visible()
    newest.click()
    grows(page)
    page.wait_for_function(f"{_REST} < 80")
    expect(newest).to_be_hidden()


def test_one_small_turn_of_the_wheel_is_enough_and_the_end_is_followed_again(streaming: Page) -> None:
    page = streaming
    page.mouse.move(190, 300)
    page.mouse.wheel(0, -40)
    page.wait_for_timeout(500)
    place = page.evaluate(_TOP)
    grows(page)
    assert page.evaluate(_TOP) == place
    page.mouse.wheel(0, 100_000)
    page.wait_for_function(f"{_TOP} > {place}")
    page.wait_for_function(f"{_REST} < 80")
    grows(page)
    grows(page)
    page.wait_for_function(f"{_REST} < 80")


def test_a_new_question_is_followed_wherever_the_reader_is(serve: Serve, visit: Visit) -> None:
    page = visit(serve({**TURN, "understand": ["en chat"], "answer": [LONG, "The end of it."]}))
    ask(page, "Tell me a long story")
    expect(page.locator("#lk-chat")).to_contain_text("Paragraph 199")
    page.wait_for_function(f"{_REST} < 80")
    page.mouse.move(700, 300)
    page.mouse.wheel(0, -5_000)
    page.wait_for_function(f"{_REST} > 1000")
    ask(page, "And the end?")
    expect(page.locator("#lk-chat")).to_contain_text("The end of it.")
    page.wait_for_function(f"{_REST} < 80")
