"""The root of every error that Lorekeeper raises on purpose, named by who must act.

    LorekeeperError
    ├── UserMistake        the user can put it right: exit status 2, one line that says how
    │   └── NothingThere   what was asked for does not exist (an unknown id, a user with nothing remembered)
    └── Failure            something outside failed: exit status 1, one line that says what to try
        ├── Interrupted    somebody pressed Stop, or a waiting turn went first
        └── Unavailable    what is needed cannot be reached just now; the same call may work later

`assistant.errors` draws the rest of the tree. Anything else that escapes is our bug.
"""

from memory.notices import Notice


class LorekeeperError(Exception):
    """An error with one line for a person; `str(error)` is that line, which can be said in other languages."""

    def __init__(self, text: str, /, **values: object) -> None:
        """`text` is in English, with names of `values` in braces; see `Notice`."""
        self.notice = text if isinstance(text, Notice) else Notice(text, **values)
        super().__init__(self.notice)


class UserMistake(LorekeeperError):
    """The user can put this right; the message says how."""


class NothingThere(UserMistake):
    """What was asked for does not exist."""


class Failure(LorekeeperError):
    """Something outside failed; the message says what to try."""


class Interrupted(Failure):
    """Work was stopped on purpose: by Stop, by shutting down, or to let a turn go first."""


class Unavailable(Failure):
    """What is needed cannot be reached just now; the same call may work later."""
