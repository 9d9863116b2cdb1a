"""Whole turns with a model server that replies as none should: each ends in time and says what failed."""

import resource
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from app import compose
from assistant.errors import ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.llm.limits import ReplyLimits, TurnLimits
from assistant.llm.openai_transport import OpenAITransport
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from assistant.types import Answered, Failed, Message, Turn
from tests.benchmarks.hostile_replies import Again, HostileServer, Reply, good, replies

SHORT = ReplyLimits(first_seconds=1.0, between_seconds=0.8, seconds=2.0)
TURN = TurnLimits(seconds=6.0, model_seconds=5.0, characters=20_000)
MORE_SECONDS = 30.0  # on a machine that does much else; only tells an end from a hang
MORE_BYTES = 150 * 2**20


@pytest.fixture
def hostile() -> Iterator[HostileServer]:
    with HostileServer() as server:
        yield server


@pytest.fixture
def transport(hostile: HostileServer) -> OpenAITransport:
    return OpenAITransport(model="small", api_key="key", base_url=hostile.base_url, limits=SHORT)


@pytest.fixture
def assistant(home: Path, transport: OpenAITransport) -> Iterator[Assistant]:
    settings = Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off"})
    assistant = compose(settings, transport)
    assistant.limits = TURN
    yield assistant
    assistant.close()


def played(assistant: Assistant, text: str) -> tuple[Answered, list[Failed]]:
    *events, last = assistant.reply(Turn(text, "me", "s", datetime(2026, 1, 5, 12)))
    assert isinstance(last, Answered)
    return last, [event for event in events if isinstance(event, Failed)]


def test_no_reply_breaks_a_turn_or_outlives_its_limit(hostile: HostileServer, assistant: Assistant) -> None:
    ways = (("Good morning to you.", []), ("Good morning to you.", [good("chat")]), ("What is my shoe size?", []))
    for number, reply in enumerate(replies(seed=32, count=45)):
        text, before = ways[number % len(ways)]
        hostile.play(reply, before=before)
        began = time.monotonic()
        answered, failed = played(assistant, text)
        assert time.monotonic() - began < TURN.seconds + MORE_SECONDS, reply.name
        if reply.readable:
            assert answered.answer, reply.name
        else:
            assert failed or answered.cut, (reply.name, answered.answer)
            assert all("\n" not in failure.message for failure in failed), reply.name
        hostile.play(good("chat"))
        answered, failed = played(assistant, "Good morning to you.")
        assert (answered.answer, answered.cut, failed) == ("chat", False, []), reply.name
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("model-") and alive(thread)]


def alive(thread: threading.Thread) -> bool:
    thread.join(SHORT.first_seconds + MORE_SECONDS)
    return thread.is_alive()


def asked(hostile: HostileServer, transport: OpenAITransport, reply: Reply) -> str:
    hostile.play(reply)
    return LanguageModel(transport).complete([Message("user", "Hello?")], purpose="answer", must_say=True)


@pytest.mark.parametrize("reply", replies(seed=7, count=60), ids=lambda reply: reply.name)
def test_each_is_read_or_is_a_failure_of_one_line(
    hostile: HostileServer, transport: OpenAITransport, reply: Reply
) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        assert asked(hostile, transport, reply)
    except ModelUnavailable as failure:
        assert not reply.readable
        assert "\n" not in str(failure) and len(str(failure)) < 600
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MORE_BYTES


def test_a_stream_without_end_is_cut_at_what_was_asked_for(hostile: HostileServer, transport: OpenAITransport) -> None:
    words = Again(b'data: {"choices":[{"delta":{"content":" %d"}}]}\n\n')
    hostile.play(Reply("endless", (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", words)))
    stream = LanguageModel(transport).stream([Message("user", "Hello?")], purpose="answer", max_tokens=50)
    assert len("".join(stream)) == 50 * 20
    assert stream.is_cut
