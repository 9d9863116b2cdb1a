"""A reply in parts that are looked at one by one, as it comes: sentences, tables and blocks of code.

Joined, they give the reply. A full stop behind a short word or number ("Op. 5", "Dr. Ott", "12. März") ends no
sentence, in whatever language, and neither does one in quotes that no space follows (「…。」と言う): two sentences that
are taken for one are only looked at together.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from assistant.citations import BEHIND
from memory import passages

_FENCE = re.compile(r"(`{3,20}+(?![^\n]*`)|~{3,20}+)")  # behind ticks, none may stand in the line
_ROWS = re.compile(r"(?:[ \t]*\|[^\n]*(?:\n|$))+")
_LONGEST = 2_000  # characters of a sentence that is waited for
_TAIL = 40  # characters that tell whether a sentence has ended
_OPEN = re.compile(r"(?<![^\W_])(?!\d{3})[^\W_]{1,4}\.\s*$|[。！？…][”’」』）》]+$")  # but a year may end a sentence


def is_code(unit: str) -> bool:
    """Whether a unit is a block of code."""
    return bool(_FENCE.match(unit.lstrip()))


def is_table(unit: str) -> bool:
    """Whether a unit is a table."""
    return unit.lstrip().startswith("|")


def units(pieces: Iterator[str]) -> Iterator[str]:
    """The parts of a reply, each as soon as it is complete."""
    text = ""
    for piece in pieces:
        text += piece
        while size := _first(text):
            yield text[:size]
            text = text[size:]
    while text:
        size = _first(text, is_over=True)
        yield text[:size]
        text = text[size:]


def _first(text: str, *, is_over: bool = False) -> int:
    """How long the first part is; 0 where more of it may come."""
    body = text.lstrip()
    start = len(text) - len(body)
    if fence := _FENCE.match(body):
        closed = re.compile(rf"\n[ \t]*{fence[1]}[^\n]*(\n|$)").search(body)
        if closed and (closed[1] or is_over):
            return start + closed.end()
        return len(text) if is_over else 0
    if rows := _ROWS.match(body):
        return start + rows.end() if is_over or rows.end() < len(body) else 0
    line, end, _ = body.partition("\n")
    first, *others = sentences(line) or [""]
    # Behind a sentence may come what it cites; and a line that begins with a tick or two may become a block.
    if others and (end or is_over or others[0].lstrip()[:1] not in ("", "[")):
        return start + len(first)
    return start + len(line) + len(end) if end or is_over or len(line) > _LONGEST else 0


def sentences(line: str) -> list[str]:
    """The sentences of a line with the citations and the space behind them; joined they give the line again.

    One that may end in an abbreviation is joined to the next.
    """
    starts = [span.start for span in passages.sentences(line, 0, len(line))][1:]
    found: list[str] = []
    for start, end in pairwise([0, *starts, len(line)]):
        sentence = line[start:end]
        behind = BEHIND.match(sentence)
        if behind and found:
            found[-1] += behind[0]
            sentence = sentence[behind.end() :]
        if found and _OPEN.search(found[-1][-_TAIL:]):
            found[-1] += sentence
        elif sentence:
            found.append(sentence)
    return found
