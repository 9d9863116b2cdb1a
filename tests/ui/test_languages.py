"""The page speaks the language of the browser that it is open in, all of it."""

import re
from collections.abc import Callable, Iterator
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Page, expect

from assistant.messages.catalogues import path
from assistant.settings import DEFAULT_USER
from tests.ui.conftest import STORY, WHERE, Served, ask, settled

Serve = Callable[..., Served]
Visit = Callable[..., Page]

# What can be read on a page, and what is read out: the text of each element itself, and its names and hints.
_WORDS = """() => [...document.querySelectorAll('body *:not(script, style, code, textarea)')].flatMap((element) => [
  ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
  ...['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
]).map((text) => text.trim()).filter(Boolean)"""


def english(language: str) -> Iterator[re.Pattern[str]]:
    """What our words would be in English, of those that are others in a language."""
    with path(language).open("rb") as file:
        for entry in read_po(file, locale=language):
            texts, translated = ([each] if isinstance(each, str) else each for each in (entry.id, entry.string))
            for text in texts:
                if text and text not in translated:
                    parts = [re.escape(said) + (".+" if name else "") for said, name, _, _ in Formatter().parse(text)]
                    yield re.compile("".join(parts))


def all_words(page: Page) -> set[str]:
    words = set(page.evaluate(_WORDS))
    for tab in ("lk-tab-memory", "lk-tab-settings"):
        page.locator(f"#{tab}-button").click()
        expect(page.locator("#lk-state h3, #lk-memory li").first).to_be_visible()
        words |= set(page.evaluate(_WORDS))
    return words


@pytest.mark.parametrize(
    ("locale", "greeting"), [("de-DE", "Was möchtest du wissen?"), ("ja-JP", "何を知りたいですか？")]
)
def test_a_page_has_no_word_of_another_language(
    serve: Serve, visit: Visit, shot: Callable[[Page, str], None], locale: str, greeting: str
) -> None:
    served = serve()
    page = visit(served, locale=locale)
    language = locale[:2]
    expect(page.get_by_text(greeting)).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == language
    shot(page, f"language-{language}-empty")
    words = all_words(page)
    served.assistant.ingestion.add(DEFAULT_USER, "story.txt", STORY.encode())
    page.locator("#lk-tab-chat-button").click()
    ask(page, WHERE)
    settled(page)
    words |= all_words(page)
    patterns = list(english(language))
    assert [word for word in words for pattern in patterns if pattern.fullmatch(word)] == []
