"""A turn's events as a saved conversation keeps them: JSON values beside the answer, and back."""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import get_args

import pydantic

from assistant.types import Answered, Event, Failed, ForgetAsked, Forgot, Remembered, Routed, Token
from memory.errors import Notice
from memory.types import SavedMessage

_KINDS = {kind.__name__: pydantic.TypeAdapter(kind) for kind in get_args(Event)}


def to_details(events: Iterable[Event]) -> dict[str, object]:
    """What a session keeps beside an answer: the turn's events as JSON values, but its tokens and what it forgot.

    Nor what lasted beyond the turn, such as being offline. The question that asked to forget says what that was, too.
    """
    happened = list(events)
    kept = [event for event in happened if not (isinstance(event, Token | Forgot) or _is_lasting(event))]
    if any(isinstance(event, Forgot) for event in happened):
        kept = [replace(event, question="") if isinstance(event, Routed | Answered) else event for event in kept]
    kept = [replace(event, facts=()) if isinstance(event, ForgetAsked) else event for event in kept]
    return {"events": [_row(event) for event in kept]}


def _row(event: Event) -> dict[str, object]:
    """A failure is kept as its line and, so that it can be said in other languages, as what that was made from."""
    row = {"kind": type(event).__name__, **asdict(event)}
    match event:
        case Failed(message=Notice() as notice):
            row["notice"] = notice.form
    return row


def _is_lasting(event: Event) -> bool:
    return isinstance(event, Failed) and event.lasting


def from_details(details: dict[str, object]) -> list[Event]:
    """The events of a saved answer; one that this version cannot read is left out."""
    events: list[Event] = []
    rows = details.get("events")
    for row in rows if isinstance(rows, list) else []:
        adapter = _KINDS.get(row.get("kind", ""))
        if adapter is None:
            continue
        try:
            event = adapter.validate_python({k: v for k, v in row.items() if k != "kind"})
        except ValueError:  # pydantic's own is one
            continue
        if isinstance(event, Failed) and "notice" in row:
            with contextlib.suppress(ValueError):
                event = replace(event, message=Notice.read(row["notice"]))
        events.append(event)
    return events


def answered(message: SavedMessage) -> Answered | None:
    """What a saved answer came to; None where that is not known."""
    return next((event for event in from_details(message.details) if isinstance(event, Answered)), None)


def notes(saved: Sequence[SavedMessage]) -> list[Remembered]:
    """The notes that were made of what the user had said, in the turns of these answers."""
    return [event for message in saved for event in from_details(message.details) if isinstance(event, Remembered)]
