"""What is known of one host: how fast it may be asked, and until when it is left alone."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from assistant.errors import KnowledgeBaseAway, KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline

REST_SECONDS = 60.0
LOOK_AGAIN_SECONDS = 15.0  # somebody waits for it
_MOST_REST_SECONDS = 24 * 3600.0  # whatever a host asks for


class Host:
    """Paces the requests to one host and keeps away from it after a failure (a circuit breaker).

    At most `at_once` requests run at a time, and they begin at least `seconds_between` apart.
    """

    def __init__(
        self,
        name: str,
        seconds_between: float,
        at_once: int,
        *,
        private: bool = False,
        plain: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self.private = private
        self.plain = plain
        self.late = 0  # requests in a row that it did not answer in time
        self._seconds_between = seconds_between
        self._places = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._next = 0.0
        self._alone_until = 0.0
        self._reason = ""
        self._root = ""  # its address, where it could not be reached at all
        self._tried = 0.0
        self._clock = clock
        self._sleep = sleep

    @contextmanager
    def admitted(self, deadline: Deadline, kb: str) -> Iterator[None]:
        """Wait for a place and for the pace, then let one request be sent within the block.

        Raises:
            KnowledgeBaseUnreachable: the host is left alone, or the wait would be longer than the deadline allows.
        """
        self._refuse_if_left_alone(kb)
        if not self._places.acquire(timeout=deadline.remaining):
            raise self._too_busy(kb)
        try:
            self._sleep(self._pause(deadline, kb))
            self._refuse_if_left_alone(kb)  # it may have failed for somebody else meanwhile
            yield
        finally:
            self._places.release()

    def postpone(self, seconds: float) -> None:
        """Begin no request for so long: the host asked for it, or a retry is to come later."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)

    def leave_alone(self, reason: str, seconds: float = REST_SECONDS, *, root: str = "") -> None:
        """Refuse every request for so long, a day at most, at once and with the reason.

        `root` is the host's address where it could not be reached; where it answered, that is empty.
        """
        with self._lock:
            now = self._clock()
            self._alone_until = max(self._alone_until, now + min(seconds, _MOST_REST_SECONDS))
            self._reason, self._root, self._tried = reason, root, now

    def welcome(self) -> None:
        """Let it be asked again: it was reached."""
        with self._lock:
            self._alone_until = 0.0

    @property
    def is_left_alone(self) -> bool:
        """Whether requests are refused just now."""
        return self._alone_until > self._clock()

    @property
    def offline(self) -> bool:
        """Whether it is left alone because it could not be reached, as where there is no network."""
        return self.is_left_alone and bool(self._root)

    def root_to_try(self) -> str:
        """The address at which to look whether it can be reached again; empty where it is not yet time for that."""
        with self._lock:
            now = self._clock()
            if not (self.offline and now - self._tried >= LOOK_AGAIN_SECONDS):
                return ""
            self._tried = now
            return self._root

    def rest(self) -> str:
        """Why the host is left alone and until when, in words; empty where it is not."""
        left = self._alone_until - self._clock()
        if left <= 0:
            return ""
        return f"{self._reason}; it is left alone until {datetime.now() + timedelta(seconds=left):%H:%M:%S}"

    def _refuse_if_left_alone(self, kb: str) -> None:
        if rest := self.rest():
            raise KnowledgeBaseAway(kb, f"{kb} ({self.name}) failed before: {rest}.")

    def _pause(self, deadline: Deadline, kb: str) -> float:
        """Take the next free moment and return how many seconds away it is."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            if start - now > deadline.remaining:
                raise self._too_busy(kb)
            self._next = start + self._seconds_between
            return start - now

    def _too_busy(self, kb: str) -> KnowledgeBaseUnreachable:
        return KnowledgeBaseUnreachable(
            kb,
            f"{kb} ({self.name}) has no place free in time; ask again, or set LOREKEEPER_CONTACT to be let in faster.",
        )
