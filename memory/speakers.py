"""Who speaks in a passage of a talk with an assistant: the last of its headings says so, behind the time."""

import re

from memory.folding import HEADINGS_APART

USER, ASSISTANT = "the user", "the assistant"
_SPEAKER = re.compile(rf"\d\d:\d\d (?:\S+ )?({USER}|{ASSISTANT})")


def speaker(heading: str) -> str:
    """`USER` or `ASSISTANT`; "" where a passage under this heading is of no such talk, or its time is not known."""
    match = _SPEAKER.fullmatch(heading.rpartition(HEADINGS_APART)[2])
    return match[1] if match else ""
