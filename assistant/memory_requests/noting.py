"""What the user tells, written to their memory, and what is said about that."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from assistant import prompting
from assistant.acquaintance import facts_in_view, line
from assistant.answering.context import recent
from assistant.errors import ModelReplyUnreadable, ModelUnavailable
from assistant.language import has_question_mark
from assistant.llm.client import LanguageModel
from assistant.memory_requests.lately import Step, keep, lately
from assistant.memory_requests.replies import acknowledgement
from assistant.messages import Phrase, say
from assistant.policy import Policy
from assistant.remembering.dating import dated
from assistant.remembering.telling import read_lines
from assistant.remembering.updating import updated
from assistant.remembering.whole import read_whole
from assistant.types import Event, Failed, Remembered, Token, Turn
from memory.types import Extraction, Fact, FactKind
from memory.user_memory import UserMemory

_MESSAGES, _CHARACTERS, _FACTS = 2, 200, 5
_ASKED_CHARACTERS = 600
_TIMES_IN_VIEW = 3  # as many facts as a reply has in view
_UNTIL = Phrase("until {day}")
_MAY_BE = 0.4  # the probability from which on somebody counts as named before


def noted(
    turn: Turn, memory: UserMemory, model: LanguageModel, policy: Policy, corrects: tuple[str, ...], *, asks: bool
) -> Iterator[Event]:
    """Write what a turn tells to memory; `corrects` are the facts that it may put right.

    Of a turn that also `asks`, or ends in a question mark, nothing is written, and nothing said, where nothing
    was read in it.
    """
    asks = asks or has_question_mark(turn.text)
    try:
        if policy.tells_what_ends:
            extraction, corrects = _read_whole(turn, memory, model, policy)
        else:
            extraction, corrects = _read_lines(turn, memory, model, corrects, asks=asks)
        if asks and not (extraction.statements or extraction.dropped):
            return
    except (ModelUnavailable, ModelReplyUnreadable) as failure:
        yield Failed("remember", str(failure))
        extraction = Extraction()  # what was said is kept as text
    source, stored = memory.note(turn.text, extraction, corrects=corrects)
    facts = [*stored.added, *stored.confirmed]
    over = set(map(line, stored.closed))  # "I don't live in Rome any more": that is closed, and nothing new
    lines = tuple(line(fact) for fact in facts if fact.valid_to is None or line(fact) not in over)
    closed = tuple(_ended(fact, turn.language) for fact in stored.closed)
    now = lately(memory, turn.session)
    now = replace(now.with_step(Step(source=source.id, before=now.facts)), sources=(source.id,))
    keep(memory, turn.session, replace(now, facts=tuple(fact.id for fact in facts)))
    yield Remembered(lines, tuple(fact.id for fact in stored.added), source.id, closed)
    yield Token(acknowledgement(turn.language, lines, closed))


def _read_lines(
    turn: Turn, memory: UserMemory, model: LanguageModel, corrects: tuple[str, ...], *, asks: bool
) -> tuple[Extraction, tuple[str, ...]]:
    """What is told, and which of the facts that a turn may put right it ends. Where the model goes away before it says
    when things are so or which ones end, what was read is told all the same."""
    spoken_of = memory.facts_with_ids(corrects)
    extraction = read_lines(model, turn.text, _before(model, turn, spoken_of), must_tell=not asks)
    if asks and not extraction.statements:  # a question ends nothing
        return extraction, ()
    try:
        statements = dated(model, turn.text, extraction.statements, turn.at, spoken=True)
        extraction, ended = updated(model, memory, turn.text, replace(extraction, statements=statements), spoken_of)
    except ModelUnavailable:
        return extraction, ()
    return extraction, tuple(fact.id for fact in ended if fact.id in corrects)


def _read_whole(
    turn: Turn, memory: UserMemory, model: LanguageModel, policy: Policy
) -> tuple[Extraction, tuple[str, ...]]:
    """What is told, and which of the facts in view never were so, as the model says."""
    spoken_of = memory.facts_with_ids(lately(memory, turn.session).facts)
    in_view = [*spoken_of, *facts_in_view(memory, turn.text, _TIMES_IN_VIEW)]
    triples = [fact for fact in in_view if fact.valid_to is None and fact.kind is FactKind.TRIPLE]
    known = list({fact.id: fact for fact in triples}.values())
    told = read_whole(model, turn.text, recent(turn.history, policy.history_characters), known, turn.at)
    return told.extraction, told.wrong


def _ended(fact: Fact, language: str) -> str:
    """A fact that is history, with the day until which it held, where that is not today."""
    if fact.mistaken or fact.valid_to is None or fact.valid_to.date() == datetime.now(UTC).date():
        return line(fact)
    return f"{line(fact)} ({say(language, _UNTIL, day=fact.valid_to)})"


def _before(model: LanguageModel, turn: Turn, spoken_of: Sequence[Fact]) -> list[str]:
    """What tells whom a message speaks of, where it does not say so itself: the last messages, and the facts that it
    may put right. Where it does, they lead a small model astray."""
    if not (spoken_of or (turn.history and _is_of_somebody_named_before(model, turn.text))):
        return []
    said = [" ".join(message.content.split())[-_CHARACTERS:] for message in turn.history[-_MESSAGES:]]
    return [*said, *map(line, spoken_of[:_FACTS])]


def _is_of_somebody_named_before(model: LanguageModel, text: str) -> bool:
    messages = prompting.load("earlier").render(text=text[:_ASKED_CHARACTERS])
    try:
        return model.weigh(messages, ("yes", "no"), purpose="earlier")[0] >= _MAY_BE
    except ModelReplyUnreadable:
        return False
