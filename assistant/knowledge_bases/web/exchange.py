"""One request and its answer: the connections it goes over, the body as it comes, and why there was none."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError, NameResolutionError, ProtocolError, ReadTimeoutError

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.web.connecting import CONNECT_SECONDS, PublicOnly

MAX_BYTES = 8 * 2**20
LATE = "no answer in time"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said, whatever it was."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def worth_a_retry(self) -> bool:
        """Whether the server is busy or broken, and may not be so in a moment."""
        return self.status == 429 or self.status >= 500

    @property
    def first_line(self) -> str:
        """What the body begins with, for a message."""
        return " ".join(self.body[:2000].decode(errors="replace").strip().partition("\n")[0].split())[:200]

    @property
    def retry_after_seconds(self) -> float | None:
        """The header Retry-After, which holds seconds or a date."""
        value = self.headers.get("Retry-After", "").strip()
        if value.isdecimal():
            return float(value)
        try:
            at = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


class Session(requests.Session):
    """Leaves redirects to `Http`, which checks where they lead; connects as its adapter does."""

    def __init__(self, user_agent: str, accept: str, adapter: type[HTTPAdapter] = PublicOnly) -> None:
        super().__init__()
        self.headers["User-Agent"] = user_agent
        self.headers["Accept"] = accept
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self.mount("https://", adapter())
        self.mount("http://", adapter())

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None: this response is the answer, whatever it is."""


class TooLarge(Exception):
    """An answer is longer than `MAX_BYTES`."""


def read_body(response: requests.Response, deadline: Deadline) -> bytes:
    """The body, taken as it comes: whoever waits for a whole block of it waits for a slow host without end.

    Raises:
        TooLarge: it is longer than `MAX_BYTES`.
        requests.RequestException: it broke off, or did not come in time.
    """
    body = bytearray()
    while piece := _piece(response):
        body += piece
        if len(body) > MAX_BYTES:
            raise TooLarge(f"more than {MAX_BYTES // 2**20} MB in one answer")
        if not deadline.remaining:
            raise requests.ReadTimeout("the answer came too slowly")
    return bytes(body)


def _piece(response: requests.Response) -> bytes:
    try:
        piece: bytes = response.raw.read1(64 * 1024, decode_content=True)
    except HTTPError as error:
        raise requests.ConnectionError(error) from error
    return piece


def broke_off(error: requests.RequestException) -> bool:
    """Whether a connection ended in the middle, which a new one may cure."""
    return isinstance(_cause(error), ProtocolError)


def _cause(error: requests.RequestException) -> object:
    """What urllib3 said, which requests wraps once or twice."""
    inner = error.args[0] if error.args else error
    return getattr(inner, "reason", inner)


def reason_of(error: requests.RequestException) -> str:
    """Why there was no answer, in a few words without addresses of objects."""
    cause = _cause(error)
    if isinstance(error, requests.ConnectTimeout):
        return f"no connection within {CONNECT_SECONDS:.0f} s"
    if isinstance(error, requests.Timeout) or isinstance(cause, ReadTimeoutError):
        return LATE
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate cannot be trusted"
    if isinstance(cause, NameResolutionError):
        return "its name cannot be resolved"
    return re.sub(r"^\[Errno -?\d+\] ", "", str(cause).rpartition(": ")[2]).lower() or "the connection failed"
