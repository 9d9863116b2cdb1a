"""What a model can do is found out from what it replies, over HTTP, in the shapes of the servers that people run."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app import compose
from assistant.errors import Interrupted
from assistant.llm import profile as profiles
from assistant.llm.client import LanguageModel
from assistant.llm.openai_transport import OpenAITransport
from assistant.llm.profile import BUILT_IN, PROBES, Profiling, told
from assistant.policy import policy_for
from assistant.settings import Settings
from assistant.types import Answered, Profile, Turn
from memory.records.database import Database, State
from tests.assistant.llm.openai_double import Exchange, ModelServer, says, weighs
from tests.assistant.llm.test_adapting import Refusal, openai, picky, thinks

Reply = Callable[[dict[str, Any]], str]


class _Listing(Exchange):
    """Has a list of models as well."""

    def do_GET(self) -> None:
        data = json.dumps(self.server.listed).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class _Server(ModelServer):
    listed: object = {"object": "list", "data": []}

    def __init__(self) -> None:
        super().__init__()
        self.RequestHandlerClass = _Listing  # type: ignore[assignment]


@pytest.fixture
def server() -> Iterator[_Server]:
    with _Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(Database(tmp_path / "memory.db"))


def model_at(server: ModelServer) -> LanguageModel:
    return LanguageModel(OpenAITransport(model="m", api_key="key", base_url=server.url, max_retries=0))


def knows(body: dict[str, Any]) -> str:
    """The right answer to each probe, and a greeting."""
    asked = body["messages"][-1]["content"]
    for probe in PROBES:
        if probe.task in asked:
            return json.dumps({"steps": "…", "answer": probe.answer})
    return "Hello!"


def guesses(body: dict[str, Any]) -> str:
    """The right answer to all probes but one."""
    return '{"steps": "…", "answer": ["1"]}' if PROBES[-1].task in body["messages"][-1]["content"] else knows(body)


def newest(body: dict[str, Any]) -> tuple[int, object] | None:
    """What OpenAI's newest models refuse."""
    if "grammar" in body:
        return openai("", "Unrecognized request argument supplied: grammar", "unknown_parameter")
    return thinks(body)


def serve(server: _Server, reply: Reply, refuses: Refusal = lambda _: None, *, grammar=False, weights=False) -> None:
    def answer(exchange: Exchange) -> None:
        body = exchange.body
        if weights and body.get("logprobs"):
            weighs(Hello=0.9, Hi=0.1)(exchange)
        elif grammar and "grammar" in body:
            says(body["grammar"].split('"')[1])(exchange)
        else:
            picky(refuses, reply(body))(exchange)

    server.answers = [answer] * 60


def listed(**about: object) -> dict[str, object]:
    return {"object": "list", "data": [{"id": "m", "object": "model", "created": 0, "owned_by": "o", **about}]}


def test_a_model_of_openais_newest_is_capable_and_refuses_what_it_refuses(server: _Server, state: State) -> None:
    serve(server, knows, newest)
    found = Profiling(model_at(server), state, "openai m").find_out(model_at(server))
    assert (found.size, found.known_by) == ("capable", "probes")
    assert (found.structured, found.weights, found.grammar, found.context_tokens) == (True, False, False, None)


@pytest.mark.parametrize(
    ("about", "context"),
    [
        ({"meta": {"n_ctx": 8192, "n_ctx_train": 131072, "n_params": 7}}, 8192),  # llama.cpp
        ({"max_model_len": 32768}, 32768),  # vLLM
        ({"context_window": 131072}, 131072),
        ({}, None),  # Ollama
        ({"max_model_len": -1}, None),
    ],
)
def test_the_length_of_the_context_is_told_by_some_servers(
    server: _Server, state: State, about: dict[str, object], context: int | None
) -> None:
    server.listed = listed(**about)
    serve(server, knows, grammar=True, weights=True)
    found = Profiling(model_at(server), state, "p").find_out(model_at(server))
    assert found == Profile("capable", "probes", True, True, True, context)


