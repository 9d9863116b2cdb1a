"""The way in where a password is set: one form, a cookie that a login in the records stands behind, and the way out."""

import asyncio
import hmac
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.errors import Failure, one_line
from assistant.messages import Phrase, spoken, tell
from assistant.settings import DEFAULT_USER
from memory.logins import LONGEST, Logins
from ui.brake import Brake
from ui.security import refused

COOKIE = "lorekeeper"
LOGOUT = '<form class="lk-logout" method="post" action="/logout"><button type="submit">{}</button></form>'
LOG_OUT = Phrase("Log out")  # within it
_LOGIN, _LOGOUT = "/login", "/logout"
_HEALTH, _FILES = "/health", "/lorekeeper/"  # open to everybody
_FORM_BYTES, _FORM_SECONDS = 4096, 10.0  # of what a stranger may send
_FORM_TYPE = "application/x-www-form-urlencoded"
_WAIT = Phrase(
    "Too many wrong passwords from where you are; try again in {n} second.",
    "Too many wrong passwords from where you are; try again in {n} seconds.",
)
_FORM = """<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>Lorekeeper</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"></head>
<body class="lk-login"><form method="post" action="/login"><h1>Lorekeeper</h1>
<label>{password}<input type="password" name="password" autocomplete="current-password" autofocus required></label>
<button>{enter}</button>{message}</form></body></html>"""


class Login:
    """ASGI middleware that lets nobody past without a login; `scope["user"]` is the name of whose it is."""

    def __init__(self, app: ASGIApp, password: str, logins: Logins) -> None:
        self._app = app
        self._password = password.encode()
        self._logins = logins
        self._brake = Brake()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope, receive)
        path = request.url.path
        user = await self._user(request)
        if path == _LOGIN:
            response = await self._login(request, user)
        elif path == _LOGOUT:
            response = await self._logout(request)
        elif user is not None or path == _HEALTH or path.startswith(_FILES):
            await self._app({**scope, "user": user}, receive, send)
            return
        else:
            response = _stranger(request)
        await response(scope, receive, send)

    async def _user(self, request: Request) -> str | None:
        token = request.cookies.get(COOKIE)
        return await run_in_threadpool(self._logins.user, token) if token else None

    async def _login(self, request: Request, user: str | None) -> Response:
        if request.method in ("GET", "HEAD"):
            return _page() if user is None else RedirectResponse("/", 303)
        if request.method != "POST":
            return refused(405, "Only a form is taken here.", {"Allow": "GET, HEAD, POST"})
        try:
            given = await _password_in(request)
        except HTTPException as error:
            return refused(error.status_code, error.detail)
        except ClientDisconnect:
            return refused(400, "The form did not come to its end.")
        # Until the attempt is counted nothing waits, so that no other one comes in between.
        address = request.client.host if request.client else ""
        if wait := self._brake.seconds_to_wait(address):
            return _page(tell(_WAIT, n=wait), 429, {"Retry-After": str(wait)})
        if not hmac.compare_digest(given, self._password):
            self._brake.failed(address)
            return _page(tell("That is not the password."), 401)
        self._brake.passed(address)
        try:
            token = await run_in_threadpool(self._logins.begin, DEFAULT_USER)
        except Failure as failure:
            return _page(one_line(failure), 507)
        response = RedirectResponse("/", 303)
        # A cookie for other sites' forms would be none of ours; one that did not come with a link from elsewhere would
        # ask for the password again. A browser names the scheme that it sees, whatever a proxy makes of it.
        secure = request.url.scheme == "https" or request.headers.get("origin", "").startswith("https:")
        lasts = int(LONGEST.total_seconds())
        response.set_cookie(COOKIE, token, max_age=lasts, httponly=True, samesite="lax", secure=secure)
        return response

    async def _logout(self, request: Request) -> Response:
        if request.method != "POST":
            return refused(405, "Logging out is a form of the page.", {"Allow": "POST"})
        if token := request.cookies.get(COOKIE):
            try:
                await run_in_threadpool(self._logins.end, token)
            except Failure as failure:
                return refused(507, one_line(failure))
        response = RedirectResponse(_LOGIN, 303)
        response.delete_cookie(COOKIE, httponly=True, samesite="lax")
        return response


async def _password_in(request: Request) -> bytes:
    """What the form holds. Raises HTTPException where it is none, or no small one, or does not come."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM_TYPE:
        raise HTTPException(415, "Send the form of the login page.")
    body = b""
    try:
        async with asyncio.timeout(_FORM_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > _FORM_BYTES:
                    raise HTTPException(413, "That is too long for a password.")
        fields = parse_qs(body.decode(errors="replace"), max_num_fields=8, keep_blank_values=True)
        return fields["password"][0].encode()
    except TimeoutError:
        raise HTTPException(408, "The form took too long to come.") from None
    except (ValueError, LookupError):
        raise HTTPException(400, "The form has no password in it.") from None


def _page(message: str = "", status: int = 200, headers: dict[str, str] | None = None) -> Response:
    shown = f'<p role="alert">{message}</p>' if message else ""
    words = {"language": spoken(), "password": tell("Password"), "enter": tell("Enter")}
    return HTMLResponse(_FORM.format(message=shown, **words), status, headers)


def _stranger(request: Request) -> Response:
    if request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse(_LOGIN, 303)
    return refused(401, "Log in first.")
