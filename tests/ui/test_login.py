"""Logging in and out, in a real browser against a real server, as it is with a password."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from assistant.settings import Settings
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply
from tests.ui.conftest import WHERE, Served, ask, settled

Serve = Callable[..., Served]
PASSWORD = "öpen  sesame & more"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, password=PASSWORD)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context()
    made.set_default_timeout(60_000)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def give(page: Page, password: str) -> Response:
    """Type a password into the form and send it; the answer to that."""
    page.get_by_label("Password").fill(password)
    with page.expect_response(lambda response: response.request.method == "POST") as answer:
        page.keyboard.press("Enter")
    return answer.value


def enter(page: Page, served: Served) -> None:
    """Log in, and wait for the page."""
    page.goto(served.url)
    give(page, PASSWORD)
    page.locator("#lk-message textarea").wait_for()


def set_back(settings: Settings, column: str, days: float) -> None:
    """Let one of the times of all logins lie so far in the past."""
    microseconds = int((time.time() - days * 86_400) * 1_000_000)
    with closing(sqlite3.connect(settings.home / "memory.db")) as records, records:
        records.execute(f"UPDATE logins SET {column} = ?", (microseconds,))


def test_logged_in_the_page_works_as_without_a_password(serve: Serve, page: Page, tmp_path: Path) -> None:
    served = serve()
    refused: list[str] = []
    page.goto(served.url)
    expect(page).to_have_url(f"{served.url}login")
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    sent = give(page, PASSWORD)
    assert sent.status == 303
    assert sent.request.headers["origin"] == served.url.rstrip("/")
    page.locator("#lk-message textarea").wait_for()
    expect(page).to_have_url(served.url)

    note = tmp_path / "mira.md"
    note.write_text("Mira Solveig lives in Tromsø.")
    page.locator('#lk-composer input[type="file"]').set_input_files(note)
    expect(page.get_by_text("mira.md can be searched now")).to_be_visible()
    ask(page, WHERE)
    settled(page)
    expect(page.locator("#lk-chat")).to_contain_text("Tromsø")
    page.reload()
    settled(page)
    assert refused == []


def test_a_wrong_password_is_said_and_the_sixth_attempt_waits(serve: Serve, page: Page) -> None:
    served = serve()
    page.goto(served.url)
    for _ in range(5):
        assert give(page, "please").status == 401
        expect(page.get_by_role("alert")).to_have_text("That is not the password.")
    assert give(page, PASSWORD).status == 429
    expect(page.get_by_role("alert")).to_contain_text("try again in")
    expect(page.get_by_role("alert")).to_contain_text("seconds")
    page.goto(served.url)
    expect(page.get_by_label("Password")).to_be_visible()


def test_logging_out_ends_the_login_in_every_tab(serve: Serve, context: BrowserContext, page: Page) -> None:
    served = serve()
    enter(page, served)
    other = context.new_page()
    other.goto(served.url)
    other.locator("#lk-message textarea").fill("half a thought")
    cookie = context.cookies()[0]
    assert cookie["httpOnly"]
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Password")).to_be_visible()
    assert context.cookies() == []
    context.add_cookies([cookie])  # whoever kept it
    page.goto(served.url)
    expect(page.get_by_label("Password")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Password")).to_be_visible()

    expect(other.get_by_role("alert")).to_contain_text("You are not logged in any more.")
    other.get_by_role("link", name="Log in again").click()
    give(other, PASSWORD)
    expect(other.locator("#lk-message textarea")).to_have_value("half a thought")


@pytest.mark.parametrize("expiry", [("last_seen", 7.1), ("expires", 0)])
def test_a_login_that_has_expired_leads_back_to_the_form(
    serve: Serve, page: Page, settings: Settings, tmp_path: Path, expiry: tuple[str, float]
) -> None:
    served = serve()
    enter(page, served)
    page.locator("#lk-message textarea").fill("Where was I?")
    set_back(settings, *expiry)
    note = tmp_path / "mira.md"
    note.write_text("Mira Solveig lives in Tromsø.")
    page.locator('#lk-composer input[type="file"]').set_input_files(note)
    expect(page.get_by_text("You are not logged in any more.")).to_be_visible()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Log in again").click()
    give(page, PASSWORD)
    expect(page.locator("#lk-message textarea")).to_have_value("Where was I?")
    assert not (settings.home / "uploads").exists() or not list((settings.home / "uploads").iterdir())
    set_back(settings, *expiry)
    page.reload()
    expect(page.get_by_label("Password")).to_be_visible()
    assert served.assistant.memory.of("me").sources() == []


def test_a_login_lasts_beyond_a_restart_but_not_beyond_its_password(
    serve: Serve, context: BrowserContext, page: Page, settings: Settings
) -> None:
    first = serve()
    enter(page, first)
    first.assistant.close()
    second = serve()  # a cookie is for a host, whatever the port
    page.goto(second.url)
    page.locator("#lk-message textarea").wait_for()
    second.assistant.memory.logins.only_by("another one")
    page.reload()
    expect(page.get_by_label("Password")).to_be_visible()


@pytest.fixture
def elsewhere() -> Iterator[LoopbackServer]:
    """Another site; a browser takes localhost for one beside 127.0.0.1."""
    server = LoopbackServer()
    server.url = server.url.replace("127.0.0.1", "localhost")
    yield server
    server.close()


def shows(html: str) -> Reply:
    return Reply(html.encode(), headers={"Content-Type": "text/html"})


def test_a_link_from_elsewhere_finds_the_login(serve: Serve, page: Page, elsewhere: LoopbackServer) -> None:
    served = serve()
    enter(page, served)
    elsewhere.replies(shows(f'<a href="{served.url}">there</a>'))
    page.goto(elsewhere.url)
    page.get_by_role("link").click()
    page.locator("#lk-message textarea").wait_for()


@pytest.mark.parametrize("sandboxed", [False, True])
@pytest.mark.parametrize("path", ["login", "logout"])
def test_a_form_of_another_site_is_refused(
    serve: Serve, page: Page, elsewhere: LoopbackServer, path: str, sandboxed: bool
) -> None:
    served = serve()
    enter(page, served)
    password = PASSWORD.replace("&", "&amp;")
    form = f'<form method="post" action="{served.url}{path}"><input name="password" value="{password}">'
    form += "<button>Go</button></form>"
    elsewhere.replies(shows(f"<iframe sandbox='allow-forms' srcdoc='{form}'></iframe>" if sandboxed else form))
    page.goto(elsewhere.url)
    place = page.frame_locator("iframe") if sandboxed else page
    with page.expect_response(lambda answer: answer.url == f"{served.url}{path}") as answer:
        place.get_by_role("button").click()
    assert answer.value.status == 403
    origin = answer.value.request.headers["origin"]
    assert origin == ("null" if sandboxed else elsewhere.url.removesuffix("/api"))
    page.goto(served.url)
    page.locator("#lk-message textarea").wait_for()