def test_a_list_of_many_models_or_none_tells_only_of_the_one_at_hand(server: _Server, state: State) -> None:
    other = {"id": "other", "max_model_len": 512}
    for number, (shown, context) in enumerate(
        [({"data": [other, {"id": "m", "max_model_len": 9}]}, 9), ({"data": [other, other]}, None), ("none", None)]
    ):
        server.listed = shown
        serve(server, knows)
        found = Profiling(model_at(server), state, str(number)).find_out(model_at(server))
        assert (found.size, found.context_tokens) == ("capable", context)


@pytest.mark.parametrize("reply", [guesses, lambda _: "I think it is 9:15.", lambda _: '{"steps": "…"'])
def test_whoever_fails_one_probe_is_small(server: _Server, state: State, reply: Reply) -> None:
    serve(server, reply)
    found = Profiling(model_at(server), state, "p").find_out(model_at(server))
    assert (found.size, found.known_by) == ("small", "probes")
    assert found.structured == (reply is guesses)


def test_what_was_found_out_is_kept_by_address_and_name(server: _Server, state: State) -> None:
    server.listed = listed(max_model_len=4096)
    serve(server, knows, newest)
    found = Profiling(model_at(server), state, "a m").find_out(model_at(server))
    asked = len(server.requests)
    again = Profiling(model_at(server), state, "a m")
    assert again.profile == again.find_out(model_at(server)) == found
    assert len(server.requests) == asked
    assert Profiling(model_at(server), state, "b m").profile == Profile()


