"""The way in where a password is set: one form, a cookie, and a brake on guessing."""

import hmac
import secrets
import threading
import time
from collections import deque
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = "lorekeeper"
_HEALTH, _FILES = "/health", "/lorekeeper/"  # open to everybody
_ATTEMPTS, _WINDOW_SECONDS = 5, 60.0
_LASTS_SECONDS = 30 * 24 * 3600
_FORM = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lorekeeper</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body class="lk-login"><form method="post" action="/login"><h1>Lorekeeper</h1>
<label>Password<input type="password" name="password" autocomplete="current-password" autofocus required></label>
<button>Enter</button>{message}</form></body></html>"""


class Brake:
    """At most five wrong passwords a minute, whoever sends them: there is one operator and one password."""

    def __init__(self) -> None:
        self._failures: deque[float] = deque(maxlen=_ATTEMPTS)
        self._lock = threading.Lock()

    def seconds_to_wait(self) -> float:
        """How long until the next attempt is looked at; 0 if at once."""
        with self._lock:
            if len(self._failures) < _ATTEMPTS:
                return 0.0
            return max(0.0, self._failures[0] + _WINDOW_SECONDS - time.monotonic())

    def failed(self) -> None:
        """Count a wrong password."""
        with self._lock:
            self._failures.append(time.monotonic())


class Login:
    """ASGI middleware that lets nobody past without the cookie that the right password earns."""

    def __init__(self, app: ASGIApp, password: str) -> None:
        self._app = app
        self._password = password.encode()
        self._brake = Brake()
        self._tokens: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        path = request.url.path
        if path == "/login":
            await (await self._login(request))(scope, receive, send)
        elif path == _HEALTH or path.startswith(_FILES) or request.cookies.get(COOKIE) in self._tokens:
            await self._app(scope, receive, send)
        else:
            await _stranger(request)(scope, receive, send)

    async def _login(self, request: Request) -> Response:
        if request.method != "POST":
            return HTMLResponse(_FORM.format(message=""))
        body = await request.body()  # from here on nothing waits, so that no other attempt comes in between
        if wait := self._brake.seconds_to_wait():
            message = f"<p>Too many wrong passwords; try again in {wait:.0f} seconds.</p>"
            return HTMLResponse(_FORM.format(message=message), 429, {"Retry-After": f"{wait:.0f}"})
        given = parse_qs(body.decode(errors="replace")).get("password", [""])[0]
        if not hmac.compare_digest(given.encode(), self._password):
            self._brake.failed()
            return HTMLResponse(_FORM.format(message="<p>That is not the password.</p>"), 401)
        token = secrets.token_urlsafe(32)
        self._tokens.add(token)
        response = RedirectResponse("/", 303)
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, max_age=_LASTS_SECONDS, httponly=True, samesite="strict", secure=secure)
        return response


def _stranger(request: Request) -> Response:
    if request.method == "GET" and "text/html" in Headers(scope=request.scope).get("accept", ""):
        return RedirectResponse("/login", 303)
    return PlainTextResponse("Log in first.", 401)
