"""What a server sends in reply to a chat completion, read: a stream of events, or one object.

Nothing of it is trusted: each piece is checked, the size of all of them is bounded, and a reply without a word has to
say why.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import pydantic

from assistant.llm.client import Chunk
from assistant.llm.limits import ReplyLimits
from assistant.types import UsageCount

_REASON_CHARACTERS = 300
_FIELDS = (b"data", b"event", b"id", b"retry")
_CUT = ("length", "content_filter")


class MalformedReply(Exception):
    """A server's reply is not what the protocol says; `str(error)` says what it is instead."""


class ReplyFailed(Exception):
    """The server, or the model, says that there will be no reply; `str(error)` is what it says."""


class BrokenOff(Exception):
    """The reply ended without a word that it was at its end."""


class _Part(pydantic.BaseModel):
    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[Any] | None = None


class _Choice(pydantic.BaseModel):
    delta: _Part | None = None
    message: _Part | None = None  # of a reply in one piece
    finish_reason: str | None = None
    logprobs: Any = None

    @pydantic.model_validator(mode="after")
    def _says_or_ends(self) -> "_Choice":
        if self.delta is None and self.message is None and self.finish_reason is None:
            raise ValueError("it has neither delta nor message")
        return self

    @property
    def part(self) -> _Part:
        return self.delta or self.message or _Part()


class _Event(pydantic.BaseModel):
    choices: list[_Choice] = []
    usage: Any = None
    error: Any = None


_Tokens = Annotated[int, pydantic.Field(ge=0, le=10**9)]


class _Cached(pydantic.BaseModel):
    cached_tokens: _Tokens | None = None


class _Usage(pydantic.BaseModel):
    prompt_tokens: _Tokens
    completion_tokens: _Tokens
    prompt_tokens_details: _Cached | None = None


class _Served(pydantic.BaseModel):
    """A model in a server's list: `n_ctx` is llama.cpp's name for the length of its context, the others are for all."""

    id: str = ""
    max_model_len: _Tokens | None = None
    context_length: _Tokens | None = None
    context_window: _Tokens | None = None
    n_ctx: _Tokens | None = None
    meta: "_Served | None" = None

    @property
    def context_tokens(self) -> int | None:
        told = self.max_model_len or self.context_length or self.context_window or self.n_ctx
        return told or (self.meta.context_tokens if self.meta else None)


class _List(pydantic.BaseModel):
    data: list[_Served]


class _Other(pydantic.BaseModel):
    token: str
    logprob: Annotated[float, pydantic.Field(le=1.0, allow_inf_nan=False)]


class _Position(pydantic.BaseModel):
    top_logprobs: list[_Other] = []


class _Logprobs(pydantic.BaseModel):
    content: list[_Position] | None = None


def chunks(pieces: Iterable[bytes], limits: ReplyLimits, *, one_token: bool = False) -> Iterator[Chunk]:
    """A reply's chunks as they come; the last one that says how it ended has `finish`.

    `one_token` is of a request for no more than one, which may well be none that can be read.

    Raises:
        MalformedReply: it is none.
        ReplyFailed: it says that there is none, or why it is empty.
        BrokenOff: it ends in the middle.
    """
    reading = _Reading(one_token)
    for event in _events(pieces, limits):
        if event is None:
            reading.done = True
            break
        yield reading.chunk(event)
    reading.end()


def context_tokens(listed: bytes, model: str) -> int | None:
    """The length of a model's context by a server's list of models, of which a single one serves for any name."""
    try:
        served = _List.model_validate_json(listed).data
    except pydantic.ValidationError:
        return None
    named = [one for one in served if one.id == model] or (served if len(served) == 1 else [])
    return named[0].context_tokens if named else None


