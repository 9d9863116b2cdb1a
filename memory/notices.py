"""What is said to people from here, so that it can be said in their language, though no catalogue is known here."""

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
        shown = {name: value if isinstance(value, str) else f"{value:,}" for name, value in kept.items()}
        line = super().__new__(cls, text.format(**shown) if shown else text)
        line.text, line.values = text, kept
        return line

    @property
    def form(self) -> list[object]:
        """What JSON can hold of it; `read` makes it again."""
        return [self.text, self.values]

    @classmethod
    def read(cls, form: object) -> "Notice":
        """The notice of a `form` that comes from outside.

        Raises:
            ValueError: it is none, or more than plain values would be filled in.
        """
        match form:
            case [str(text), dict(values)] if all(isinstance(value, str | int | float) for value in values.values()):
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
