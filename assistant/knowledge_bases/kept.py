"""Indexes of what a user's memory holds, kept as long as that stays the same: a knowledge base lives for one turn."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from memory.user_memory import UserMemory

Part = TypeVar("Part")
Index = TypeVar("Index")


class Kept(Generic[Part, Index]):
    """For each user's memory, the index that `make` made of the parts which it last had."""

    def __init__(self, make: Callable[[Sequence[Part]], Index]) -> None:
        self._make = make
        self._kept: WeakKeyDictionary[UserMemory, tuple[Sequence[Part], Index]] = WeakKeyDictionary()

    def of(self, memory: UserMemory, parts: Sequence[Part]) -> Index:
        """The index of these parts; the one that there is, where they are the very same objects."""
        kept = self._kept.get(memory)
        if kept is not None and list(map(id, kept[0])) == list(map(id, parts)):
            return kept[1]
        index = self._make(parts)
        self._kept[memory] = parts, index
        return index
