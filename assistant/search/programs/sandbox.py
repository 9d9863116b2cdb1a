"""Runs generated programs, each in a process of its own: `worker` is what runs there.

What holds: no files, no network, no imports but a few pure modules, no access to our objects but through the functions
that are handed in, and limits on computing time, memory, recursion, calls, output, and on the time of the whole run.
What a program learns through the functions that it may call is theirs to limit; they are called in this process, with
plain values only, and are not waited for once the run is over.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from assistant import waiting
from assistant.child import LOOK_SECONDS, Child, Gone, Late
from assistant.deadline import Deadline
from assistant.errors import Interrupted
from assistant.search.programs.outcome import RUN_SECONDS, Outcome, raised

_WORKER = "assistant.search.programs.worker"
_PLACES = 8  # programs that run at the same time
_KEPT = 4  # workers that wait for the next program
_LATE = f"TimeoutError: the program has run for {RUN_SECONDS:.0f} s and was ended: look at less at once."
_GONE = "MemoryError: the program needs too much memory and was ended: look at less at once."
_STOPPED = "Stopped."
_BUSY = "TimeoutError: other programs are running; try again in a moment."


class Sandbox:
    """Warm workers, started when they are first needed; safe to use from several threads."""

    def __init__(self) -> None:
        self._places = threading.Semaphore(_PLACES)
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()

    def run(
        self,
        code: str,
        functions: Mapping[str, Callable[..., Any]],
        inputs: Mapping[str, object],
        cancel: threading.Event | None = None,
    ) -> Outcome:
        """Run `code` with the functions and what `prelude` has, for at most `RUN_SECONDS`.

        An error of the program, a limit that it reached, or that `cancel` was set meanwhile, is part of the outcome.
        """
        deadline = Deadline.after(RUN_SECONDS, cancel)
        while not self._places.acquire(timeout=min(LOOK_SECONDS, deadline.remaining)):
            if not deadline.remaining:
                return Outcome(error=_STOPPED if deadline.is_off else _BUSY)
        try:
            return self._run_in(self._taken(), code, functions, inputs, deadline)
        finally:
            self._places.release()

    def close(self) -> None:
        """End the workers, those at work too; a later run starts new ones."""
        with self._lock:
            idle, busy = self._idle, list(self._busy)
            self._idle = []
        for child in idle:
            child.close()
        for child in busy:
            child.kill()

    def _taken(self) -> Child | None:
        """A worker that is ready; None where a new one has to be started."""
        with self._lock:
            while self._idle:
                child = self._idle.pop()
                if child.alive:
                    return child
                child.close()
        return None

    def _run_in(
        self,
        child: Child | None,
        code: str,
        functions: Mapping[str, Callable[..., Any]],
        inputs: Mapping[str, object],
        deadline: Deadline,
    ) -> Outcome:
        starting = child is None
        child = child or Child(_WORKER)
        with self._lock:
            self._busy.add(child)
        reusable = False
        try:
            if starting:
                child.receive(deadline)
            child.send((code, list(functions), dict(inputs)))
            outcome = _driven(child, functions, deadline)
            reusable = not outcome.spent
        except (Late, TimeoutError):
            return Outcome(error=_STOPPED if deadline.is_off else _LATE)
        except Interrupted:
            return Outcome(error=_STOPPED)
        except Gone:
            return Outcome(error=_GONE)
        finally:
            with self._lock:
                self._busy.remove(child)
                reusable = reusable and len(self._idle) < _KEPT
                if reusable:
                    self._idle.append(child)
            if not reusable:
                child.close()
        return outcome


def _driven(child: Child, functions: Mapping[str, Callable[..., Any]], deadline: Deadline) -> Outcome:
    """Answer the calls of the program that runs in the child, until it ends.

    Raises:
        Late, Gone: as `Child.receive`.
        TimeoutError, Interrupted: in the middle of a call, as `waiting.awaited`.
    """
    while True:
        match child.receive(deadline):
            case ("call", str(name), list(arguments) | tuple(arguments), dict(keywords)):
                child.send(_answer(functions[name], arguments, keywords, deadline))
            case ("outcome", Outcome() as outcome):
                return outcome


def _answer(
    function: Callable[..., Any], arguments: list[Any] | tuple[Any, ...], keywords: dict[str, Any], deadline: Deadline
) -> tuple[object, ...]:
    done = waiting.started(lambda: function(*arguments, **keywords), "program")
    try:
        return "value", waiting.awaited(done, deadline)
    except Exception as error:
        deadline.check()
        return raised(error)
