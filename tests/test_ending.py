"""Processes that are told to end in the middle of a turn: what the user said is kept, and what was answered so far."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from assistant.embedding import load_embedder
from assistant.settings import Settings
from memory.store import Memory
from tests.assistant.llm.openai_double import Exchange, ModelServer, says

ROOT = Path(__file__).parents[1]
QUESTION, SAID = "Hello there.", "It was Ada "
_ANSWER_TOKENS = 700  # that an answer may have; other requests have fewer
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def start(home: Path, model: ModelServer) -> Iterator[Start]:
    """`start("ask", …)` runs a command as a process of its own, which is gone after the test."""
    started: list[subprocess.Popen[str]] = []
    environment = {
        **os.environ,
        "OPENAI_BASE_URL": model.url,
        "LOREKEEPER_HOME": str(home),
        "LOREKEEPER_PROFILE": "small",  # nothing is asked of it beside the turn
    }

    def run(*arguments: str) -> subprocess.Popen[str]:
        # What runs in the background of a script ignores these, and so would its children.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        started.append(
            subprocess.Popen(
                [sys.executable, "app.py", *arguments],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


class Holding:
    """A model that takes a message for talk, and begins an answer that does not end; with no words it is silent."""

    def __init__(self, words: str) -> None:
        self._words = words
        self.begun = threading.Event()

    def __call__(self, exchange: Exchange) -> None:
        if self._words and exchange.body["max_tokens"] < _ANSWER_TOKENS:
            says("en chat")(exchange)
            return
        if self._words:
            exchange.begin()
            exchange.token(self._words)
        self.begun.set()
        exchange.connection.settimeout(300)
        exchange.connection.recv(1)


def conversation(home: Path) -> list[tuple[str, str]]:
    """What is saved of the session."""
    settings = Settings.from_environment({"LOREKEEPER_HOME": str(home)})
    with closing(Memory(home, load_embedder("", settings.cache))) as memory:
        return [(message.role, message.content) for message in memory.of("me").sessions.load("ada")]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("said", ["", SAID])
def test_a_question_and_what_was_answered_outlast_the_end_of_their_process(
    start: Start, model: ModelServer, home: Path, said: str, how: int
) -> None:
    held = Holding(said)
    model.answers += [held] * 8
    process = start("ask", QUESTION, "--session", "ada")
    assert held.begun.wait(300)
    assert process.stdout
    assert process.stdout.read(len(said)) == said
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "Interrupted.")
    assert conversation(home) == [("user", QUESTION), ("assistant", said)]


@pytest.mark.parametrize("ended", ["server", "caller"])
def test_a_question_that_was_handed_over_outlasts_both_processes(
    start: Start, model: ModelServer, home: Path, ended: str
) -> None:
    held = Holding(SAID)
    model.answers += [held] * 8
    server = start("serve", "--port", "0")
    assert server.stdout
    server.stdout.readline()
    process = start("ask", QUESTION, "--session", "ada")
    assert held.begun.wait(300)
    assert process.stdout
    assert process.stdout.read(len(SAID)) == SAID
    if ended == "caller":
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
    server.send_signal(signal.SIGTERM)
    _, err = server.communicate(timeout=60)
    assert (server.returncode, err) == (0, "")
    assert process.wait(60) == (1 if ended == "server" else 130)
    assert conversation(home) == [("user", QUESTION), ("assistant", SAID)]


def test_what_is_asked_while_no_model_answers_is_kept_too(start: Start, model: ModelServer, home: Path) -> None:
    model.shutdown()
    model.server_close()
    process = start("ask", QUESTION, "--session", "ada")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "cannot be reached" in err
    assert [role for role, _ in conversation(home)] == ["user", "assistant"]
