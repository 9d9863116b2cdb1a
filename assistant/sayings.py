"""What the user told, as evidence: each message once, in their words, the earlier first.

A small model reads a sentence more rightly than the triples that were read from it, takes what comes last for what
holds now, and has no time for what is said twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from assistant.knowledge_bases.personal import evidence_of, fact_evidence, said_evidence, when_it_held
from assistant.types import Evidence
from memory.errors import NothingThere
from memory.folding import fold
from memory.records.library import CHAT
from memory.types import THE_USER, Fact, Passage, Recalled
from memory.user_memory import UserMemory

_CHARACTERS = 2_400  # of all sayings: a small model reads them in ten seconds


@dataclass(frozen=True)
class _Message:
    """When a message was told, and its passages with their ids, of which most have one."""

    told: datetime
    passages: Sequence[tuple[str, Passage]]


def as_said(memory: UserMemory, recalled: Sequence[Recalled], known: Sequence[Fact]) -> list[Evidence]:
    """The evidence that was `recalled`, and the facts that are `known`: first what documents say, then what the user
    told, of which the first ones have room."""
    places = [*((hit.source_id, hit.span) for hit in recalled), *((fact.source_id, fact.span) for fact in known)]
    messages = {source_id: _message(memory, source_id) for source_id, _ in places}
    read = {hit.id: evidence_of(hit) for hit in recalled if messages[hit.source_id] is None}
    read |= {fact.id: fact_evidence(fact) for fact in known if messages[fact.source_id] is None}
    said: dict[str, tuple[datetime, Passage]] = {}
    room = _CHARACTERS
    for source_id, span in places:
        message = messages[source_id]
        for passage_id, passage in message.passages if message else ():
            is_of_it = passage.span.start <= span.start < passage.span.end
            if message and is_of_it and passage_id not in said and (not said or len(passage.text) <= room):
                said[passage_id] = message.told, passage
                room -= len(passage.text)
    earlier_first = sorted(said, key=lambda passage_id: (said[passage_id][0], said[passage_id][1].span.start))
    told = [item for passage_id in earlier_first for item in _told(memory, passage_id, said[passage_id][1].text)]
    return [*read.values(), *told]


def _message(memory: UserMemory, source_id: str) -> _Message | None:
    """What the user told; None for a document."""
    try:
        source = memory.source(source_id)
        return _Message(source.added, memory.passages(source_id)) if source.kind == CHAT else None
    except NothingThere:  # it was forgotten meanwhile
        return _Message(datetime.min, ())


def _told(memory: UserMemory, passage_id: str, text: str) -> list[Evidence]:
    """A passage, with when what was read in it held; whom its words do not name, as triples behind it. Nothing where
    none of it was ever so."""
    facts = memory.facts_on(passage_id)
    if facts and all(fact.mistaken for fact in facts):
        return []
    times = {fact.id: when_it_held(fact) for fact in facts}
    if len(set(times.values())) == 1:
        notes = [times[facts[0].id]]
    else:
        notes = [f"{fact.relation} {fact.object}: {times[fact.id]}" for fact in facts if times[fact.id]]
    note = "; ".join(filter(None, notes))
    words = f" {fold(text)} "
    unnamed = [fact for fact in facts if fact.subject != THE_USER.name and f" {fold(fact.subject)} " not in words]
    return [
        said_evidence(f"{text} ({note})" if note else text, passage_id),
        *(replace(fact_evidence(fact), text=times[fact.id]) for fact in unnamed),
    ]
