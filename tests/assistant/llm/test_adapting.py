"""Servers that refuse a part of a request, in the words that they have for it: the rest is sent, and they are not asked
for it again."""

import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

import pydantic
import pytest

from assistant.errors import ModelUnavailable
from assistant.llm.adapting import until_stop
from assistant.llm.client import Chunk, LanguageModel
from assistant.llm.openai_transport import OpenAITransport
from assistant.types import Message
from tests.assistant.llm.openai_double import Answer, Exchange, ModelServer, says

QUESTION = [Message("system", "Be brief."), Message("user", "Which is the capital of Austria?")]
Refusal = Callable[[dict[str, Any]], tuple[int, object] | None]  # of a request's body; None where it is taken


class City(pydantic.BaseModel):
    name: str


def openai(param: str, message: str, code: str = "unsupported_parameter") -> tuple[int, object]:
    return 400, {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def thinks(body: dict[str, Any]) -> tuple[int, object] | None:
    """What OpenAI's models that think refuse, one after the other."""
    if "max_tokens" in body:
        told = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        return openai("max_tokens", told)
    if body.get("temperature", 1) != 1:
        told = (
            "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) is supported."
        )
        return openai("temperature", told, "unsupported_value")
    if "stop" in body:
        return openai("stop", "Unsupported parameter: 'stop' is not supported with this model.")
    if "logprobs" in body:
        told = "You are not allowed to request logprobs from this model."
        return 400, {"error": {"message": told, "type": "invalid_request_error", "param": None}}
    return None


def first_to_think(body: dict[str, Any]) -> tuple[int, object] | None:
    """What the first of them refused, too."""
    if body["messages"][0]["role"] == "system":
        told = "Unsupported value: 'messages[0].role' does not support 'system' with this model."
        return openai("messages[0].role", told, "unsupported_value")
    if "reasoning_effort" in body:
        return openai("reasoning_effort", "Unsupported parameter: 'reasoning_effort' is not supported with this model.")
    if body.get("response_format", {}).get("type") == "json_schema":
        told = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
        return openai("response_format", told)
    if body.get("stream"):
        told = "Your organization must be verified to stream this model."
        return openai("stream", told, "unsupported_value")
    return thinks(body)


def vllm(body: dict[str, Any]) -> tuple[int, object] | None:
    """An older vLLM, which takes no field that it does not know."""
    extra = [name for name in ("stream_options", "response_format") if name in body]
    if not extra:
        return None
    detail = [
        {"type": "extra_forbidden", "loc": ("body", name), "msg": "Extra inputs are not permitted"} for name in extra
    ]
    return 400, {"object": "error", "message": str(detail), "type": "BadRequestError", "param": None, "code": 400}


def mistral(body: dict[str, Any]) -> tuple[int, object] | None:
    if "stream_options" not in body:
        return None
    return 422, {
        "detail": [{"loc": ["body", "stream_options"], "msg": "extra fields not permitted", "type": "value_error"}]
    }


def strict(body: dict[str, Any]) -> tuple[int, object] | None:
    """OpenAI's own servers, and others that take no field which they do not know."""
    if "grammar" in body:
        return openai("", "Unrecognized request argument supplied: grammar", "unknown_parameter")
    return None


def biased(body: dict[str, Any]) -> tuple[int, object] | None:
    """A server that takes a grammar, and the bias of a token by its number alone."""
    if "logit_bias" in body:
        return 400, {"error": {"code": 400, "message": "logit_bias: Input should be a valid dictionary"}}
    return None


def llama_cpp(body: dict[str, Any]) -> tuple[int, object] | None:
    if "response_format" not in body:
        return None
    return 400, {"error": {"code": 400, "message": "Failed to parse grammar", "type": "invalid_request_error"}}


def template(body: dict[str, Any]) -> tuple[int, object] | None:
    """A model whose template has no system role, on vLLM."""
    roles = [message["role"] for message in body["messages"]]
    if "system" in roles:
        return 400, {"object": "error", "message": "'system' role is not supported", "code": 400}
    assert all(one != other for one, other in itertools.pairwise(roles))
    return None


def picky(refuses: Refusal, text: str) -> Answer:
    """Refuse, or say the text: in pieces of one character, or in one where no stream is asked for."""

    def answer(exchange: Exchange) -> None:
        if refusal := refuses(exchange.body):
            status, told = refusal
        elif exchange.body.get("stream"):
            says(*text)(exchange)
            return
        else:
            status, told = 200, {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
        data = json.dumps(told).encode()
        exchange.send_response(status)
        exchange.send_header("content-type", "application/json")
        exchange.send_header("content-length", str(len(data)))
        exchange.end_headers()
        exchange.wfile.write(data)

    return answer


@pytest.fixture
def model(server: ModelServer) -> LanguageModel:
    return LanguageModel(OpenAITransport(model="small", api_key="key", base_url=server.url))


@pytest.mark.parametrize(
    ("refuses", "gone", "tries"),
    [
        (thinks, {"max_tokens", "temperature", "stop"}, 4),
        (first_to_think, {"max_tokens", "temperature", "stop", "reasoning_effort"}, 7),
        (vllm, {"stream_options"}, 2),
        (mistral, {"stream_options"}, 2),
        (template, set(), 2),
    ],
)
def test_what_is_refused_is_left_out_once_and_never_sent_again(
    server: ModelServer, model: LanguageModel, refuses: Refusal, gone: set[str], tries: int
) -> None:
    server.answers = [picky(refuses, "Vienna.\nAnd more")] * 20
    for _ in range(3):
        assert model.complete(QUESTION, purpose="answer", max_tokens=7, stop=["\n"]).partition("\n")[0] == "Vienna."
    assert len(server.requests) == tries + 2
    assert not gone & set(server.requests[-1])
    contents = "\n".join(message["content"] for message in server.requests[-1]["messages"])
    assert all(message.content in contents for message in QUESTION)


@pytest.mark.parametrize(("refuses", "tries"), [(lambda _: None, 1), (strict, 2), (thinks, 3), (biased, 2)])
def test_a_grammar_and_which_of_its_words_is_seldom_go_to_whoever_takes_them(
    server: ModelServer, model: LanguageModel, refuses: Refusal, tries: int
) -> None:
    server.answers = [picky(refuses, "yes")] * 20
    for _ in range(2):
        reply = model.stream(QUESTION, purpose="answer", grammar='root ::= "yes" | "no"', seldom="no")
        assert "".join(reply) == "yes"
    assert len(server.requests) == tries + 1
    sent = server.requests[-1]
    assert ("grammar" in sent, "logit_bias" in sent) == (refuses is not strict, refuses not in {strict, biased})


def test_a_grammar_that_a_server_cannot_read_is_left_out_of_one_request_alone(
    server: ModelServer, model: LanguageModel
) -> None:
    def refuses(body: dict[str, Any]) -> tuple[int, object] | None:
        message = "Failed to parse grammar"
        return (400, {"error": {"code": 400, "message": message}}) if body.get("grammar") == "root ::=" else None

    server.answers = [picky(refuses, "yes")] * 20
    for grammar in ('root ::= "yes"', "root ::=", 'root ::= "yes"'):
        assert model.complete(QUESTION, purpose="answer", grammar=grammar) == "yes"
    assert [request.get("grammar") for request in server.requests] == [
        'root ::= "yes"', "root ::=", None, 'root ::= "yes"'
    ]  # fmt: skip


def test_a_model_that_thinks_has_room_for_it_and_stops_where_it_should(
    server: ModelServer, model: LanguageModel
) -> None:
    server.answers = [picky(thinks, "Vienna.\nAnd more")] * 20
    assert model.complete(QUESTION, purpose="answer", max_tokens=7, stop=["\n"]) == "Vienna."
    assert server.requests[-1]["max_completion_tokens"] > 1_000 + 7


@pytest.mark.parametrize("refuses", [first_to_think, vllm, llama_cpp])
def test_without_schemas_the_form_is_asked_for_in_words(
    server: ModelServer, model: LanguageModel, refuses: Refusal
) -> None:
    server.answers = [picky(refuses, '```json\n{"name": "Vienna"}\n```')] * 20
    assert model.parse(QUESTION, City, purpose="city") == City(name="Vienna")
    assert json.dumps(City.model_json_schema()) in server.requests[-1]["messages"][-1]["content"]


def test_labels_are_named_where_probabilities_are_refused(server: ModelServer, model: LanguageModel) -> None:
    server.answers = [picky(thinks, '{"label": "B"}')] * 20
    for _ in range(2):
        assert model.weigh(QUESTION, ["A", "B"], purpose="choose") == [0, 1]
    asked = [request for request in server.requests if "logprobs" in request]
    assert len(asked) == len({json.dumps(request) for request in asked})  # refused once, and not asked for again
    assert "logprobs" not in server.requests[-1]
    before = len(server.requests)
    model.weigh(QUESTION, ["A", "B"], purpose="choose")
    assert len(server.requests) == before + 1


@pytest.mark.parametrize(
    "told",
    [
        {"error": {"message": "This model's maximum context length is 4096 tokens.", "param": "messages"}},
        {"error": {"message": "Please stop. The stream has a role.", "param": None}},
        {"error": {"message": "no", "param": ["messages"]}},
        {"error": "bad"},
        ["bad"],
    ],
)
def test_a_refusal_of_something_else_is_a_failure_at_once(
    server: ModelServer, model: LanguageModel, told: Mapping[str, object]
) -> None:
    server.answers = [picky(lambda _: (400, told), "")] * 20
    with pytest.raises(ModelUnavailable, match="status 400"):
        model.complete(QUESTION, purpose="answer", stop=["\n"])
    assert len(server.requests) == 1


def test_a_server_that_refuses_all_is_asked_so_often_and_no_more(server: ModelServer, model: LanguageModel) -> None:
    def refuses(body: dict[str, Any]) -> tuple[int, object]:
        return openai("", f"Not supported: {', '.join(repr(name) for name in body)}")

    server.answers = [picky(refuses, "")] * 50
    with pytest.raises(ModelUnavailable, match="status 400"):
        model.complete(QUESTION, purpose="answer", stop=["\n"])
    assert len(server.requests) <= 12
    taken = len(server.requests)
    server.answers = [says("Vienna")]
    assert model.complete(QUESTION, purpose="answer", max_tokens=9) == "Vienna"  # nothing of it was remembered
    assert server.requests[taken]["max_tokens"] == 9


@pytest.mark.parametrize("pieces", [["Vienna.", "\n", "More"], ["Vi", "enna.\nMore"], list("Vienna.\nMore")])
def test_a_reply_ends_where_the_server_would_have_ended_it(pieces: list[str]) -> None:
    found = list(until_stop((Chunk(piece) for piece in pieces), ["\n", "END"]))
    assert "".join(chunk.text for chunk in found) == "Vienna."
    assert found[-1].finish == "stop"


def test_what_only_began_like_a_stop_is_said() -> None:
    chunks = [Chunk("The E"), Chunk("N"), Chunk(finish="stop")]
    assert "".join(chunk.text for chunk in until_stop(iter(chunks), ["END"])) == "The EN"