def test_what_other_probes_found_out_is_found_out_anew(
    server: _Server, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(server, knows)
    Profiling(model_at(server), state, "p").find_out(model_at(server))
    monkeypatch.setattr(profiles, "_VERSION", profiles._VERSION + 1)
    assert Profiling(model_at(server), state, "p").profile.known_by == "nothing"


def test_a_failing_probe_of_what_is_no_must_costs_only_that(server: _Server, state: State) -> None:
    def fails(body: dict[str, Any]) -> tuple[int, object] | None:
        return (500, {"error": {"message": "broken"}}) if "grammar" in body or body.get("logprobs") else None

    serve(server, knows, fails)
    found = Profiling(model_at(server), state, "p").find_out(model_at(server))
    assert (found.size, found.known_by, found.grammar, found.weights) == ("capable", "probes", False, False)


def test_a_profile_is_kept_for_a_while(server: _Server, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    serve(server, knows)
    Profiling(model_at(server), state, "p").find_out(model_at(server))
    month_ahead = time.time() + 31 * 86_400
    monkeypatch.setattr(time, "time", lambda: month_ahead)
    assert Profiling(model_at(server), state, "p").profile.known_by == "nothing"


def test_a_model_that_does_not_answer_stays_unknown_and_is_asked_another_time(server: _Server, state: State) -> None:
    serve(server, knows, lambda _: (500, {"error": {"message": "busy"}}))
    profiling = Profiling(model_at(server), state, "p")
    assert profiling.find_out(model_at(server)) == Profile()
    serve(server, knows)
    assert profiling.find_out(model_at(server)).size == "capable"


def _silent(exchange: Exchange) -> None:
    exchange.begin()
    exchange.client_is_gone()


def test_a_model_that_is_too_slow_is_small_and_nobody_waits_for_it_twice(
    server: _Server, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "_SECONDS", 0.3)
    server.answers = [_silent] * 10
    began = time.monotonic()
    assert Profiling(model_at(server), state, "p").find_out(model_at(server)) == Profile()
    asked = len(server.requests)
    profiling = Profiling(model_at(server), state, "p")
    assert profiling.find_out(model_at(server)) == Profile()
    assert len(server.requests) == asked
    assert time.monotonic() - began < 10
    serve(server, knows)
    profiling.start()  # while nobody waits
    assert _until(lambda: profiling.profile.size == "capable")
    profiling.close()


def test_a_model_that_is_too_slow_is_tried_once_more_while_nobody_waits(
    server: _Server, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "_BACKGROUND_SECONDS", 0.3)
    server.answers = [_silent] * 10
    profiling = Profiling(model_at(server), state, "p")
    profiling.start()
    assert _until(lambda: bool(state.get("profile p")))
    profiling.close()
    asked = len(server.requests)
    profiling.start()
    profiling.close()
    assert len(server.requests) == asked


def test_other_probes_give_one_that_was_too_slow_another_chance(
    server: _Server, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "_SECONDS", 0.3)
    server.answers = [_silent] * 10
    Profiling(model_at(server), state, "p").find_out(model_at(server))
    monkeypatch.setattr(profiles, "_SECONDS", 20.0)
    monkeypatch.setattr(profiles, "_VERSION", profiles._VERSION + 1)
    serve(server, knows)
    assert Profiling(model_at(server), state, "p").find_out(model_at(server)).size == "capable"


def test_a_turn_without_enough_time_left_tells_nothing_of_the_model(server: _Server, state: State) -> None:
    profiling = Profiling(model_at(server), state, "p")
    with model_at(server).for_turn(lambda: False, seconds=10) as model:
        assert profiling.find_out(model) == Profile()
    assert server.requests == []
    serve(server, knows)
    assert Profiling(model_at(server), state, "p").find_out(model_at(server)).size == "capable"


def test_waiting_for_a_turn_takes_no_time_of_the_probes(
    server: _Server, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "_BACKGROUND_SECONDS", 2.0)
    serve(server, knows)
    root = model_at(server)
    profiling = Profiling(root, state, "p")
    with root.for_turn(lambda: False):
        profiling.start()
        time.sleep(2.5)
    assert _until(lambda: profiling.profile.size == "capable")
    profiling.close()


def test_a_probe_that_was_passed_is_not_asked_again_after_a_turn(server: _Server, state: State) -> None:
    root, asked, has_made_way = model_at(server), list[str](), threading.Event()

    def answer(exchange: Exchange) -> None:
        asked.append(exchange.body["messages"][-1]["content"])
        if asked.count(asked[-1]) == 1 and PROBES[1].task in asked[-1]:
            _silent(exchange)
            has_made_way.set()
        else:
            picky(lambda _: None, knows(exchange.body))(exchange)

    server.answers = [answer] * 60
    profiling = Profiling(root, state, "p")
    profiling.start()
    assert _until(lambda: len(asked) == 2)
    with root.for_turn(lambda: False):
        assert has_made_way.wait(20)
    assert _until(lambda: profiling.profile.size == "capable")
    profiling.close()
    assert [sum(probe.task in text for text in asked) for probe in PROBES] == [1, 2, 1]


def test_probes_obey_stop(server: _Server, state: State) -> None:
    server.answers = [_silent] * 10
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    with model_at(server).for_turn(stop.is_set) as model, pytest.raises(Interrupted):
        Profiling(model_at(server), state, "p").find_out(model)
    assert time.monotonic() - began < 10


def test_a_turn_goes_before_probes_in_the_background(server: _Server, state: State) -> None:
    root, has_made_way = model_at(server), threading.Event()

    def silent(exchange: Exchange) -> None:
        _silent(exchange)
        has_made_way.set()

    server.answers = [silent]
    profiling = Profiling(root, state, "p")
    profiling.start()
    assert _until(lambda: bool(server.requests))
    with root.for_turn(lambda: False) as model:
        server.answers = [says("Hello.")]
        assert model.complete([], purpose="answer") == "Hello."
        assert has_made_way.wait(20)
        serve(server, knows)
    assert _until(lambda: profiling.profile.size == "capable")
    profiling.close()


def test_what_the_operator_says_and_what_comes_with_the_program_take_no_probe(server: _Server, state: State) -> None:
    assert Profiling(model_at(server), state, "p", "capable").find_out(model_at(server)).size == "capable"
    assert Profiling(model_at(server), state, "").find_out(model_at(server)) == BUILT_IN
    assert Profiling(model_at(server), state, "", "capable").profile.size == "capable"
    assert server.requests == []


def test_of_a_model_that_is_said_to_be_capable_the_context_is_asked_for(server: _Server, state: State) -> None:
    server.listed = listed(max_model_len=4096)
    profiling = Profiling(model_at(server), state, "p", "capable")
    assert profiling.find_out(model_at(server)) == Profile("capable", "setting", context_tokens=4096)
    other = Profiling(model_at(server), state, "p", "capable")
    other.start()
    assert _until(lambda: other.profile.context_tokens == 4096)
    other.close()
    assert server.requests == []


def test_another_model_is_found_out_anew_and_what_is_known_of_the_first_is_kept(server: _Server, state: State) -> None:
    serve(server, knows)
    profiling = Profiling(model_at(server), state, "one")
    assert profiling.find_out(model_at(server)).size == "capable"
    serve(server, guesses)
    profiling.move("other")
    profiling.pause()
    assert profiling.find_out(model_at(server)).size == "small"
    server.answers = []
    profiling.move("one")
    assert profiling.profile.size == "capable"
    profiling.move("")
    assert profiling.profile == BUILT_IN
    profiling.close()


def test_a_profile_is_told_in_one_line() -> None:
    assert told(Profile()) == "small, as long as nothing is known of it"
    line = told(Profile("capable", "probes", True, False, True, 8192, ("max_tokens",)))
    assert all(part in line for part in ("capable", "structured replies", "grammar", "8,192", "max_tokens"))
    assert "\n" not in line


def test_the_first_turn_of_a_process_finds_out_and_the_next_one_knows(server: _Server, home: Path) -> None:
    def reply(body: dict[str, Any]) -> str:
        found = knows(body)
        return found if found != "Hello!" else "en chat" if body.get("max_completion_tokens") == 8272 else "Hi Ada."

    serve(server, reply, newest)
    settings = Settings.from_environment(
        {"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off", "OPENAI_BASE_URL": server.url}
    )
    for purposes in ({"understand", "answer", "profile"}, {"understand", "answer"}):
        with closing(compose(settings)) as assistant:
            turn = Turn("Hello, I am Ada.", "me", "s", datetime(2026, 1, 5))
            *_, last = assistant.reply(turn)
            assert isinstance(last, Answered)
            assert last.answer == "Hi Ada."
            assert set(last.usage_by_purpose) == purposes
            assert assistant.policy.reader == "free"


@pytest.mark.parametrize("size", ["small", "capable"])
def test_the_policy_follows_the_profile_and_what_is_set(size: Any) -> None:
    def policy(**settings: str):
        return policy_for(Profile(size), Settings.from_environment(settings))

    is_small = size == "small"
    assert policy().shortcuts == is_small
    assert policy().own_knowledge == ("never" if is_small else "marked")
    assert policy(LOREKEEPER_OWN_KNOWLEDGE="free").own_knowledge == "free"
    assert policy(LOREKEEPER_OWN_KNOWLEDGE="off").unsupported == "withhold"


@pytest.mark.parametrize("tokens", [7_500, 8_192, 12_000, 16_384, 32_768])
def test_what_is_read_fits_into_the_context_with_the_reply(tokens: int) -> None:
    policy = policy_for(Profile("capable", context_tokens=tokens), Settings.from_environment({}))
    in_chinese = 0.8 * (policy.history_characters + policy.evidence_characters)
    assert in_chinese + 2_000 < tokens  # the reply's own
    assert policy.evidence_characters >= 2_000


def test_a_wide_context_is_not_filled() -> None:
    policies = [
        policy_for(Profile("capable", context_tokens=tokens), Settings.from_environment({}))
        for tokens in (4096, None, 10**6)
    ]
    narrow, unknown, wide = (policy.evidence_characters for policy in policies)
    assert narrow < unknown < wide < 100_000


def _until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()
