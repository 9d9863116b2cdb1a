"""What a conversation was about last, as far as the memory is concerned: what "that" means, and what Undo takes back.

Only ids are kept, never a word. They outlast the process, so that "forget that" also works from one command to another.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assistant import support
from assistant.knowledge_bases.personal import remembered_as
from assistant.types import Evidence
from memory.folding import terms
from memory.user_memory import UserMemory

_STATE = "chat.lately"
_CONVERSATIONS = 100


@dataclass(frozen=True, slots=True)
class Lately:
    """The facts that were spoken of; the note that was just written, or what was just forgotten."""

    facts: tuple[str, ...] = ()
    source: str = ""
    undo_id: str = ""


def lately(memory: UserMemory, session: str) -> Lately:
    """What the conversation was about last."""
    known = memory.state.get(_STATE, {}).get(session)
    return Lately(**{**known, "facts": tuple(known["facts"])}) if known else Lately()


def keep(memory: UserMemory, session: str, spoken_of: Lately) -> None:
    """Keep what a conversation is about now; of older conversations, the last hundred."""
    before: dict[str, Any] = memory.state.get(_STATE, {})
    known = before.get(session)
    if (asdict(spoken_of) | {"facts": list(spoken_of.facts)} == known) or (known is None and spoken_of == Lately()):
        return
    others = {id_: value for id_, value in before.items() if id_ != session}
    latest = dict(list(others.items())[-_CONVERSATIONS + 1 :])
    if spoken_of != Lately():
        latest[session] = asdict(spoken_of)
    memory.state.set(_STATE, latest)


def spoken_of(memory: UserMemory, answer: str, evidence: Sequence[Evidence]) -> Lately:
    """What an answer is about: the facts that it cites; of a cited passage, those whose value it says."""
    cited = set(support.cited(answer))
    said = set(terms(answer))
    facts: list[str] = []
    for item in evidence:
        fact_id, passage_id = remembered_as(item)
        if item.id not in cited:
            continue
        if fact_id:
            facts.append(fact_id)
        elif passage_id:
            facts += [fact.id for fact in memory.facts_on(passage_id) if set(terms(fact.object)) & said]
    return Lately(facts=tuple(dict.fromkeys(facts)))
