"""What a reply has in view of the memory without a search: who the user is, and what bears on the message."""

from memory.types import THE_USER, Fact
from memory.user_memory import UserMemory

_OF_THE_USER, _ON_THE_MESSAGE = 8, 6  # facts
_CHARACTERS = 1_200  # of all of them: each costs the time to read it


def in_view(memory: UserMemory, text: str) -> list[str]:
    """Facts that hold now, a line each: the user's own, the latest first, and those that recall finds for `text`."""
    me = [entity for entity in memory.find_entities(THE_USER.name) if entity.name == THE_USER.name][:1]
    own = [fact for entity in me for fact in memory.facts_of(entity.id, 4 * _OF_THE_USER)]
    recalled = [hit.fact for hit in memory.recall(text, 2 * _ON_THE_MESSAGE) if hit.fact]
    facts = [*_holding(own)[:_OF_THE_USER], *_holding(recalled)[:_ON_THE_MESSAGE]]
    lines, room = list[str](), _CHARACTERS
    for line in dict.fromkeys(f"{fact.subject} – {fact.relation}: {fact.object}" for fact in facts):
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
    return lines


def _holding(facts: list[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.valid_to is None]
