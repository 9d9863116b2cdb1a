"""What a turn sees of a saved conversation."""

from collections.abc import Sequence

from assistant.types import Message
from memory.types import SavedMessage


def history(saved: Sequence[SavedMessage]) -> tuple[Message, ...]:
    """The messages that say something; a turn that was stopped or failed leaves an empty answer."""
    return tuple(
        Message("user" if message.role == "user" else "assistant", message.content)
        for message in saved
        if message.content
    )
