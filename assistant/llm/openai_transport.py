"""The transport to any server that speaks OpenAI's protocol."""

import contextlib
import json
import queue
import socket
import threading
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any

import httpx2
import openai

from assistant.errors import Failure, Interrupted, ModelUnavailable
from assistant.llm.client import Chunk, ModelStatus, Request, Stop
from assistant.types import UsageCount


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


_current_abort: ContextVar[_Abort | None] = ContextVar("current_abort", default=None)


def _watch_connections(request: httpx2.Request) -> None:
    """A request hook: hands every socket that this request opens to the abort switch of its thread."""
    abort = _current_abort.get()

    def trace(event: str, info: dict[str, Any]) -> None:
        # TLS takes the socket over and leaves the one that it got unusable, so both moments count.
        if abort is not None and event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            connection = info["return_value"].get_extra_info("socket")
            if connection is not None:
                abort.opened(connection)

    request.extensions = {**request.extensions, "trace": trace}


class OpenAITransport:
    """Any server that speaks OpenAI's protocol, through the `openai` package.

    The package retries connection errors, 408, 409, 429 and 5xx with back-off. `keep_connections` is off for a server
    on this machine, where a new connection costs nothing and lets a request be ended at once. `body` is what the server
    takes beside the protocol.
    """

    def __init__(
        self,
        *,
        model: str,
        api_key: str,
        base_url: str | None = None,
        timeout_seconds: float = 180.0,
        max_retries: int = 3,
        keep_connections: bool = True,
        body: Mapping[str, object] | None = None,
    ) -> None:
        self.model = model
        self._body = body
        self._failure = ""
        kept = None if keep_connections else 0
        # An embedded server is never behind the proxy that the environment may name.
        http = httpx2.Client(
            event_hooks={"request": [_watch_connections]},
            limits=httpx2.Limits(max_keepalive_connections=kept),
            timeout=httpx2.Timeout(timeout_seconds, connect=5.0),
            trust_env=keep_connections,
        )
        self._client = openai.OpenAI(
            api_key=api_key, base_url=base_url, max_retries=max_retries, timeout=timeout_seconds, http_client=http
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

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """See `Transport.send`."""
        abort = _Abort()
        chunks: queue.Queue[Chunk | Exception | None] = queue.Queue()

        def pump() -> None:
            _current_abort.set(abort)
            try:
                for chunk in self._chunks(request):
                    if abort.aborted:
                        return
                    chunks.put(chunk)
                chunks.put(None)
            except Exception as error:  # handed to the caller's thread
                chunks.put(error)

        threading.Thread(target=pump, name=f"model-{request.purpose}", daemon=True).start()
        try:
            while True:
                if stop():
                    raise Interrupted("Stopped.")
                try:
                    item = chunks.get(timeout=0.05)
                except queue.Empty:
                    continue
                if isinstance(item, Exception):
                    failure = self._translated(item)
                    self._failure = str(failure) if isinstance(failure, ModelUnavailable) else ""
                    raise failure from item
                self._failure = ""
                if item is None:
                    return
                yield item
        finally:
            abort.abort()

    def _chunks(self, request: Request) -> Iterator[Chunk]:
        extra: dict[str, Any] = {}
        if request.schema is not None:
            extra["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": request.purpose, "schema": request.schema},
            }
        if request.stop:
            extra["stop"] = list(request.stop)
        if request.alternatives:
            extra |= {"logprobs": True, "top_logprobs": request.alternatives}
        stream: openai.Stream[openai.types.chat.ChatCompletionChunk]
        try:
            stream = self._client.chat.completions.create(  # type: ignore[call-overload]
                model=self.model,
                messages=[{"role": m.role, "content": m.content} for m in request.messages],
                max_tokens=request.max_tokens,
                temperature=request.temperature,
                stream=True,
                stream_options={"include_usage": True},
                extra_body=self._body,
                **extra,
            )
        except openai.BadRequestError:
            if request.alternatives:  # some models do not tell them, and say so like this
                return
            raise
        with stream:
            for event in stream:
                text = event.choices[0].delta.content or "" if event.choices else ""
                usage = _usage(event.usage) if event.usage else None
                if text or usage:
                    yield Chunk(text, usage, _alternatives(event))

    def _translated(self, error: Exception) -> Failure:
        if isinstance(error, Failure):
            return error
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            return ModelUnavailable(f"The model {self.model} refuses the key: check OPENAI_API_KEY.")
        if isinstance(error, openai.NotFoundError):
            return ModelUnavailable(f"The server has no model {self.model}: check LOREKEEPER_MODEL.")
        if isinstance(error, openai.RateLimitError):
            return ModelUnavailable(f"The model {self.model} is over its limit; wait a little and try again.")
        if isinstance(error, openai.APITimeoutError):
            return ModelUnavailable(f"The model {self.model} did not answer in time; try again.")
        if isinstance(error, openai.APIStatusError):
            return ModelUnavailable(
                f"The model {self.model} answered with status {error.status_code}: {_reason(error)}"
            )
        if isinstance(error, openai.OpenAIError | httpx2.HTTPError | json.JSONDecodeError):
            return ModelUnavailable(
                f"The model {self.model} cannot be reached at {self._client.base_url} ({str(error).rstrip('.')}); "
                "check OPENAI_BASE_URL and the network."
            )
        raise error


def _reason(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        return str(body["message"])
    return error.message


def _alternatives(event: openai.types.chat.ChatCompletionChunk) -> tuple[tuple[str, float], ...]:
    logprobs = event.choices[0].logprobs if event.choices else None
    tokens = logprobs.content or [] if logprobs else []
    return tuple((other.token, other.logprob) for other in tokens[0].top_logprobs) if tokens else ()


def _usage(usage: openai.types.CompletionUsage) -> UsageCount:
    details = usage.prompt_tokens_details
    cached = (details.cached_tokens or 0) if details else 0
    return UsageCount(
        calls=1,
        prompt_tokens=usage.prompt_tokens,
        fresh_prompt_tokens=usage.prompt_tokens - cached,
        completion_tokens=usage.completion_tokens,
    )
