"""What a program's run comes to, how long it may take, and what an error of ours is to it."""

from collections.abc import Sequence
from dataclasses import dataclass

SEARCHING_SECONDS = 20.0  # within which a program may call functions; each call may take what is left of it
COMPUTING_SECONDS = 2.0  # of its own, in all
RUN_SECONDS = SEARCHING_SECONDS + COMPUTING_SECONDS + 1.0  # after which it is ended, whatever it does

BUILT_IN = {
    kind.__name__: kind
    for kind in (
        ArithmeticError, AssertionError, AttributeError, IndexError, KeyError, LookupError, MemoryError,
        NotImplementedError, OSError, RecursionError, RuntimeError, TimeoutError, TypeError, ValueError,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """The value of the program's last line, or the traceback of what went wrong.

    The value is plain (see `assistant.bounded`). `unread` says how many values that the program compared or computed
    with had no number or year. The worker is `spent` where too little memory may be left there for another program.
    """

    value: object = None
    error: str = ""
    unread: int = 0
    spent: bool = False


def raised(error: Exception) -> tuple[str, str, Sequence[object]]:
    """What the parent answers where a function raised: the nearest kind of error that programs know."""
    kind = next((base.__name__ for base in type(error).__mro__ if base.__name__ in BUILT_IN), "Exception")
    arguments = [argument for argument in error.args if isinstance(argument, str | int)]
    return "error", kind, arguments if len(arguments) == len(error.args) else [str(error)]
