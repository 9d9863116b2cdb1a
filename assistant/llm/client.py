"""The one way to a language model: streaming, schema-bound replies, counting, stopping.

A `Transport` sends one request; `LanguageModel` is what the rest of the assistant holds. Everything goes out through
`assistant.llm.openai_transport`, to whatever speaks the protocol; `assistant.llm.scripted` is the double for tests.
"""

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

import pydantic

from assistant.errors import Interrupted, ModelReplyUnreadable, ModelTooSlow, ModelUnavailable
from assistant.llm.limits import CHARACTERS_A_TOKEN
from assistant.types import Message, UsageCount
from memory.errors import Notice

Reply = TypeVar("Reply", bound=pydantic.BaseModel)
Stop = Callable[[], bool]

_ALTERNATIVES = 20  # the most that OpenAI's own servers report


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model; `schema` is a JSON schema that the reply has to match.

    `grammar` (GBNF, llama.cpp) is what the reply is drawn from where the server takes one; elsewhere it is left out.
    `seldom` is a word in it that is drawn only where it is much likelier than the rest.
    `alternatives` is how many of the likeliest first tokens to report. A `background` call is one that nobody waits
    for.
    """

    messages: tuple[Message, ...]
    purpose: str
    max_tokens: int = 512
    temperature: float = 0.0
    schema: dict[str, Any] | None = None
    grammar: str = ""
    seldom: str = ""
    stop: tuple[str, ...] = ()
    alternatives: int = 0
    background: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a reply; the last one carries the usage.

    `alternatives` are what could have stood in its place, each with its log-probability, where the request asks for
    them and the server gives them. `finish` is why the reply ends with this piece, in the server's word; it `is_cut`
    where that is not its own end. A model that `thinks` is at work and says nothing of it.
    """

    text: str = ""
    usage: UsageCount | None = None
    alternatives: tuple[tuple[str, float], ...] = ()
    finish: str = ""
    is_cut: bool = False
    thinks: bool = False


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """What the model is doing; `mistake`: the user has to act.

    `fraction` (0 to 1) is how much is fetched; of one that is ready, how much it has read of what makes it quick, None
    once that is all.
    """

    state: Literal["ready", "fetching", "starting", "down"]
    name: str
    message: str = ""
    fraction: float | None = None
    mistake: bool = False


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server tells of itself: the length of the model's context, and what it has refused so far."""

    context_tokens: int | None = None
    refuses: frozenset[str] = frozenset()


class Transport(Protocol):
    """Sends a request and yields the reply as it comes."""

    def start(self) -> None:
        """Get ready in the background, where there is anything to fetch or to start; returns at once."""

    def close(self) -> None:
        """End what `start` started; may be called twice."""

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """Stream the reply.

        Raises:
            Interrupted: `stop()` became true; the stream is closed first.
            ModelUnavailable: nobody answers, or the server refuses.
        """

    def status(self) -> ModelStatus:
        """What `status` and the page show; returns at once."""

    def facts(self, stop: Stop, /) -> ServerFacts:
        """What the server tells of itself, for which it may be asked; empty where it does not reply in seconds.

        Raises:
            Interrupted: `stop()` became true.
        """


@dataclass
class Usage:
    """Calls and tokens by purpose; safe to add to from several threads."""

    by_purpose: dict[str, UsageCount] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, purpose: str, count: UsageCount) -> None:
        """Count one call."""
        with self._lock:
            self.by_purpose[purpose] = self.by_purpose.get(purpose, UsageCount()) + count

    @property
    def total(self) -> UsageCount:
        """All purposes together."""
        with self._lock:
            return sum(self.by_purpose.values(), UsageCount())


class _TurnGate:
    """Lets turns go first: background calls stop while any turn is under way, and all of them at the end."""

    def __init__(self) -> None:
        self.closed = False
        self._turns = 0
        self._free = threading.Condition()

    @property
    def busy(self) -> bool:
        return self._turns > 0

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        with self._free:
            self._turns += 1
        try:
            yield
        finally:
            with self._free:
                self._turns -= 1
                self._free.notify_all()

    def wait(self, stop: Stop) -> None:
        with self._free:
            while self._turns:
                if self.closed or stop():
                    raise Interrupted("Stopped.")
                self._free.wait(0.2)


