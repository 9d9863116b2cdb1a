"""A saved conversation as the page shows it: events as JSON values and back, and which message is whose."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import get_args

import gradio as gr
import pydantic

from assistant.types import Answered, Event, Forgot, Remembered, Routed, Token
from memory.types import SavedMessage
from ui.markdown import literal
from ui.render import TurnView

_KINDS = {kind.__name__: pydantic.TypeAdapter(kind) for kind in get_args(Event)}


def to_details(events: Iterable[Event]) -> dict[str, object]:
    """What a session keeps beside an answer: the turn's events as JSON values, but its tokens and what it forgot.

    The question that asked to forget says what that was, too.
    """
    happened = list(events)
    kept = [event for event in happened if not isinstance(event, Token | Forgot)]
    if any(isinstance(event, Forgot) for event in happened):
        kept = [replace(event, question="") if isinstance(event, Routed | Answered) else event for event in kept]
    return {"events": [{"kind": type(event).__name__, **asdict(event)} for event in kept]}


def from_details(details: dict[str, object]) -> list[Event]:
    """The events of a saved answer; one that this version cannot read is left out."""
    events: list[Event] = []
    rows = details.get("events")
    for row in rows if isinstance(rows, list) else []:
        adapter = _KINDS.get(row.get("kind", ""))
        if adapter is None:
            continue
        try:
            events.append(adapter.validate_python({k: v for k, v in row.items() if k != "kind"}))
        except pydantic.ValidationError:
            continue
    return events


def answered(message: SavedMessage) -> Answered | None:
    """What a saved answer came to; None where that is not known."""
    return next((event for event in from_details(message.details) if isinstance(event, Answered)), None)


def notes(saved: Sequence[SavedMessage]) -> list[Remembered]:
    """The notes that were made of what the user had said, in the turns of these answers."""
    return [event for message in saved for event in from_details(message.details) if isinstance(event, Remembered)]


def shown(saved: Sequence[SavedMessage]) -> list[gr.ChatMessage]:
    """All messages of a saved conversation."""
    return [message for group in grouped(saved) for message in group]


def grouped(saved: Sequence[SavedMessage]) -> list[list[gr.ChatMessage]]:
    """For each saved message, the messages that the page shows for it."""
    return [_shown_one(message, str(i)) for i, message in enumerate(saved)]


def saved_index(saved: Sequence[SavedMessage], shown_index: int) -> int:
    """Which saved message the message at `shown_index` on the page belongs to."""
    last = -1
    for i, group in enumerate(grouped(saved)):
        last += len(group)
        if shown_index <= last:
            return i
    return len(saved) - 1


def _shown_one(message: SavedMessage, key: str) -> list[gr.ChatMessage]:
    if message.role == "user":
        return [gr.ChatMessage(literal(message.content), role="user")]
    view = TurnView(key)
    for event in from_details(message.details):
        view.add(event)
    view.text = view.text or message.content
    return view.messages()
