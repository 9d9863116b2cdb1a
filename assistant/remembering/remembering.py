"""Text into knowledge in three forms: descriptions, triples and aspects (KnowledgGPT, section 3.3).

A passage is read sentence by sentence, as the turns of one conversation: each sentence is read once, the ones before it
tell who "she" is, and all that is said of it has its span for support; what it does not say is dropped. A sentence that
says what an entity is becomes its description; one of which the triples leave much out is kept as an aspect, under what
the reply calls it. Neither costs the model a copy of the text.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import UTC, datetime

import pydantic

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.remembering.dating import dated
from assistant.remembering.holding import Sentences
from assistant.remembering.reply_lines import ALSO_KNOWN_AS, IS, Line, Told, read
from assistant.types import Message
from memory.folding import HEADINGS_APART, fold
from memory.passages import sentences
from memory.resolution import USER_NAMES
from memory.types import Extraction, FactKind, Mention, Passage, Span, Statement

_MAX_TOKENS = 300  # about a sentence
_LINES = 8  # a grammar without an end lets a small model write on for ever
_MISSING = 0.4  # of a sentence's terms: then it is kept as a whole
_ASPECT_CHARACTERS = 60
# "We", "my wife", 我妻子; but My Fair Lady and 我不是药神 are films.
_OF_THE_WRITER = re.compile(r"(?i:we|us)|(?i:my|our) (?![A-Z]).+|(?:我的|我们|咱们).*|我.{1,3}")


class _Reply(pydantic.BaseModel):
    lines: list[str] = pydantic.Field(default_factory=list, json_schema_extra={"maxItems": _LINES})


class Remembering:
    """Reads knowledge out of text with a language model; implements `memory.types.Extractor`."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def extract(self, passage: Passage, title: str) -> Extraction:
        """See `Extractor.extract`.

        The user of the memory is not who says "I" in a document, nor "the user" of a manual: nobody known is.
        """
        context = f"{title} – {passage.heading}" if passage.heading else title
        before = self._model.usage.total.fresh
        topic = passage.heading.rpartition(HEADINGS_APART)[2]
        told, spans = self._told(passage.text, context, prefix=f"{title} – ")
        told = [_of_the_named(sentence) for sentence in told]
        extraction = supported(told, passage.text, spans, context, "" if _is_writer(topic) else topic)
        statements = dated(self._model, passage.text, extraction.statements, datetime.now(UTC), spoken=False)
        return replace(extraction, statements=statements, tokens=self._model.usage.total.fresh - before)

    def _told(self, text: str, context: str, prefix: str) -> tuple[list[Told], list[Span]]:
        """What each sentence of a text tells, and where they are.

        The `context` is told before the first sentence. A subject that is called with the `prefix` is meant without.
        """
        spans = list(sentences(text, 0, len(text)))
        turns, replies = list[Message](), list[list[str]]()
        whole = [_whole(text, span) for span in spans]
        for sentence in whole:
            *head, last = prompting.load("extract").render(sentence=sentence, title="" if turns else context)
            messages = [*head, *turns, last]
            reply = self._model.parse(messages, _Reply, purpose="extract", max_tokens=_MAX_TOKENS, cut_short=True)
            replies.append([line.removeprefix(prefix) for line in reply.lines])
            turns += [last, Message("assistant", reply.model_dump_json())]
        return read(replies, whole), spans


