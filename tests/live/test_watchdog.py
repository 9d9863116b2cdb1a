"""A program, a parser and a model that hang at the same time: others are answered, Stop works, and the process ends.

The hanging is real: the sandbox's and the parser's processes are halted by a signal, and the model's server accepts a
request and never answers. The limits only tell an end from a hang.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from assistant import prompting
from memory.store import Memory
from tests.memory.samples import WordEmbedder

pytestmark = pytest.mark.live

_ROOT = Path(__file__).parents[2]
_ANSWERED_SECONDS = 90.0
_STOPPED_SECONDS = 30.0  # ten are the aim
_PROMPTS = ("understand", "standalone", "program", "answer")
_PARSER, _SANDBOX = "memory.parser", "assistant.search.programs.worker"
_SILENT, _SPINNING = "Tell me of Silence.", "Tell me of Spinning."


class _Model(BaseHTTPRequestHandler):
    """A model that knows Peru's capital, says nothing at all about silence, and lets a program spin."""

    asked: list[str]
    ended: threading.Event

    def do_POST(self) -> None:
        """Stream the reply to one request."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        purpose, text = _purpose(request["messages"]), request["messages"][-1]["content"]
        self.asked.append(f"{purpose}: {text}")
        if "Silence" in text:
            self.ended.wait(600)
            return
        reply = {
            "understand": "en ask",
            "standalone": text.rpartition("Last message")[2].partition(": ")[2].partition("\n")[0],
            "program": "while True: pass" if "Spinning" in text else 'find_entity_or_value(["Peru"], ["capital"])',
        }.get(purpose, "The capital of Peru is Lima [1].")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for piece in ({"content": reply}, {}):
            choice = {"index": 0, "delta": piece, "finish_reason": None if piece else "stop"}
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the tests' output clean."""


def _purpose(messages: list[dict[str, str]]) -> str:
    """Which prompt a request was made of, told by its unchanging head."""
    said = [message["content"] for message in messages]
    for name in _PROMPTS:
        head = [message.content for message in prompting.load(name).head]
        if said[: len(head)] == head:
            return name
    return ""


@contextmanager
def _model() -> Iterator[tuple[str, list[str]]]:
    """The address of a model's server, and what it was asked."""
    asked: list[str] = []
    ended = threading.Event()
    handler = type("Handler", (_Model,), {"asked": asked, "ended": ended})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        ended.set()
        server.shutdown()
        server.server_close()


class _Product:
    """`python app.py serve`, and commands that are handed to it."""

    def __init__(self, home: Path, url: str, stack: ExitStack) -> None:
        self._stack = stack
        self._environment = {
            **os.environ,
            "LOREKEEPER_HOME": str(home),
            "LOREKEEPER_PUBLIC": "off",
            "OPENAI_BASE_URL": url,
            "LOREKEEPER_PROFILE": "small",
            "LOREKEEPER_MODEL": "of-the-test",
        }
        self.server = self.begin("serve", "--port", "0")
        assert self.server.stdout is not None
        assert "http://" in self.server.stdout.readline()

    def begin(self, *command: str) -> "subprocess.Popen[str]":
        """Start a command; it is ended with the test at the latest."""
        # What runs in the background of a script ignores these, and so would its children.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        process = self._stack.enter_context(
            subprocess.Popen(
                [sys.executable, "app.py", *command],
                cwd=_ROOT,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        self._stack.callback(process.kill)
        return process

    def said(self, *command: str) -> str:
        """What a command prints."""
        out, _ = self.begin(*command).communicate(timeout=_ANSWERED_SECONDS)
        return out

    def halt(self, named: str) -> None:
        """Halt the processes under the server that have `named` in their command."""
        _wait(lambda: bool(self._under(named)))
        for pid in self._under(named):
            os.kill(pid, signal.SIGSTOP)

    def _under(self, named: str) -> list[int]:
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(stat.read_text().rpartition(")")[2].split()[1])
                command = (stat.parent / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if parent == self.server.pid and named in command:
                found.append(int(stat.parent.name))
        return found


def _wait(until: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not until():
        assert time.monotonic() - began < _ANSWERED_SECONDS, "It did not come to that."
        time.sleep(0.05)


def _all_hang(product: _Product, asked: list[str], folder: Path, nth: str) -> "list[subprocess.Popen[str]]":
    """Three commands of three users that hang: a program, a parser and a model."""
    read, hanging = folder / "read.txt", folder / "hanging.txt"
    read.write_text(f"Uncle Leopold lives in Graz, and was there for the {nth} time.")
    hanging.write_text("Aunt Perpetua lives in Oruro.")
    assert product.said("remember", str(read), "--user", "first")  # by the process that is halted next
    product.halt(_PARSER)
    parsing = product.begin("remember", str(hanging), "--user", "parser")
    silent = product.begin("ask", _SILENT, "--user", "model", "--session", "silent")
    before = len(asked)
    spinning = product.begin("ask", _SPINNING, "--user", "program", "--session", "spinning")
    _wait(lambda: any("program" in one and "Spinning" in one for one in asked[before:]))
    _wait(lambda: any("Silence" in one for one in asked))
    time.sleep(0.5)  # the program spins by now
    product.halt(_SANDBOX)
    return [parsing, silent, spinning]


def test_hanging_of_all_kinds_at_once(home: Path, tmp_path: Path) -> None:
    question = ("ask", "What is the capital of Peru?", "--user")
    with ExitStack() as stack:
        url, asked = stack.enter_context(_model())
        product = _Product(home, url, stack)
        assert "Lima" in product.said(*question, "first")
        hanging = _all_hang(product, asked, tmp_path, "first")
        assert "Lima" in product.said(*question, "another")
        assert all(process.poll() is None for process in hanging)
        for process in hanging:  # as Ctrl-C does
            process.send_signal(signal.SIGINT)
        for process in hanging:
            process.wait(_STOPPED_SECONDS)
        assert "Lima" in product.said(*question, "another")

        hanging = _all_hang(product, asked, tmp_path, "second")
        product.server.send_signal(signal.SIGTERM)
        assert product.server.wait(_STOPPED_SECONDS) == 0
        for process in hanging:
            assert process.wait(_STOPPED_SECONDS) != 0

    memory = Memory(home, WordEmbedder())
    try:
        assert "Graz" in "".join(memory.of("first").source_text(source.id) for source in memory.of("first").sources())
        for user, session, said in (("model", "silent", _SILENT), ("program", "spinning", _SPINNING)):
            assert said in [message.content for message in memory.of(user).sessions.load(session)]
    finally:
        memory.close()
