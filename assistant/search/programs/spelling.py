"""Values as a program spells them itself: it compares what it is given with what it has written letter by letter.

To `"open" in find_entity_or_value([row], ["state"])` the cell "Open" says yes. Only words are meant, and they are one
where they differ in small and capital letters, the width of signs and spaces at most: of numbers each sign counts.
"""

import ast
import unicodedata
from collections.abc import Callable
from functools import wraps

from assistant.search.programs.parsing import parsed

_Function = Callable[..., object]


class Spelling:
    """How one program spells what it names. Nothing outside of its run sees that spelling."""

    def __init__(self, code: str) -> None:
        self._own = set[str]()  # all that the program writes
        self._written = dict[str, str]()  # by how it is compared
        self._told = dict[str, str]()  # how the knowledge base spells what the program spells so
        try:
            tree = parsed(code)
        except SyntaxError:  # its run will say so
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                self._own.add(node.value)
                self._written.setdefault(_compared(node.value), node.value)
        self._written.pop("", None)

    def within(self, function: _Function) -> _Function:
        """The function as the program may call it."""

        @wraps(function)
        def called(*arguments: object, **named: object) -> object:
            given = {name: self.told(argument) for name, argument in named.items()}
            found = function(*map(self.told, arguments), **given)
            return [self._as_written(one) for one in found] if isinstance(found, list) else found

        return called

    def told(self, value: object) -> object:
        """A value of the program, spelled as the knowledge base does."""
        if isinstance(value, str):
            return self._told.get(value, value)
        if isinstance(value, list | tuple | set | frozenset):
            return type(value)(map(self.told, value))
        if isinstance(value, dict):
            return {self.told(key): self.told(one) for key, one in value.items()}
        return value

    def _as_written(self, name: object) -> object:
        written = self._written.get(_compared(name)) if isinstance(name, str) else None
        if written is None or name in self._own:
            return name
        self._told[written] = str(name)
        return written


def _compared(text: str) -> str:
    """A word or several, as they are compared; empty for what has a figure, or none but signs."""
    words = " ".join(unicodedata.normalize("NFKC", text).lower().split())
    return words if any(map(str.isalpha, words)) and not any(map(str.isnumeric, words)) else ""
