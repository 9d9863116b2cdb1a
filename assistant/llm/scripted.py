"""A model that follows a script: the test double, shipped with the product.

    model = LanguageModel(ScriptedTransport(["Hello!"]))
    model = LanguageModel(ScriptedTransport({"understand": ["en ask"], "program": [CODE], "answer": ["Bern [1]."]}))

A list is used up in the order of the calls; a mapping keeps one list for each purpose, for turns that make calls side
by side. A reply may be text, a pydantic object or a dict (sent as JSON), an exception (raised), `Weights` (a token's
alternatives), `Cut` (text that stops before its end), or a function of the request. Every request is kept in
`requests`.
"""

import json
import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pydantic

from assistant.errors import Interrupted
from assistant.llm.client import Chunk, ModelStatus, Request, ServerFacts, Stop
from assistant.types import UsageCount


@dataclass(frozen=True)
class Weights:
    """The probabilities of what a reply of one token could be."""

    by_token: Mapping[str, float]


@dataclass(frozen=True)
class Cut:
    """A reply that a server ends before the model does."""

    text: str


Scripted = (
    str
    | Cut
    | dict[str, object]
    | pydantic.BaseModel
    | Exception
    | Weights
    | Callable[[Request], "str | Cut | Weights"]
)


class ScriptedTransport:
    """Replies from a script; an `AssertionError` names the purpose when it has run out."""

    def __init__(
        self,
        replies: Sequence[Scripted] | Mapping[str, Sequence[Scripted]],
        *,
        repeat: bool = False,
        token_delay_seconds: float = 0.0,
    ) -> None:
        """With `repeat`, the last reply of a list is used again and again."""
        self.requests: list[Request] = []
        self._by_purpose = isinstance(replies, Mapping)
        lists = replies.items() if isinstance(replies, Mapping) else [("", replies)]
        self._replies = {purpose: list(items) for purpose, items in lists}
        self._repeat = repeat
        self._delay = threading.Event()
        self._delay_seconds = token_delay_seconds
        self._lock = threading.Lock()

    def start(self) -> None:
        """There is nothing to start."""

    def close(self) -> None:
        """There is nothing to end."""

    def status(self) -> ModelStatus:
        """Always ready."""
        return ModelStatus("ready", "scripted")

    def facts(self, _: Stop, /) -> ServerFacts:
        """It tells nothing."""
        return ServerFacts()

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """Stream the next reply word by word; tokens are counted as words."""
        reply = self._next(request)
        if isinstance(reply, Exception):
            raise reply
        if callable(reply):
            reply = reply(request)
        prompt = sum(len(m.content.split()) for m in request.messages)
        if isinstance(reply, Weights):
            likeliest = max(reply.by_token, key=lambda token: reply.by_token[token])
            yield Chunk(
                likeliest,
                UsageCount(1, prompt, prompt, 1),
                tuple((token, math.log(weight)) for token, weight in reply.by_token.items()),
            )
            return
        is_cut = isinstance(reply, Cut)
        words = _as_text(reply.text if isinstance(reply, Cut) else reply).split(" ")
        for i, word in enumerate(words):
            if stop():
                raise Interrupted("Stopped.")
            if self._delay_seconds:
                self._delay.wait(self._delay_seconds)
            yield Chunk(word if i == 0 else " " + word)
        finish = "length" if is_cut else "stop"
        yield Chunk(usage=UsageCount(1, prompt, prompt, len(words)), finish=finish, is_cut=is_cut)

    def _next(self, request: Request) -> Scripted:
        with self._lock:
            self.requests.append(request)
            replies = self._replies.get(request.purpose if self._by_purpose else "", [])
            if not replies:
                raise AssertionError(f"The script has no reply left for a call with purpose {request.purpose!r}.")
            return replies[0] if self._repeat and len(replies) == 1 else replies.pop(0)


def _as_text(reply: str | dict[str, object] | pydantic.BaseModel) -> str:
    if isinstance(reply, str):
        return reply
    if isinstance(reply, pydantic.BaseModel):
        return reply.model_dump_json()
    return json.dumps(reply, ensure_ascii=False)
