"""The cited page of a PDF or a picture, as it looks, beside the text of the document."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import fastapi
import pytest
from httpx import Response
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from memory.store import Memory
from memory.types import Source
from memory.user_memory import UserMemory
from tests.memory.formats.test_pictures import LEFT, drawn, saved, wrapped
from tests.memory.samples import spoken, talk_of
from tests.memory.test_originals import AT, BOAT, LEASE, RULES, learn, marks
from tests.ui.conftest import Served
from ui.reading import Reading
from ui.security import Guarded

Get = Callable[..., Response]
Serve = Callable[..., Served]


@pytest.fixture
def me(memory: Memory) -> UserMemory:
    return memory.of("me")


@pytest.fixture
def get(memory: Memory) -> Iterator[Get]:
    """`get(path, user=...)` is what the server says to that user."""
    app = fastapi.FastAPI()
    Reading(memory).add_routes(app)
    whose = {"user": "me"}

    async def logged_in(scope: dict[str, object], receive: object, send: object) -> None:
        await Guarded(app)(scope | whose, receive, send)  # type: ignore[arg-type]

    with TestClient(logged_in) as client:

        def answer(path: str, user: str = "me") -> Response:
            whose["user"] = user
            return client.get(path)

        yield answer


def place(me: UserMemory, source: Source, said: str) -> str:
    """The path of the passage that says it."""
    passage_id = next(id_ for id_, part in me.passages(source.id) if said in part.text)
    return f"/documents/{passage_id}?{urlencode({'said': said})}"


def image_in(html: str) -> str:
    """The path of the image in a page; empty where it has none."""
    found = re.search('<img src="(.*?)"', html)
    return unescape(found[1]) if found else ""


def test_the_cited_page_is_shown_with_the_words_marked(me: UserMemory, get: Get) -> None:
    source = me.add_document("lease.pdf", LEASE)
    html = get(place(me, source, RULES)).text
    assert f"<mark>{RULES}</mark>" in html and "lease.pdf" in re.findall('alt="(.*?)"', html)[0]
    shown = get(image_in(html))
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/png")
    assert shown.headers["cache-control"] == "no-store" and shown.headers["x-content-type-options"] == "nosniff"
    top, bottom = marks(shown.content, me.page_image(source.id, 2))
    assert AT[RULES] - 6 < top < AT[RULES] < bottom < AT[RULES] + 3


def test_what_a_fact_was_read_in_is_marked(me: UserMemory, get: Get) -> None:
    source = me.add_document("lease.pdf", LEASE)
    shown = get(image_in(get(f"/documents/{learn(me, source)}").text))
    top, bottom = marks(shown.content, me.page_image(source.id, 1))
    assert AT[BOAT] - 6 < top < AT[BOAT] < bottom < AT[BOAT] + 3


def test_a_picture_is_shown_and_a_text_has_none(me: UserMemory, get: Get) -> None:
    scan = me.add_document("scan.png", saved(drawn(wrapped(LEFT, 80, 160, 80))))
    shown = get(image_in(get(place(me, scan, "The rent covers")).text))
    assert shown.content == me.page_image(scan.id, 1) != b""
    notes = me.add_document("notes.md", RULES.encode())
    path = place(me, notes, RULES)
    assert image_in(get(path).text) == ""
    assert get(path.replace("?", "/page?")).status_code == 404


def test_the_page_of_another_is_as_one_that_is_not_there(memory: Memory, get: Get) -> None:
    source = memory.of("eve").add_document("lease.pdf", LEASE)
    path = place(memory.of("eve"), source, RULES).replace("?", "/page?")
    assert get(path, user="eve").status_code == 200
    refused, nowhere = get(path), get("/documents/p999/page")
    assert (refused.status_code, refused.text) == (nowhere.status_code, nowhere.text) == (404, refused.text)


def test_what_is_forgotten_is_not_shown(me: UserMemory, get: Get) -> None:
    source = me.add_document("lease.pdf", LEASE)
    me.forget(facts=[learn(me, source)])
    path = place(me, source, RULES)
    assert RULES in get(path).text and image_in(get(path).text) == ""
    assert get(path.replace("?", "/page?")).status_code == 404


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_is_seen_beside_the_text_or_below_it(
    serve: Serve, visit: Callable[..., Page], shot: Callable[[Page, str], None], width: int, dark: bool
) -> None:
    served = serve()
    me = served.assistant.memory.of("me")
    source = me.add_document("lease.pdf", LEASE)
    page = visit(served, width=width, dark=dark)
    page.goto(f"{served.url[:-1]}{place(me, source, RULES)}#here")
    expect(page.locator("mark")).to_have_text(RULES)
    image = page.locator("figure img")
    image.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('figure img').naturalWidth > 0")
    expect(image).to_be_in_viewport()
    text, seen = page.locator("#here").bounding_box(), image.bounding_box()
    assert text and seen
    beside, below = seen["x"] >= text["x"] + text["width"], seen["y"] >= text["y"] + text["height"]
    assert (beside, below) == ((True, False) if width == 1440 else (False, True))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, f"document-page-{width}-{'dark' if dark else 'light'}")


def test_a_damaged_original_leaves_the_text_alone(serve: Serve, browser: Browser, home: Path) -> None:
    served = serve()
    me = served.assistant.memory.of("me")
    source = me.add_document("lease.pdf", LEASE)
    (home / "originals" / source.digest).write_bytes(LEASE[:300])
    page = browser.new_page()
    page.goto(f"{served.url[:-1]}{place(me, source, RULES)}#here")
    expect(page.locator("mark")).to_have_text(RULES)
    expect(page.locator("figure")).to_have_count(0)
    page.close()


def test_a_talk_shows_its_days_and_who_speaks(get: Get, me: UserMemory) -> None:
    talk = [spoken("human", "Is it dry?"), spoken("assistant", "It is."), spoken("human", "Good.")]
    source = me.add_document("conversations.json", talk_of(talk, "Weather"))
    html = get(f"/documents/{me.passages(source.id)[0][0]}").text
    assert html.count("2025-06-12</h2>") == 1
    assert [who in html for who in ("18:04 the user</h3>", "18:04 the assistant</h3>")] == [True, True]
