"""By when an answer is wanted, and whether it still is: what all work for a turn looks at."""

import threading
import time
from dataclasses import dataclass

from assistant.errors import Interrupted


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on the monotonic clock by which an answer is wanted; none is any more once `cancel` is set."""

    at: float
    cancel: threading.Event | None = None

    @classmethod
    def after(cls, seconds: float, cancel: threading.Event | None = None) -> "Deadline":
        """The point `seconds` from now."""
        return cls(time.monotonic() + seconds, cancel)

    @property
    def remaining(self) -> float:
        """Seconds left, never below zero."""
        return 0.0 if self.is_off else max(0.0, self.at - time.monotonic())

    @property
    def is_off(self) -> bool:
        """Whether no answer is wanted any more, which is nobody's fault."""
        return self.cancel is not None and self.cancel.is_set()

    def check(self) -> None:
        """Called by whatever works for the answer, at each step of it.

        Raises:
            Interrupted: it is not wanted any more.
            TimeoutError: the time is up.
        """
        if self.is_off:
            raise Interrupted("Stopped.")
        if not self.remaining:
            raise TimeoutError("The search takes too long.")
