"""Which sentences of a message only ask: they tell nothing that could be remembered."""

import re
from dataclasses import replace

from memory.passages import sentences
from memory.types import Extraction, Span

_ASKS = re.compile(r"[?？؟][\s\"'”’»)）」』]*$")


def without_questions(text: str, told: Extraction) -> tuple[str, Extraction]:
    """A message and what was read in it, without the sentences that end as questions do and tell no fact of it.

    "Can you keep that my PIN is 4422?" tells. Of a message that only asks nothing is left.
    """
    spans = list(sentences(text, 0, len(text)))
    telling = {one.span for one in told.statements}
    kept = [span for span in spans if span in telling or not _ASKS.search(text[span.start : span.end])]
    if len(kept) == len(spans) or not telling <= set(spans):
        return text, told
    parts, moved, end = list[str](), dict[Span, Span](), 0
    for span in kept:
        part = text[span.start : span.end]
        parts.append(part)
        moved[span] = Span(end, end + len(part))
        end += len(part) + 1
    statements = tuple(replace(one, span=moved[one.span]) for one in told.statements)
    return " ".join(parts), replace(told, statements=statements)
