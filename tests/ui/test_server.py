"""The server: headers, login, limits, and who may talk to it."""

import asyncio
import dataclasses
import ipaddress
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from app import compose
from assistant.errors import UserMistake
from assistant.llm.scripted import ScriptedTransport
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from memory.logins import Logins
from memory.records.database import Database
from ui.brake import ATTEMPTS, MOST_ADDRESSES, WAIT_SECONDS, Brake
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


@pytest.fixture
def logins(tmp_path: Path) -> Iterator[Logins]:
    with closing(Database(tmp_path / "memory.db")) as database:
        yield Logins(database)


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
        assert headers["referrer-policy"] == "same-origin"


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
    assert "samesite=lax" in cookie
    assert locked.get("/", headers={"accept": "text/html"}).status_code == 200


def guesses(client: TestClient, number: int, **headers: str) -> list[int]:
    """The answers to so many wrong passwords."""
    return [client.post("/login", data={"password": str(n)}, headers=headers).status_code for n in range(number)]


def test_guessing_is_braked_where_it_comes_from_alone(locked: TestClient) -> None:
    assert guesses(locked, 5) == [401] * 5
    braked = locked.post("/login", data={"password": "öpen sesame"})
    assert braked.status_code == 429
    assert 0 < int(braked.headers["retry-after"]) <= 30
    assert f"try again in {braked.headers['retry-after']} second" in braked.text
    assert guesses(locked, 1, **{"x-forwarded-for": "198.51.100.9"}) == [429]
    owner = TestClient(locked.app, "http://lore.example", follow_redirects=False, client=("192.0.2.7", 5))
    assert owner.post("/login", data={"password": "öpen sesame"}).status_code == 303


def test_the_brake_lets_go_by_itself_and_does_not_count_what_is_long_past() -> None:
    now = 1000.0
    brake = Brake(lambda: now)
    for _ in range(ATTEMPTS):
        assert brake.seconds_to_wait("192.0.2.1") == 0
        brake.failed("192.0.2.1")
    assert brake.seconds_to_wait("192.0.2.1") == WAIT_SECONDS
    now += WAIT_SECONDS - 0.5
    assert brake.seconds_to_wait("192.0.2.1") == 1
    now += 0.5
    assert brake.seconds_to_wait("192.0.2.1") == 0
    brake.failed("192.0.2.1")
    assert brake.seconds_to_wait("192.0.2.1") == 0
    for _ in range(ATTEMPTS - 2):
        brake.failed("192.0.2.1")
    brake.passed("192.0.2.1")
    brake.failed("192.0.2.1")
    assert brake.seconds_to_wait("192.0.2.1") == 0


@given(
    st.integers(2 << 124, (4 << 124) - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1), st.integers(1, 2**32)
)
def test_a_guesser_is_a_network_of_ipv6_or_an_address_of_ipv4(six: int, other: int, four: int, step: int) -> None:
    brake = Brake(lambda: 0.0)
    for _ in range(ATTEMPTS):
        brake.failed(str(ipaddress.IPv6Address(six)))
        brake.failed(f"::ffff:{ipaddress.IPv4Address(four)}")
    assert brake.seconds_to_wait(str(ipaddress.IPv6Address(six >> 64 << 64 | other)))
    assert not brake.seconds_to_wait(str(ipaddress.IPv6Address(six ^ 1 << 64)))
    assert brake.seconds_to_wait(str(ipaddress.IPv4Address(four)))
    assert step == 2**32 or not brake.seconds_to_wait(str(ipaddress.IPv4Address((four + step) % 2**32)))


def test_however_many_guess_the_brake_keeps_a_bounded_number_in_mind() -> None:
    brake = Brake(lambda: 0.0)
    for number in range(MOST_ADDRESSES + 100):
        for _ in range(ATTEMPTS):
            brake.failed(str(ipaddress.IPv4Address(number)))
    assert len(brake._failures) == MOST_ADDRESSES
    assert brake.seconds_to_wait(str(ipaddress.IPv4Address(MOST_ADDRESSES + 99)))


