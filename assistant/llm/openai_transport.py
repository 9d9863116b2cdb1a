"""The transport to any server that speaks OpenAI's protocol."""

import contextlib
import itertools
import math
import queue
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import httpx2
import openai

from assistant.deadline import Deadline
from assistant.errors import Failure, Interrupted, ModelTooSlow, ModelUnavailable
from assistant.llm import adapting, replies
from assistant.llm.client import Chunk, ModelStatus, Request, ServerFacts, Stop
from assistant.llm.control_tokens import ControlTokens, restored
from assistant.llm.limits import REMOTE, ReplyLimits, in_words
from assistant.waiting import started

_POLL_SECONDS = 0.05
_AHEAD = 64  # chunks that wait for whoever reads them slowly
_REST_SECONDS = 2.0  # after the end of what is said, for the count of its tokens
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 8.0  # seconds before another try …
_LONGEST_ASKED = 20.0  # … and where the server says how long; who asks for more has to be asked later
_ERROR_BYTES = 64 * 1024
_LIST_SECONDS = 5.0  # for the list of models
_NOTHING = Chunk()
_PASSING = (408, 409, 429)  # statuses that may be another one the next time, as those from 500 on


class _Abort:
    """Ends a request from another thread: a blocked read only wakes when its socket is shut down."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self.aborted = False

    def opened(self, connection: socket.socket) -> None:
        with self._lock:
            self._sockets.append(connection)
            if self.aborted:
                _shut_down(connection)

    def abort(self) -> None:
        with self._lock:
            self.aborted = True
            for connection in self._sockets:
                _shut_down(connection)


def _shut_down(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # already closed by the other side
        connection.shutdown(socket.SHUT_RDWR)


class _Arriving(httpx2.SyncByteStream):
    """A body of which no more than `most` bytes are read; `quietly`, the rest is left out, else it is malformed."""

    def __init__(self, stream: httpx2.SyncByteStream, most: int, abort: _Abort, *, quietly: bool) -> None:
        self._stream, self._most, self._abort, self._quietly = stream, most, abort, quietly

    def __iter__(self) -> Iterator[bytes]:
        left = self._most
        for piece in self._stream:
            if self._abort.aborted:
                return
            yield piece[:left]
            left -= len(piece)
            if left < 0 and self._quietly:
                return
            if left < 0:
                raise replies.MalformedReply("it has no end")

    def close(self) -> None:
        self._stream.close()


_current: ContextVar[tuple[_Abort, ReplyLimits] | None] = ContextVar("current", default=None)


def _watch_connections(request: httpx2.Request) -> None:
    """A request hook: hands every socket that this request opens to the abort switch of its thread."""
    current = _current.get()

    def trace(event: str, info: dict[str, Any]) -> None:
        # TLS takes the socket over and leaves the one that it got unusable, so both moments count.
        if current is not None and event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            connection = info["return_value"].get_extra_info("socket")
            if connection is not None:
                current[0].opened(connection)

    request.extensions = {**request.extensions, "trace": trace}


def _bound_body(response: httpx2.Response) -> None:
    """A response hook: bounds what is read of the body, which of an error is no more than is told of it."""
    current = _current.get()
    if current is None or not isinstance(response.stream, httpx2.SyncByteStream):
        return
    abort, limits = current
    compressed = response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity")
    if compressed and response.is_success:
        raise replies.MalformedReply("it is compressed, which it was not asked to be")
    most = limits.bytes if response.is_success else 0 if compressed else _ERROR_BYTES
    response.stream = _Arriving(response.stream, most, abort, quietly=not response.is_success)


class OpenAITransport:
    """Any server that speaks OpenAI's protocol, through the `openai` package.

    What may pass (connections that fail, and the statuses 408, 409, 429 and 5xx) is tried again, `max_retries` times at
    most and within the `limits`. `keep_connections` is off for a server on this machine, where a new connection costs
    nothing and lets a request be ended at once. `body` is what the server takes beside the protocol, `control_tokens`
    are what no message may contain.
    """

    def __init__(
        self,
        *,
        model: str,
        api_key: str,
        base_url: str | None = None,
        limits: ReplyLimits = REMOTE,
        max_retries: int = 3,
        keep_connections: bool = True,
        body: Mapping[str, object] | None = None,
        control_tokens: ControlTokens | None = None,
    ) -> None:
        self.model = model
        self._body = body
        self._limits = limits
        self._max_retries = max_retries
        self._adapting = adapting.Adapting()
        self._neutral = (control_tokens or ControlTokens()).neutral
        self._failure = ""
        kept = None if keep_connections else 0
        # An embedded server is never behind the proxy that the environment may name.
        http = httpx2.Client(
            event_hooks={"request": [_watch_connections], "response": [_bound_body]},
            limits=httpx2.Limits(max_keepalive_connections=kept),
            timeout=httpx2.Timeout(limits.first_seconds, connect=5.0),
            trust_env=keep_connections,
        )
        self._client = openai.OpenAI(
            api_key=api_key,
            base_url=base_url,
            max_retries=0,  # its back-off sleeps, and Stop could not end that
            timeout=limits.first_seconds,
            http_client=http,
            default_headers={"Accept-Encoding": "identity"},
        )

    def start(self) -> None:
        """Somebody else runs the server; it is taken to be up again."""
        self._failure = ""

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def status(self) -> ModelStatus:
        """A remote model is taken to be up until a call says otherwise."""
        return ModelStatus("down" if self._failure else "ready", self.model, self._failure)

    def facts(self, stop: Stop, /) -> ServerFacts:
        """See `Transport.facts`; the length of the context stands in some servers' lists of models."""
        abort, deadline = _Abort(), Deadline.after(_LIST_SECONDS)
        listed = started(lambda: self._listed(abort), "model-facts")
        try:
            while not listed.done() and deadline.remaining:
                if stop():
                    raise Interrupted("Stopped.")
                time.sleep(_POLL_SECONDS)
            context = replies.context_tokens(listed.result(), self.model) if listed.done() else None
        except (openai.OpenAIError, httpx2.HTTPError, OSError, replies.MalformedReply):
            context = None
        finally:
            abort.abort()
        return ServerFacts(context, self._adapting.refused)

    def _listed(self, abort: _Abort) -> bytes:
        _current.set((abort, self._limits))
        client = self._client.with_options(timeout=_LIST_SECONDS)
        return client.models.with_raw_response.list().http_response.content

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """See `Transport.send`."""
        began = time.monotonic()
        messages = tuple(replace(message, content=self._neutral(message.content)) for message in request.messages)
        request = replace(request, messages=messages)
        for tries in itertools.count():
            said = False
            try:
                for chunk in self._attempt(request, stop, began):
                    said = said or bool(chunk.text)
                    self._failure = ""
                    yield replace(chunk, text=restored(chunk.text))
                self._failure = ""
                return
            except Interrupted:
                raise
            except Exception as error:
                seconds = None if said or tries >= self._max_retries else _seconds_before_another(error, tries)
                if seconds is None or time.monotonic() - began + seconds > self._limits.first_seconds:
                    failure = self._translated(error)
                    self._failure = str(failure) if isinstance(failure, ModelUnavailable) else ""
                    raise failure from error
            _wait(seconds, stop)

    def _attempt(self, request: Request, stop: Stop, began: float) -> Iterator[Chunk]:
        """The chunks of one request, which another thread reads; that is ended when this one stops to listen."""
        abort = _Abort()
        arriving = self._arriving(request, abort)
        last, has_token, is_over = began, False, False
        try:
            while True:
                if stop():
                    raise Interrupted("Stopped.")
                if time.monotonic() - began > self._limits.seconds:
                    raise ModelTooSlow(
                        "The model {model} took more than {time} for one reply; try again, or choose a faster model.",
                        model=self.model,
                        time=in_words(self._limits.seconds),
                    )
                item: Chunk | Exception | None = _NOTHING
                with contextlib.suppress(queue.Empty):
                    item = arriving.get(timeout=_POLL_SECONDS)
                if isinstance(item, Exception):
                    raise item
                if item is None:
                    return
                if item != _NOTHING:
                    yield item
                if item.text or item.thinks or item.alternatives or item.finish:
                    is_over = is_over or bool(item.finish)
                    last, has_token = time.monotonic(), True  # of now, since whoever reads may take a while
                elif not is_over:
                    self._check_silence(time.monotonic() - last, has_token)
                elif time.monotonic() - last > min(_REST_SECONDS, self._limits.between_seconds):
                    return
        finally:
            abort.abort()

    def _arriving(self, request: Request, abort: _Abort) -> "queue.Queue[Chunk | Exception | None]":
        """Where a thread puts the chunks as they come, then None or what went wrong; it ends when it is aborted."""
        arriving: queue.Queue[Chunk | Exception | None] = queue.Queue(_AHEAD)

        def hand_over(item: Chunk | Exception | None) -> None:
            while not abort.aborted:
                with contextlib.suppress(queue.Full):
                    arriving.put(item, timeout=_POLL_SECONDS)
                    return

        def pump() -> None:
            _current.set((abort, self._limits))
            try:
                for chunk in self._chunks(request):
                    hand_over(chunk)
                    if abort.aborted:
                        return
                hand_over(None)
            except Exception as error:  # handed to the caller's thread
                hand_over(error)

        threading.Thread(target=pump, name=f"model-{request.purpose}", daemon=True).start()
        return arriving

    def _check_silence(self, seconds: float, has_token: bool) -> None:
        if not has_token and seconds > self._limits.first_seconds:
            raise ModelTooSlow(
                "The model {model} said nothing in {time}; try again, or choose a faster model.",
                model=self.model,
                time=in_words(self._limits.first_seconds),
            )
        if has_token and seconds > self._limits.between_seconds:
            raise ModelTooSlow(
                "The model {model} stopped in the middle of its reply and said no more in {time}; try again, or "
                "choose a faster model.",
                model=self.model,
                time=in_words(self._limits.between_seconds),
            )

    def _chunks(self, request: Request) -> Iterator[Chunk]:
        """The reply to a request in the form that the server takes; without what it refuses, which is remembered.

        Nothing comes where probabilities are asked for and refused: the caller has another way.
        """
        refused, named = set(self._adapting.refused), set[str]()
        for _ in range(adapting.MOST + 1):
            if request.alternatives and "logprobs" in refused:
                break
            sent = adapting.body(request, refused)
            beside = {**(self._body or {}), **sent.get("extra_body", {})}
            try:
                with self._client.chat.completions.with_streaming_response.create(
                    model=self.model, **sent | {"extra_body": beside}
                ) as response:
                    self._adapting.remember(named, sent)
                    yield from self._read(response.http_response, request, refused)
                    return
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                new = adapting.refused_by(error.response.text, error.param, sent) - refused
                named |= new
                if not new and request.alternatives:
                    return
                if not new:  # the schema or the grammar at hand may be more than it can do
                    new = {"response_format", "grammar"} & {*sent, *sent.get("extra_body", ())}
                if not new:
                    raise
                refused |= new
        self._adapting.remember(named, {})

    def _read(self, response: httpx2.Response, request: Request, refused: set[str]) -> Iterator[Chunk]:
        one_token = request.max_tokens == 1
        try:
            chunks = replies.chunks(response.iter_bytes(), self._limits, one_token=one_token)
            yield from adapting.until_stop(chunks, request.stop) if request.stop and "stop" in refused else chunks
        except (httpx2.TransportError, OSError) as error:
            raise replies.BrokenOff from error

    def _translated(self, error: Exception) -> Failure:
        if isinstance(error, Failure):
            return error
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            return ModelUnavailable("The model {model} refuses the key: check OPENAI_API_KEY.", model=self.model)
        if isinstance(error, openai.NotFoundError):
            return ModelUnavailable("The server has no model {model}: check LOREKEEPER_MODEL.", model=self.model)
        if isinstance(error, openai.RateLimitError):
            return ModelUnavailable(
                "The model {model} is over its limit; wait a little and try again ({reason}).",
                model=self.model,
                reason=_reason(error),
            )
        if isinstance(error, openai.APITimeoutError):
            return ModelUnavailable("The model {model} did not answer in time; try again.", model=self.model)
        if isinstance(error, openai.APIStatusError):
            return ModelUnavailable(
                "The model {model} answered with status {status}: {reason}",
                model=self.model,
                status=error.status_code,
                reason=_reason(error),
            )
        if isinstance(error, replies.MalformedReply):
            return ModelUnavailable(
                "What answers at {address} does not reply as the model {model} should ({reason}); check "
                "OPENAI_BASE_URL and LOREKEEPER_MODEL.",
                address=self._client.base_url,
                model=self.model,
                reason=error,
            )
        if isinstance(error, replies.ReplyFailed):
            return ModelUnavailable(
                "The model {model} gave no reply ({reason}); try again, or ask otherwise.",
                model=self.model,
                reason=error,
            )
        if isinstance(error, replies.BrokenOff):
            return ModelUnavailable(
                "The model {model} broke off in the middle of its reply; try again.", model=self.model
            )
        if isinstance(error, openai.OpenAIError | httpx2.HTTPError | httpx2.InvalidURL | OSError):
            why = replies.reason(error.__cause__ or error).rstrip(".")
            return ModelUnavailable(
                "The model {model} cannot be reached at {address} ({reason}); check OPENAI_BASE_URL and the network.",
                model=self.model,
                address=self._client.base_url,
                reason=why,
            )
        raise error


def _reason(error: openai.APIStatusError) -> str:
    return replies.reason(error.body or error.message)


def _seconds_before_another(error: Exception, tries: int) -> float | None:
    """How long to wait until a request is sent again; None where that is of no use."""
    backing_off = min(_FIRST_WAIT * 2**tries, _LONGEST_WAIT)
    if isinstance(error, openai.APIStatusError):
        if error.status_code not in _PASSING and error.status_code < 500:
            return None
        asked = _asked_to_wait(error.response.headers)
        return backing_off if asked is None else asked if asked <= _LONGEST_ASKED else None
    may_pass = isinstance(error, openai.APIConnectionError | replies.BrokenOff | httpx2.TransportError)
    return backing_off if may_pass and not isinstance(error, openai.APITimeoutError) else None


def _asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """What a server says in seconds; None where it says nothing that is a number."""
    for name, in_a_second in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / in_a_second
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def _wait(seconds: float, stop: Stop) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if stop():
            raise Interrupted("Stopped.")
        time.sleep(min(left, _POLL_SECONDS))