class Streamed(Iterator[str]):
    """A reply's text as it comes; once that is over, `is_cut` says whether it stops before its end."""

    def __init__(self, chunks: Iterator[Chunk], if_blank: str) -> None:
        """With `if_blank`, a reply without a word is a failure, which that says."""
        self.is_cut = False
        self._chunks = chunks
        self._if_blank = if_blank

    def __next__(self) -> str:
        """The next piece; raises as `LanguageModel.stream`."""
        for chunk in self._chunks:
            self.is_cut = self.is_cut or chunk.is_cut
            if chunk.text:
                if chunk.text.strip():
                    self._if_blank = ""
                return chunk.text
        if self._if_blank:
            raise ModelUnavailable(self._if_blank)
        raise StopIteration


class LanguageModel:
    """A language model as one piece of work sees it: its own usage, its own stop signal, its own limit of time.

    The model that `app.py` makes is the root; a turn and an ingestion each take a view of it, `for_turn` and
    `in_background`, which share transport and gate.
    """

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.usage = Usage()
        self._gate = _TurnGate()
        self._stop: Stop = lambda: False
        self._background = False
        self._until = math.inf
        self._too_slow = ""

    @contextlib.contextmanager
    def for_turn(self, stop: Stop, seconds: float = math.inf) -> Iterator["LanguageModel"]:
        """A view for one turn; while it is open, background calls are interrupted.

        In a turn a model is waited for once: when `seconds` are over, or a reply was too slow, each call fails at once.
        """
        with self._gate.turn():
            view = self._view(stop, background=False)
            view._until = time.monotonic() + seconds
            yield view

    def in_background(self, stop: Stop) -> "LanguageModel":
        """A view for work that waits while a turn is under way, and is interrupted when one comes.

        It has no limit of time but that of each reply: it begins anew with every passage, and nobody waits for it.
        """
        return self._view(stop, background=True)

    def within(self, seconds: float) -> "LanguageModel":
        """A view for a part of the same work that has so many seconds; what it runs into does not end the rest.

        In the background, those do not count for which it makes way for turns.
        """
        view = self._view(self._stop, background=self._background)
        view.usage, view._until = self.usage, min(self._until, time.monotonic() + seconds)
        return view

    @property
    def seconds_left(self) -> float:
        """The seconds that this work still has; 0 once a reply was too slow."""
        return 0.0 if self._too_slow else max(0.0, self._until - time.monotonic())

    @property
    def stopped(self) -> Stop:
        """Whether this work was stopped, or has to make way for a turn."""
        return self._stopped

    def close(self) -> None:
        """Interrupt every call under way, those of views too, and end the transport; may be called twice."""
        self._gate.closed = True
        self.transport.close()

    def _view(self, stop: Stop, *, background: bool) -> "LanguageModel":
        view = LanguageModel(self.transport)
        view._gate, view._stop, view._background = self._gate, stop, background
        return view

    def stream(
        self,
        messages: Sequence[Message],
        *,
        purpose: str,
        max_tokens: int = 512,
        stop: Sequence[str] = (),
        grammar: str = "",
        seldom: str = "",
        must_say: bool = False,
    ) -> Streamed:
        """The reply's text as it comes; with `must_say`, one without a word is a failure.

        Where the server does not take a `grammar`, the reply may be anything: whoever gives one still has to check.

        Raises:
            ModelUnavailable: also where nothing was said that had to be; then as `Transport.send`.
            Interrupted: as `Transport.send`.
        """
        request = Request(
            tuple(messages),
            purpose,
            max_tokens,
            grammar=grammar,
            seldom=seldom,
            stop=tuple(stop),
            background=self._background,
        )
        name = self.transport.status().name
        blank = f"The model {name} replied without a word; try again, or choose another one with LOREKEEPER_MODEL."
        return Streamed(self._chunks(request), blank if must_say else "")

    def complete(
        self,
        messages: Sequence[Message],
        *,
        purpose: str,
        max_tokens: int = 512,
        stop: Sequence[str] = (),
        grammar: str = "",
        must_say: bool = False,
    ) -> str:
        """The whole reply as text; as `stream`."""
        pieces = self.stream(
            messages, purpose=purpose, max_tokens=max_tokens, stop=stop, grammar=grammar, must_say=must_say
        )
        return "".join(pieces)

    def parse(
        self,
        messages: Sequence[Message],
        schema: type[Reply],
        *,
        purpose: str,
        max_tokens: int = 512,
    ) -> Reply:
        """A reply of the form `schema`; one that cannot be read is sent back once with what is wrong.

        Raises:
            ModelReplyUnreadable: the repair cannot be read either.
            Interrupted, ModelUnavailable: as `Transport.send`.
        """
        form = schema.model_json_schema()
        request = Request(tuple(messages), purpose, max_tokens, schema=form, background=self._background)
        text = "".join(self._send(request))
        try:
            return _read(text, schema)
        except ValueError as error:
            complaint = f"That cannot be read: {_first_error(error)} Reply again with JSON of the asked form only."
        repair = (*request.messages, Message("assistant", text), Message("user", complaint))
        text = "".join(self._send(replace(request, messages=repair)))
        try:
            return _read(text, schema)
        except ValueError as error:
            raise ModelReplyUnreadable(
                "The model's reply ({purpose}) cannot be read: {reason}", purpose=purpose, reason=_first_error(error)
            ) from None

    def weigh(self, messages: Sequence[Message], labels: Sequence[str], *, purpose: str) -> list[float]:
        """The probability of each label as the reply, of sum 1; labels are of one token, such as letters.

        Where the server does not tell the probabilities of tokens, the model has to name one label, which gets 1.

        Raises:
            ModelReplyUnreadable: it names none.
            Interrupted, ModelUnavailable: as `Transport.send`.
        """
        first = self.first_tokens(messages, purpose=purpose)
        weights = [sum(math.exp(weight) for token, weight in first if token.strip() == label) for label in labels]
        if total := sum(weights):
            return [weight / total for weight in weights]
        form = pydantic.create_model("Label", label=(Literal[tuple(labels)], ...))  # type: ignore[arg-type]
        named = self.parse(messages, form, purpose=purpose).model_dump()["label"]
        return [float(label == named) for label in labels]

    def first_tokens(self, messages: Sequence[Message], *, purpose: str) -> tuple[tuple[str, float], ...]:
        """What a reply could begin with, each token with its log-probability; empty where the server does not tell.

        Raises:
            Interrupted, ModelUnavailable: as `Transport.send`.
        """
        request = Request(
            tuple(messages), purpose, max_tokens=1, alternatives=_ALTERNATIVES, background=self._background
        )
        return next((chunk.alternatives for chunk in list(self._chunks(request)) if chunk.alternatives), ())

    def _send(self, request: Request) -> Iterator[str]:
        return (chunk.text for chunk in self._chunks(request))

    def _chunks(self, request: Request) -> Iterator[Chunk]:
        if self._background:
            began = time.monotonic()
            self._gate.wait(self._stop)
            self._until += time.monotonic() - began
        if self._stopped():
            raise Interrupted("Stopped.")
        self._check_time()
        room = request.max_tokens * CHARACTERS_A_TOKEN
        try:
            for chunk in self.transport.send(request, lambda: self._stopped() or self._is_late()):
                if chunk.usage is not None:
                    self.usage.add(request.purpose, chunk.usage)
                if len(chunk.text) > room:  # the server does not keep to what it was asked for
                    yield replace(chunk, text=chunk.text[:room], finish="length", is_cut=True)
                    return
                room -= len(chunk.text)
                yield chunk
        except Interrupted:
            if not self._stopped():
                self._check_time()
            raise
        except ModelTooSlow as failure:
            self._too_slow = "" if self._background else str(failure)
            raise

    def _check_time(self) -> None:
        if self._is_late() and not self._too_slow:
            self._too_slow = Notice("The turn's time for the language model is over; ask again, or ask for less.")
        if self._too_slow:
            raise ModelTooSlow(self._too_slow)

    def _is_late(self) -> bool:
        return time.monotonic() > self._until

    def _stopped(self) -> bool:
        return self._gate.closed or self._stop() or (self._background and self._gate.busy)


def _read(text: str, schema: type[Reply]) -> Reply:
    """The object in a reply, also where words or a fence of Markdown stand around it."""
    text = text[max(0, text.find("{")) :]
    return schema.model_validate_json(text[: text.rfind("}") + 1] or text)


def _first_error(error: ValueError) -> str:
    if not isinstance(error, pydantic.ValidationError):
        return f"{error}."
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}." if place else f"{first['msg']}."
