"""Turns that belong to the server, in real browsers: tabs come and go, and every answer comes to its end."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app import compose
from assistant.llm.client import Chunk, Request, Stop
from assistant.llm.scripted import Cut, ScriptedTransport, Weights
from assistant.settings import Settings
from assistant.types import Turn
from memory.types import SavedMessage, SessionInfo
from tests.assistant.llm.openai_double import Exchange, ModelServer, weighs
from tests.ui.conftest import ROOT, TURN, WHERE, Served, ask, press, settled

Serve = Callable[..., Served]
Visit = Callable[..., Page]
Shot = Callable[[Page, str], None]

_HALF, _WHOLE = "Once upon a time", "Once upon a time there was an end."
_SECONDS = 60.0  # only tells an end from a hang


class Halfway(ScriptedTransport):
    """A model whose answers stop in the middle until they may go on, or are stopped."""

    def __init__(self) -> None:
        super().__init__({**TURN, "understand": ["en chat"], "answer": [_WHOLE]}, repeat=True)
        self.may_go_on = threading.Event()

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """Say half of an answer, wait, and say the rest."""
        said = ""
        for chunk in super().send(request, stop):
            said += chunk.text
            yield chunk
            while said == _HALF and not self.may_go_on.wait(0.01) and not stop():
                pass


@pytest.fixture
def model() -> Iterator[Halfway]:
    model = Halfway()
    yield model
    model.may_go_on.set()


def conversations(served: Served) -> dict[str, list[SavedMessage]]:
    """By their titles."""
    sessions = served.assistant.memory.of("me").sessions
    return {info.title: sessions.load(info.id) for info in sessions.list()}


def saved(served: Served, title: str) -> list[str]:
    """The messages of a conversation, once its turn has ended."""
    until(lambda: served.assistant.turns.sessions("me") == frozenset())
    return [message.content for message in conversations(served)[title]]


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def half_said(page: Page) -> None:
    expect(page.locator("#lk-chat")).to_contain_text(_HALF)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def wholly_said(page: Page) -> None:
    expect(page.locator("#lk-chat")).to_contain_text(_WHOLE)
    settled(page)


def test_an_answer_goes_on_through_a_reload_and_a_look_at_another_conversation(
    serve: Serve, visit: Visit, shot: Shot, model: Halfway
) -> None:
    served = serve(transport=model)
    page = visit(served)
    ask(page, "Tell me")
    half_said(page)
    page.reload()
    half_said(page)
    shot(page, "reloaded")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("#lk-chat")).not_to_contain_text(_HALF)
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    ask(page, "And me")
    half_said(page)
    shot(page, "two-answers")
    page.locator("#lk-sessions").get_by_text("Tell me").click()
    expect(page.locator("#lk-chat .user-row")).to_have_text("Tell me")
    half_said(page)
    model.may_go_on.set()
    wholly_said(page)
    assert saved(served, "Tell me") == ["Tell me", _WHOLE]
    assert saved(served, "And me") == ["And me", _WHOLE]


def test_what_is_asked_and_written_in_the_list_outlasts_the_end_of_an_answer(
    serve: Serve, visit: Visit, model: Halfway
) -> None:
    served = serve(transport=model)
    page = visit(served)
    ask(page, "Tell me")
    half_said(page)
    keep = page.get_by_role("button", name="Keep", exact=True)
    press(page.get_by_label("Delete Tell me"), keep)
    expect(keep).to_be_focused()
    sessions = served.assistant.memory.of("me").sessions
    sessions.rename(sessions.list()[0].id, "Told")
    model.may_go_on.set()
    wholly_said(page)
    expect(page.get_by_role("alertdialog")).to_contain_text("Told")  # drawn anew, and still asking
    expect(keep).to_be_focused()
    press(keep, page.get_by_label("Rename Told"))

    model.may_go_on.clear()
    ask(page, "And then")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    title = page.get_by_label("Title of this conversation")
    press(page.get_by_label("Rename Told"), title)
    title.fill("A tale")
    model.may_go_on.set()
    settled(page, 2)
    page.wait_for_timeout(500)  # what would be drawn over it has been drawn
    expect(title).to_have_value("A tale")
    title.press("Enter")
    expect(page.locator("#lk-sessions")).to_contain_text("A tale")


def test_what_comes_before_the_browser_listens_is_drawn(serve: Serve, visit: Visit, model: Halfway) -> None:
    served = serve(transport=model)
    page = visit(served)
    ask(page, "Tell me")
    half_said(page)

    def late(route: Route) -> None:
        response = route.fetch()
        time.sleep(0.5)  # by then the first steps have come over the stream, and are taken together
        route.fulfill(response=response)

    page.route("**/queue/join*", late)
    page.reload()
    half_said(page)
    page.unroute_all(behavior="wait")  # the timer asks as well
    model.may_go_on.set()
    wholly_said(page)


def test_two_tabs_follow_one_turn_and_either_stops_it(serve: Serve, visit: Visit, shot: Shot, model: Halfway) -> None:
    served = serve(transport=model)
    session = served.assistant.memory.of("me").sessions.new().id
    one, other = visit(served), visit(served)
    one.locator("#lk-sessions [data-action=open]").click()
    other.locator("#lk-sessions [data-action=open]").click()
    ask(one, "Tell me")
    half_said(one)
    half_said(other)  # though it was asked elsewhere
    expect(other.locator("#lk-chat .user-row")).to_have_text("Tell me")
    marked = "getComputedStyle(document.querySelector('#lk-sessions .lk-open'), '::before').content"
    other.wait_for_function(f"{marked} !== 'none'")
    shot(other, "watched")
    other.keyboard.press("Escape")
    for page in (one, other):
        settled(page)
        expect(page.locator("#lk-chat .lk-notice")).to_have_text("Stopped.")
    other.wait_for_function(f"{marked} === 'none'")
    assert [m.content for m in served.assistant.memory.of("me").sessions.load(session)] == ["Tell me", _HALF]


def test_a_tab_that_is_closed_leaves_its_answer_to_the_server(serve: Serve, visit: Visit, model: Halfway) -> None:
    served = serve(transport=model)
    page = visit(served)
    ask(page, "Tell me")
    half_said(page)
    page.close()
    time.sleep(1.0)
    model.may_go_on.set()
    assert saved(served, "Tell me") == ["Tell me", _WHOLE]


def test_a_tab_that_nobody_sees_lets_go_of_its_connection(serve: Serve, visit: Visit, model: Halfway) -> None:
    def see(hidden: bool) -> None:
        page.evaluate(
            f"Object.defineProperty(document, 'hidden', {{ value: {str(hidden).lower()}, configurable: true }})"
        )
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def followed() -> int:
        return len([1 for frame in sys._current_frames().values() if _is_in(frame, "_followed")])

    served = serve(transport=model)
    page = visit(served)
    ask(page, "Tell me")
    half_said(page)
    see(hidden=True)
    until(lambda: not followed())
    model.may_go_on.set()
    assert saved(served, "Tell me") == ["Tell me", _WHOLE]
    see(hidden=False)
    wholly_said(page)


def _is_in(frame: object, function: str) -> bool:
    while frame is not None:
        if frame.f_code.co_name == function:  # type: ignore[attr-defined]
            return True
        frame = frame.f_back  # type: ignore[attr-defined]
    return False


def test_a_conversation_that_is_deleted_or_forgotten_takes_its_turn_along(
    serve: Serve, visit: Visit, model: Halfway
) -> None:
    served = serve(transport=model)
    page, other = visit(served), visit(served)
    ask(page, "Tell me")
    half_said(page)
    other.reload()
    half_said(other)
    delete = page.get_by_role("button", name="Delete", exact=True)
    press(page.get_by_label("Delete Tell me"), delete)
    delete.click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible()
    expect(other.get_by_text("What would you like to know?")).to_be_visible()
    until(lambda: served.assistant.turns.sessions("me") == frozenset())
    assert conversations(served) == {}

    ask(page, "Tell me more")
    half_said(page)
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("button", name="Forget everything").click()
    page.get_by_role("button", name="Yes, forget everything").click()
    expect(page.locator("#lk-sessions li")).to_have_count(0)
    until(lambda: served.assistant.turns.sessions("me") == frozenset())
    assert conversations(served) == {}
    page.get_by_role("tab", name="Chat").click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible()


def test_a_conversation_that_is_chosen_while_another_is_still_read_is_shown(
    serve: Serve, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve()
    sessions = served.assistant.memory.of("me").sessions
    ids = {}
    for said in ("A short one", "A long one"):  # the one that was changed last is opened first
        ids[said] = sessions.new().id
        sessions.append(ids[said], SavedMessage("user", said, datetime.now(UTC)))
    load, is_chosen = sessions.load, threading.Event()

    def slowly(id: str) -> list[SavedMessage]:
        messages = load(id)
        assert id == ids["A short one"] or is_chosen.wait(_SECONDS)
        return messages

    monkeypatch.setattr(sessions, "load", slowly)
    page = visit(served)
    page.locator("#lk-sessions").get_by_text("A short one").click()
    expect(page.locator("#lk-sessions [aria-current]")).to_have_text("A short one")
    is_chosen.set()
    expect(page.locator("#lk-chat .user-row")).to_have_text("A short one")
    ask(page, WHERE)
    settled(page)
    assert WHERE in [message.content for message in load(ids["A short one"])]


def test_a_question_that_is_asked_before_the_page_has_loaded_is_shown(
    serve: Serve, visit: Visit, model: Halfway, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve(transport=model)
    sessions, turns = served.assistant.memory.of("me").sessions, served.assistant.turns
    listed = sessions.list

    def slowly(search: str = "") -> list[SessionInfo]:
        infos = listed(search)
        until(lambda: model.may_go_on.is_set() or turns.sessions("me") != frozenset())
        return infos

    monkeypatch.setattr(sessions, "list", slowly)
    page = visit(served)
    ask(page, "Tell me")
    half_said(page)
    model.may_go_on.set()
    wholly_said(page)


def test_a_question_waits_for_its_turn_and_says_so(serve: Serve, visit: Visit, shot: Shot, model: Halfway) -> None:
    served = serve(transport=model)
    me = served.assistant.memory.of("me").sessions
    for _ in range(5):
        session = me.new().id
        served.assistant.turns.start(Turn("Tell me", "me", session, datetime.now(UTC)))
    me.new()
    page = visit(served)
    page.get_by_role("button", name="New conversation").click()
    ask(page, "And me")
    expect(page.get_by_role("log")).to_contain_text("Waiting for 2 other answers")
    shot(page, "waiting")
    model.may_go_on.set()
    wholly_said(page)


def test_an_answer_that_was_cut_is_continued_in_its_place(serve: Serve, visit: Visit, shot: Shot) -> None:
    served = serve(
        transport=ScriptedTransport({**TURN, "understand": ["en chat"], "answer": [Cut("Once upon"), " a time."]})
    )
    page = visit(served)
    ask(page, "Tell me")
    settled(page)
    expect(page.locator("#lk-chat .lk-notice")).to_have_text("This answer was cut off before its end.")
    shot(page, "cut")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#lk-chat")).to_contain_text("Once upon a time.")
    settled(page)
    expect(page.locator("#lk-chat .lk-notice")).to_have_count(0)
    shot(page, "continued")
    assert saved(served, "Tell me") == ["Tell me", "Once upon a time."]
    page.reload()
    expect(page.locator("#lk-chat")).to_contain_text("Once upon a time.")


def test_what_is_asked_to_be_forgotten_is_shown_and_forgotten_at_a_press(
    serve: Serve, visit: Visit, shot: Shot
) -> None:
    forget = "de forget: Schwester"
    lines = "the user|Schwester|Wanda\nWanda|lives in|Trier"
    told = {"understand": ["de remember", forget, forget], "extract": [lines], "date": [""]}
    served = serve({**told, "erase": [Weights({"yes": 1.0})]})
    page = visit(served)
    ask(page, "Meine Schwester Wanda wohnt in Trier.")
    settled(page)
    ask(page, "Vergiss alles über meine Schwester.")
    settled(page)
    facts = page.locator("#lk-chat .lk-asked li")
    expect(facts).to_have_count(2)
    shot(page, "forget-asked")
    memory = served.assistant.memory.of("me")
    assert len(memory.facts()) == 2
    page.reload()
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator("#lk-chat")).to_contain_text("Vergessen: 2 Fakten")
    settled(page)
    expect(page.get_by_role("button", name="Forget", exact=True)).to_have_count(0)
    assert memory.is_empty()
    shot(page, "forgotten")


def test_the_end_of_the_program_saves_what_was_answered_so_far(browser: Browser, home: Path) -> None:
    def routes(exchange: Exchange) -> None:
        exchange.begin()
        exchange.token("en chat")
        exchange.usage(1, 0, 1)

    def goes_silent(exchange: Exchange) -> None:
        exchange.begin()
        exchange.token(_HALF)
        exchange.client_is_gone()

    server = ModelServer()
    server.answers = [routes, weighs(no=1.0), goes_silent]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with (
        subprocess.Popen(
            [sys.executable, "app.py", "serve", "--port", "0"],
            cwd=ROOT,
            env={
                **os.environ,
                "LOREKEEPER_HOME": str(home),
                "OPENAI_BASE_URL": server.url,
                "LOREKEEPER_PROFILE": "small",  # nothing is asked of it beside the turn
            },
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        ) as process,
        ExitStack() as stack,
    ):
        stack.callback(process.kill)
        assert process.stdout
        url = process.stdout.readline().split()[-1]
        urlopen(f"{url}/health", timeout=2 * _SECONDS).close()
        page = browser.new_page()
        page.goto(url, timeout=1000 * _SECONDS)
        ask(page, "Tell me")
        expect(page.locator("#lk-chat")).to_contain_text(_HALF)
        process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        assert process.wait(_SECONDS) == 0
        assert time.monotonic() - begun < 30
    server.shutdown()
    server.server_close()
    page.close()
    settings = Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off"})
    assistant = compose(settings, ScriptedTransport([]))
    served = Served("", assistant, assistant.model.transport)
    asked, said = conversations(served)["Tell me"]
    assert (asked.content, said.content) == ("Tell me", _HALF)
    assert "'stopped': True" in str(said.details)
    assistant.close()
