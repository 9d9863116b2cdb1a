"""The root of every error that Lorekeeper raises on purpose, named by who must act.

    LorekeeperError
    ├── UserMistake        the user can put it right: exit status 2, one line that says how
    │   └── NothingThere   what was asked for does not exist (an unknown id, a user with nothing remembered)
    └── Failure            something outside failed: exit status 1, one line that says what to try
        ├── Interrupted    somebody pressed Stop, or a waiting turn went first
        └── Unavailable    what is needed cannot be reached just now; the same call may work later

`assistant.errors` draws the rest of the tree. Anything else that escapes is our bug.
"""

from string import Formatter
from typing import Any


class Notice(str):
    """A line for a person: English text with its values filled in, where their names stand in braces.

    It is that English wherever a text is wanted; `assistant.messages.translated` says it in another language.
    """

    text: str
    values: dict[str, str | int | float]

    def __new__(cls, text: str, /, **values: object) -> "Notice":
        """Numbers get their thousands marked; without values `text` is taken as it is, braces and all."""
        kept = {name: value if isinstance(value, int | float) else str(value) for name, value in values.items()}
        shown = {name: value if isinstance(value, str) else _figure(value) for name, value in kept.items()}
        line = super().__new__(cls, text.format(**shown) if shown else text)
        line.text, line.values = text, kept
        return line

    @property
    def form(self) -> list[object]:
        """What JSON can hold of it; `read` makes it again."""
        values = {name: value.form if isinstance(value, Notice) else value for name, value in self.values.items()}
        return [self.text, values]

    @classmethod
    def read(cls, form: object) -> "Notice":
        """The notice of a `form` that comes from outside.

        Raises:
            ValueError: it is none, or more than plain values would be filled in.
        """
        match form:
            case [str(text), dict(given)] if all(
                isinstance(value, str | int | float | list) for value in given.values()
            ):
                values = {n: cls.read(value) if isinstance(value, list) else value for n, value in given.items()}
                fields = [field[1:] for field in Formatter().parse(text) if values and field[1] is not None]
                if all(name in values and not (spec or conversion) for name, spec, conversion in fields):
                    return cls(text, **values)
        raise ValueError("No notice.")

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """What a copy is made from."""
        return (self.text,), self.values

    def __str__(self) -> "Notice":
        """Itself: as the text of an error it can still be translated."""
        return self


def _figure(value: float) -> str:
    return f"{int(value) if value == int(value) else value:,}"


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
