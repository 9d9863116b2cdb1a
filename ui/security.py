"""What every response and request has to pass: headers, a content policy, a size limit, the right host and origin."""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from html import escape
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.messages import Phrase, speak, spoken, tell
from assistant.messages.languages import browser_language

MAX_BODY_BYTES = 64 * 2**20
_SILENT_SECONDS = 60.0  # for the next piece of a body to come
_PAGES = frozenset({"/", "/login"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
# What page.js and login.js say.
_SCRIPT_WORDS = {
    "newest": Phrase("Jump to the newest"),
    "ended": Phrase("You are not logged in any more."),
    "again": Phrase("Log in again"),
}
_HEAD = '<link rel="stylesheet" href="lorekeeper/page.css"><script defer src="lorekeeper/page.js"></script></head>'
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with none, browsers hide from ourselves too where a form comes from
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def policy(nonce: str) -> str:
    """The content policy: nothing from elsewhere; scripts only our own files and those with the nonce.

    Gradio compiles its HTML templates with `Function` and styles with inline rules, so both of these stay allowed.
    """
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' 'nonce-{nonce}' 'unsafe-eval'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "media-src 'self' blob:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ]
    )


class Guarded:
    """ASGI middleware: refuses foreign hosts and origins and big bodies, and adds the headers to every response."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None = None) -> None:
        """`hosts` are the names that this server may be called by; None for any."""
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # the page needs none of the others
            await send({"type": "websocket.close", "code": 1008})
            return
        nonce = secrets.token_urlsafe(16)
        page = _Page(send, nonce, dress=scope["path"] in _PAGES)
        headers = Headers(scope=scope)
        speak(browser_language(headers.get("accept-language", "")))
        if refusal := self._refusal(scope, headers):
            await refused(*refusal)(scope, receive, page)
            return
        await self._app(scope, _limited(receive), page)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self._hosts is not None and _name(host) not in self._hosts:
            return 421, "This server does not answer to that name."
        if scope["method"] not in ("GET", "HEAD") and _from_elsewhere(headers, host):
            return 403, "Requests from other sites are refused."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return 413, _too_big()
        return None


class _Page:
    """The way out: adds headers, and with `dress` gives HTML its nonce, style and script; no other HTML is ours."""

    def __init__(self, send: Send, nonce: str, *, dress: bool) -> None:
        self._send = send
        self._nonce = nonce
        self._dress = dress
        self._start: Message | None = None
        self._html = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers["Content-Security-Policy"] = policy(self._nonce)
            html = headers.get("content-type", "").startswith("text/html")
            if self._dress and html and "content-encoding" not in headers:
                headers["Cache-Control"] = "no-store"
                self._start = message
                return
        elif self._start is not None:
            self._html += message.get("body", b"")
            if message.get("more_body"):
                return
            message = {"type": "http.response.body", "body": _dressed(self._html, self._nonce)}
            MutableHeaders(scope=self._start)["content-length"] = str(len(message["body"]))
            await self._send(self._start)
        await self._send(message)


def _dressed(html: bytes, nonce: str) -> bytes:
    words = "".join(
        f'<meta name="lk-{name}" content="{escape(tell(phrase))}">' for name, phrase in _SCRIPT_WORDS.items()
    )
    text = html.decode().replace("</head>", words + _HEAD, 1).replace('lang="en"', f'lang="{spoken()}"', 1)
    return re.sub(r"<script\b", f'<script nonce="{nonce}"', text).encode()


def refused(status: int, line: str, headers: Mapping[str, str] | None = None) -> PlainTextResponse:
    """An answer of one line, after which the connection ends: nothing more is read of what was sent."""
    return PlainTextResponse(line, status, {**(headers or {}), "Connection": "close"})


def _from_elsewhere(headers: Headers, host: str) -> bool:
    """Whether a page of another site sent this, by what a browser says and no page can; other clients say nothing.

    Where the address is https or this machine's, that is Sec-Fetch-Site; else the Origin. That may be `null`, as from a
    frame that may do nothing in its own name.
    """
    if site := headers.get("sec-fetch-site"):
        return site not in ("same-origin", "none")
    origin = headers.get("origin", "")
    return bool(origin) and origin.partition("://")[2] != host


def _limited(receive: Receive) -> Callable[[], Awaitable[Message]]:
    """Counts what comes without a length, and waits for it no longer than `_SILENT_SECONDS`.

    Raises, to whoever reads on:
        HTTPException: it is too much, or nothing more comes.
    """
    seen, over = 0, False

    async def counted() -> Any:
        nonlocal seen, over
        if over:  # what comes now is that the client goes
            return await receive()
        try:
            async with asyncio.timeout(_SILENT_SECONDS):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "Nothing more came; send it again.", {"Connection": "close"}) from None
        over = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > MAX_BODY_BYTES:
            raise HTTPException(413, _too_big(), {"Connection": "close"})
        return message

    return counted


def _too_big() -> str:
    return tell("That is too big; {number} MB is the limit.", number=MAX_BODY_BYTES // 2**20)


def _name(host: str) -> str:
    return host.lower() if host.endswith("]") else host.lower().rpartition(":")[0] or host.lower()
