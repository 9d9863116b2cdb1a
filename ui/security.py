"""What every response and request has to pass: headers, a content policy, a size limit, the right host and origin."""

import re
import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 64 * 2**20
_PAGES = frozenset({"/", "/login"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_HEAD = '<link rel="stylesheet" href="lorekeeper/page.css"><script defer src="lorekeeper/page.js"></script></head>'
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
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
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        page = _Page(send, nonce, dress=scope["path"] in _PAGES)
        headers = Headers(scope=scope)
        if refusal := self._refusal(scope, headers):
            await PlainTextResponse(refusal[1], refusal[0])(scope, receive, page)
            return
        await self._app(scope, _limited(receive), page)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self._hosts is not None and _name(host) not in self._hosts:
            return 421, "This server does not answer to that name."
        origin = headers.get("origin")
        if scope["method"] not in ("GET", "HEAD") and origin and urlsplit(origin).netloc != host:
            return 403, "Requests from other sites are refused."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return 413, f"That is too big; {MAX_BODY_BYTES // 2**20} MB is the limit."
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
    text = html.decode().replace("</head>", _HEAD, 1)
    return re.sub(r"<script\b", f'<script nonce="{nonce}"', text).encode()


def _limited(receive: Receive) -> Callable[[], Awaitable[Message]]:
    """Counts what comes without a length; ends the request when it is too much."""
    seen = 0

    async def counted() -> Any:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > MAX_BODY_BYTES else message

    return counted


def _name(host: str) -> str:
    return host.lower() if host.endswith("]") else host.lower().rpartition(":")[0] or host.lower()
