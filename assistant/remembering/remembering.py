"""Text into knowledge in three forms: descriptions, triples and aspects (KnowledgGPT, section 3.3).

A passage is read sentence by sentence, as the turns of one conversation: each sentence is read once, those before it
tell who "she" is, and all that is said of it has its span for support. The reply is plain lines, of which the first
says what the sentence tells; a small model takes objects from the sentence's own words, and whom they are about from
its names and those known before. The first sentence about an entity that names it is its description; a sentence of
which the triples leave much out is kept as an aspect, under what the reply calls it. Neither costs the model a copy.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import any_of, own_words
from assistant.remembering.dating import dated
from assistant.remembering.lines import parted, unreadable, word, written
from assistant.remembering.names import has_capitals, is_nobody, names
from assistant.remembering.said import is_named, is_said
from assistant.types import Message
from memory.folding import fold, last_heading, terms
from memory.passages import sentences
from memory.speakers import above
from memory.types import Extraction, FactKind, Mention, Passage, Span, Statement

_PURPOSE = "extract"
_FACTS, _OBJECTS, _TOKENS = 8, 6, 300  # of a sentence
_PARTS = 2 + _OBJECTS
_LONGEST, _LONGEST_NAME = 10, 4  # words
_MISSING = 0.4  # of a sentence's terms: then it is kept as a whole
_ASPECT_CHARACTERS = 60
_ALSO_KNOWN_AS = "also known as"  # the prompt's relation to another name
_SUFFIX = re.compile(r"\.[A-Za-z]\w{0,4}$")  # of a file's name


@dataclass(frozen=True, slots=True)
class _Read:
    """What is read of one sentence: what it tells, the facts of its entities, and how many others the reply has."""

    topic: str
    facts: tuple[tuple[str, str, str], ...]
    dropped: int


class Remembering:
    """Reads knowledge out of text with a language model; implements `memory.types.Extractor`."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def extract(self, passage: Passage, title: str) -> Extraction:
        """See `Extractor.extract`.

        The user of the memory is not who says "I" in a document, nor "the user" of a manual: nobody known is.

        Raises:
            ModelReplyUnreadable: a reply has lines, but none of the form that was asked for.
            Interrupted, ModelUnavailable: as `LanguageModel.stream`.
        """
        before = self._model.usage.total.fresh
        title = _SUFFIX.sub("", title)
        heading = last_heading(above(passage.heading))
        spans = list(sentences(passage.text, 0, len(passage.text)))
        read = list(self._read(passage, [_whole(passage.text, span) for span in spans], title, heading))
        extraction = _extraction(read, passage.text, spans, "" if is_nobody(heading) else heading)
        statements = dated(self._model, passage.text, extraction.statements, datetime.now(UTC), spoken=False)
        return replace(extraction, statements=statements, tokens=self._model.usage.total.fresh - before)

    def _read(self, passage: Passage, texts: Sequence[str], title: str, heading: str) -> Iterator[_Read]:
        """What each sentence tells, the title and headings being told before the first one."""
        context = f"{title} – {passage.heading}" if passage.heading else title
        turns = list[Message]()
        known = [name for name in dict.fromkeys((title, heading)) if fold(name) and not is_nobody(name)]
        said = fold(context)
        for text in texts:
            said = f"{said} {fold(text)}"
            *head, last = prompting.load("extract").render(sentence=text, title="" if turns else context)
            grammar = _grammar(text, passage.text, known)
            reply = self._model.stream([*head, *turns, last], purpose=_PURPOSE, max_tokens=_TOKENS, grammar=grammar)
            lines = written(reply)
            turns += [last, Message("assistant", "\n".join(lines))]
            read = _of_the_sentence(lines, text, said, known)
            known = list(dict.fromkeys([*known, *(subject for subject, _, _ in read.facts)]))
            yield read


def _of_the_sentence(lines: Sequence[str], text: str, said: str, known: Sequence[str]) -> _Read:
    """The facts of a reply that its sentence says, of what is named in `said`, folded: that and all before it."""
    topic = lines[0] if lines and "|" not in lines[0] else ""
    parsed = [parted(line, _PARTS) for line in dict.fromkeys(lines[1:] if topic else lines)]
    if parsed and not any(parsed):
        raise unreadable(_PURPOSE, lines[-1])
    facts, told = dict[tuple[str, str, str], None](), parsed.count(None)
    for name, relation, *objects in filter(None, parsed):
        subject = _in_full(name, known)
        of_somebody = is_named(subject, said) and not is_nobody(subject)
        for value in filter(None, objects):
            told += 1
            if of_somebody and is_said(value, text) and not is_nobody(value) and fold(value) != fold(subject):
                facts[subject, relation, value] = None
    return _Read(topic, tuple(facts), told - len(facts))


def _in_full(name: str, known: Sequence[str]) -> str:
    """Whom a part of a name stands for: "Grant" is Mairi Grant, where nobody else known is called so."""
    part = fold(name)
    if any(fold(one) == part for one in known):
        return name
    longer = [one for one in known if part in ((words := fold(one).split())[0], words[-1])]
    return longer[0] if len(longer) == 1 else name


def _extraction(read: Sequence[_Read], text: str, spans: Sequence[Span], topic: str) -> Extraction:
    """The three forms of what was read; a sentence of which no fact was read is about whom the one before is about, or
    else about the `topic`."""
    aliases = dict[str, dict[str, None]]()
    triples = dict[tuple[str, str, str], Statement]()
    longer = list[Statement]()
    described = set[str]()
    subject = topic
    for one, span in zip(read, spans, strict=True):
        whole = _whole(text, span)
        for name, relation, value in one.facts:
            aliases.setdefault(name, {}).update({value: None} if relation == _ALSO_KNOWN_AS else {})
            triple = Statement(FactKind.TRIPLE, name, relation, value, span)
            triples.setdefault((fold(name), fold(relation), fold(value)), triple)
        subject = one.facts[0][0] if one.facts else subject
        if one.facts and subject not in described and is_named(subject, fold(whole)):
            described.add(subject)
            longer.append(Statement(FactKind.DESCRIPTION, subject, "description", whole, span))
        elif subject and 0 < len(one.topic) <= _ASPECT_CHARACTERS and _missing(one, whole) > _MISSING:
            longer.append(Statement(FactKind.ASPECT, subject, one.topic, whole, span))
    mentions = tuple(Mention(name, tuple(others)) for name, others in aliases.items())
    return Extraction(mentions, (*triples.values(), *longer), sum(one.dropped for one in read))


def _missing(read: _Read, text: str) -> float:
    """The share of a sentence's terms that stand nowhere in its facts."""
    wanted, held = set(terms(text)), set(terms(" ".join(" ".join(fact) for fact in read.facts)))
    return len(wanted - held) / len(wanted) if wanted else 0.0


def _grammar(text: str, passage: str, known: Sequence[str]) -> str:
    """The form of a reply, in GBNF of llama.cpp: what the sentence tells, then its facts."""
    named = dict.fromkeys([*known, *names(text, passage)])
    any_words = "" if named and has_capitals(text) else own_words([text], _LONGEST_NAME)
    name = " | ".join(filter(None, (any_of(named), any_words)))
    return f"""root ::= word (" " word){{0,5}} ("\\n" fact){{0,{_FACTS}}}
fact ::= name " | " word (" " word){{0,3}} (" | " own){{1,{_OBJECTS}}}
word ::= {word([passage, *known])}
name ::= {name}
own ::= {own_words([text], _LONGEST)}"""


def _whole(text: str, span: Span) -> str:
    return " ".join(text[span.start : span.end].split())
