"""What a conversation was about last, as far as the memory is concerned: what "that" means, and what Undo takes back.

Only ids are kept, and the words in which it was asked to forget something, until the next message or until anything is
forgotten. They outlast the process, so that "forget that" also works from one command to another.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from assistant.citations import cited
from assistant.knowledge_bases.personal import remembered_as
from assistant.types import Evidence
from assistant.understanding import Understanding
from memory.errors import NothingThere
from memory.folding import fold, terms
from memory.sessions import ASKED, SPOKEN_OF
from memory.user_memory import UserMemory

_CONVERSATIONS = 100
_STEPS = 10  # that can be taken back, one after the other


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done to the memory: a note was written (`source`), or something forgotten.

    `undo_id` brings back what was forgotten; it is "" where that was for good. `before` are the facts that had been
    spoken of when a note was written.
    """

    source: str = ""
    undo_id: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Going:
    """What is to be forgotten, by ids: facts, an entity, sources with all that rests on nothing else, or everything.

    `about` are facts that go with an entity or a source. `words` name it, as documents may that stay; those of facts
    are what was remembered, and not just its name. `id` is that of the question whether to, put in a `language`.
    """

    facts: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    entity: str | None = None
    sources: tuple[str, ...] = ()
    words: str = ""
    everything: bool = False
    id: str = ""
    language: str = ""

    @classmethod
    def read(cls, kept: dict[str, Any]) -> "Going":
        """What was kept as JSON."""
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()
        }
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class Lately:
    """The facts and the sources that were spoken of; what was done, and what of it was taken back, the latest last.

    `aside` says that the conversation has been about something else since, which the memory knows nothing of.
    """

    facts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    taken_back: tuple[str, ...] = ()
    aside: bool = False

    def with_step(self, step: Step) -> "Lately":
        """After something else was done: what had been taken back stays so."""
        return replace(self, steps=(*self.steps, step)[-_STEPS:], taken_back=(), aside=False)


def lately(memory: UserMemory, session: str) -> Lately:
    """What the conversation was about last."""
    known = memory.state.get(SPOKEN_OF, {}).get(session)
    if not known:
        return Lately()
    steps = tuple(Step(step["source"], step["undo_id"], tuple(step.get("before", ()))) for step in known["steps"])
    spoken_of = tuple(known["facts"]), tuple(known["sources"])
    return Lately(*spoken_of, steps, tuple(known["taken_back"]), known.get("aside", False))


def may_be_meant(memory: UserMemory, session: str, understood: Understanding) -> bool:
    """Whether there is in the conversation what a bare request is about: else "undo that" is said of a text, a drawing,
    or a row of knitting."""
    now = lately(memory, session)
    match understood.kind, understood.about:
        case "undo", _:
            return bool(now.steps)
        case "restore", _:
            return bool(now.taken_back or any(not step.source for step in now.steps))
        case "forget", "that":
            return bool(now.facts or now.sources or now.aside)
        case "forget", "last":
            return bool(now.steps)
        case "yes", _:
            return session in memory.state.get(ASKED, {})
        case _:
            return True


def keep(memory: UserMemory, session: str, now: Lately) -> None:
    """Keep what a conversation is about now; of older conversations, the last hundred."""
    if now == lately(memory, session):
        return

    _keep(memory, SPOKEN_OF, session, None if now == Lately() else now)


def ask_first(memory: UserMemory, session: str, going: Going) -> None:
    """Keep what the answer of a conversation asks about before it is forgotten."""
    _keep(memory, ASKED, session, going)


def no_longer_asked(memory: UserMemory, session: str) -> Going | None:
    """What the last answer asks about before it is forgotten, which is so no more."""
    asked = memory.state.get(ASKED, {}).get(session)
    if asked is None:
        return None
    _keep(memory, ASKED, session, None)
    return Going.read(asked)


def speak_of(memory: UserMemory, session: str, facts: Sequence[str], sources: Sequence[str] = ()) -> None:
    """Let a conversation be about other facts and sources; what was done can still be taken back."""
    now = lately(memory, session)
    keep(memory, session, replace(now, facts=tuple(facts), sources=tuple(sources), aside=False))


def answered(memory: UserMemory, session: str, answer: str, evidence: Sequence[Evidence]) -> None:
    """Let a conversation be about what an answer cites: facts; of a passage those it says, or the passage's source."""
    numbers = set(cited(answer))
    said = set(terms(answer))
    facts: list[str] = []
    sources: list[str] = []
    for item in evidence:
        fact_id, passage_id = remembered_as(item)
        if item.id not in numbers:
            continue
        if fact_id:
            facts.append(fact_id)
        elif passage_id:
            told = [fact.id for fact in memory.facts_on(passage_id) if set(terms(fact.object)) & said]
            facts += told
            sources += [] if told else _source_of(memory, passage_id)
    if facts or sources:
        speak_of(memory, session, tuple(dict.fromkeys(facts)), tuple(dict.fromkeys(sources)))
    elif (now := lately(memory, session)) != Lately():  # it was about something else
        keep(memory, session, replace(now, facts=(), sources=(), aside=True))


def turned_aside(memory: UserMemory, session: str, said: str) -> None:
    """Let a conversation be about nothing that is remembered, unless what was `said` names what was spoken of.

    A correction may still mean what it was about before.
    """
    now, folded = lately(memory, session), fold(said)
    named = any(fold(fact.object) in folded for fact in memory.facts_with_ids(now.facts))
    if (now.facts or now.sources or now.steps) and not named:
        keep(memory, session, replace(now, aside=True))


def _source_of(memory: UserMemory, passage_id: str) -> list[str]:
    try:
        return [memory.source_of_passage(passage_id).id]
    except NothingThere:  # forgotten meanwhile
        return []


def _keep(memory: UserMemory, name: str, session: str, value: Lately | Going | None) -> None:
    """Keep something of a conversation; of older conversations, that of the last hundred."""

    def latest(before: dict[str, Any] | None) -> dict[str, Any]:
        others = {id_: value for id_, value in (before or {}).items() if id_ != session}
        kept = dict(list(others.items())[-_CONVERSATIONS + 1 :])
        return kept if value is None else {**kept, session: asdict(value)}

    memory.state.change(name, latest)  # other conversations may go on at the same time
