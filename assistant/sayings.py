"""What the user told, as evidence: each sentence once, in their words, the earlier first.

A small model reads a sentence more rightly than the triples that were read from it, takes what comes last for what
holds now, and has no time for what is said twice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from assistant.knowledge_bases.personal import fact_evidence, said_evidence, when_it_held
from assistant.types import Evidence
from memory.errors import NothingThere
from memory.folding import fold
from memory.records.library import CHAT
from memory.types import THE_USER, Fact, Recalled, Source, Span
from memory.user_memory import UserMemory

_MOST = 8  # sayings
_PASSAGE_CHARACTERS = 400  # a longer message is told by its sentences
_FACTS = 50  # of one message


@dataclass
class _Saying:
    """A sentence or a short message, and the facts that were read in it."""

    text: str
    span: Span
    told: datetime
    passage_id: str | None
    facts: list[Fact] = field(default_factory=list)

    def holds(self, span: Span) -> bool:
        return self.span.start <= span.start and span.end <= self.span.end


def as_said(
    memory: UserMemory, recalled: Sequence[Recalled], known: Sequence[Fact]
) -> tuple[list[Evidence], list[Recalled]]:
    """What the user told of what was `recalled` and of the facts that are `known`, and what of the former is from
    documents. Where the words do not name what a fact is about, it is told as a triple."""
    sources: dict[str, Source] = {}
    for source_id in dict.fromkeys([*(hit.source_id for hit in recalled), *(fact.source_id for fact in known)]):
        try:
            sources[source_id] = memory.source(source_id)
        except NothingThere:  # forgotten meanwhile
            continue
    chats = {source_id for source_id, source in sources.items() if source.kind == CHAT}
    hits = [hit for hit in recalled if hit.source_id in chats]
    known = [fact for fact in known if fact.source_id in chats]
    sayings: dict[str, list[_Saying]] = {source_id: [] for source_id in chats}
    ranked: list[_Saying] = []

    def keep(source_id: str, text: str, span: Span, passage_id: str | None) -> None:
        if len(ranked) < _MOST and not any(saying.holds(span) for saying in sayings[source_id]):
            saying = _Saying(text, span, sources[source_id].added, passage_id)
            sayings[source_id].append(saying)
            ranked.append(saying)

    for hit in hits:  # a short message tells its sentences
        if hit.fact is None and len(hit.text) <= _PASSAGE_CHARACTERS:
            keep(hit.source_id, hit.text, hit.span, hit.passage_id)
    for fact in [*(hit.fact for hit in hits if hit.fact), *known]:
        keep(fact.source_id, fact.text, fact.span, None)
    for hit in hits:
        if hit.fact is None:
            keep(hit.source_id, hit.text, hit.span, hit.passage_id)
    for source_id in chats:
        for fact in memory.facts(source_id=source_id, limit=_FACTS):
            within = [one for one in sayings[source_id] if fact.source_id == source_id and one.holds(fact.span)]
            for saying in within:
                saying.facts.append(fact)
    ranked = [saying for saying in ranked if not saying.facts or not all(fact.mistaken for fact in saying.facts)]
    ranked.sort(key=lambda saying: (saying.told, saying.span.start))
    said = [item for saying in ranked for item in _told(saying)]
    return said, [hit for hit in recalled if hit.source_id in sources and hit.source_id not in chats]


def _told(saying: _Saying) -> Iterable[Evidence]:
    times = {fact.id: when_it_held(fact) for fact in saying.facts}
    if len(set(times.values())) == 1:
        notes = [times[saying.facts[0].id]]
    else:
        notes = [f"{fact.relation} {fact.object}: {times[fact.id]}" for fact in saying.facts if times[fact.id]]
    note = "; ".join(filter(None, notes))
    first = saying.facts[0] if saying.facts else None
    yield said_evidence(f"{saying.text} ({note})" if note else saying.text, first, saying.passage_id)
    named = fold(saying.text)
    for fact in saying.facts:
        if fact.subject != THE_USER.name and fold(fact.subject) not in named:
            yield fact_evidence(fact)
