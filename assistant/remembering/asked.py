"""Which part of a sentence asks: it tells nothing that could be remembered."""

import re

from memory.types import Span

_QUESTION = re.compile(r"[?？][\s\"'”’»)）]*$")
_CLAUSE = re.compile(r"[,;:]\s+|[，；：]|\s[-–—]\s|——")
_ASKS = re.compile(
    r"(?:(?:and|so|but|then|now|also)\s+)*(?:what|where|when|who|whom|whose|which|how|why)\b|.*?(?:什么|谁|哪|几(?!乎)|多少|怎么|啥)",
    re.IGNORECASE | re.DOTALL,
)


def told(text: str, sentence: Span) -> Span | None:
    """A sentence without its last clause, where that asks: "she is in 6B, what does she need?"; None where it is all.

    Only questions with a word for what they ask count: "can you keep that my PIN is 4422?" tells.
    """
    said = text[sentence.start : sentence.end]
    if not _QUESTION.search(said):
        return sentence
    cuts = [(0, 0), *((match.start(), match.end()) for match in _CLAUSE.finditer(said) if match.end() < len(said))]
    end, begin = cuts[-1]
    if not _ASKS.match(said, begin):
        return sentence
    return Span(sentence.start, sentence.start + end) if end else None