class _Reading:
    """What a reply has come to so far."""

    def __init__(self, one_token: bool) -> None:
        self.done = False
        self._one_token = one_token
        self._chosen = self._said = self._thought = self._calls = False
        self._finish = self._refusal = ""

    def chunk(self, event: _Event) -> Chunk:
        if event.error:
            raise ReplyFailed(reason(event.error))
        usage = _usage(event.usage)
        if not event.choices:
            return Chunk(usage=usage)
        choice = event.choices[0]
        part = choice.part
        text = "" if self._finish else part.content or ""
        thinks = bool(part.reasoning_content or part.reasoning)
        alternatives = _alternatives(choice.logprobs)
        self._chosen = True
        self._said = self._said or bool(text or alternatives)
        self._thought = self._thought or thinks
        self._calls = self._calls or bool(part.tool_calls)
        self._refusal = (self._refusal + (part.refusal or ""))[:_REASON_CHARACTERS]
        self._finish = self._finish or choice.finish_reason or ""
        finish = choice.finish_reason or ""
        return Chunk(text, usage, alternatives, finish=finish, is_cut=finish in _CUT, thinks=thinks)

    def end(self) -> None:
        """Whether it is whole, and says something or ends in silence of its own accord; raises as `chunks`."""
        if not self._chosen:
            raise MalformedReply("no choice is in it")
        if not (self._finish or self.done):
            raise BrokenOff
        if self._finish == "error":
            raise ReplyFailed("it ended with an error")
        if self._said:
            return
        if self._refusal:
            raise ReplyFailed(reason(self._refusal))
        if self._calls:
            raise ReplyFailed("it called a tool, of which it was offered none")
        if self._finish == "content_filter":
            raise ReplyFailed("a filter held the reply back")
        if self._finish == "length" and not self._one_token:
            raise ReplyFailed("it used up its tokens before it said anything")
        if self._thought:
            raise ReplyFailed("it thought, and then said nothing")


def reason(error: object) -> str:
    """What a server says about an error, on one line and not too long."""
    if isinstance(error, dict):
        inner = error.get("error", error)
        error = inner.get("message", inner) if isinstance(inner, dict) else inner
    line = " ".join(str(error).split())
    return line if len(line) <= _REASON_CHARACTERS else f"{line[:_REASON_CHARACTERS]} …"


def _events(pieces: Iterable[bytes], limits: ReplyLimits) -> Iterator[_Event | None]:
    """Events of a stream, and None for its [DONE]; or the one object that a reply is in place of a stream."""
    data, other = bytearray(), bytearray()
    streams, count = False, 0
    for line in _lines(pieces, limits.event_bytes):
        field, _, value = line.partition(b":")
        if field == b"data":
            streams = True
            data += value.removeprefix(b" ")
            continue
        if not line:
            if data:
                count += 1
                if data.strip() == b"[DONE]":
                    yield None
                    return
                yield _event(data)
                data.clear()
        elif not streams and field and field not in _FIELDS:
            other += line
        count += 1  # of comments, too, which some servers send while they are at work
        if len(data) > limits.event_bytes or len(other) > limits.event_bytes or count > limits.events:
            raise MalformedReply("it has no end")
    if data:  # the last one, before the connection ended
        yield None if data.strip() == b"[DONE]" else _event(data)
    if not streams:
        if not other.strip():
            raise MalformedReply("it is empty")
        yield _event(other)
        yield None


def _lines(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Lines however they end; a CR before a LF gives an empty one more, which ends an event no differently."""
    rest = bytearray()
    for piece in pieces:
        *whole, last = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in whole:
            yield bytes(rest + line)
            rest.clear()
        rest += last
        if len(rest) > most:
            raise MalformedReply("one line of it has no end")
    if rest:
        yield bytes(rest)


def _event(data: bytes | bytearray) -> _Event:
    try:
        return _Event.model_validate_json(bytes(data))
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise MalformedReply(reason(f"{place}: {first['msg']}" if place else first["msg"])) from None


def _usage(given: object) -> UsageCount | None:
    """None where the server does not tell it, or tells what cannot be: an answer is worth more than its count."""
    try:
        usage = _Usage.model_validate(given)
    except pydantic.ValidationError:
        return None
    cached = (usage.prompt_tokens_details and usage.prompt_tokens_details.cached_tokens) or 0
    fresh = max(0, usage.prompt_tokens - cached)
    return UsageCount(1, usage.prompt_tokens, fresh, usage.completion_tokens)


def _alternatives(given: object) -> tuple[tuple[str, float], ...]:
    try:
        positions = _Logprobs.model_validate(given).content or []
    except pydantic.ValidationError:
        return ()
    return tuple((other.token, other.logprob) for other in positions[0].top_logprobs) if positions else ()
