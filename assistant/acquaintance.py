"""What a turn has in view of the memory without a search: who the user is, and what bears on the message."""

from collections.abc import Sequence

from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.knowledge_bases.naming import Wording, names_in
from assistant.knowledge_bases.personal import PERSONAL, Personal
from assistant.knowledge_bases.registry import OWN
from assistant.sayings import as_said
from assistant.search.evidence import numbered
from assistant.types import Evidence
from memory.records.library import CHAT
from memory.types import THE_USER, Fact
from memory.user_memory import UserMemory

_OF_THE_USER, _ON_THE_MESSAGE = 8, 6  # facts
_NAMED = 12  # documents
_SECONDS = 1.0
_CHARACTERS = 1_200  # of all of them: each costs the time to read it


def facts_in_view(memory: UserMemory, text: str, times: int = 1) -> list[Fact]:
    """Facts that hold now: the user's own, the latest first, and those that recall finds for `text`.

    They are eight and six at most, or so many `times` that.
    """
    recalled = [hit.fact for hit in memory.recall(text, 2 * times * _ON_THE_MESSAGE) if hit.fact]
    found = [*_of_the_user(memory, times), *_holding(recalled)[: times * _ON_THE_MESSAGE]]
    return list({fact.id: fact for fact in found}.values())


def line(fact: Fact) -> str:
    """A fact as it is shown in the chat."""
    return f"{fact.subject} – {fact.relation}: {fact.object}"


def in_view(memory: UserMemory, text: str) -> list[str]:
    """The facts in view, a line each."""
    lines, room = list[str](), _CHARACTERS
    facts = facts_in_view(memory, text)
    for told in dict.fromkeys(map(line, facts)):
        room -= len(told)
        if room < 0:
            break
        lines.append(told)
    return lines


def at_hand(memory: UserMemory, question: str) -> list[Evidence]:
    """The evidence that may answer a question about the user's own life: what recall finds in documents, what the user
    told of it and of themselves, and which documents there are."""
    recalled = Personal(memory).recalled(question, _ON_THE_MESSAGE)
    collection = _collection(memory) if any(hit.source != CHAT for hit in recalled) else []
    return numbered([*as_said(memory, recalled, _of_the_user(memory)), *collection])


def _collection(memory: UserMemory) -> list[Evidence]:
    """How many documents there are, with the names of the latest: no day, which a question after one would take."""
    documents = memory.documents()
    latest = ", ".join(documents[-_NAMED:])
    count = str(len(documents))
    return [Evidence(0, PERSONAL, "documents of the user", "number", count, text=latest)] if documents else []


def concerned(question: str, bases: Sequence[KnowledgeBase], wording: Wording) -> list[KnowledgeBase]:
    """The knowledge bases that a question about the user's own life concerns: their own, and those that know a name in
    it; of what bears no name the others know nothing, or a namesake. `wording` is what questions are worded with."""
    deadline = Deadline.after(_SECONDS)
    return [kb for kb in bases if kb.name in OWN or names_in(question, [kb], wording, deadline)]


def _of_the_user(memory: UserMemory, times: int = 1) -> list[Fact]:
    most = times * _OF_THE_USER
    me = [entity for entity in memory.find_entities(THE_USER.name) if entity.name == THE_USER.name][:1]
    return _holding([fact for entity in me for fact in memory.facts_of(entity.id, 4 * most)])[:most]


def _holding(facts: list[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.valid_to is None]
