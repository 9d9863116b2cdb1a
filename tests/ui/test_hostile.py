"""Text from outside in every place of the page that shows any: it is text there, in a real browser."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from playwright.sync_api import Page, expect

from assistant.turns.kept_events import to_details
from assistant.types import Answered, Event, Forgot, Token
from memory.types import Extraction, FactKind, SavedMessage, Span, Statement
from tests.ui.conftest import Served
from ui.guard import warn

EVIL = (
    "<img src=evil.png onerror=evil()> <form id=evil> <big>evil< big> <iframe title=evil> <marquee>evil ![e](evil.png) "
    "`**evil** &lt;big&gt;evil [evil](javascript:evil()) | # evil"
)
# What the text would be, were it read as HTML or Markdown.
_MADE = """
() => [...document.querySelectorAll('big, img, form, iframe, marquee, a, strong, em')]
  .filter((e) => /evil/.test(e.outerHTML.slice(0, 300)) && !e.closest('textarea'))
  .map((e) => e.outerHTML.slice(0, 300))
"""


def filled(kind: Any) -> Any:
    """A value of a type, with the hostile text wherever there is any."""
    arguments = [one for one in get_args(kind) if one not in (..., type(None))]
    if kind is str:
        return EVIL
    if kind in (int, float):
        return kind(1)
    if kind is bool:
        return False
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    if get_origin(kind) is Literal:
        return arguments[0]
    if get_origin(kind) is tuple:
        return tuple(map(filled, arguments))
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{field.name: filled(hints[field.name]) for field in fields(kind)})
    return filled(arguments[0]) if arguments and get_origin(kind) is not dict else {}


def test_no_text_from_outside_is_anything_but_text(serve: Callable[..., Served], visit: Callable[..., Page]) -> None:
    served = serve()
    memory = served.assistant.memory.of("me")
    session = memory.sessions.new().id
    events = [filled(kind) for kind in get_args(Event) if kind not in (Token, Forgot, Answered)]
    memory.sessions.append(session, SavedMessage("user", EVIL, datetime.now(UTC)))
    answer = EVIL.replace("*", "")  # a model may write in bold
    details = to_details([*events, replace(filled(Answered), answer=answer)])
    memory.sessions.append(session, SavedMessage("assistant", answer, datetime.now(UTC), details))
    memory.sessions.rename(session, EVIL)
    statement = Statement(FactKind.TRIPLE, EVIL, EVIL, EVIL, Span(0, len(EVIL)))
    memory.note(EVIL, Extraction((), (statement,)))
    memory.add_document(f"{EVIL}.txt", b"Mira met somebody in Oslo.")

    page = visit(served)
    chat = page.locator("#lk-chat")
    expect(chat.locator(".lk-footer")).to_have_count(1)
    chat.locator(".thought-group .title").first.click()
    titles = chat.locator(".thought-group .thought-group .title")
    expect(titles.nth(3)).to_be_visible()
    for place in range(titles.count()):
        titles.nth(place).click()
    for summary in (*chat.locator("summary").all(), page.locator("#lk-chat-progress summary")):
        summary.click()
    page.wait_for_timeout(500)
    assert page.evaluate(_MADE) == []
    said = chat.inner_text()
    assert said.count("<form id=evil>") > 15
    assert said.count("&lt;big&gt;evil") > 15
    expect(page.locator("#lk-sessions")).to_contain_text("<form id=evil>")
    expect(page.locator("#lk-chat-progress")).to_contain_text("<form id=evil>")

    page.get_by_role("tab", name="Memory").click()
    expect(page.locator("#lk-memory")).to_contain_text("<form id=evil>")
    assert page.evaluate(_MADE) == []


def test_a_line_in_the_corner_is_no_html() -> None:
    with pytest.warns(UserWarning) as warned:
        warn("<form id=evil>: files of this kind & others")
    assert str(warned[0].message) == "&lt;form id=evil&gt;: files of this kind &amp; others"
