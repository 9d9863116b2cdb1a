"""Text into knowledge in three forms: descriptions, triples and aspects (KnowledGPT, section 3.3).

The sentences of a passage are numbered, and the reply names them: so every record has the exact span that supports it,
descriptions and aspects cost a number instead of their text, and what its sentence does not say is dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pydantic

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.types import Message
from memory.folding import fold, terms
from memory.passages import sentences
from memory.types import THE_USER, Extraction, FactKind, Mention, Passage, Span, Statement

_USER_NAMES = frozenset(fold(name) for name in (THE_USER.name, *THE_USER.aliases))
_MAX_TOKENS = 1_000
_HELD = 0.6  # of an object's terms have to stand in its sentence
_RELATION_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class _Fact:
    sentence: int
    relation: str
    object: str


class _Aspect(pydantic.BaseModel):
    name: str
    n: list[int]


class _Entity(pydantic.BaseModel):
    name: str
    aliases: list[str] = []
    about: list[int] = []
    facts: list[str] = []  # "1|relation|object": half the tokens of an object with three keys
    aspects: list[_Aspect] = []


class _Reply(pydantic.BaseModel):
    entities: list[_Entity] = []


class Remembering:
    """Reads knowledge out of text with a language model; implements `memory.types.Extractor`."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def extract(self, passage: Passage, title: str) -> Extraction:
        """See `Extractor.extract`."""
        context = f"{title} – {passage.heading}" if passage.heading else title
        spans = list(sentences(passage.text, 0, len(passage.text)))
        messages = prompting.load("extract").render(title=context, sentences=_texts(passage.text, spans))
        return self._extracted(messages, passage.text, spans)

    def from_user(self, text: str) -> Extraction:
        """Read what the user says about themselves; the entity `THE_USER` stands for them."""
        spans = list(sentences(text, 0, len(text)))
        messages = prompting.load("extract_own").render(sentences=_texts(text, spans))
        return self._extracted(messages, text, spans)

    def _extracted(self, messages: Sequence[Message], text: str, spans: Sequence[Span]) -> Extraction:
        reply = self._model.parse(messages, _Reply, purpose="extract", max_tokens=_MAX_TOKENS, cut_short=True)
        return supported(reply.entities, text, spans)


def supported(entities: Sequence[_Entity], text: str, spans: Sequence[Span]) -> Extraction:
    """What of a reply its sentences hold; the rest is counted in `dropped`."""
    mentions: dict[str, Mention] = {}
    statements: dict[tuple[str, str, str], Statement] = {}
    dropped = 0
    for entity in entities:
        mention = _mention(entity, text)
        if mention is None:
            dropped += 1 + len(entity.facts) + len(entity.aspects)
            continue
        mentions.setdefault(fold(mention.name), mention)
        found, lost = _statements(entity, mention.name, text, spans)
        dropped += lost
        for statement in found:
            key = (fold(statement.subject), fold(statement.relation), fold(statement.object))
            statements.setdefault(key, statement)
    return Extraction(tuple(mentions.values()), tuple(statements.values()), dropped)


def _mention(entity: _Entity, text: str) -> Mention | None:
    name = " ".join(entity.name.split())
    if fold(name) in _USER_NAMES:
        return THE_USER
    folded = fold(text)
    if not name or fold(name) not in folded:
        return None
    aliases = [" ".join(alias.split()) for alias in entity.aliases]
    return Mention(name, tuple(a for a in dict.fromkeys(aliases) if a and fold(a) in folded and fold(a) != fold(name)))


def _statements(entity: _Entity, subject: str, text: str, spans: Sequence[Span]) -> tuple[list[Statement], int]:
    found: list[Statement] = []
    dropped = 0
    for line in entity.facts:
        fact = _fact(line)
        span = _holding(fact, text, spans) if fact else None
        if fact is None or span is None or fold(fact.object) == fold(subject):
            dropped += 1
        else:
            found.append(Statement(FactKind.TRIPLE, subject, fact.relation, fact.object, span))
    longer = [(FactKind.DESCRIPTION, "description", entity.about)] if entity.about else []
    longer += [(FactKind.ASPECT, " ".join(aspect.name.split()), aspect.n) for aspect in entity.aspects]
    for kind, relation, numbers in longer:
        chosen = [spans[n - 1] for n in dict.fromkeys(numbers) if 0 < n <= len(spans)]
        if not chosen or not relation or len(relation) > _RELATION_CHARACTERS:
            dropped += 1
            continue
        span = Span(min(s.start for s in chosen), max(s.end for s in chosen))
        value = " ".join(_texts(text, chosen))
        found.append(Statement(kind, subject, relation, value, span))
    return found, dropped


def _fact(line: str) -> _Fact | None:
    number, _, rest = line.partition("|")
    relation, _, value = (" ".join(part.split()) for part in rest.partition("|"))
    if not number.strip().isdecimal() or not relation or not value or len(relation) > _RELATION_CHARACTERS:
        return None
    return _Fact(int(number), relation, value)


def _holding(fact: _Fact, text: str, spans: Sequence[Span]) -> Span | None:
    """The sentence that holds the fact's object: the one named, or another where the number is off."""
    wanted = terms(fact.object)
    if not wanted:
        return None
    named = [spans[fact.sentence - 1]] if 0 < fact.sentence <= len(spans) else []
    for span in [*named, *spans]:
        held = fold(text[span.start : span.end])
        there = set(terms(text[span.start : span.end]))
        if fold(fact.object) in held or sum(term in there for term in wanted) >= _HELD * len(wanted):
            return span
    return None


def _texts(text: str, spans: Sequence[Span]) -> list[str]:
    return [" ".join(text[span.start : span.end].split()) for span in spans]
