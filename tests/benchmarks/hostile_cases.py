"""What a hostile thing is, whoever makes it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that may hang, flood or break what reads it.

    `name` tells it from the others that a seed gives, `kind` is the building block that it is made of.
    """

    name: str
    kind: str
    text: str
