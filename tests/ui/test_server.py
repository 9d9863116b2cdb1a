"""The server: headers, login, limits, and who may talk to it."""

import asyncio
import dataclasses
import re
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest
from fastapi import FastAPI
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient
from starlette.types import Message

from app import compose
from assistant.errors import UserMistake
from assistant.llm.scripted import ScriptedTransport
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from ui.listening import listen
from ui.login import Login
from ui.security import MAX_BODY_BYTES, Guarded
from ui.server import create_app

HERE = "http://localhost:7860"


def client_of(assistant: Assistant, base_url: str) -> TestClient:
    """Gradio makes event loops that nobody closes, unless one runs while the page is built."""

    async def build() -> FastAPI:
        return create_app(assistant)

    return TestClient(asyncio.run(build()), base_url=base_url, follow_redirects=False)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with closing(compose(settings, ScriptedTransport([]))) as assistant:
        yield client_of(assistant, HERE)


@pytest.fixture
def locked(settings: Settings) -> Iterator[TestClient]:
    with closing(compose(dataclasses.replace(settings, password="öpen sesame"), ScriptedTransport([]))) as assistant:
        yield client_of(assistant, "http://lore.example")


def test_health_says_how_the_model_is(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "ok", "model": "ready"}


def test_every_script_of_the_page_carries_the_nonce_of_the_policy(client: TestClient) -> None:
    first, second = client.get("/"), client.get("/")
    policy = first.headers["content-security-policy"]
    nonce = re.search(r"'nonce-([^']+)'", policy)
    assert nonce
    scripts = re.findall(r"<script\b[^>]*", first.text)
    assert len(scripts) > 3
    assert all(f'nonce="{nonce[1]}"' in script for script in scripts)
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy  # nobody else is let in
    assert second.headers["content-security-policy"] != policy


def test_the_page_names_nobody_else_to_load_from(client: TestClient) -> None:
    html = client.get("/").text
    loaded = re.findall(r"<(?:script|link)\b[^>]*?(?:src|href)=\"([^\"]+)", html)
    assert loaded
    assert [url for url in loaded if "//" in url] == []
    assert '"analytics_enabled":false' in html.replace(" ", "")
    fonts = re.findall(r"url\(['\"]?([^'\")]+\.woff2)", client.get("/theme.css").text)
    assert fonts
    assert [url for url in fonts if "//" in url] == []


def test_headers_are_on_every_answer(client: TestClient) -> None:
    for path in ("/", "/health", "/lorekeeper/page.css", "/nothing-here"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"


def test_what_gradio_would_tell_strangers_is_not_there(client: TestClient) -> None:
    for path in ("/monitoring/summary", "/docs", "/openapi.json"):
        assert client.get(path).status_code in (401, 403, 404), path
    assert client.get("/gradio_api/info").json() == {"named_endpoints": {}, "unnamed_endpoints": {}}


def test_without_a_password_only_this_machine_s_names_are_answered(client: TestClient) -> None:
    assert client.get("/health", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/health", headers={"host": "127.0.0.1:1"}).status_code == 200
    assert client.get("/health", headers={"host": "[::1]:7860"}).status_code == 200


def test_other_sites_cannot_post(client: TestClient) -> None:
    answer = client.post("/gradio_api/queue/join", json={}, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert client.post("/gradio_api/queue/join", json={}, headers={"origin": HERE}).status_code != 403


def test_too_big_a_body_is_refused_with_a_line(client: TestClient) -> None:
    answer = client.post("/gradio_api/upload", content=b"x", headers={"content-length": str(MAX_BODY_BYTES + 1)})
    assert answer.status_code == 413
    assert "MB is the limit" in answer.text


def test_the_password_opens_the_page_and_nothing_else_does(locked: TestClient) -> None:
    page = locked.get("/", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/login")
    assert locked.get("/gradio_api/info").status_code == 401
    assert locked.get("/config", headers={"cookie": "lorekeeper=guessed"}).status_code == 401
    assert locked.get("/health").status_code == 200
    assert locked.get("/lorekeeper/page.css").status_code == 200
    assert locked.get("/login_check").status_code == 401
    assert locked.get("/healthy").status_code == 401
    assert "<form" in locked.get("/login").text

    wrong = locked.post("/login", data={"password": "please"})
    assert wrong.status_code == 401
    assert "not the password" in wrong.text

    locked.cookies.clear()
    right = locked.post("/login", data={"password": "öpen sesame"})
    assert right.status_code == 303
    cookie = right.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert locked.get("/", headers={"accept": "text/html"}).status_code == 200


def test_guessing_is_braked(locked: TestClient) -> None:
    assert [locked.post("/login", data={"password": str(n)}).status_code for n in range(5)] == [401] * 5
    braked = locked.post("/login", data={"password": "öpen sesame"})
    assert braked.status_code == 429
    assert int(braked.headers["retry-after"]) > 0


def test_guesses_that_arrive_together_are_braked_too() -> None:
    async def guess(login: Login, bodies_to_come: asyncio.Event) -> int:
        status = 0

        async def receive() -> Message:
            await bodies_to_come.wait()
            return {"type": "http.request", "body": b"password=please", "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)

        scope = {"type": "http", "method": "POST", "path": "/login", "headers": [], "query_string": b""}
        await login(scope, receive, send)
        return status

    async def together() -> list[int]:
        login, bodies_to_come = Login(FastAPI(), "open sesame"), asyncio.Event()
        guesses = [asyncio.create_task(guess(login, bodies_to_come)) for _ in range(20)]
        await asyncio.sleep(0)
        bodies_to_come.set()
        return await asyncio.gather(*guesses)

    statuses = asyncio.run(together())
    assert (statuses.count(401), statuses.count(429)) == (5, 15)


def test_only_the_page_itself_is_given_nonces() -> None:
    app = FastAPI()

    @app.get("/{path:path}")
    def page(path: str) -> HTMLResponse:
        return HTMLResponse(f"<html><head></head><script>{path}</script></html>")

    app.add_middleware(Guarded, hosts=None)
    client = TestClient(app)
    assert "nonce=" in client.get("/").text
    assert "nonce=" in client.get("/login").text
    assert "nonce=" not in client.get("/gradio_api/file=upload.html").text


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserMistake, match=rf"Port {port} is in use.*--port"):
            listen("127.0.0.1", port, password=False)


def test_an_open_address_wants_a_password() -> None:
    with pytest.raises(UserMistake, match="LOREKEEPER_PASSWORD"):
        listen("0.0.0.0", 0, password=False)
    listen("0.0.0.0", 0, password=True).close()
