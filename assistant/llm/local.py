"""The embedded model: a transport that fetches its weights once and serves them from a child process.

A native crash costs the call that was under way, and the next call starts the child again.
"""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import Interrupted, LorekeeperError, ModelTooSlow, ModelUnavailable, UserMistake
from assistant.llm.catalogue import OFFERS, Offer, memory_here, offered
from assistant.llm.child import Child
from assistant.llm.client import Chunk, ModelStatus, Request, ServerFacts, Stop
from assistant.llm.serving import CACHE_MIB, CONTEXT_TOKENS
from assistant.llm.weights import check_gguf, fetch
from assistant.settings import Settings
from memory.errors import Notice

if TYPE_CHECKING:
    from assistant.llm.heads import Head

_logger = logging.getLogger(__name__)

_QUIET_SECONDS = 1.0
_LATE = 10  # times that the server is silent for too long while it reads a head
_LAST_BREATH_SECONDS = 0.5  # a process that crashes closes its connections before it is gone

_SHARE_CACHED = 6  # of all memory, so that a 4B model on 8 GB has room for the heads of a turn

_STARTING = Notice("The language model is starting.")


class EmbeddedTransport:
    """See `assistant.llm.client.Transport`; fetching and starting go on in the background.

    `heads` are the fixed beginnings of prompts, those that are needed first at the front. The server has them from disk
    when it is ready; those that are not there are read in the background and kept. Calls that somebody waits for go
    before that, but for those that begin with the head under way; background calls wait until all of it is done.
    """

    def __init__(
        self,
        settings: Settings,
        heads: Sequence["Head"] = (),
        *,
        offers: Sequence[Offer] = OFFERS,
    ) -> None:
        self.offers = tuple(offers)
        self._offer = offered(settings.model, offers)
        self._own_file = Path(settings.model).expanduser()  # unless it is one of the offers
        self._folder = settings.cache / "models"
        self._log = settings.home / "logs" / "model.log"
        self._name = self._offer.name if self._offer else self._own_file.name
        self._changed = threading.Condition()
        self._status = ModelStatus("down", self._name, Notice("The language model has not been started yet."))
        self._starting: threading.Thread | None = None
        self._child: Child | None = None
        self._given_up: Child | None = None  # the one before, which another model was chosen in place of
        self._closed = False
        self._failure = ""
        self._calls = 0  # under way
        self._begun = 0  # ever
        self._heads = tuple(heads)
        self._unread: list[Head] = []
        self._under_way: Head = ()

    @property
    def offer(self) -> Offer | None:
        """The model of the catalogue that is served or will be; None where it is a file of the operator's own."""
        return self._offer

    def use(self, offer: Offer) -> None:
        """Serve another model from now on, fetched and started in the background; calls under way end as if it had
        stopped."""
        with self._changed:
            if self._closed or offer == self._offer:
                return
            self._offer, self._name, self._failure = offer, offer.name, ""
            child = self._given_up = self._child
            self._child, self._unread = None, []
            self._status = ModelStatus("starting", self._name, _STARTING)
            self.start()
        if child is not None:
            child.end()

    def status(self) -> ModelStatus:
        """See `Transport.status`."""
        with self._changed:
            if self._status.state == "ready" and self._child is not None and self._child.ended:
                stopped = Notice("The language model stopped; {log} may say why.", log=self._log)
                self._status = ModelStatus("down", self._name, stopped)
            if self._status.state == "ready" and self._unread:
                return replace(self._status, fraction=1 - _length(self._unread) / _length(self._heads))
            return self._status

    def start(self) -> None:
        """Fetch the weights if need be and start the child, in the background, unless that is done or under way."""
        with self._changed:
            if self._closed or self._starting is not None or self.status().state == "ready":
                return
            self._status = ModelStatus("starting", self._name, _STARTING)
            self._starting = threading.Thread(target=self._start, name="model-start", daemon=True)
            self._starting.start()

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """See `Transport.send`; waits for a child that is starting, not for weights that are fetched."""
        self.start()
        self._wait_while(lambda: self._reads_for(request), stop)
        with self._calling():
            child = self._ready(stop)
            try:
                yield from child.transport.send(request, stop)
            except ModelUnavailable as error:
                if self._is_given_up(child):
                    raise ModelUnavailable(
                        "Another language model was chosen meanwhile; ask again once it is there."
                    ) from error
                if child.ended_within(_LAST_BREATH_SECONDS):
                    raise ModelUnavailable(
                        "The language model stopped unexpectedly ({log} may say why); try again, it is started anew.",
                        log=self._log,
                    ) from error
                raise

    def facts(self, _: Stop, /) -> ServerFacts:
        """See `Transport.facts`."""
        return ServerFacts(CONTEXT_TOKENS)

    def close(self) -> None:
        """End the child and whatever is under way."""
        with self._changed:
            self._closed = True
            child, self._child = self._child, None
            self._status = ModelStatus("down", self._name, Notice("The language model was stopped."))
        if child is not None:
            child.end()

    @contextlib.contextmanager
    def _calling(self) -> Iterator[None]:
        with self._changed:
            self._calls += 1
            self._begun += 1
        try:
            yield
        finally:
            with self._changed:
                self._calls -= 1
                self._changed.notify_all()

    def _is_given_up(self, child: Child) -> bool:
        with self._changed:
            return child is self._given_up

    def _reads_for(self, request: Request) -> bool:
        """Whether a request has to wait, outside `_calling`, for what it would only keep from being read."""
        if self._closed:
            return False
        if request.background:
            return self._status.state == "starting" or bool(self._unread)
        return bool(self._under_way) and request.messages[: len(self._under_way)] == self._under_way

    def _ready(self, stop: Stop) -> Child:
        self._wait_while(lambda: self._status.state == "starting", stop)
        with self._changed:
            if self._status.state == "ready" and self._child is not None:
                return self._child
            raise ModelUnavailable(self._status.message)

    def _wait_while(self, condition: Callable[[], bool], stop: Stop) -> None:
        with self._changed:
            while condition():
                if stop():
                    raise Interrupted("Stopped.")
                self._changed.wait(0.1)

    def _set(self, status: ModelStatus) -> None:
        with self._changed:
            if not self._closed:
                self._status = status
            self._changed.notify_all()

    def _start(self) -> None:
        child, failure = None, ""
        unread: list[Head] = []
        with self._changed:
            offer, name = self._offer, self._name
            crashed, self._child = self._child, None
        try:
            if crashed is not None:
                crashed.end()  # its pipes are still open
            file = self._fetched(offer) if offer else check_gguf(self._own_file, self._names())
            self._set(ModelStatus("starting", name, _STARTING))
            thrifty = offer is not None and offer.needs_thrift(memory_here())
            cache = _cache_mib(memory_here()) if offer and offer != self.offers[0] else CACHE_MIB
            child = Child(file, name, self._log, self._folder, self._heads, thrifty=thrifty, cache_mib=cache)
            unread = child.heads.restore() if offer == self._offer else []
            status = ModelStatus("ready", name)
        except LorekeeperError as error:
            failure = str(error)
            status = ModelStatus("down", name, failure, mistake=isinstance(error, UserMistake))
        except Exception as error:  # whatever it is, nobody may wait for this start any longer
            _logger.exception("The language model cannot be started.")
            reason = " ".join(str(error).split()) or type(error).__name__
            failure = Notice("The language model cannot be started ({reason}).", reason=reason)
            status = ModelStatus("down", name, failure)
        with self._changed:
            is_wanted = offer == self._offer and not self._closed
            self._starting = None
            if is_wanted:
                self._child, self._unread, self._failure = child, unread, failure
                self._set(status)
            else:  # another one was chosen meanwhile, or none is wanted any more
                self.start()
        if child is not None and not is_wanted:
            child.end()
        elif child is not None:
            self._read_heads(child, unread)

    def _names(self) -> str:
        return ", ".join(offer.name for offer in self.offers)

    def _fetched(self, offer: Offer) -> Path:
        if offer != self.offers[0]:  # which everything runs that can run any
            offer.check(memory_here())

        def report(fraction: float, message: str) -> None:
            if self._closed or self._offer != offer:
                raise Interrupted("The language model was stopped.")
            line = Notice(
                "The language model is still being fetched ({percent}%); try again when it is there. {message}.",
                percent=round(100 * fraction),
                message=message,
            )
            if self._failure and not fraction:  # a second attempt: what the user needs to know is why it is needed
                line = Notice("{failure} It is being tried again.", failure=self._failure)
            self._set(ModelStatus("fetching", self._name, line, fraction))

        return fetch(offer.weights, self._folder, report, offer.origins)

    def _read_heads(self, child: Child, unread: list["Head"]) -> None:
        late = 0
        while unread and not child.ended and self._quiet():
            try:
                self._read_one(child, unread)
            except Interrupted:
                continue
            except ModelTooSlow:  # the server goes on where it was
                late += 1
                if late > _LATE:
                    break
            except ModelUnavailable:  # the child ended, or the head is longer than its context
                unread.pop(0)
        with self._changed:
            unread.clear()
            self._changed.notify_all()

    def _read_one(self, child: Child, unread: list["Head"]) -> None:
        head = unread[0]
        with self._changed:
            self._under_way, begun = head, self._begun
        try:
            child.heads.read(head, lambda: self._begun > begun)
            with self._changed:
                if self._begun == begun:  # and none begins before it is saved: the slot would hold that call's prompt
                    child.heads.save(head)
                    unread.pop(0)
        finally:
            with self._changed:
                self._under_way = ()
                self._changed.notify_all()

    def _quiet(self) -> bool:
        """Wait for a moment in which nobody calls, also not between two calls of a turn; False when closed."""
        with self._changed:
            while not self._closed:
                self._changed.wait_for(lambda: self._calls == 0 or self._closed)
                if not self._changed.wait_for(lambda: self._calls > 0 or self._closed, _QUIET_SECONDS):
                    return True
        return False


def _cache_mib(memory: int) -> int:
    """Room for what was read, of a larger model than the first: each token takes more of it."""
    return max(CACHE_MIB, memory // _SHARE_CACHED >> 20)


def _length(heads: Sequence["Head"]) -> int:
    """In characters."""
    return sum(len(message.content) for head in heads for message in head)
