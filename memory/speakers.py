"""Who speaks in a passage of a talk with an assistant: the last of its headings says so, behind the time."""

import re
from collections.abc import Iterable, Iterator

from memory.folding import HEADINGS_APART, last_heading
from memory.types import Passage

USER, ASSISTANT = "the user", "the assistant"
_SPEAKER = re.compile(rf"(?:\d\d:\d\d (?:\S+ )?)?({USER}|{ASSISTANT})")


def speaker(heading: str) -> str:
    """`USER` or `ASSISTANT`; "" where a passage under this heading is of no such talk."""
    match = _SPEAKER.fullmatch(last_heading(heading))
    return match[1] if match else ""


def above(heading: str) -> str:
    """The headings without who speaks, which is nothing that a passage could be about."""
    return heading.rpartition(HEADINGS_APART)[0] if speaker(heading) else heading


def as_said(passages: Iterable[Passage]) -> Iterator[str]:
    """The texts of passages, for telling them one after the other: where who speaks changes, behind that."""
    heading = ""
    for passage in passages:
        who = last_heading(passage.heading) if speaker(passage.heading) else ""
        yield f"{who}: {passage.text}" if who and passage.heading != heading else passage.text
        heading = passage.heading
