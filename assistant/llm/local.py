"""The embedded model: a transport that fetches its weights once and serves them from a child process.

A native crash costs the call that was under way, and the next call starts the child again.
"""

import contextlib
import logging
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from assistant.errors import Interrupted, LorekeeperError, ModelUnavailable
from assistant.llm.child import Child
from assistant.llm.client import Chunk, ModelStatus, Request, Stop
from assistant.llm.origins import Origin, Weights
from assistant.llm.weights import EMBEDDED, ORIGINS, check_gguf, fetch
from assistant.settings import Settings
from assistant.types import Message

_logger = logging.getLogger(__name__)

_QUIET_SECONDS = 1.0
_LAST_BREATH_SECONDS = 0.5  # a process that crashes closes its connections before it is gone


class EmbeddedTransport:
    """See `assistant.llm.client.Transport`; fetching and starting go on in the background."""

    def __init__(self, settings: Settings, *, weights: Weights = EMBEDDED, origins: Sequence[Origin] = ORIGINS) -> None:
        self._own_file = Path(settings.model).expanduser() if settings.model else None
        self._folder = settings.cache / "models"
        self._log = settings.home / "logs" / "model.log"
        self._weights = weights
        self._origins = origins
        self._name = self._own_file.name if self._own_file else weights.name
        self._changed = threading.Condition()
        self._status = ModelStatus("down", self._name, "The language model has not been started yet.")
        self._starting: threading.Thread | None = None
        self._child: Child | None = None
        self._closed = False
        self._failure = ""
        self._calls = 0
        self._warmings = 0
        self._heads: tuple[tuple[Message, ...], ...] = ()

    def status(self) -> ModelStatus:
        """See `Transport.status`."""
        with self._changed:
            if self._status.state == "ready" and self._child is not None and self._child.ended:
                self._status = ModelStatus("down", self._name, f"The language model stopped; {self._log} may say why.")
            return self._status

    def start(self) -> None:
        """Fetch the weights if need be and start the child, in the background, unless that is done or under way."""
        with self._changed:
            if self._closed or self._starting is not None or self.status().state == "ready":
                return
            self._status = ModelStatus("starting", self._name, "The language model is starting.")
            self._starting = threading.Thread(target=self._start, name="model-start", daemon=True)
            self._starting.start()

    def warm(self, heads: Sequence[Sequence[Message]]) -> None:
        """Have these beginnings of prompts in the server's cache, now and after each start.

        Calls that somebody waits for go first, background calls wait until it is done.
        """
        with self._changed:
            self._heads = tuple(tuple(head) for head in heads)
            if self.status().state == "ready":
                self._warmings += 1
                threading.Thread(target=self._warm, args=(self._child,), name="model-warm", daemon=True).start()

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """See `Transport.send`; waits for a child that is starting, not for weights that are fetched."""
        if request.background:
            self._await_warmth(stop)
        with self._calling():
            child = self._ready(stop)
            try:
                yield from child.transport.send(request, stop)
            except ModelUnavailable as error:
                if child.ended_within(_LAST_BREATH_SECONDS):
                    raise ModelUnavailable(
                        f"The language model stopped unexpectedly ({self._log} may say why); "
                        "try again, it is started anew."
                    ) from error
                raise

    def close(self) -> None:
        """End the child and whatever is under way."""
        with self._changed:
            self._closed = True
            child, self._child = self._child, None
            self._status = ModelStatus("down", self._name, "The language model was stopped.")
        if child is not None:
            child.end()

    @contextlib.contextmanager
    def _calling(self) -> Iterator[None]:
        with self._changed:
            self._calls += 1
        try:
            yield
        finally:
            with self._changed:
                self._calls -= 1
                self._changed.notify_all()

    def _await_warmth(self, stop: Stop) -> None:
        """Outside `_calling`, for a call that waits must not keep the heads from being warmed."""
        self.start()
        with self._changed:
            while not self._closed and (self._status.state == "starting" or self._warmings):
                if stop():
                    raise Interrupted("Stopped.")
                self._changed.wait(0.1)

    def _ready(self, stop: Stop) -> Child:
        self.start()
        with self._changed:
            while self._status.state == "starting":
                if stop():
                    raise Interrupted("Stopped.")
                self._changed.wait(0.1)
            if self._status.state == "ready" and self._child is not None:
                return self._child
            raise ModelUnavailable(self._status.message)

    def _set(self, status: ModelStatus) -> None:
        with self._changed:
            if not self._closed:
                self._status = status
            self._changed.notify_all()

    def _start(self) -> None:
        child = None
        try:
            if self._child is not None:
                self._child.end()  # it crashed; its pipes are still open
            file = check_gguf(self._own_file) if self._own_file else self._fetched()
            self._set(ModelStatus("starting", self._name, "The language model is starting."))
            child = Child(file, self._name, self._log, self._folder)
            self._failure = ""
            status = ModelStatus("ready", self._name)
        except LorekeeperError as error:
            self._failure = str(error)
            status = ModelStatus("down", self._name, self._failure)
        except Exception as error:  # whatever it is, nobody may wait for this start any longer
            _logger.exception("The language model cannot be started.")
            reason = " ".join(str(error).split()) or type(error).__name__
            self._failure = f"The language model cannot be started ({reason})."
            status = ModelStatus("down", self._name, self._failure)
        with self._changed:
            self._starting, self._child = None, child
            self._warmings += child is not None
            self._set(status)
        if child is not None:
            if self._closed:
                child.end()
            self._warm(child)

    def _fetched(self) -> Path:
        def report(fraction: float, message: str) -> None:
            if self._closed:
                raise Interrupted("The language model was stopped.")
            line = f"The language model is still being fetched ({fraction:.0%}); try again when it is there. {message}."
            if self._failure and not fraction:  # a second attempt: what the user needs to know is why it is needed
                line = f"{self._failure} It is being tried again."
            self._set(ModelStatus("fetching", self._name, line, fraction))

        return fetch(self._weights, self._folder, report, self._origins)

    def _warm(self, child: Child) -> None:
        try:
            for head in self._heads:
                self._warm_one(child, head)
        finally:
            with self._changed:
                self._warmings -= 1
                self._changed.notify_all()

    def _warm_one(self, child: Child, head: tuple[Message, ...]) -> None:
        while not child.ended and self._quiet():
            try:
                for _ in child.transport.send(Request(head, "warm", max_tokens=1), lambda: self._calls > 0):
                    pass
                return
            except Interrupted:
                continue
            except ModelUnavailable:  # the child ended, or the head is longer than its context
                return

    def _quiet(self) -> bool:
        """Wait for a moment in which nobody calls, also not between two calls of a turn; False when closed."""
        with self._changed:
            while not self._closed:
                self._changed.wait_for(lambda: self._calls == 0 or self._closed)
                if not self._changed.wait_for(lambda: self._calls > 0 or self._closed, _QUIET_SECONDS):
                    return True
        return False
