"""Work in threads that is waited for only as long as it is wanted, and that keeps no process from ending."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from assistant.deadline import Deadline

T = TypeVar("T")
_LOOK_SECONDS = 0.1


def started(work: Callable[[], T], name: str) -> Future[T]:
    """Begin `work` in a thread of its own called `name`."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # whoever waits for it is told
            future.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future


def awaited(future: Future[T], deadline: Deadline) -> T:
    """What the work gives or raises; work that is given up goes on by itself until it looks at its own deadline.

    Raises:
        TimeoutError, Interrupted: as `Deadline.check`; the work is left alone then.
    """
    while not future.done():
        deadline.check()
        try:
            return future.result(min(_LOOK_SECONDS, deadline.remaining))
        except TimeoutError:
            continue
    return future.result()
