"""How much of the evidence and of the conversation a prompt has room for."""

from collections.abc import Sequence
from dataclasses import replace

from assistant.citations import without_citations
from assistant.types import Evidence, Message, Turn

_MESSAGES = 10
BESIDE = 40  # characters that a piece of evidence has besides its text


def today(turn: Turn) -> str:
    """The day of a turn, as prompts say it."""
    return f"{turn.at:%A, %d %B %Y}"


def fitting(evidence: Sequence[Evidence], room: int) -> list[Evidence]:
    """The first pieces of evidence that have room in so many characters; one at least."""
    fitting: list[Evidence] = []
    characters = 0
    for item in evidence:
        characters += len(item.text) + BESIDE + (len(item.object) if item.object != item.text else 0)
        if fitting and characters > room:
            break
        fitting.append(item)
    return fitting


def recent(history: Sequence[Message], room: int) -> list[Message]:
    """The last messages of a conversation that have room in so many characters.

    They come without citations: what its answers cited is other evidence than that of now.
    """
    recent: list[Message] = []
    characters = 0
    for message in reversed(history[-_MESSAGES:]):
        characters += len(message.content)
        if characters > room:
            break
        content = without_citations(message.content) if message.role == "assistant" else message.content
        recent.append(replace(message, content=content))
    return recent[::-1]
