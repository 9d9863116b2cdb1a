"""The plain lines in which a model replies what it read: "subject | relation | object", half the tokens of JSON.

A small model writes them under a grammar, of which these are the parts; from others they may come in any form, so that
all of it is checked afterwards.
"""

from collections.abc import Sequence

from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import Streamed
from assistant.llm.grammars import NONE, foreign

_SIGNS = r" ()|,;:.!?0-9\u0080-\u00bf\n\r\t\u2000-\u2bff\u3000-\u303f\ufe00-\ufe0f\uff00-\uff20\U0001d000-\U0001ffff"
_RELATION_CHARACTERS = 80


def written(reply: Streamed) -> list[str]:
    """The lines of a reply but empty ones and "none"; where it is cut, without the last one.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.stream`.
    """
    lines = [line.strip() for line in "".join(reply).split("\n")]
    if reply.is_cut:
        lines.pop()
    return [line for line in lines if line and line != NONE]


def parted(line: str, most: int) -> list[str] | None:
    """The parts of a line, three to `most`, of which the first three say something; None where it is none."""
    parts = [" ".join(part.split()) for part in line.split("|")]
    is_fact = 3 <= len(parts) <= most and all(parts[:3]) and len(parts[1]) <= _RELATION_CHARACTERS
    return parts if is_fact else None


def unreadable(purpose: str, line: str) -> ModelReplyUnreadable:
    """The error of a reply that has no line of this form, but one like `line`."""
    return ModelReplyUnreadable(
        "The model's reply ({purpose}) cannot be read: {reason}", purpose=purpose, reason=f"{line[:80]!r}"
    )


def word(texts: Sequence[str]) -> str:
    """The grammar of one word of the model's own, without digits and of no script that the texts do not have."""
    return f"[^{_SIGNS}{foreign(' '.join(texts))}]{{1,20}}"
