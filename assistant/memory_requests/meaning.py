"""What of the memory a user means: "me", "my sister", "Anna's dog", "my locker number", or a name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.stemming import stem
from memory.errors import NothingThere
from memory.folding import STOP_WORDS, fold, terms
from memory.passages import sentences
from memory.records.library import CHAT, DOCUMENT
from memory.resolution import USER_NAMES
from memory.types import THE_USER, Fact, FactKind, KnownEntity, Recalled
from memory.user_memory import UserMemory

_MYSELF = USER_NAMES | {fold(word) for word in ("myself", "我自己", "本人")}
_POSSESSIVE = re.compile(r"^(?P<owner>.+?)(?:'s? |的)(?P<rest>.+)$")
_MINE = re.compile(r"^(?:my |our )(?P<en>.+)$|^我(?:的|们的)?(?P<zh>.+)$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an) ", re.IGNORECASE)
_I = re.compile(r"(?<=\bI)['’](?:m|ve|d|ll)\b|我", re.IGNORECASE)  # where no term of its own
_RECALLED = 60
_FACTS = 500  # of one entity


@dataclass(frozen=True, slots=True)
class Meant:
    """A thing that is known with all that is known of it, or facts and notes that say what was named.

    `documents` are passages of documents that say it; where there is nothing else, nothing of it was remembered.
    """

    entity: KnownEntity | None = None
    facts: tuple[Fact, ...] = ()
    notes: tuple[Recalled, ...] = ()
    documents: tuple[Recalled, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entity or self.facts or self.notes)


def meant(memory: UserMemory, words: str) -> Meant:
    """What is meant by `words`; empty where the memory holds nothing of the kind."""
    words = words.strip(" \"'“”‘’《》.,!?。，！？")
    entity = _entity(memory, words)
    if entity is not None:
        return Meant(entity, tuple(memory.facts_of(entity.id, _FACTS)))
    related = _related(memory, words)
    things = {fact.object_id for fact in related}
    if len(things) == 1 and (thing := things.pop()) is not None:
        entity = memory.entity(thing)
        return Meant(entity, tuple(memory.facts_of(entity.id, _FACTS)))
    return Meant(facts=tuple(related)) if related else _saying(memory, words)


def meant_to_go(memory: UserMemory, words: str) -> Meant:
    """What is meant by `words` that say what to forget: the facts that say it themselves, not all of their sentence."""
    found = meant(memory, words)
    wanted = _stems(words)
    triples = [fact for fact in found.facts if fact.kind is FactKind.TRIPLE]
    saying = [fact for fact in triples if wanted <= _stems(_told(fact))]
    # "My sister lives in Bergen" is said of Anna, in a sentence that tells whose sister she is.
    saying = saying or [fact for fact in triples if _stems(fact.object) and _stems(fact.object) <= wanted]
    if found.entity or not saying:
        return found
    notes = [note for note in found.notes if not _is_said_by(saying, note, wanted)]
    return replace(found, facts=tuple(saying), notes=tuple(notes))


def documents_saying(memory: UserMemory, words: str) -> tuple[str, ...]:
    """The names of documents that hold every word of `words`."""
    return tuple(dict.fromkeys(hit.source for hit in _saying(memory, words).documents))


def _entity(memory: UserMemory, words: str) -> KnownEntity | None:
    """The one thing of that name."""
    names = {fold(words), fold(_ARTICLE.sub("", words))}
    if fold(words) in _MYSELF:
        names.add(fold(THE_USER.name))
    named = [
        known
        for name in names
        for known in memory.find_entities(name)
        if names & {fold(other) for other in (known.name, *known.aliases)}
    ]
    return named[0] if len({known.id for known in named}) == 1 else None


def _related(memory: UserMemory, words: str) -> list[Fact]:
    """The facts that say what the owner has in the relation: "sister" of the user, "Anna's dog", 我姐姐的狗."""
    if (match := _POSSESSIVE.match(words)) and fold(match["owner"]) not in _MYSELF:
        owner = meant(memory, match["owner"]).entity
        return _of(memory, owner, match["rest"]) if owner else []
    mine = _MINE.match(words)
    return _of(memory, _entity(memory, "me"), (mine["en"] or mine["zh"]) if mine else words)


def _of(memory: UserMemory, owner: KnownEntity | None, relation: str) -> list[Fact]:
    if owner is None:
        return []
    own = [fact for fact in memory.facts_of(owner.id, _FACTS) if fact.subject_id == owner.id]
    triples = [fact for fact in own if fact.kind is not FactKind.DESCRIPTION]
    return [fact for fact in triples if _is_a(fact.relation, relation)]


def _is_a(relation: str, wanted: str) -> bool:
    """Whether a relation ends as `wanted`: "has sister" and "older sister" are a "sister", 有姐姐 is a 姐姐."""
    return f" {fold(relation)}".endswith(f" {fold(wanted)}")


def _saying(memory: UserMemory, words: str) -> Meant:
    """The facts and the notes that hold every word of `words`."""
    wanted = _stems(words)
    if not wanted:
        return Meant()
    hits = memory.recall(words, _RECALLED)
    facts = [hit.fact for hit in hits if hit.fact and wanted <= _stems(_said(hit.fact))]
    texts = [hit for hit in hits if hit.fact is None and wanted <= _stems(hit.text)]
    of_kind = {kind: tuple(hit for hit in texts if _kind(memory, hit.source_id) == kind) for kind in (CHAT, DOCUMENT)}
    return Meant(facts=tuple(facts), notes=of_kind[CHAT], documents=of_kind[DOCUMENT])


def _is_said_by(facts: Sequence[Fact], note: Recalled, wanted: set[str]) -> bool:
    """Whether the facts are all of a note that says what is wanted."""
    own = [fact for fact in facts if fact.source_id == note.source_id]
    told = (note.text[span.start : span.end] for span in sentences(note.text, 0, len(note.text)))
    return bool(own) and all(any(said in fact.text for fact in own) for said in told if wanted <= _stems(said))


def _kind(memory: UserMemory, source_id: str) -> str:
    try:
        return memory.source(source_id).kind
    except NothingThere:  # forgotten meanwhile
        return ""


def _said(fact: Fact) -> str:
    return f"{_told(fact)} {fact.text}"


def _told(fact: Fact) -> str:
    return f"{fact.subject} {fact.relation} {fact.object}"


def _stems(text: str) -> set[str]:
    own = {fold(name) for name in THE_USER.aliases} | STOP_WORDS
    return {stem(term) for term in terms(_I.sub(" ", text)) if term not in own}
