"""A page without a network: it says so once, and answers do not repeat it."""

import json
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.knowledge_bases.web import host as pacing
from assistant.settings import Settings
from tests.ui.conftest import Served, ask, settled

Serve = Callable[..., Served]
Visit = Callable[..., Page]
Shot = Callable[[Page, str], None]

TECHNICAL = ("resolved", "left alone", "wikipedia.org", "Trouble with")
SEARCHED = {
    "understand": ["en ask"],
    "standalone": ["Who is Mira Solveig?"],
    "program": ['answer = get_entity_info("Mira Solveig")'],
    "answer": ["UNKNOWN"],
}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, public_knowledge_bases=True)


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No name can be resolved but this machine's own."""
    resolve = socket.getaddrinfo

    def offline(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host in ("127.0.0.1", "localhost", "::1", None):
            return resolve(host, *args, **kwargs)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", offline)


def test_being_offline_is_said_once_in_the_banner(serve: Serve, visit: Visit, shot: Shot) -> None:
    served = serve(SEARCHED)
    page = visit(served)
    banner = page.locator("#lk-banner")
    for number in range(3):
        ask(page, f"Who is Mira Solveig {number}?")
        settled(page, number + 1)
    expect(banner).to_contain_text("Offline: Wikipedia and Wikidata cannot be reached")
    expect(banner.locator(".lk-away")).to_have_count(1)
    chat = page.locator("#lk-chat")
    expect(chat).to_contain_text("I could not look everywhere")
    shown = chat.inner_text()
    sessions = served.assistant.memory.of("me").sessions
    kept = json.dumps([[m.content, m.details] for m in sessions.load(sessions.list()[0].id)])
    for technical in TECHNICAL:
        assert technical not in shown
        assert technical not in kept
    states = {info.name: info.message for info in served.assistant.knowledge_bases.infos("me")}
    assert "its name cannot be resolved" in states["wikipedia"]
    assert served.assistant.memory.of("me").sessions.load(sessions.list()[0].id)[1].content
    page.reload()
    settled(page, 3)
    expect(banner).to_contain_text("Offline")
    shot(page, "offline")


def test_the_banner_goes_away_by_itself(serve: Serve, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "LOOK_AGAIN_SECONDS", 0.5)
    served = serve(SEARCHED)
    page = visit(served)
    ask(page, "Who is Mira Solveig?")
    settled(page)
    expect(page.locator("#lk-banner")).to_contain_text("Offline")
    page.wait_for_timeout(7_000)  # tried again by now, in vain
    expect(page.locator("#lk-banner")).to_contain_text("Offline")
    monkeypatch.setattr(served.assistant.knowledge_bases.http._session, "head", lambda *_, **__: None)
    expect(page.locator("#lk-banner")).not_to_contain_text("Offline")
