"""Undo, step by step, and bringing back what an undo took away."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.errors import NothingThere
from assistant.memory_requests.lately import Step, keep, lately
from assistant.memory_requests.noting import line
from assistant.memory_requests.replies import counted, reply
from assistant.types import Event, Forgot, Restored, Routed, Token, Turn
from memory.types import Fact
from memory.user_memory import UserMemory

_TOLD = 30  # facts


def undone(turn: Turn, memory: UserMemory) -> Iterator[Event]:
    """Take back the last step of the conversation that can be: a note is forgotten, what was forgotten comes back."""
    yield Routed("answer", turn.text, 0.0)
    now = lately(memory, turn.session)
    wording = "nothing to undo"
    while now.steps:
        *steps, last = now.steps
        now = replace(now, facts=(), sources=(), steps=tuple(steps))
        try:
            if last.undo_id:
                facts = memory.undo(last.undo_id)
                now = replace(now, facts=tuple(fact.id for fact in facts))
                keep(memory, turn.session, now)
                yield from _restored(turn, facts)
            else:
                lines = tuple(line(fact) for fact in memory.facts(source_id=last.source, limit=_TOLD))
                undo_id = memory.forget(source=last.source, undoable=True).undo_id
                keep(memory, turn.session, replace(now, taken_back=(*now.taken_back, undo_id)))
                yield Forgot(lines, undo_id)
                yield Token(reply(turn.text, "taken back", count=counted(turn.text, len(lines))))
            return
        except NothingThere:  # forgotten otherwise, or for good
            wording = "too late to undo" if last.undo_id else wording
    keep(memory, turn.session, now)
    yield Token(reply(turn.text, wording))


def brought_back(turn: Turn, memory: UserMemory) -> Iterator[Event]:
    """Bring back what Undo took away last, or else what was forgotten last."""
    now = lately(memory, turn.session)
    if not now.taken_back:
        forgotten = [step for step in now.steps if step.undo_id]
        keep(memory, turn.session, replace(now, steps=tuple(forgotten)))
        yield from undone(turn, memory)
        return
    yield Routed("answer", turn.text, 0.0)
    *others, last = now.taken_back
    now = replace(now, facts=(), sources=(), taken_back=tuple(others))
    try:
        facts = memory.undo(last)
    except NothingThere:
        keep(memory, turn.session, now)
        yield Token(reply(turn.text, "too late to undo"))
        return
    notes = tuple(dict.fromkeys(fact.source_id for fact in facts))
    steps = (*now.steps, *(Step(source=note) for note in notes))
    keep(memory, turn.session, replace(now, facts=tuple(fact.id for fact in facts), sources=notes, steps=steps))
    yield from _restored(turn, facts)


def _restored(turn: Turn, facts: Sequence[Fact]) -> Iterator[Event]:
    lines = tuple(map(line, facts))
    yield Restored(lines)
    yield Token(reply(turn.text, "remembered again", lines))
