"""Requests as a server takes them: what it refuses of one is left out or said otherwise, and remembered.

Servers of one protocol differ in what they take. OpenAI's models that think refuse `max_tokens`, `temperature`, `stop`
and `logprobs`; others know no `stream_options`, no JSON schema, no grammar, or no system role. A refusal names what it
refuses.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.llm.client import Chunk, Request
from assistant.types import Message

# What a model may spend on thinking beside what it says, where a server counts both: thousands of tokens at times.
_HEADROOM = 8192
_LIMIT, _LIMIT_WITH_THOUGHTS = "max_tokens", "max_completion_tokens"
_ROLE, _WEIGHTS, _FORM, _GRAMMAR, _BIAS = "role", "logprobs", "response_format", "grammar", "logit_bias"
_SELDOM = -2.0  # is added to its log-probability: it is drawn where it is seven times as likely as anything else
_BESIDE = "extra_body"  # where the client takes what the protocol does not have
_OF_THE_MODEL = (
    _LIMIT, _LIMIT_WITH_THOUGHTS, "reasoning_effort", "temperature", "stop", _WEIGHTS, _FORM, _GRAMMAR, _BIAS, _ROLE
)  # fmt: skip
_NAMES = {name: name for name in (*_OF_THE_MODEL, "stream", "stream_options")}
_NAMES |= {"top_logprobs": _WEIGHTS, "json_schema": _FORM}
MOST = len(set(_NAMES.values()))  # that can be refused one after the other
_WORDS = ("stop", "stream")  # are so many other things that they have to be quoted
_QUOTED, _NAME = re.compile(r"['\"`]([\w\[\].]+)['\"`]"), re.compile(r"\w+")


class Adapting:
    """What one server refuses for one model. Safe to use from several threads.

    One that took a schema or a grammar takes them: what it refuses later is one that it cannot read.
    """

    def __init__(self) -> None:
        self.refused: frozenset[str] = frozenset()
        self._taken: frozenset[str] = frozenset()

    def remember(self, refused: Collection[str], sent: Mapping[str, Any]) -> None:
        """A request without what is refused was taken, of the parameters that are `sent`."""
        self._taken |= {_FORM, _GRAMMAR} & {*sent, *sent.get(_BESIDE, ())}
        self.refused |= frozenset(refused) - self._taken


def body(request: Request, refused: Collection[str]) -> dict[str, Any]:
    """The parameters of a request, without what is refused."""
    messages = list(request.messages)
    given: dict[str, Any] = {"stream": "stream" not in refused}
    if given["stream"] and "stream_options" not in refused:
        given["stream_options"] = {"include_usage": True}
    if _LIMIT not in refused:
        given[_LIMIT] = request.max_tokens
    elif _LIMIT_WITH_THOUGHTS not in refused:
        given[_LIMIT_WITH_THOUGHTS] = request.max_tokens + _HEADROOM
        if "reasoning_effort" not in refused:  # these calls are short, and somebody waits for them
            given["reasoning_effort"] = "low"
    if "temperature" not in refused:
        given["temperature"] = request.temperature
    if request.stop and "stop" not in refused:
        given["stop"] = list(request.stop)
    if request.alternatives and _WEIGHTS not in refused:
        given |= {"logprobs": True, "top_logprobs": request.alternatives}
    if request.grammar and _GRAMMAR not in refused:
        seldom = {_BIAS: [[request.seldom, _SELDOM]]} if request.seldom and _BIAS not in refused else {}
        given[_BESIDE] = {_GRAMMAR: request.grammar, **seldom}
    if request.schema is not None:
        if _FORM in refused:
            messages[-1] = replace(messages[-1], content=_asking_for(request.schema, messages[-1].content))
        else:
            form = {"name": request.purpose, "schema": request.schema}
            given[_FORM] = {"type": "json_schema", "json_schema": form}
    if _ROLE in refused:
        messages = _as_user(messages)
    return {**given, "messages": [{"role": message.role, "content": message.content} for message in messages]}


def refused_by(error: str, parameter: object, sent: Mapping[str, Any]) -> set[str]:
    """What a server refuses of what was sent, by the text of its refusal and the `param` that it names, if any."""
    own = {*sent, *sent.get(_BESIDE, ()), "json_schema"}
    named = set(_NAME.findall(parameter)) if isinstance(parameter, str) else set()
    if not named & own:
        quoted = {name for text in _QUOTED.findall(error) for name in _NAME.findall(text)}
        named = quoted | {name for name in _NAME.findall(error) if name not in _WORDS}
    refused = {_NAMES[name] for name in named & own if name in _NAMES}
    is_role = {_ROLE, "system"} <= set(_NAME.findall(error)) and not refused
    return {_ROLE} if is_role else refused


def until_stop(chunks: Iterator[Chunk], stops: Collection[str]) -> Iterator[Chunk]:
    """A reply up to the first of `stops`, as a server ends it that takes them.

    What may be the beginning of one is held back until it is clear.
    """
    held, longest = "", max(map(len, stops))
    for chunk in chunks:
        if not chunk.text:
            yield replace(chunk, text=held) if chunk.finish else chunk
            held = "" if chunk.finish else held
            continue
        held += chunk.text
        if places := [place for stop in stops if (place := held.find(stop)) >= 0]:
            yield replace(chunk, text=held[: min(places)], finish="stop", is_cut=False)
            return
        clear = len(held) if chunk.finish else max(0, len(held) - longest + 1)
        yield replace(chunk, text=held[:clear])
        held = held[clear:]
    if held:
        yield Chunk(held)


def _asking_for(schema: Mapping[str, Any], content: str) -> str:
    return f"{content}\n\nReply with JSON of this schema, and with nothing else:\n{json.dumps(schema)}"


def _as_user(messages: Sequence[Message]) -> list[Message]:
    """The messages with what the system says at the head of the user's first one: templates want roles to alternate."""
    said = [message.content for message in messages if message.role == "system"]
    first, *rest = [message for message in messages if message.role != "system"] or [Message("user", "")]
    if first.role != "user":
        return [Message("user", "\n\n".join(said)), first, *rest]
    return [replace(first, content="\n\n".join([*said, first.content])), *rest]