def supported(replies: Sequence[Told], text: str, spans: Sequence[Span], before: str, topic: str = "") -> Extraction:
    """What of the replies to its sentences a text holds; the rest is counted in `dropped`.

    Names may come from `before`, what stood before the text; what is said of them must not. A sentence that is about
    nobody named is about `topic`, where there is one. What is denied is none of it.
    """
    lines = [line for sentence in replies for line in sentence.lines]
    mentions = _mentions(lines, text, before)
    # What is an object only may be what another sentence is about.
    objects = [Mention(line.object) for line in lines if line.object[0].isupper() and " " in line.object]
    kinds = {
        mentions[line.subject].name: fold(line.object)
        for line in lines
        if line.subject in mentions and fold(line.relation) in IS
    }
    held = Sentences(text, spans, before, [*mentions.values(), *objects], kinds)
    triples: dict[tuple[str, str, str], Statement] = {}
    dropped = sum(sentence.unread for sentence in replies)
    for line in lines:
        mention = mentions.get(line.subject)
        if mention is None or not held.holds(line, mention) or held.denies(line):
            dropped += 1
            continue
        statement = Statement(FactKind.TRIPLE, mention.name, line.relation, line.object, spans[line.sentence])
        triples.setdefault((fold(mention.name), fold(line.relation), fold(line.object)), statement)
    unique = {mention.name: mention for mention in mentions.values()}
    longer: list[Statement] = []
    for index, (sentence, span) in enumerate(zip(replies, spans, strict=True)):
        subject = mentions[sentence.subject].name if sentence.subject in mentions else topic
        own = [triple for triple in triples.values() if triple.span == span]
        kind = _kept_as(
            subject, own, index, held, described={s.subject for s in longer if s.kind is FactKind.DESCRIPTION}
        )
        name = "description" if kind is FactKind.DESCRIPTION else sentence.topic
        if kind and subject and 0 < len(name) <= _ASPECT_CHARACTERS:
            longer.append(Statement(kind, subject, name, _whole(text, span), span))
    return Extraction(tuple(unique.values()), (*triples.values(), *longer), dropped)


def _of_the_named(told: Told) -> Told:
    """A sentence without what it says of whoever wrote it."""
    lines = tuple(line for line in told.lines if not (_is_writer(line.subject) or _is_writer(line.object)))
    return replace(told, lines=lines, unread=told.unread + len(told.lines) - len(lines))


def _is_writer(name: str) -> bool:
    return fold(name) in USER_NAMES or _OF_THE_WRITER.fullmatch(name) is not None


def _kept_as(
    subject: str, triples: Sequence[Statement], index: int, held: Sentences, *, described: Set[str]
) -> FactKind | None:
    """As what a sentence is kept whole: as a description where it is the first to say what its subject is, as an aspect
    where its triples leave much of it out."""
    tells = triples and triples[0].subject == subject and fold(triples[0].relation) in IS
    if tells and subject not in described and held.is_about(index, subject):
        return FactKind.DESCRIPTION
    said = " ".join(f"{triple.subject} {triple.relation} {triple.object}" for triple in triples)
    return FactKind.ASPECT if held.missing(index, said) > _MISSING else None


def _mentions(lines: Sequence[Line], text: str, before: str) -> dict[str, Mention]:
    """The entities of a reply by the subjects of its lines; one that is named nowhere is left out."""
    folded = fold(f"{before} {text}")
    found: dict[str, Mention] = {}
    for name in dict.fromkeys(line.subject for line in lines):
        if fold(name) in folded:
            aliases = [line.object for line in lines if line.subject == name and fold(line.relation) in ALSO_KNOWN_AS]
            found[name] = Mention(name, tuple(a for a in dict.fromkeys(aliases) if fold(a) in folded))
    for name in list(found):
        found[name] = _longer_name(found, name, folded) or found[name]
    return found


def _longer_name(found: dict[str, Mention], name: str, folded: str) -> Mention | None:
    """The one whom a part of a name stands for: "Grant", first said after "Mairi Grant", is Mairi Grant."""
    part = fold(name)
    whole = [
        mention
        for mention in found.values()
        if part in (words := fold(mention.name).split())
        and len(words) > 1
        and part in (words[0], words[-1])
        and f" {part} " not in f" {folded} ".partition(f" {fold(mention.name)} ")[0]
    ]
    return whole[0] if len(whole) == 1 else None


def _whole(text: str, span: Span) -> str:
    return " ".join(text[span.start : span.end].split())
