import contextlib
import threading
import time
from collections.abc import Generator
from typing import cast

import pydantic
import pytest

from assistant.errors import Interrupted, ModelReplyUnreadable, ModelTooSlow, ModelUnavailable
from assistant.llm.client import Chunk, LanguageModel, Request
from assistant.llm.limits import ReplyLimits
from assistant.llm.openai_transport import OpenAITransport
from assistant.types import Message, UsageCount
from tests.assistant.llm.openai_double import Answer, Exchange, ModelServer, refuses, says, weighs

QUESTION = [Message("system", "Be brief."), Message("user", "Which is the capital of Austria?")]


class City(pydantic.BaseModel):
    name: str
    people: int


@pytest.fixture(params=[True, False], ids=["kept", "new"])
def transport(server: ModelServer, request: pytest.FixtureRequest) -> OpenAITransport:
    return OpenAITransport(model="small", api_key="key", base_url=server.url, keep_connections=request.param)


@pytest.fixture
def model(transport: OpenAITransport) -> LanguageModel:
    return LanguageModel(transport)


def test_a_reply_streams_in_the_pieces_that_were_sent(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [says("Vi", "enna", ".")]
    assert list(model.stream(QUESTION, purpose="answer", max_tokens=7, stop=["\n"])) == ["Vi", "enna", "."]
    [request] = server.requests
    assert request["model"] == "small"
    assert request["messages"][1] == {"role": "user", "content": "Which is the capital of Austria?"}
    assert (request["max_tokens"], request["temperature"], request["stop"]) == (7, 0.0, ["\n"])


def test_the_first_piece_is_there_before_the_last_is_sent(server: ModelServer, model: LanguageModel) -> None:
    read = threading.Event()

    def answer(exchange: Exchange) -> None:
        exchange.begin()
        exchange.token("Vienna")
        assert read.wait(10)
        exchange.token(".")
        exchange.usage(1, 0, 2)

    server.answers = [answer]
    pieces = model.stream(QUESTION, purpose="answer")
    assert next(pieces) == "Vienna"
    read.set()
    assert list(pieces) == ["."]


def test_a_schema_goes_out_and_the_reply_comes_back_as_its_object(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [says('{"name": "Graz", ', '"people": 292630}')]
    assert model.parse(QUESTION, City, purpose="city") == City(name="Graz", people=292630)
    assert server.requests[0]["response_format"]["json_schema"] == {"name": "city", "schema": City.model_json_schema()}


def test_an_unreadable_reply_is_sent_back_once_with_what_is_wrong(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [says('{"name": "Graz", "people": "many"}'), says('{"name": "Graz", "people": 292630}')]
    assert model.parse(QUESTION, City, purpose="city").people == 292630
    asked, reply, complaint = server.requests[1]["messages"][-3:]
    assert asked["content"] == QUESTION[1].content
    assert reply == {"role": "assistant", "content": '{"name": "Graz", "people": "many"}'}
    assert complaint["role"] == "user" and "people" in complaint["content"]


def test_a_reply_unreadable_twice_is_one_clear_failure(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [says("Graz!"), says("Graz, I said.")]
    with pytest.raises(ModelReplyUnreadable, match=r"^The model's reply \(city\) cannot be read: [^\n]+$"):
        model.parse(QUESTION, City, purpose="city")
    assert len(server.requests) == 2


def hangs_after(*words: str, reached: threading.Event, gone: threading.Event) -> Answer:
    """Send the words, and then nothing until the client closes the connection."""

    def answer(exchange: Exchange) -> None:
        if words:
            exchange.begin()
        for word in words:
            exchange.token(word)
        reached.set()
        if exchange.client_is_gone():
            gone.set()

    return answer


def test_stop_in_mid_stream_closes_the_connection(server: ModelServer, model: LanguageModel) -> None:
    stop, gone = threading.Event(), threading.Event()
    server.answers = [hangs_after("Once", reached=threading.Event(), gone=gone)]
    with model.for_turn(stop.is_set) as turn:
        pieces = turn.stream(QUESTION, purpose="answer")
        assert next(pieces) == "Once"
        stop.set()
        with pytest.raises(Interrupted):
            next(pieces)
    assert gone.wait(10)


def test_stop_before_the_first_byte_closes_the_connection(server: ModelServer, model: LanguageModel) -> None:
    stop, gone = threading.Event(), threading.Event()
    server.answers = [hangs_after(reached=stop, gone=gone)]
    with model.for_turn(stop.is_set) as turn, pytest.raises(Interrupted):
        turn.complete(QUESTION, purpose="answer")
    assert gone.wait(10)


def test_whoever_stops_reading_closes_the_connection(server: ModelServer, transport: OpenAITransport) -> None:
    gone = threading.Event()
    server.answers = [hangs_after("Once", reached=threading.Event(), gone=gone)]
    pieces = cast("Generator[Chunk]", transport.send(Request(tuple(QUESTION), "answer"), lambda: False))
    assert next(pieces).text == "Once"
    pieces.close()
    assert gone.wait(10)


def test_a_stopped_piece_of_work_asks_nothing(server: ModelServer, model: LanguageModel) -> None:
    with model.for_turn(lambda: True) as turn, pytest.raises(Interrupted):
        turn.complete(QUESTION, purpose="answer")
    assert server.requests == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_tried_again(server: ModelServer, model: LanguageModel, status: int) -> None:
    server.answers = [refuses(status), refuses(status), says("Vienna")]
    assert model.complete(QUESTION, purpose="answer") == "Vienna"
    assert model.usage.total.calls == 1


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "refuses the key: check OPENAI_API_KEY"),
        (403, "refuses the key: check OPENAI_API_KEY"),
        (404, "has no model small: check LOREKEEPER_MODEL"),
        (429, "is over its limit"),
        (500, "answered with status 500: too hot"),
        (400, "answered with status 400: too hot"),
    ],
)
def test_a_refusal_says_what_to_do_in_one_line(
    server: ModelServer, model: LanguageModel, status: int, advice: str
) -> None:
    server.answers = [refuses(status, "too hot")] * 4
    with pytest.raises(ModelUnavailable) as caught:
        model.complete(QUESTION, purpose="answer")
    assert advice in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nobody_there_is_one_line(server: ModelServer) -> None:
    nowhere = server.url.replace(str(server.server_port), "1")  # a port that nobody listens on
    model = LanguageModel(OpenAITransport(model="small", api_key="key", base_url=nowhere, max_retries=0))
    with pytest.raises(
        ModelUnavailable, match=r"^The model small cannot be reached at http://[^\n]+OPENAI_BASE_URL[^\n]+$"
    ):
        model.complete(QUESTION, purpose="answer")


def test_what_did_not_answer_is_down_until_it_is_started_or_answers(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [refuses(401, "no"), says("Yes."), refuses(401, "no")]
    with pytest.raises(ModelUnavailable) as caught:
        model.complete(QUESTION, purpose="answer")
    status = model.transport.status()
    assert (status.state, status.message) == ("down", str(caught.value))
    assert model.complete(QUESTION, purpose="answer") == "Yes."
    assert model.transport.status().state == "ready"
    with pytest.raises(ModelUnavailable):
        model.complete(QUESTION, purpose="answer")
    model.transport.start()
    assert model.transport.status().state == "ready"


def test_a_server_that_dies_in_mid_stream_is_a_failure_after_what_it_said(
    server: ModelServer, model: LanguageModel
) -> None:
    def answer(exchange: Exchange) -> None:
        exchange.send_response(200)
        exchange.send_header("content-type", "text/event-stream")
        exchange.send_header("content-length", "1000000")
        exchange.end_headers()
        exchange.token("Vi")

    server.answers = [answer]
    pieces = model.stream(QUESTION, purpose="answer")
    assert next(pieces) == "Vi"
    with pytest.raises(ModelUnavailable):
        next(pieces)


def test_a_turn_interrupts_background_work_which_waits_for_its_end(server: ModelServer, model: LanguageModel) -> None:
    reached, gone, waiting = threading.Event(), threading.Event(), threading.Event()
    server.answers = [hangs_after(reached=reached, gone=gone), says("for the turn"), says("in the background")]
    replies: list[str] = []

    def work() -> None:
        background = model.in_background(lambda: False)
        with pytest.raises(Interrupted):
            background.complete(QUESTION, purpose="extract")
        waiting.set()
        replies.append(background.complete(QUESTION, purpose="extract"))

    thread = threading.Thread(target=work)
    thread.start()
    assert reached.wait(10)
    with model.for_turn(lambda: False) as turn:
        assert gone.wait(10) and waiting.wait(10)
        replies.append(turn.complete(QUESTION, purpose="answer"))
    thread.join(10)
    assert replies == ["for the turn", "in the background"]


def test_background_work_that_waits_can_be_stopped(server: ModelServer, model: LanguageModel) -> None:
    with model.for_turn(lambda: False), pytest.raises(Interrupted):
        model.in_background(lambda: True).complete(QUESTION, purpose="extract")
    assert server.requests == []


def test_usage_is_counted_by_purpose_and_apart_for_each_turn(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [
        says("a", prompt=100, cached=90),
        says("b", "c", prompt=50, cached=0),
        says("d", prompt=7, cached=7),
    ]
    with model.for_turn(lambda: False) as turn:
        turn.complete(QUESTION, purpose="route")
        turn.complete(QUESTION, purpose="answer")
        turn.complete(QUESTION, purpose="answer")
    with model.for_turn(lambda: False) as other:
        assert other.usage.total == UsageCount()
    assert turn.usage.by_purpose == {"route": UsageCount(1, 100, 10, 1), "answer": UsageCount(2, 57, 50, 3)}
    assert turn.usage.total == UsageCount(3, 157, 60, 4)


def test_labels_are_weighed_by_the_probabilities_of_tokens(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [weighs(**{"A": 0.2, " B": 0.25, "B": 0.35, "The": 0.1})]
    assert model.weigh(QUESTION, ["A", "B", "C"], purpose="choose") == pytest.approx([0.25, 0.75, 0])
    [request] = server.requests
    assert (request["logprobs"], request["top_logprobs"], request["max_tokens"]) == (True, 20, 1)


@pytest.mark.parametrize(
    "first", [says("B"), refuses(400, "no logprobs"), weighs(Sure=0.9)], ids=["not told", "refused", "none of them"]
)
def test_without_probabilities_a_label_is_named(server: ModelServer, model: LanguageModel, first: Answer) -> None:
    server.answers = [first, says('{"label": "B"}')]
    assert model.weigh(QUESTION, ["A", "B"], purpose="choose") == [0, 1]
    schema = server.requests[1]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["label"]["enum"] == ["A", "B"]
    assert "logprobs" not in server.requests[1]


def test_a_label_that_is_none_of_them_is_unreadable(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [says("?"), says('{"label": "C"}'), says('{"label": "D"}')]
    with pytest.raises(ModelReplyUnreadable, match="choose"):
        model.weigh(QUESTION, ["A", "B"], purpose="choose")


def asks_to_wait(seconds: str) -> Answer:
    def answer(exchange: Exchange) -> None:
        exchange.send_response(429)
        exchange.send_header("retry-after", seconds)
        exchange.send_header("content-length", "0")
        exchange.end_headers()

    return answer


def test_a_server_that_asks_to_wait_for_hours_is_not_waited_for(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [asks_to_wait("99999")] * 4
    with pytest.raises(ModelUnavailable, match="over its limit"):
        model.complete(QUESTION, purpose="answer")
    assert len(server.requests) == 1


def test_stop_ends_the_wait_before_another_try(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [asks_to_wait("15")] * 4
    began = time.monotonic()
    with model.for_turn(lambda: time.monotonic() - began > 1) as turn, pytest.raises(Interrupted):
        turn.complete(QUESTION, purpose="answer")
    assert time.monotonic() - began < 12
    assert len(server.requests) == 1


def test_the_time_of_a_turn_ends_the_wait_for_a_silent_model(server: ModelServer, model: LanguageModel) -> None:
    gone = threading.Event()
    server.answers = [hangs_after(reached=threading.Event(), gone=gone)]
    with model.for_turn(lambda: False, seconds=0.5) as turn:
        for _ in range(2):  # asked once, and given up for the rest of the turn
            with pytest.raises(ModelTooSlow, match=r"^[^\n]+$"):
                turn.complete(QUESTION, purpose="answer")
    assert gone.wait(10)
    assert len(server.requests) == 1


def test_a_model_that_only_shows_that_it_lives_is_not_waited_for_longer(server: ModelServer) -> None:
    def answer(exchange: Exchange) -> None:
        exchange.begin()
        with contextlib.suppress(OSError):
            for _ in range(1_000):
                exchange.wfile.write(b": at work\n\n")
                exchange.event({"choices": [{"index": 0, "delta": {"content": ""}}]})
                time.sleep(0.02)

    limits = ReplyLimits(first_seconds=0.5, between_seconds=0.5, seconds=60)
    model = LanguageModel(OpenAITransport(model="small", api_key="key", base_url=server.url, limits=limits))
    server.answers = [answer]
    with pytest.raises(ModelTooSlow, match=r"said nothing in 0\.5 seconds"):
        model.complete(QUESTION, purpose="answer")


def test_a_model_that_thinks_has_the_time_of_a_reply(server: ModelServer) -> None:
    def answer(exchange: Exchange) -> None:
        exchange.begin()
        for _ in range(15):
            exchange.event({"choices": [{"index": 0, "delta": {"reasoning_content": "Hm."}}]})
            time.sleep(0.1)
        exchange.token("Vienna")
        exchange.usage(1, 0, 1)

    limits = ReplyLimits(first_seconds=1.0, between_seconds=1.0, seconds=60)
    model = LanguageModel(OpenAITransport(model="small", api_key="key", base_url=server.url, limits=limits))
    server.answers = [answer]
    assert model.complete(QUESTION, purpose="answer") == "Vienna"


def test_whoever_reads_slowly_is_not_taken_for_a_slow_model(server: ModelServer) -> None:
    limits = ReplyLimits(first_seconds=1.0, between_seconds=0.3, seconds=60)
    model = LanguageModel(OpenAITransport(model="small", api_key="key", base_url=server.url, limits=limits))
    server.answers = [says(*"Vienna")]
    read = []
    for piece in model.stream(QUESTION, purpose="answer"):
        read.append(piece)
        time.sleep(0.4)
    assert "".join(read) == "Vienna"


@pytest.mark.parametrize(("finish", "is_cut"), [("stop", False), ("length", True), ("content_filter", True)])
def test_a_reply_says_whether_it_stops_before_its_end(
    server: ModelServer, model: LanguageModel, finish: str, is_cut: bool
) -> None:
    def answer(exchange: Exchange) -> None:
        exchange.begin()
        exchange.token("Vi")
        exchange.event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        exchange.usage(1, 0, 1)

    server.answers = [answer]
    pieces = model.stream(QUESTION, purpose="answer")
    assert list(pieces) == ["Vi"]
    assert pieces.is_cut == is_cut
