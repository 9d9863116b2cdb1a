"""A small server that speaks OpenAI's protocol, on loopback."""

import json
import math
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Exchange"], None]


class Exchange(BaseHTTPRequestHandler):
    """One request; an answer writes to it."""

    server: "ModelServer"
    body: dict[str, Any]

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(self.body)
        self.server.paths.append(self.path)
        self.server.answers.pop(0)(self)

    def log_message(self, *_: object) -> None:
        """Nothing to the console."""

    def begin(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()

    def event(self, value: object) -> None:
        self.wfile.write(b"data: " + (value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n\n")
        self.wfile.flush()

    def token(self, text: str) -> None:
        self.event(
            {"id": "1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": text}}]}
        )

    def usage(self, prompt: int, cached: int, completion: int) -> None:
        details = {"cached_tokens": cached}
        counts = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
        self.event({"id": "1", "choices": [], "usage": {**counts, "prompt_tokens_details": details}})
        self.event(b"[DONE]")

    def client_is_gone(self) -> bool:
        """Wait until the client closes its connection."""
        self.connection.settimeout(10)
        return self.connection.recv(1) == b""


class ModelServer(ThreadingHTTPServer):
    """Gives its `answers` in turn and keeps the requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.answers: list[Answer] = []
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


def says(*words: str, prompt: int = 10, cached: int = 4) -> Answer:
    """A streamed reply."""

    def answer(exchange: Exchange) -> None:
        exchange.begin()
        for word in words:
            exchange.token(word)
        exchange.usage(prompt, cached, len(words))

    return answer


def weighs(**probabilities: float) -> Answer:
    """A reply of one token, with the probabilities of what else it could have been."""

    def answer(exchange: Exchange) -> None:
        exchange.begin()
        others = [{"token": token, "logprob": math.log(p), "bytes": None} for token, p in probabilities.items()]
        content = [{**others[0], "top_logprobs": others}]
        choice = {"index": 0, "delta": {"content": others[0]["token"]}, "logprobs": {"content": content}}
        exchange.event({"id": "1", "object": "chat.completion.chunk", "choices": [choice]})
        exchange.usage(10, 4, 1)

    return answer


def refuses(status: int, message: str = "no") -> Answer:
    """A reply with an error's status; a retry may come at once."""

    def answer(exchange: Exchange) -> None:
        body = json.dumps({"error": {"message": message, "type": "error", "code": None}}).encode()
        exchange.send_response(status)
        exchange.send_header("content-type", "application/json")
        exchange.send_header("content-length", str(len(body)))
        exchange.send_header("retry-after-ms", "1")
        exchange.end_headers()
        exchange.wfile.write(body)

    return answer
