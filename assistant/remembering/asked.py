"""Which parts of a message ask: they tell nothing that could be remembered."""

import re

from assistant.language import language_of
from memory.passages import sentences

_MARK = re.compile(r"[?？][\s\"'”’»)）]*$")
_CLAUSE = re.compile(r"[,;:]\s+|[，；：]|\s[-–—]\s|——")
_LINK = r"(?:(?:and|so|but|then|now|also)\s+)*"
_ASKS = re.compile(
    rf"{_LINK}(?:what|where|when|who|whom|whose|which|how|why)\b|.*?(?:什么|谁|哪|几(?!乎)|多少|怎么|啥)",
    re.IGNORECASE | re.DOTALL,
)
# Without a question mark, only by the order of its words: "what program do I run", not "when I moved".
_ASKS_UNMARKED = re.compile(
    rf"{_LINK}(?:what|where|when|how|why|which \w+)(?: \w+){{0,3}}?(?:'s|'re| (?:is|are|was|were|do|does|did|can|could"
    r"|should|will|would|has|have)) (?:i|you|he|she|it|we|they|my|our|your|his|her|their|the|this|that|there)\b",
    re.IGNORECASE,
)


def telling(text: str) -> str:
    """A message without what it asks: "My daughter is in 6B, what does she need?" tells that she is in 6B.

    Only questions with a word for what they ask count: "can you keep that my PIN is 4422?" tells.
    """
    told = (_told(text[span.start : span.end]) for span in sentences(text, 0, len(text)))
    return " ".join(part for part in told if part)


def _told(sentence: str) -> str:
    """A sentence without its last clause, where that asks; empty where it is all."""
    cuts = [
        (0, 0),
        *((match.start(), match.end()) for match in _CLAUSE.finditer(sentence) if match.end() < len(sentence)),
    ]
    end, begin = cuts[-1]
    asks = _ASKS if _MARK.search(sentence) else _ASKS_UNMARKED
    if not asks.match(sentence, begin):
        return sentence
    return sentence[:end].rstrip() + ("。" if language_of(sentence) == "zh" else ".") if end else ""
