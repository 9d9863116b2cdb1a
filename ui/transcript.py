"""A saved conversation as the page shows it, and which of its messages is which."""

from collections.abc import Sequence

import gradio as gr

from assistant.turns.kept_events import from_details
from memory.types import SavedMessage
from ui.markdown import literal
from ui.render import TurnView


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
