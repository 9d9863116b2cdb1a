"""The process that programs run in; `sandbox` is its parent's side.

A program is parsed here, runs in Monty, an interpreter in a process of its own beneath this one, and what it hands over
is made plain here before it goes on: what a program makes grow without bound, in time or in memory, grows in a process
that is limited and can be killed.
"""

import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pydantic_monty import CollectString, Monty, MontyCrashedError, MontyError, ResourceLimits

from assistant.bounded import TooMuch, plain
from assistant.search.programs.outcome import BUILT_IN, COMPUTING_SECONDS, Outcome
from assistant.search.programs.telling import with_value
from memory.confining import limit_memory

_LIMITS: ResourceLimits = {
    "max_feed_duration_secs": COMPUTING_SECONDS,
    "max_memory": 32 * 2**20,
    "max_recursion_depth": 200,
    "max_suspensions": 400,
    "max_total_sleep_secs": 0.0,
}
_MEMORY_BYTES = 72 * 2**20  # for what a program hands over
_CHECKOUT_SECONDS = 10.0
_OUTPUT_BYTES = 100_000
_ERROR_CHARACTERS = 10_000
_TOO_MUCH_MEMORY = "MemoryError: the program needs too much memory: look at less at once."
_PRELUDE = Path(__file__).with_name("prelude.py").read_text(encoding="utf-8")


def serve(connection: Connection) -> None:
    """Run one `(code, names of functions, inputs)` after another until the parent is gone.

    What is sent back is `("call", name, arguments, keywords)`, to which the answer is `("value", what it gave)` or
    `("error", name of a built-in exception, its arguments)`; and in the end `("outcome", Outcome)`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent alone
    with (
        Monty(min_processes=1, max_processes=1, checkout_timeout=_CHECKOUT_SECONDS) as pool,
        suppress(EOFError, OSError),
    ):
        limit_memory(_MEMORY_BYTES)
        connection.send("ready")
        while True:
            code, names, inputs = connection.recv()
            functions = {name: _function(connection, name) for name in names}
            try:
                outcome = _run(pool, code, functions, inputs)
            except (MemoryError, TimeoutError):  # the latter where Monty cannot be started
                outcome = Outcome(error=_TOO_MUCH_MEMORY, spent=True)
            connection.send(("outcome", outcome))


def _run(pool: Monty, code: str, functions: Mapping[str, Callable[..., Any]], inputs: Mapping[str, object]) -> Outcome:
    try:
        program = with_value(code)
    except (SyntaxError, RecursionError) as error:
        return Outcome(error=f"SyntaxError: {error or 'nested too deeply'}")
    try:
        with pool.checkout(limits=_LIMITS) as session:
            session.feed_run(_PRELUDE)
            value = session.feed_run(
                program,
                inputs=dict(inputs),
                external_lookup=dict(functions),
                print_callback=CollectString(max_bytes=_OUTPUT_BYTES),
            )
            told = plain(value, "The program's value")
            unread = session.feed_run("len(UNREAD)")
    except MontyError as error:
        display = getattr(error, "display", None)
        spent = isinstance(error, MontyCrashedError) or isinstance(error.exception(), MemoryError)
        return Outcome(error=_shortened(display() if callable(display) else str(error)), spent=spent)
    except TooMuch as error:
        return Outcome(error=f"ValueError: {error}")
    return Outcome(told, unread=unread if isinstance(unread, int) else 0)


def _function(connection: Connection, name: str) -> Callable[..., object]:
    """One of the parent's functions, as programs call it."""

    def call(*arguments: object, **keywords: object) -> object:
        given = plain([arguments, keywords], name)
        assert isinstance(given, list), "a list stays one"
        connection.send(("call", name, *given))
        kind, answer, *more = connection.recv()
        if kind == "value":
            return answer
        raise BUILT_IN.get(answer, Exception)(*more[0])

    return call


def _shortened(text: str) -> str:
    """What is too long without its middle; an error's last line says most."""
    half = _ERROR_CHARACTERS // 2
    return text if len(text) <= _ERROR_CHARACTERS else f"{text[:half]}\n…\n{text[-half:]}"


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
