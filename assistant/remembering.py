"""Text into knowledge in three forms: descriptions, triples and aspects (KnowledGPT, section 3.3).

The sentences of a passage are numbered, and the reply names them: so every record has the exact span that supports it,
descriptions and aspects cost a number instead of their text, and what its sentence does not say is dropped.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pydantic

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.types import Message
from memory.folding import fold, terms
from memory.passages import sentences
from memory.resolution import USER_NAMES
from memory.types import THE_USER, Extraction, FactKind, Mention, Passage, Span, Statement

_MAX_TOKENS = 1_000
_HELD = 0.6  # of an object's terms have to stand in its sentence
_RELATION_CHARACTERS = 60
_PERSON = re.compile(r"\b(he|she|his|her|hers|him)\b|[他她]")
_PRONOUN = re.compile(r"\b(he|she|it|they|his|her|hers|its|their|him|them)\b|[他她它其]")
_OPENING_WORDS = 4


@dataclass(frozen=True, slots=True)
class _Fact:
    sentence: int
    relation: str
    object: str


def _list(most: int) -> Any:
    """An empty list, and the most items that the grammar lets a small model write, which else may never stop."""
    return pydantic.Field(default_factory=list, json_schema_extra={"maxItems": most})


# All have defaults: a reply that was cut short may end within any of them.
class _Aspect(pydantic.BaseModel):
    name: str = ""
    n: list[int] = _list(4)


class _Entity(pydantic.BaseModel):
    name: str = ""
    aliases: list[str] = _list(3)
    about: list[int] = _list(3)
    facts: list[str] = _list(12)  # "1|relation|object": half the tokens of an object with three keys
    aspects: list[_Aspect] = _list(3)


class _Reply(pydantic.BaseModel):
    entities: list[_Entity] = _list(6)


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

    def from_user(self, text: str, before: Sequence[str] = ()) -> Extraction:
        """Read what the user says about themselves; the entity `THE_USER` stands for them.

        `before` is what was said earlier, one message each: it names whom "he" and "she" stand for, and nothing else is
        taken from it.
        """
        spans = list(sentences(text, 0, len(text)))
        messages = prompting.load("extract_own").render(sentences=_texts(text, spans), before=before)
        return self._extracted(messages, text, spans, " ".join(before))

    def _extracted(self, messages: Sequence[Message], text: str, spans: Sequence[Span], before: str = "") -> Extraction:
        spent = self._model.usage.total.fresh
        reply = self._model.parse(messages, _Reply, purpose="extract", max_tokens=_MAX_TOKENS, cut_short=True)
        tokens = self._model.usage.total.fresh - spent
        return replace(supported(reply.entities, text, spans, before), tokens=tokens)


def supported(entities: Sequence[_Entity], text: str, spans: Sequence[Span], before: str = "") -> Extraction:
    """What of a reply its sentences hold; the rest is counted in `dropped`.

    Names may come from `before`, what was said before the text; what is said of them must not.
    """
    mentions = [_mention(entity, text, before) for entity in entities]
    facts = [[_fact(line) for line in entity.facts] for entity in entities]
    # What is an object only may be what another sentence is about.
    objects = [Mention(fact.object) for read in facts for fact in read if fact]
    named = [mention for mention in mentions if mention]
    known = [*named, *(o for o in objects if o.name[0].isupper() and " " in o.name)]
    sentences = _Sentences(text, spans, known, before)
    statements: dict[tuple[str, str, str], Statement] = {}
    dropped = 0
    for entity, mention, read in zip(entities, mentions, facts, strict=True):
        if mention is None:
            dropped += 1 + len(entity.facts) + len(entity.aspects)
            continue
        for statement in _statements(entity, read, mention, sentences):
            if statement is None:
                dropped += 1
            else:
                key = (fold(statement.subject), fold(statement.relation), fold(statement.object))
                statements.setdefault(key, statement)
    unique = {fold(mention.name): mention for mention in reversed(named)}
    return Extraction(tuple(reversed(unique.values())), tuple(statements.values()), dropped)


class _Sentences:
    """The numbered sentences of a text, and which of the entities each one names; `before` was said before them."""

    def __init__(self, text: str, spans: Sequence[Span], mentions: Sequence[Mention], before: str) -> None:
        self.text = text
        self.spans = list(spans)
        self._folded = [f" {fold(text[span.start : span.end])} " for span in spans]
        self._terms = [set(terms(text[span.start : span.end])) for span in spans]
        self._before, *self._named = (
            {m.name for m in mentions if any(f" {n} " in held for n in _names(m))}
            for held in (f" {fold(before)} ", *self._folded)
        )
        self._topics: list[set[str]] = []  # what "it" stands for after each sentence
        for held, named in zip(self._folded, self._named, strict=True):
            leads = _PRONOUN.search(" ".join(held.split()[:_OPENING_WORDS]))
            earlier = self._topics[-1] if self._topics else self._before
            self._topics.append(named if named and not leads else earlier)

    def holding(self, fact: _Fact, mention: Mention) -> Span | None:
        """The sentence that says the fact of the entity: the one numbered, or where that is off, one that names it."""
        wanted = terms(fact.object)
        every = range(len(self.spans))
        for index in sorted(every, key=lambda index: index != fact.sentence - 1):
            held = sum(term in self._terms[index] for term in wanted) >= max(1, _HELD * len(wanted))
            names = mention is THE_USER or mention.name in self._named[index]
            if held and (names or (index == fact.sentence - 1 and self._may_stand_for(mention, index))):
                return self.spans[index]
        return None

    def joined(self, numbers: Sequence[int]) -> tuple[Span, str] | None:
        """The span of several sentences, and their text."""
        chosen = [self.spans[n - 1] for n in dict.fromkeys(numbers) if 0 < n <= len(self.spans)]
        if not chosen:
            return None
        span = Span(min(s.start for s in chosen), max(s.end for s in chosen))
        return span, " ".join(_texts(self.text, chosen))

    def _may_stand_for(self, mention: Mention, index: int) -> bool:
        """Whether a sentence that does not name the entity may be about it, by a pronoun.

        "It" is what was spoken of last; "she" may be anybody named before, since no kind of an entity is known.
        """
        if _PERSON.search(self._folded[index]):
            return any(mention.name in named for named in (self._before, *self._named[:index]))
        if _PRONOUN.search(self._folded[index]):
            return mention.name in (self._topics[index - 1] if index else self._before)
        return not self._named[index]


def _mention(entity: _Entity, text: str, before: str) -> Mention | None:
    name = " ".join(entity.name.split())
    if fold(name) in USER_NAMES:
        return THE_USER
    folded = fold(f"{before} {text}")
    if not name or fold(name) not in folded:
        return None
    aliases = [" ".join(alias.split()) for alias in entity.aliases]
    return Mention(name, tuple(a for a in dict.fromkeys(aliases) if a and fold(a) in folded and fold(a) != fold(name)))


def _names(mention: Mention) -> set[str]:
    """The folded names of an entity, the longer words of its name among them: "Mairi" stands for Mairi Grant."""
    whole = [fold(name) for name in (mention.name, *mention.aliases)]
    return {*whole, *(word for name in whole for word in name.split() if len(word) > 3)}


def _statements(
    entity: _Entity, facts: Sequence[_Fact | None], mention: Mention, sentences: _Sentences
) -> Iterator[Statement | None]:
    """Each of the entity's statements; None for one that is not supported."""
    for fact in facts:
        span = sentences.holding(fact, mention) if fact and fold(fact.object) != fold(mention.name) else None
        yield Statement(FactKind.TRIPLE, mention.name, fact.relation, fact.object, span) if fact and span else None
    longer = [(FactKind.DESCRIPTION, "description", entity.about)] if entity.about else []
    longer += [(FactKind.ASPECT, " ".join(aspect.name.split()), aspect.n) for aspect in entity.aspects]
    for kind, name, numbers in longer:
        found = sentences.joined(numbers) if 0 < len(name) <= _RELATION_CHARACTERS else None
        yield Statement(kind, mention.name, name, found[1], found[0]) if found else None


def _fact(line: str) -> _Fact | None:
    number, _, rest = line.partition("|")
    relation, _, value = (" ".join(part.split()) for part in rest.partition("|"))
    if not number.strip().isdecimal() or not relation or not value or len(relation) > _RELATION_CHARACTERS:
        return None
    return _Fact(int(number), relation, value)


def _texts(text: str, spans: Sequence[Span]) -> list[str]:
    return [" ".join(text[span.start : span.end].split()) for span in spans]
