"""Replies of model servers that no server should give, made from building blocks, and a server that plays them.

    with HostileServer() as server:
        for reply in replies(seed=1, count=40):
            server.play(reply)
            ...  # a turn with the model at server.base_url

A reply is a list of steps: bytes to send, seconds to wait, bytes to send again and again. The server speaks through
bare sockets, so that no library puts anything right. What it sends and how long it waits are bounded.
"""

import contextlib
import gzip
import json
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count as counting

CONNECTION_SECONDS = 60.0
CONNECTION_BYTES = 256 * 2**20
_BLOCK = 2**16
_MODEL = {"id": "1", "object": "chat.completion.chunk", "model": "small"}


@dataclass(frozen=True)
class Again:
    """Bytes sent `times` times (for ever, as far as the client goes), `seconds` apart; "%d" in them counts."""

    data: bytes
    times: float = float("inf")
    seconds: float = 0.0


@dataclass(frozen=True)
class Silence:
    """Nothing more, with the connection open."""


@dataclass(frozen=True)
class Reset:
    """The connection ends with a reset in place of an end."""


Step = bytes | float | Again | Silence | Reset


@dataclass(frozen=True)
class Reply:
    """What is sent after a request, until the connection is closed; `name` says what is wrong with it.

    With `readable`, a client may well take it for a reply: what is wrong is beside what it says.
    """

    name: str
    steps: tuple[Step, ...]
    readable: bool = False


def good(*words: str, finish: str = "stop") -> Reply:
    """A reply as it should be."""
    events = b"".join(_token(word) for word in words) + _end(finish) + _DONE
    return Reply("good", (_head("text/event-stream"), events), readable=True)


def replies(seed: int, count: int) -> list[Reply]:
    """So many replies, of each family in turn; the same ones for the same seed."""
    rng = random.Random(seed)
    return [_FAMILIES[number % len(_FAMILIES)](rng) for number in range(count)]


