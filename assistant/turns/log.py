"""A turn's events as a log that only grows, and that any number of readers follow, each from where it is."""

import threading
from collections.abc import Sequence
from typing import Protocol

from assistant.errors import Failure
from assistant.types import Answered, Event, Failed

_MOST_EVENTS = 100_000  # nearly all of them pieces of text; more than anybody reads


class EventLog(Protocol):
    """What `Turns` needs of a place where events are kept."""

    @property
    def closed(self) -> bool:
        """Whether nothing more comes; what is there can still be read."""

    def append(self, event: Event) -> None:
        """Add an event; one that comes after `close` is dropped. Raises Failure when the log is full."""

    def close(self) -> None:
        """Let nothing more come; may be called twice."""

    def read(self, start: int, wait_seconds: float = 0.0) -> Sequence[Event]:
        """The events from number `start` on; while there are none, wait until one comes, the log is closed, or the
        time is over."""


class MemoryLog:
    """A log in this process's memory, for as long as somebody holds it."""

    def __init__(self, most_events: int = _MOST_EVENTS) -> None:
        """`most_events` are as many as it takes; the end of a turn always fits."""
        self._events: list[Event] = []
        self._most = most_events
        self._closed = False
        self._changed = threading.Condition()

    @property
    def closed(self) -> bool:
        """Whether nothing more comes."""
        return self._closed

    def append(self, event: Event) -> None:
        """Add an event.

        Raises:
            Failure: the log is full.
        """
        with self._changed:
            if self._closed:
                return
            if len(self._events) >= self._most and not isinstance(event, Answered | Failed):
                raise Failure("This turn took too many steps, and was ended; ask for less at once.")
            self._events.append(event)
            self._changed.notify_all()

    def close(self) -> None:
        """Let nothing more come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def read(self, start: int, wait_seconds: float = 0.0) -> Sequence[Event]:
        """The events from number `start` on, once there are any."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._events) > start, wait_seconds)
            return self._events[start:]
