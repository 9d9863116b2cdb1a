"""The ids that the outside sees: a letter for the kind and a number, as in "f12"; the vector index uses the same."""

from memory.errors import NothingThere

FACT, PASSAGE, ENTITY, SOURCE, MERGE = "f", "p", "e", "s", "m"


def key(kind: str, number: int) -> str:
    """The id of the record `number` of a kind."""
    return f"{kind}{number}"


def number(kind: str, key: str) -> int:
    """The number within an id.

    Raises:
        NothingThere: `key` is no id of that kind.
    """
    digits = key.removeprefix(kind)
    if digits == key or not (digits.isascii() and digits.isdigit() and len(digits) < 19):
        raise missing(kind, key)
    return int(digits)


def missing(kind: str, key: str) -> NothingThere:
    """The error for an id that does not exist."""
    if key.startswith(kind):
        return NothingThere("There is nothing with the id {id}.", id=key)
    return NothingThere("There is nothing with the id {id}; one begins with {kind}, as in {kind}12.", id=key, kind=kind)
