"""Texts that together lead to an answer, joined by what HotpotQA (section 2) calls a bridge entity: a name that stands
in both and that the question does not know."""

import re
from collections.abc import Sequence

from assistant.answering import support
from assistant.types import Evidence

_NAME = re.compile(r"(?<=[^.!?:;\s] )[A-Z][^\W\d_]{2,}")  # not the word that a sentence begins with


def bridged(said: str, question: str, evidence: Sequence[Evidence]) -> bool:
    """Whether the text that bears what is said has not all that the question tells, and another one, which has more of
    it, names what leads from one to the other."""
    bearing = support.best(said, question, support.rests_on(said, evidence))
    if bearing is None or not bearing.text:
        return False
    asked = support.claims(question, "")
    held = support.borne(asked, [bearing])
    return any(
        not support.named_in(name, question) and support.named_in(name, bearing.text)
        for other in evidence
        if other.text != bearing.text and support.borne(asked, [bearing, other]) > held
        for name in _NAME.findall(other.text)
    )
