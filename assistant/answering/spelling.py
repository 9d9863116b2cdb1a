"""Names and numbers in a reply as the evidence spells them.

A small model takes a rare ideograph for another one; and where it writes 350 for 三百五十, it doubts afterwards that
the one follows from the other.
"""

import re
from collections.abc import Sequence

from assistant.citations import citations
from assistant.search.quantities import FIGURE, in_words
from assistant.types import Evidence

_SHORTEST, _LONGEST = 3, 20  # characters of a name
_NUMERAL = re.compile(r"[一二三四五六七八九十百千万\d]")
_FIGURE = re.compile(rf"(?<![A-Za-z\d.]){FIGURE}(?![\d.]*\d)")


def spelled_as_found(sentence: str, question: str, evidence: Sequence[Evidence]) -> str:
    """The sentence with names of the evidence put right that it writes with one other ideograph (碧川 for 璧川), and
    with its figures in words where only these are found.

    What stands so in some evidence or in the question is left as it is.
    """
    found = "\n".join([question, *(f"{e.subject}\n{e.relation}\n{e.object}\n{e.text}" for e in evidence)])
    names = dict.fromkeys(name for e in evidence for name in (e.object, e.subject) if len(name) <= _LONGEST)
    for name in names:
        for start in range(len(sentence) - len(name) + 1):
            written = sentence[start : start + len(name)]
            if _is_one_off(written, name) and written not in found:
                sentence = sentence.replace(written, name)
    return _in_words_as_found(sentence, found)


def _in_words_as_found(sentence: str, found: str) -> str:
    wording = in_words(found)
    cited = [range(one.start, one.end) for one in citations(sentence)] if wording else []

    def written(match: re.Match[str]) -> str:
        figure = match[0]
        if any(match.start() in one for one in cited) or re.search(rf"(?<!\d){re.escape(figure)}(?!\d)", found):
            return figure
        return wording.get(float(figure.replace(",", "")), figure)

    return _FIGURE.sub(written, sentence) if wording else sentence


def _is_one_off(written: str, name: str) -> bool:
    """Whether a name of as many characters is written with one other ideograph."""
    if len(name) < _SHORTEST or _NUMERAL.search(name):
        return False
    differing = [pair for pair in zip(written, name, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and all("\u3400" <= character <= "\u9fff" for character in differing[0])
