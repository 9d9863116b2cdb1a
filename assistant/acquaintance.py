"""What is in view of the memory without a search: who the user is, and what bears on the message."""

from memory.types import THE_USER, Fact
from memory.user_memory import UserMemory

_OF_THE_USER, _ON_THE_MESSAGE = 8, 6  # facts
_CHARACTERS = 1_200  # of all of them: each costs the time to read it


def facts_in_view(memory: UserMemory, text: str, times: int = 1) -> list[Fact]:
    """Facts that hold now: the user's own, the latest first, and those that recall finds for `text`.

    They are eight and six at most, or so many `times` that.
    """
    of_the_user, on_the_message = times * _OF_THE_USER, times * _ON_THE_MESSAGE
    me = [entity for entity in memory.find_entities(THE_USER.name) if entity.name == THE_USER.name][:1]
    own = [fact for entity in me for fact in memory.facts_of(entity.id, 4 * of_the_user)]
    recalled = [hit.fact for hit in memory.recall(text, 2 * on_the_message) if hit.fact]
    found = [*_holding(own)[:of_the_user], *_holding(recalled)[:on_the_message]]
    return list({fact.id: fact for fact in found}.values())


def in_view(memory: UserMemory, text: str) -> list[str]:
    """The facts in view, a line each."""
    lines, room = list[str](), _CHARACTERS
    facts = facts_in_view(memory, text)
    for line in dict.fromkeys(f"{fact.subject} – {fact.relation}: {fact.object}" for fact in facts):
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
    return lines


def _holding(facts: list[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.valid_to is None]
