"""The heads of prompts, at a server of llama.cpp's kind on loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assistant.errors import Interrupted, ModelUnavailable
from assistant.llm.heads import Head, Heads
from assistant.types import Message

ROUTE, EXTRACT = (Message("system", "Route."),), (Message("system", "Extract."),)


class _Server(ThreadingHTTPServer):
    """Slots that hold prompts; `broken` are the paths that it refuses, `odd` those that it answers with other JSON."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.slots, self.cached = ["", ""], list[str]()
        self.broken, self.odd = set[str](), set[str]()
        self.states = Path()

    def complete(self, prompt: str) -> int:
        """Take the slot that has the prompt, or the first one, of which the content goes to the cache."""
        if prompt not in self.slots:
            self.cached.append(self.slots[0])
            self.slots = [self.slots[1], prompt]
        return self.slots.index(prompt)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path, _, action = self.path.partition("?action=")
        self.send_response(500 if path.split("/")[1] in self.server.broken else 200)
        self.end_headers()
        self.wfile.write(self._reply(path, action, body).encode())

    def _reply(self, path: str, action: str, body: dict[str, object]) -> str:
        server, name = self.server, str(body.get("filename"))
        if path.split("/")[1] in server.odd:
            return "[]"
        if path == "/apply-template":
            messages: list[dict[str, str]] = body["messages"]  # type: ignore[assignment]
            return json.dumps({"prompt": "".join(message["content"] for message in messages)})
        if path == "/completion":
            steps = [{"stop": False}, {"stop": True, "id_slot": server.complete(str(body["prompt"]))}]
            return "\n\n".join(f"data: {json.dumps(step)}" for step in steps)
        slot = int(path.rpartition("/")[2])
        if action == "save":
            (server.states / name).write_text(server.slots[slot])
        elif "slots" not in server.broken:
            server.slots[slot] = (server.states / name).read_text()
        return json.dumps({"filename": name})

    def log_message(self, *_: object) -> None:
        """Nothing is told."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[_Server]:
    with _Server() as server:
        server.states = tmp_path
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def _heads(server: _Server) -> Heads:
    return Heads(f"http://127.0.0.1:{server.server_port}", "key", server.states, [ROUTE, EXTRACT])


def _kept(server: _Server) -> int:
    return len(list(server.states.glob("*.bin")))


def _read(server: _Server, *heads: Head) -> None:
    reading = _heads(server)
    for head in heads:
        reading.read(head, lambda: False)
        reading.save(head)


def test_what_was_kept_is_taken_back_and_nothing_overwritten(server: _Server) -> None:
    _read(server, ROUTE, EXTRACT)
    server.slots = ["a user's prompt", "another one's"]
    assert _heads(server).restore() == []
    assert {"a user's prompt", "another one's", "Route.", "Extract."} <= {*server.slots, *server.cached}


def test_only_what_was_kept_is_taken_back(server: _Server) -> None:
    _read(server, EXTRACT)
    assert _heads(server).restore() == [ROUTE]


def test_a_state_that_the_server_refuses_is_read_anew(server: _Server) -> None:
    _read(server, ROUTE, EXTRACT)
    server.broken = {"slots"}
    assert _heads(server).restore() == [ROUTE, EXTRACT]
    assert _kept(server) == 0


def test_a_server_that_fails_otherwise_costs_no_state(server: _Server) -> None:
    _read(server, ROUTE, EXTRACT)
    server.broken = {"completion"}
    assert _heads(server).restore() == [ROUTE, EXTRACT]
    assert _kept(server) == 2


@pytest.mark.parametrize("path", ["apply-template", "completion"])
def test_a_reply_of_another_form_is_a_failure_of_the_model(server: _Server, path: str) -> None:
    server.odd = {path}
    with pytest.raises(ModelUnavailable):
        _heads(server).read(ROUTE, lambda: False)


def test_what_cannot_be_kept_is_read_again_at_the_next_start(server: _Server) -> None:
    server.broken = {"slots"}
    _read(server, ROUTE)
    assert _kept(server) == 0


def test_stop_breaks_it_off(server: _Server) -> None:
    with pytest.raises(Interrupted):
        _heads(server).read(ROUTE, lambda: True)