def test_guesses_that_arrive_together_are_braked_too(logins: Logins) -> None:
    async def guess(login: Login, bodies_to_come: asyncio.Event) -> int:
        status = 0

        async def receive() -> Message:
            await bodies_to_come.wait()
            return {"type": "http.request", "body": b"password=please", "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)

        headers = [(b"content-type", b"application/x-www-form-urlencoded")]
        scope = {"type": "http", "method": "POST", "path": "/login", "headers": headers, "query_string": b""}
        await login(scope, receive, send)
        return status

    async def together() -> list[int]:
        login, bodies_to_come = Login(FastAPI(), "open sesame", logins), asyncio.Event()
        guesses = [asyncio.create_task(guess(login, bodies_to_come)) for _ in range(20)]
        await asyncio.sleep(0)
        bodies_to_come.set()
        return await asyncio.gather(*guesses)

    statuses = asyncio.run(together())
    assert (statuses.count(401), statuses.count(429)) == (5, 15)


def test_a_stranger_s_body_is_not_read_to_its_end(logins: Logins) -> None:
    taken = 0

    async def knock(path: str) -> int:
        status = 0

        async def receive() -> Message:
            nonlocal taken
            taken += 1024
            return {"type": "http.request", "body": b"password=" + b"x" * 1015, "more_body": taken < 2**20}

        async def send(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)

        headers = [(b"content-type", b"application/x-www-form-urlencoded")]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
        await Login(FastAPI(), "open sesame", logins)(scope, receive, send)
        return status

    assert asyncio.run(knock("/login")) == 413
    assert taken <= 8192
    assert asyncio.run(knock("/gradio_api/upload")) == 401
    assert taken <= 8192


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "status"),
    [
        ("PUT", "/login", {}, b"", 405),
        ("OPTIONS", "/login", {}, b"", 405),
        ("GET", "/logout", {"cookie": "lorekeeper=x"}, b"", 405),
        ("POST", "/logout", {}, b"", 303),
        ("POST", "/login", {}, b"password=a", 415),
        ("POST", "/login", {"content-type": "application/json"}, b'{"password": "a"}', 415),
        ("POST", "/login", {"content-type": "multipart/form-data; boundary=x"}, b"--x--", 415),
        ("POST", "/login", {"content-type": FORM}, b"", 400),
        ("POST", "/login", {"content-type": FORM}, b"name=a", 400),
        ("POST", "/login", {"content-type": FORM}, b"&".join(b"password=a" for _ in range(50)), 400),
        ("POST", "/login", {"content-type": FORM}, b"password=%FF%00%", 401),
        ("POST", "/login", {"content-type": FORM}, b"\xff\xfe=&password=\xff", 401),
        ("POST", "/login", {"content-type": f"{FORM}; charset=utf-8"}, b"password=a", 401),
        ("POST", "/login", {"content-type": FORM}, b"password=" + b"a" * 5000, 413),
        ("POST", "/", {"content-type": FORM}, b"a=b", 401),
        ("HEAD", "/", {"accept": "text/html"}, b"", 303),
        ("HEAD", "/login", {}, b"", 200),
        ("HEAD", "/health", {}, b"", 200),
        ("GET", "/health/", {}, b"", 401),
        ("GET", "/config", {"cookie": "lorekeeper=\xff\xfe"}, b"", 401),
        ("GET", "/config", {"cookie": f"lorekeeper={'x' * 9000}"}, b"", 401),
    ],
)
def test_whatever_a_stranger_sends_gets_a_clean_answer(  # noqa: PLR0917
    locked: TestClient, method: str, path: str, headers: dict[str, str], body: bytes, status: int
) -> None:
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    answer = locked.request(method, path, headers=raw, content=body)
    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "Traceback" not in answer.text


def test_the_user_of_a_login_is_in_the_scope(logins: Logins) -> None:
    app = FastAPI()

    @app.get("/")
    def who(request: Request) -> str:
        return str(request.scope["user"])

    app.add_middleware(Login, password="open sesame", logins=logins)
    client = TestClient(app, cookies={"lorekeeper": logins.begin("eve")})
    assert client.get("/").json() == "eve"
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/"):
        pass


@pytest.mark.parametrize(
    ("url", "headers", "secure"),
    [
        ("http://lore.example", {}, False),
        ("https://lore.example", {}, True),
        ("http://lore.example", {"origin": "https://lore.example"}, True),
    ],
)
def test_behind_https_the_cookie_is_for_https_alone(
    locked: TestClient, url: str, headers: dict[str, str], secure: bool
) -> None:
    client = TestClient(locked.app, base_url=url, follow_redirects=False)
    sent = client.post("/login", data={"password": "öpen sesame"}, headers=headers)
    assert sent.status_code == 303
    assert ("secure" in sent.headers["set-cookie"].lower()) is secure


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "null"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null", "sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://localhost:7861", "sec-fetch-site": "same-site"}, 403),
        ({"origin": HERE, "sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": "null", "sec-fetch-site": "same-origin"}, 404),
        ({"origin": HERE}, 404),
        ({}, 404),
    ],
)
def test_a_browser_says_whether_a_request_comes_from_this_page(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    assert client.post("/gradio_api/process_recording", headers=headers).status_code == status


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