def _event(value: object) -> bytes:
    return b"data: " + (value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n\n"


def _choice(**fields: object) -> bytes:
    return _event({**_MODEL, "choices": [{"index": 0, **fields}]})


def _token(text: str) -> bytes:
    return _choice(delta={"content": text})


def _end(finish: str) -> bytes:
    return _choice(delta={}, finish_reason=finish)


def _head(content_type: str = "application/json", status: str = "200 OK", *more: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", "Connection: close", *more]
    return "\r\n".join([*lines, "", ""]).encode()


_DONE = b"data: [DONE]\n\n"
_SOME = (_token("answer"), _token(" to"), _token(" that"))
_STREAM = "text/event-stream"
_PAGE = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Portal</h1></body></html>"

# Events that a stream may not have, with what is wrong with each.
_MALFORMED: dict[str, bytes] = {
    "choices are a number": _event({"choices": 5}),
    "choices are an object": _event({"choices": {"0": {"delta": {"content": "x"}}}}),
    "a list": _event([1, 2, 3]),
    "a number": _event(5),
    "null": _event(b"null"),
    "no delta": _event({"choices": [{"index": 0}]}),
    "delta is null": _choice(delta=None),
    "delta is a list": _choice(delta=["x"]),
    "a choice is a number": _event({"choices": [5]}),
    "content is a list": _choice(delta={"content": [{"type": "text", "text": "x"}]}),
    "content is an object": _choice(delta={"content": {"text": "x"}}),
    "content is a number": _choice(delta={"content": 5}),
    "content has half a surrogate": _event(b'{"choices":[{"delta":{"content":"\\ud800"}}]}'),
    "finish is a number": _choice(delta={"content": "x"}, finish_reason=5),
    "an error": _event({"error": {"message": "The server had an error", "type": "server_error"}}),
    "an error that is text": _event({"error": "out of memory"}),
    "no JSON": _event(b"hello"),
    "JSON that is cut": _event(b'{"choices": [{"delta": {"cont'),
    "no UTF-8": _event(b'{"choices":[{"delta":{"content":"\xff\xfe"}}]}'),
    "nested without end": _event(b"[" * 100_000),
    "a number of 100,000 digits": _event(b'{"choices":[{"delta":{"content":' + b"9" * 100_000 + b"}}]}"),
}

# Whole streams that say nothing.
_WORDLESS: dict[str, bytes] = {
    "only [DONE]": _DONE,
    "only comments": b": at work\n\n" * 5 + _DONE,
    "only the usage": _event({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 0}}) + _DONE,
    "no choices": _event({"choices": []}) * 3 + _DONE,
    "only thoughts": _choice(delta={"reasoning_content": "Hm."}) * 3 + _end("stop") + _DONE,
    "tokens used up on thoughts": _choice(delta={"reasoning": "Hm."}) * 3 + _end("length") + _DONE,
    "only a tool call": _choice(delta={"tool_calls": [{"index": 0, "function": {"name": "f"}}]}) + _end("tool_calls"),
    "only a refusal": _choice(delta={"refusal": "I will not."}) + _end("stop") + _DONE,
    "held back": _end("content_filter") + _DONE,
    "an event without data": b"event: message\n\n" * 3,
}

_ENDLESS: dict[str, bytes] = {
    "text": _event(b'{"choices":[{"delta":{"content":" answer-%d"}}]}'),
    "long pieces": _event(b'{"choices":[{"delta":{"content":"' + b"no end %d " * 2000 + b'"}}]}'),
    "empty pieces": _choice(delta={"content": ""}),
    "thoughts": _choice(delta={"reasoning_content": "Hm."}),
    "comments": b": at work\n\n",
    "empty lines": b"\n" * 1000,
    "pings": _event({"type": "ping"}),
    "one line": b"x" * _BLOCK,
    "data in one line": b"x" * _BLOCK,
    "one event": b"data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
}

_BESIDE: dict[str, bytes] = {
    "usage is text": _event({"choices": [], "usage": "many"}),
    "usage is negative": _event({"choices": [], "usage": {"prompt_tokens": -5, "completion_tokens": 10**30}}),
    "usage is a list": _event({"choices": [], "usage": [1, {}]}),
    "logprobs are a number": _choice(delta={"content": "x"}, logprobs=5),
    "logprobs are above one": _choice(
        delta={"content": "x"}, logprobs={"content": [{"top_logprobs": [{"token": "A", "logprob": 1e6}]}]}
    ),
    "fields that nobody knows": _event({"choices": [{"delta": {"content": "x", "z": [1]}, "q": {}}], "w": None}),
}


def _in_pieces(rng: random.Random, data: bytes) -> tuple[Step, ...]:
    """The bytes, cut anywhere, with short pauses at times."""
    steps: list[Step] = []
    while data and len(steps) < 40:
        size = rng.choice((1, 7, 40, 500, len(data)))
        steps.append(data[:size])
        data = data[size:]
        if rng.random() < 0.1:
            steps.append(0.01)
    return (*steps, data)


def _framed(rng: random.Random, content_type: str, body: bytes) -> tuple[Step, ...]:
    """A reply with this body, in one of the ways in which the end of one is told; lines may end in any way."""
    if content_type == _STREAM:
        body = body.replace(b"\n", rng.choice((b"\n", b"\r\n", b"\r")))
    way = rng.choice(("close", "length", "chunked"))
    if way == "close":
        return (_head(content_type), *_in_pieces(rng, body))
    if way == "length":
        return (_head(content_type, "200 OK", f"Content-Length: {len(body)}"), *_in_pieces(rng, body))
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
    return (_head(content_type, "200 OK", "Transfer-Encoding: chunked"), *_in_pieces(rng, chunks))


def _some(rng: random.Random) -> bytes:
    return b"".join(_SOME[: rng.randrange(len(_SOME) + 1)])


def _silent(rng: random.Random) -> Reply:
    before: Sequence[tuple[str, bytes]] = (
        ("at once", b""),
        ("in the status line", b"HTTP/1.1 2"),
        ("in the headers", _head(_STREAM)[:-20]),
        ("after the headers", _head(_STREAM)),
        ("after some words", _head(_STREAM) + b"".join(_SOME)),
        ("in an event", _head(_STREAM) + _SOME[0] + _SOME[1][:20]),
        ("in a length", _head(_STREAM, "200 OK", "Transfer-Encoding: chunked") + b"ff"),
    )
    where, data = rng.choice(before)
    return Reply(f"silent {where}", (data, Silence()))


def _no_http(rng: random.Random) -> Reply:
    ways: dict[str, tuple[Step, ...]] = {
        "closes at once": (),
        "resets at once": (Reset(),),
        "noise": (rng.randbytes(2000),),
        "another protocol": (b"SSH-2.0-OpenSSH_9.2\r\n",),
        "an endless status line": (b"HTTP/1.1 200 ", Again(b"O" * _BLOCK)),
        "endless headers": (b"HTTP/1.1 200 OK\r\n", Again(b"X-Filler-%d: " + b"y" * 1000 + b"\r\n")),
        "headers that drip": (b"HTTP/1.1 200 OK\r\nX: ", Again(b"y", seconds=0.1)),
        "continue without end": (Again(b"HTTP/1.1 100 Continue\r\n\r\n", seconds=0.01),),
        "a status that is none": (b"HTTP/1.1 abc OK\r\n\r\n",),
        "two lengths": (_head(_STREAM, "200 OK", "Content-Length: 5", "Content-Length: 7") + b"hello",),
    }
    name = rng.choice(list(ways))
    return Reply(name, ways[name])


def _error(rng: random.Random) -> Reply:
    statuses = (400, 401, 402, 403, 404, 405, 408, 409, 413, 418, 422, 429, 500, 501, 502, 503, 504, 520, 599)
    status = rng.choice(statuses)
    waits = ("99999", "-1", "nan", "1e308", "Fri, 31 Dec 2100 23:59:59 GMT", "soon")
    more = [f"Retry-After: {rng.choice(waits)}"] if rng.random() < 0.5 else []
    bodies: dict[str, tuple[Step, ...]] = {
        "no body": (),
        "a page": (_PAGE,),
        "a body without end": (Again(b"x" * _BLOCK),),
        "a list": (b"[1]",),
        "an error of several lines": (json.dumps({"error": {"message": "one\ntwo\n" * 500}}).encode(),),
        "an error that is a number": (b'{"error": 5}',),
        "a message that is a list": (b'{"error": {"message": ["a"], "param": {"x": 1}, "code": []}}',),
        "JSON that is cut": (b'{"error": {"mess',),
        "no UTF-8": (b"\xff\xfe\x00",),
        "silence": (Silence(),),
    }
    body = rng.choice(list(bodies))
    return Reply(
        f"status {status} with {body}{', ' + more[0] if more else ''}",
        (_head("application/json", f"{status} Error", *more), *bodies[body]),
    )


def _redirect(rng: random.Random) -> Reply:
    places = ("/v1/chat/completions", "//elsewhere.invalid/", "http://127.0.0.1:1/", "/%d", "http://", "ftp://x/", "")
    status, place = rng.choice((300, 301, 302, 303, 304, 307, 308)), rng.choice(places)
    return Reply(f"status {status} to {place!r}", (_head(_STREAM, f"{status} Moved", f"Location: {place}"),))


def _no_stream(rng: random.Random) -> Reply:
    bodies = {
        "a page": _PAGE,
        "nothing": b"",
        "spaces": b" \n" * 50,
        "other JSON": b'{"status": "ok"}',
        "a list": b"[]",
        "text": b"answer",
        "UTF-16": '{"choices": []}'.encode("utf-16"),
        "JSON nested without end": b'{"choices":' * 50_000,
        "noise": rng.randbytes(3000),
        "choices without a message": b'{"choices": [{"index": 0}]}',
        "an error": b'{"error": {"message": "model not loaded"}}',
    }
    name = rng.choice(list(bodies))
    kind = rng.choice((_STREAM, "application/json", "text/html; charset=utf-8", "image/png", ""))
    return Reply(f"{name} as {kind or 'nothing'}", _framed(rng, kind, bodies[name]))


def _bad_event(rng: random.Random) -> Reply:
    name = rng.choice(list(_MALFORMED))
    behind = rng.choice((b"", _end("stop") + _DONE))
    if name == "delta is null":  # at the end of a reply it may be
        behind = b""
    return Reply(f"{name} in the stream", _framed(rng, _STREAM, _some(rng) + _MALFORMED[name] + behind))


def _wordless(rng: random.Random) -> Reply:
    name = rng.choice(list(_WORDLESS))
    return Reply(name, _framed(rng, _STREAM, _WORDLESS[name]))


def _endless(rng: random.Random) -> Reply:
    name = rng.choice(list(_ENDLESS))
    begun = {"one line": b"", "data in one line": b"data: ", "one event": b""}.get(name, _some(rng))
    seconds = rng.choice((0.0, 0.001))
    return Reply(f"endless {name}", (_head(_STREAM), begun, Again(_ENDLESS[name], seconds=seconds)))


def _dropped(rng: random.Random) -> Reply:
    said = b"".join(_SOME)
    ways: dict[str, tuple[Step, ...]] = {
        "without a word that it ends": (_head(_STREAM), said),
        "before its length": (_head(_STREAM, "200 OK", "Content-Length: 100000"), said),
        "in a chunk": (_head(_STREAM, "200 OK", "Transfer-Encoding: chunked"), b"%x\r\n" % 9999, said),
        "with a reset": (_head(_STREAM), said, 0.1, Reset()),
        "in an event": (_head(_STREAM), said + _SOME[0][:30]),
        "with a length that is none": (
            _head(_STREAM, "200 OK", "Transfer-Encoding: chunked"),
            b"%x\r\n%b\r\nzz\r\n" % (len(said), said),
        ),
    }
    name = rng.choice(list(ways))
    return Reply(f"dropped {name}", ways[name])


def _cut(rng: random.Random) -> Reply:
    finish = rng.choice(("length", "content_filter", "error"))
    words = b"".join(_token(word) for word in ("answer", " with", f" {rng.randrange(1000)}", " words", " and"))
    return Reply(f"cut by {finish}", _framed(rng, _STREAM, words + _end(finish) + _DONE))


def _compressed(rng: random.Random) -> Reply:
    bomb = gzip.compress(b"data: " + bytes(64 * 2**20), compresslevel=1)
    bodies = {"a bomb": bomb, "no archive": b"".join(_SOME), "an archive that is cut": bomb[:200]}
    name, encoding = rng.choice(list(bodies)), rng.choice(("gzip", "deflate", "br", "zstd", "gzip, gzip", "x-none"))
    status = rng.choice(("200 OK", "200 OK", "500 Error"))
    return Reply(
        f"{name} as {encoding} with status {status[:3]}",
        (_head(_STREAM, status, f"Content-Encoding: {encoding}"), bodies[name]),
    )


def _dripping(rng: random.Random) -> Reply:
    drip = b"".join(_SOME) * 100
    seconds = rng.choice((0.05, 0.2, 1.0))
    return Reply(
        f"a byte each {seconds} seconds",
        (_head(_STREAM), *(step for byte in drip[:1000] for step in (bytes([byte]), seconds))),
    )


def _odd_beside(rng: random.Random) -> Reply:
    name = rng.choice(list(_BESIDE))
    body = b"".join(_SOME) + _BESIDE[name] + _end("stop") + _DONE
    return Reply(f"{name}, beside a reply", _framed(rng, _STREAM, body), readable=True)


def _odd_form(rng: random.Random) -> Reply:
    message = {"choices": [{"message": {"role": "assistant", "content": "answer"}, "finish_reason": "stop"}]}
    stream = b"".join(_SOME) + _end("stop")
    ways: dict[str, tuple[Step, ...]] = {
        "no stream, but whole": _framed(rng, "application/json", json.dumps(message, indent=1).encode()),
        "a stream as text": _framed(rng, "text/plain", stream + _DONE),
        "no [DONE]": _framed(rng, _STREAM, stream),
        "open after its end": (_head(_STREAM), stream, Silence()),
        "more after its end": (_head(_STREAM), stream, Again(b": at work\n\n", seconds=0.05)),
        "no space behind the colon": _framed(rng, _STREAM, (stream + _DONE).replace(b"data: ", b"data:")),
    }
    name = rng.choice(list(ways))
    return Reply(name, ways[name], readable=True)


_FAMILIES: tuple[Callable[[random.Random], Reply], ...] = (
    *(_silent, _no_http, _error, _bad_event, _no_stream, _wordless, _endless),
    *(_dropped, _bad_event, _cut, _redirect, _compressed, _dripping, _odd_beside, _odd_form),
)


class HostileServer:
    """A server on loopback that answers every request with the reply that is played; ends what it does when it is left.

    `requests` counts those that came.
    """

    def __init__(self) -> None:
        self.requests = 0
        self._playing, self._before = good("Hello."), list[Reply]()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=32)

    @property
    def base_url(self) -> str:
        """What a client is to be given."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def play(self, reply: Reply, before: Sequence[Reply] = ()) -> None:
        """Answer with this reply from now on, but the next requests with those `before`."""
        with self._lock:
            self._playing, self._before = reply, list(before)

    def __enter__(self) -> "HostileServer":
        """Begin to listen."""
        threading.Thread(target=self._listen, name="hostile", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """End all connections."""
        self._over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._open.add(connection)
            threading.Thread(target=self._answer, args=(connection,), name="hostile", daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        try:
            with connection, contextlib.suppress(OSError):
                connection.settimeout(CONNECTION_SECONDS)
                if _is_read(connection):
                    with self._lock:
                        self.requests += 1
                        reply = self._before.pop(0) if self._before else self._playing
                    self._play(connection, reply)
        finally:
            with self._lock:
                self._open.discard(connection)

    def _play(self, connection: socket.socket, reply: Reply) -> None:
        until, left = time.monotonic() + CONNECTION_SECONDS, CONNECTION_BYTES
        for step in reply.steps:
            for data in self._data(connection, step):
                connection.sendall(data)
                left -= len(data)
                if left < 0 or time.monotonic() > until or self._over.is_set():
                    return

    def _data(self, connection: socket.socket, step: Step) -> Iterator[bytes]:
        match step:
            case bytes():
                yield step
            case float():
                self._over.wait(step)
            case Again():
                for number in counting():
                    if number >= step.times:
                        return
                    yield step.data.replace(b"%d", str(number).encode())
                    if step.seconds:
                        self._over.wait(step.seconds)
            case Silence():
                connection.recv(1)  # until the client goes, or the time is over
            case Reset():
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _is_read(connection: socket.socket) -> bool:
    """Whether a whole request came."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := connection.recv(_BLOCK)):
            return False
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line.partition(b":")[2] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    left = int(lengths[0]) - len(body) if lengths else 0
    while left > 0:
        if not (more := connection.recv(_BLOCK)):
            return False
        left -= len(more)
    return True
