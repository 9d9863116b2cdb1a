"""What a generated program hands over, within bounds: plain values, so few and so small that any of ours may walk them.

A value may hold one list many times over (`a = [a, a]`, forty times, is 10**12 names to whoever walks it), be nested
without end, or be a number that cannot be written down. What is counted here is what a walk would meet, so that the
work is bounded too: it ends at the bound, however much the value holds.
"""

from collections.abc import Hashable, Mapping

VALUES = 20_000  # names, numbers and lists of them, counted where they stand
CHARACTERS = 1_000_000
_DEEPEST = 40  # lists within lists
_BITS = 14_000  # of a whole number: Python writes none of more than 4,300 digits


class TooMuch(ValueError):
    """A value is larger than anything here works on; the message says in which way, after what it is."""


def plain(value: object, what: str = "The value") -> object:
    """The value in lists, tuples, sets and dictionaries of texts and numbers; anything else in it as its text.

    Small values come back equal to what they were. `what` is what the message begins with.

    Raises:
        TooMuch: it has more than `VALUES` parts or `CHARACTERS` characters, is nested too deeply, or has a number with
            too many digits.
    """
    return _Walk(what).plain(value, 0)


class _Walk:
    def __init__(self, what: str) -> None:
        self._what = what
        self._values = VALUES
        self._characters = CHARACTERS

    def plain(self, value: object, depth: int) -> object:
        self._values -= 1
        if self._values < 0:
            raise TooMuch(f"{self._what} has more than {VALUES:,} parts: look at fewer things at once.")
        if depth > _DEEPEST:
            raise TooMuch(f"{self._what} is nested more than {_DEEPEST} levels deep: make it a plain list.")
        if value is None or isinstance(value, bool | float | complex):
            return value
        if isinstance(value, int):
            if value.bit_length() > _BITS:
                raise TooMuch(f"{self._what} has a number of more than 4,200 digits, which cannot be written down.")
            return value
        if isinstance(value, str):
            return self._counted(value)
        if isinstance(value, Mapping):
            pairs = ((self._key(key, depth), self.plain(item, depth + 1)) for key, item in value.items())
            return dict(pairs)
        if isinstance(value, list):
            return [self.plain(item, depth + 1) for item in value]
        if isinstance(value, tuple):
            return tuple(self.plain(item, depth + 1) for item in value)
        if isinstance(value, set | frozenset):
            parts = (self._key(item, depth) for item in value)
            return set(parts) if isinstance(value, set) else frozenset(parts)
        return self._other(value, depth)

    def _key(self, value: object, depth: int) -> Hashable:
        key = self.plain(value, depth + 1)
        return key if isinstance(key, Hashable) else type(value).__name__

    def _counted(self, text: str) -> str:
        self._characters -= len(text)
        if self._characters < 0:
            raise TooMuch(f"{self._what} has more than {CHARACTERS:,} characters: look at less at once.")
        return text

    def _other(self, value: object, depth: int) -> object:
        """An object of a class as what it holds, since its own text may be without end; an error as its first line."""
        attributes = getattr(value, "attributes", None)
        if isinstance(attributes, Mapping):
            return self.plain(dict(attributes), depth)
        if isinstance(value, BaseException):
            return self.plain(value.args[0] if len(value.args) == 1 else list(value.args), depth)
        if isinstance(value, bytes | bytearray) and len(value) > self._characters:
            self._counted("." * (self._characters + 1))
        return self._counted(str(value))
