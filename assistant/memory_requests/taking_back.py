"""Undo, step by step, and bringing back what an undo took away; the same where a message is put in other words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.acquaintance import line
from assistant.errors import NothingThere
from assistant.memory_requests import replies
from assistant.memory_requests.lately import Lately, Step, keep, lately
from assistant.memory_requests.replies import counted, reply
from assistant.types import Event, Forgot, Remembered, Restored, Routed, Token, Turn
from memory.types import Fact, StillOnDisk
from memory.user_memory import UserMemory


def undone(turn: Turn, memory: UserMemory) -> Iterator[Event]:
    """Take back the last step of the conversation: a note is forgotten, what was forgotten comes back."""
    now = lately(memory, turn.session)
    yield from _taken_back(turn, memory, now, now.steps[-1] if now.steps else None)


def brought_back(turn: Turn, memory: UserMemory) -> Iterator[Event]:
    """Bring back what Undo took away last, or else what was forgotten last."""
    now = lately(memory, turn.session)
    if not now.taken_back:
        forgotten = [step for step in now.steps if not step.source]
        yield from _taken_back(turn, memory, now, forgotten[-1] if forgotten else None)
        return
    yield Routed("answer", turn.text, 0.0)
    *others, last = now.taken_back
    now = replace(now, facts=(), sources=(), taken_back=tuple(others))
    before = {source.id for source in memory.sources()}
    try:
        facts = memory.undo(last)
    except NothingThere:
        keep(memory, turn.session, now)
        yield Token(reply(turn.language, replies.TOO_LATE_TO_UNDO))
        return
    notes = tuple(source.id for source in memory.sources() if source.id not in before)
    steps = (*now.steps, *(Step(source=note) for note in notes))
    keep(memory, turn.session, replace(now, facts=tuple(fact.id for fact in facts), sources=notes, steps=steps))
    yield from _restored(turn, facts)


def unsaid(
    memory: UserMemory, session: str, notes: Sequence[Remembered], *, in_conversations: bool
) -> list[tuple[str, Remembered]]:
    """Forget the notes that a message became, as if it had not been said; each with the id that brings it back.

    The conversation is about what it was about before; see `UserMemory.forget` for `in_conversations`.
    """
    taken = []
    for note in notes:
        try:
            forgotten = memory.forget(source=note.source_id, undoable=True, in_conversations=in_conversations)
        except NothingThere:  # taken back already
            continue
        except StillOnDisk as failure:  # removed from there later
            forgotten = failure.forgotten
        taken.append((forgotten.undo_id, note))
        now = lately(memory, session)
        for step in [step for step in now.steps if step.source == note.source_id]:
            steps = tuple(other for other in now.steps if other is not step)
            now = replace(now, facts=step.before, sources=(), steps=steps, aside=False)
        keep(memory, session, now)
    return taken


def said_all_the_same(memory: UserMemory, session: str, taken: Sequence[tuple[str, Remembered]]) -> list[Remembered]:
    """Bring back what `unsaid` took; those of the notes that are there again, with the ids of their facts now.

    Raises:
        Failure: see `UserMemory.undo`.
    """
    again = []
    for undo_id, note in taken:
        try:
            facts = memory.undo(undo_id)
        except NothingThere:  # everything was forgotten meanwhile
            continue
        now = lately(memory, session)
        fact_ids = tuple(fact.id for fact in facts)
        now = replace(now.with_step(Step(source=note.source_id, before=now.facts)), sources=(note.source_id,))
        keep(memory, session, replace(now, facts=fact_ids))
        again.append(replace(note, fact_ids=fact_ids))
    return again


def gone(memory: UserMemory, facts: Sequence[Fact]) -> tuple[str, ...]:
    """Those of the facts that are forgotten, each as a line; what also rests on something else is still known."""
    known = {fact.id for fact in memory.facts_with_ids([fact.id for fact in facts])}
    return tuple(dict.fromkeys(line(fact) for fact in facts if fact.id not in known))


def _taken_back(turn: Turn, memory: UserMemory, now: Lately, step: Step | None) -> Iterator[Event]:
    """Take back one step; one that cannot be is said to be so, and no other one is taken back in its place."""
    yield Routed("answer", turn.text, 0.0)
    if step is None:
        yield Token(reply(turn.language, replies.NOTHING_TO_UNDO))
        return
    now = replace(now, facts=(), sources=(), steps=tuple(other for other in now.steps if other is not step))
    try:
        if not step.source:
            facts = memory.undo(step.undo_id)
            keep(memory, turn.session, replace(now, facts=tuple(fact.id for fact in facts)))
            yield from _restored(turn, facts)
            return
        facts = memory.facts(source_id=step.source)
        forgotten = memory.forget(source=step.source, undoable=True)
    except NothingThere:
        keep(memory, turn.session, now)
        yield Token(reply(turn.language, replies.FORGOTTEN_ALREADY if step.source else replies.TOO_LATE_TO_UNDO))
        return
    except StillOnDisk as failure:
        keep(memory, turn.session, replace(now, taken_back=(*now.taken_back, failure.forgotten.undo_id)))
        raise
    keep(memory, turn.session, replace(now, taken_back=(*now.taken_back, forgotten.undo_id)))
    yield Forgot(gone(memory, facts), forgotten.undo_id)
    said = replies.TAKEN_BACK if forgotten.undo_id else replies.TAKEN_BACK_FOR_GOOD
    yield Token(counted(turn.language, said, forgotten.facts))


def _restored(turn: Turn, facts: Sequence[Fact]) -> Iterator[Event]:
    lines = tuple(map(line, facts))
    yield Restored(lines)
    yield Token(reply(turn.language, replies.REMEMBERED_AGAIN, lines))
