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
_WORDS = """() => [...document.querySelectorAll('body *:not(script, style, code, kbd, textarea)')].flatMap((at) => [
  ...[...at.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
  ...['aria-label', 'placeholder', 'title'].map((name) => at.getAttribute(name) ?? ''),
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
    shot(page, f"language-{language}")
    words = set(page.evaluate(_WORDS))
    source = served.assistant.ingestion.add(DEFAULT_USER, "story.txt", STORY.encode())
    served.assistant.ingestion.wait(DEFAULT_USER, source.id, timeout_seconds=60)
    ask(page, WHERE)
    settled(page)
    words |= set(page.evaluate(_WORDS))
    for tab, there in (("memory", "#lk-memory li"), ("settings", "#lk-state h3")):
        page.locator(f"#lk-tab-{tab}-button").click()
        expect(page.locator(there).first).to_be_visible()
        words |= set(page.evaluate(_WORDS))
    patterns = list(english(language))
    assert not [word for word in words if "__i18n__" in word or "HTML:" in word]
    assert [word for word in words for pattern in patterns if pattern.fullmatch(word)] == []
