"""Names in a reply as the evidence spells them: a small model takes a rare ideograph for another one."""

from collections.abc import Sequence

from assistant.search.programs.slips import one_character_off
from assistant.types import Evidence

_LONGEST = 20  # characters


def spelled_as_found(sentence: str, question: str, evidence: Sequence[Evidence]) -> str:
    """The sentence with names of the evidence put right that it writes with one other ideograph: 碧川 for 璧川.

    What stands so in some evidence or in the question is left as it is.
    """
    found = "\n".join([question, *(f"{e.subject}\n{e.relation}\n{e.object}\n{e.text}" for e in evidence)])
    names = dict.fromkeys(name for e in evidence for name in (e.object, e.subject) if len(name) <= _LONGEST)
    for name in names:
        for start in range(len(sentence) - len(name) + 1):
            written = sentence[start : start + len(name)]
            if one_character_off(written, name) and written not in found:
                sentence = sentence.replace(written, name)
    return sentence
