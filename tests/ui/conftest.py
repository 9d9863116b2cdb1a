"""The real product behind a real browser: composed with a scripted model, served on loopback, opened in Chromium."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect, sync_playwright

from app import compose
from assistant.llm.client import Request, Transport
from assistant.llm.scripted import Scripted, ScriptedTransport, Weights
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from ui.server import create_app

ROOT = Path(__file__).parents[2]
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

_PATIENCE_MS = 60_000  # a machine that does other things besides is slow, not wrong

STORY = (
    "Mira Solveig lives in Tromsø. She trains gyrfalcons for the harbour. "
    "Her first falcon was called Brisk. 米拉喜欢在冬天喝桦树茶。"
)
_FACTS = {"Tromsø": "home\nMira Solveig | lives in | Tromsø", "gyrfalcons": "work\nMira Solveig | trains | gyrfalcons"}


def read_in(request: Request) -> str:
    """What the model reads in the sentence of the story that it is asked about."""
    return next((facts for word, facts in _FACTS.items() if word in request.messages[-1].content), "something else")


WHERE = "Where does Mira Solveig live?"
TURN: dict[str, list[Scripted]] = {
    "understand": ["en ask"],
    "standalone": [WHERE],
    "program": ['answer = find_entity_or_value(["Mira Solveig"], ["lives in", "home"])'],
    "answer": ["Mira Solveig lives in Tromsø [1]."],
    "entailment": [Weights({"yes": 1.0})],
    "erase": [Weights({"yes": 1.0})],
    "scope": [Weights({"all": 1.0})],
    "earlier": [Weights({"no": 1.0})],
    "asks": [Weights({"yes": 1.0})],
    "tells": [Weights({"yes": 1.0})],
    "facts": [Weights({"no": 1.0})],
    "extract": [read_in],
    "date": [""],
}


@dataclass
class Served:
    """A running page."""

    url: str
    assistant: Assistant
    transport: Transport


@dataclass
class Seen:
    """What a page did that no page should do."""

    foreign: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture
def settings(home: Path) -> Settings:
    """No public knowledge bases, a home of the test's own."""
    return Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off"})


@pytest.fixture
def serve(settings: Settings) -> Iterator[Callable[..., Served]]:
    """`serve(replies)` or `serve(transport=...)` composes the product and serves its page until the test ends."""
    with ExitStack() as stack:

        def start(
            replies: Mapping[str, Sequence[Scripted]] = TURN,
            *,
            delay: float = 0.0,
            transport: Transport | None = None,
        ) -> Served:
            model = transport or ScriptedTransport(replies, repeat=True, token_delay_seconds=delay)
            assistant = compose(settings, model)
            stack.callback(assistant.close)
            config = uvicorn.Config(
                create_app(assistant), port=0, log_level="error", ws="none", timeout_graceful_shutdown=1
            )
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run, daemon=True)
            thread.start()
            while not server.started:
                assert thread.is_alive(), "The server ended before it had started."
                time.sleep(0.01)
            stack.callback(thread.join, 10)
            stack.callback(setattr, server, "should_exit", True)
            port = server.servers[0].sockets[0].getsockname()[1]
            return Served(f"http://127.0.0.1:{port}/", assistant, model)

        yield start


@pytest.fixture(scope="module")
def browser(installed: Callable[[str, str], Path]) -> Iterator[Browser]:
    """Playwright's own Chromium where it is there, else Debian's; its event loop runs as long as it is open."""
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        path = own if Path(own).exists() else str(installed("/usr/bin/chromium", "chromium"))
        chromium = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """`visit(served, width=..., locale=...)` opens the page; afterwards it must have asked nobody else for anything."""
    seen, contexts = Seen(), []

    def go(served: Served, *, width: int = 1280, height: int = 860, dark: bool = False, locale: str = "en-GB") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale=locale,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(_PATIENCE_MS)
        page.on("request", lambda r: None if _local(r.url, served.url) else seen.foreign.append(r.url))
        page.on("console", lambda m: seen.complaints.append(m.text) if m.type == "error" and _ours(m.text) else None)
        page.on("pageerror", lambda e: seen.complaints.append(str(e)) if _ours(str(e)) else None)
        page.goto(served.url)
        page.locator("#lk-message textarea").wait_for()
        return page

    yield go
    for context in contexts:
        context.close()
    assert seen.foreign == []
    assert seen.complaints == []


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """`shot(page, name)` keeps a screenshot as an artefact of the tests."""
    folder = Path(os.environ.get("LOREKEEPER_ARTIFACTS") or ROOT / "artifacts")
    folder.mkdir(parents=True, exist_ok=True)

    def take(page: Page, name: str) -> None:
        page.screenshot(path=folder / f"{name}.png")

    return take


def press(button: Locator, then: Locator) -> None:
    """Press a button of a list by the keyboard until what it leads to is there: a list that is drawn anew between its
    focus and the key takes that with it, on a machine on which drawing takes a while."""
    for _ in range(12):
        with suppress(AssertionError, TimeoutError):
            button.press("Enter", timeout=5_000)
            expect(then).to_be_visible(timeout=5_000)
            return
        if then.is_visible():
            return
    expect(then).to_be_visible()


def ask(page: Page, text: str) -> None:
    """Send a message."""
    page.locator("#lk-message textarea").fill(text)
    page.keyboard.press("Enter")


def settled(page: Page, answers: int = 1) -> None:
    """Wait until that many turns have ended and the page takes another."""
    page.locator("#lk-chat .lk-footer").nth(answers - 1).wait_for()
    page.locator("#lk-message .submit-button").wait_for()


def _local(url: str, served: str) -> bool:
    return url.startswith((served, "data:", "blob:"))


def _ours(complaint: str) -> bool:
    """Gradio complains of what is under way when a page is left."""
    return "AbortError" not in complaint and "Connection errored out" not in complaint
