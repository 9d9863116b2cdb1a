"""What the user tells, read in one call by a capable model, with when it holds and which known facts it ends.

Nothing here knows a language: that an object stands in the message, and a subject in it or in what was said or known
before, is all that is checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import pydantic

from assistant import prompting
from assistant.acquaintance import line
from assistant.llm.client import LanguageModel
from assistant.remembering.periods import first_day, last_day
from assistant.remembering.said import is_said, meant
from assistant.types import Message
from memory.folding import fold
from memory.passages import sentences
from memory.types import THE_USER, Extraction, Fact, FactKind, Held, Mention, Span, Statement

_PAST = "past"  # the prompt's word for an end of which no day is told
_MAX_TOKENS = 2_000


@dataclass(frozen=True, slots=True)
class Told:
    """What a message tells, and the ids of known facts that it says were never so."""

    extraction: Extraction
    wrong: tuple[str, ...]


class _Fact(pydantic.BaseModel):
    sentence: int = 1
    subject: str
    relation: str
    object: str
    since: str = ""
    until: str = ""
    replaces: list[int] = pydantic.Field(default_factory=list)


class _Reply(pydantic.BaseModel):
    facts: list[_Fact]
    over: list[int] = pydantic.Field(default_factory=list)
    wrong: list[int] = pydantic.Field(default_factory=list)


def read_whole(
    model: LanguageModel, text: str, conversation: Sequence[Message], known: Sequence[Fact], at: datetime
) -> Told:
    """Read what the user says at a time; `known` are triples that it may end, `conversation` is what was said before.

    Raises:
        ModelReplyUnreadable, Interrupted, ModelUnavailable: as `LanguageModel.parse`.
    """
    spans = list(sentences(text, 0, len(text)))
    lines = list(map(line, known))
    messages = prompting.load("extract_free").render(
        conversation=conversation,
        known=lines,
        today=f"{at:%A, %d %B %Y}",
        sentences=[" ".join(text[span.start : span.end].split()) for span in spans],
    )
    reply = model.parse(messages, _Reply, purpose="extract", max_tokens=_MAX_TOKENS)
    said = fold("\n".join([text, *lines, *(message.content for message in conversation)]))
    told = [_statement(fact, text, spans, said, known, at=at) for fact in reply.facts]
    kept = [statement for statement in told if statement]
    ended = {id_ for statement in kept for id_ in statement.ends}
    wrong = _numbered(known, reply.wrong)
    denied = [
        Statement(FactKind.TRIPLE, fact.subject, fact.relation, fact.object, spans[0], denied=True)
        for fact in _numbered(known, [*reply.over, *reply.wrong])
        if fact.id not in ended
    ]
    names = dict.fromkeys(statement.subject for statement in (*kept, *denied))
    mentions = tuple(THE_USER if name == THE_USER.name else Mention(name) for name in names)
    extraction = Extraction(mentions, (*kept, *denied), dropped=len(told) - len(kept))
    return Told(extraction, tuple(fact.id for fact in wrong))


def _statement(
    fact: _Fact, text: str, spans: Sequence[Span], said: str, known: Sequence[Fact], *, at: datetime
) -> Statement | None:
    """A fact of the reply, where the message says its object and names, or what came before it, whom it is about."""
    subject = meant(fact.subject, said)
    if not (0 < fact.sentence <= len(spans) and subject and is_said(fact.object, text)):
        return None
    return Statement(
        FactKind.TRIPLE,
        subject,
        fact.relation,
        fact.object,
        spans[fact.sentence - 1],
        held=_held(fact, at),
        ends=tuple(one.id for one in _numbered(known, fact.replaces)),
    )


def _held(fact: _Fact, at: datetime) -> Held:
    since, until = first_day(fact.since), at.astimezone() if fact.until == _PAST else last_day(fact.until)
    return Held(since, until if until and until <= at else None, ahead=since is not None and since > at)


def _numbered(known: Sequence[Fact], numbers: Sequence[int]) -> list[Fact]:
    return [known[number - 1] for number in dict.fromkeys(numbers) if 0 < number <= len(known)]
