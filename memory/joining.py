"""Entities that documents call by a name and by a shorter one, made one where a `Matcher` is sure of it.

Of what `duplicates` finds it is asked only where one name abbreviates the other, as "J. P. Moreau" and "ESA" do: where
each has something of its own ("Anders Holm", "Anna Holm") a small model takes likeness for sameness, and the user says.
"""

from memory.errors import Interrupted, Unavailable, UserMistake
from memory.folding import fold
from memory.keeping import UNMATCHED
from memory.store import Memory
from memory.types import FactKind, KnownEntity, Matcher
from memory.user_memory import UserMemory

_FACTS = 20  # looked at, of an entity
_CHARACTERS = 250  # told of it; a hundred cost a small model a quarter of a second


class Joining:
    """Asks about the likely pairs of users whose documents were read, each pair once in a process."""

    def __init__(self, memory: Memory, matcher: Matcher) -> None:
        self._memory = memory
        self._matcher = matcher
        self._asked: set[frozenset[str]] = set()

    def step(self) -> bool:
        """Ask about one pair, and merge the two where they are one; whether there was anything left to do.

        Raises:
            Interrupted, Unavailable: as `Matcher.are_one`; the same pair is asked about again.
        """
        user = next(iter(self._memory.states(UNMATCHED)), None)
        if user is None:
            return False
        memory = self._memory.of(user)
        pair = next((pair for pair in memory.likely_duplicates() if self._to_ask(*pair)), None)
        if pair is None:
            memory.state.delete(UNMATCHED)
        else:
            self._ask(memory, *pair)
        return True

    def _to_ask(self, one: KnownEntity, other: KnownEntity) -> bool:
        return frozenset((one.id, other.id)) not in self._asked and _abbreviates(*_by_length(one, other))

    def _ask(self, memory: UserMemory, one: KnownEntity, other: KnownEntity) -> None:
        pair = frozenset((one.id, other.id))
        self._asked.add(pair)  # first, so that what fails in another way does not fail for ever
        try:
            if self._matcher.are_one(*(_told(memory, entity) for entity in _by_length(one, other))):
                memory.merge(one.id, other.id)
        except (Interrupted, Unavailable):
            self._asked.discard(pair)
            raise
        except UserMistake:  # forgotten or merged meanwhile
            pass


def _by_length(one: KnownEntity, other: KnownEntity) -> list[KnownEntity]:
    return sorted((one, other), key=lambda entity: len(fold(entity.name)))


def _abbreviates(short: KnownEntity, long: KnownEntity) -> bool:
    """Whether the characters of the one name stand in the other in their order, be they letters or 汉字."""
    rest = iter(fold(long.name))
    return all(character in rest for character in fold(short.name))


def _told(memory: UserMemory, entity: KnownEntity) -> str:
    """What is known of an entity, as far as there is room: "name | also alias | description | relation object | …"."""
    parts = [entity.name, f"also {', '.join(entity.aliases)}" if entity.aliases else "", entity.description]
    for fact in memory.facts_of(entity.id, _FACTS):
        if fact.kind is FactKind.TRIPLE:
            subject = "" if fact.subject_id == entity.id else f"{fact.subject} "
            parts.append(f"{subject}{fact.relation} {fact.object}")
    return " | ".join(filter(None, parts))[:_CHARACTERS]
