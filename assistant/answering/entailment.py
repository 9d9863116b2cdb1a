"""Whether evidence gives the answer that a reply takes from it: asked of the model, which replies with one token.

Words tell that "1994" stands in the evidence; they do not tell that it is the year in which she retired.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant import prompting
from assistant.answering import support
from assistant.answering.bridging import bridged
from assistant.citations import without_citations
from assistant.errors import ModelReplyUnreadable
from assistant.knowledge_bases.relations import turned_round
from assistant.llm.client import LanguageModel
from assistant.search.evidence import RESULT
from assistant.search.formats import line
from assistant.types import Evidence
from memory.folding import fold

_CHARACTERS = 500  # of evidence; each hundred costs a small model a quarter of a second
_ENTAILED = 0.65  # of 102 right answers 98 have more, of 50 wrong ones 43 less
_BRIDGED = 0.45  # the step from one text to the other confuses a small model
_REST = 0.5
_LAST_STEP = 0.3  # of right ones 12 of 13 have more, of wrong ones 12 of 13 less
_GROUNDS = 0.45  # of right ones 25 of 29 have more, of wrong ones 7 of 10 less
_MOST = 3
_PARTS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")


def entailed(model: LanguageModel, question: str, said: str, evidence: Sequence[Evidence]) -> bool:
    """Whether what is `said` in reply to the question follows from what it cites and what was found first.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.weigh`.
    """
    weight = _weight(model, question, said, evidence)
    return weight >= _ENTAILED or (weight >= _BRIDGED and bridged(said, question, evidence))


def rest_entailed(model: LanguageModel, question: str, rest: Sequence[str], found: Evidence) -> bool:
    """Whether the rest of what was found is asked for as well, of which a reply told a part; raises as `entailed`."""
    return _weight(model, question, f"{', '.join(rest)} [{found.id}]", [found]) >= _REST


def ends_a_path(model: LanguageModel, question: str, end: str, step: Evidence) -> bool:
    """Whether a triple can be the last step of a path to the answer, which it gives with `end`; raises as `entailed`.

    It says nothing of the steps before, so that less is asked of it.
    """
    return _weight(model, question, f"{end} [{step.id}]", [step]) >= _LAST_STEP


def gives_grounds(model: LanguageModel, question: str, grounds: str, evidence: Sequence[Evidence]) -> bool:
    """Whether what the evidence says is grounds for a yes or no, which they do not say yet; raises as `entailed`.

    "She lives in Oslo" gives none for whether she can swim, whatever is concluded from it.
    """
    return _weight(model, question, grounds, evidence) >= _GROUNDS


def _weight(model: LanguageModel, question: str, said: str, evidence: Sequence[Evidence]) -> float:
    """How sure the model is, from 0 to 1; 1 where its reply cannot be read."""
    cited = support.rests_on(said, evidence)
    items = [item for item in evidence if item in cited or item is evidence[0]][:_MOST]
    text = "\n".join(_excerpts([_from_the_asked_end(item, question) for item in items], support.claims(said, question)))
    answer = without_citations(said).strip()
    messages = prompting.load("entailment").render(text=text, question=question, answer=answer)
    try:
        yes, _ = model.weigh(messages, ["yes", "no"], purpose="entailment")
    except ModelReplyUnreadable:
        return 1.0
    return yes


def _from_the_asked_end(item: Evidence, question: str) -> Evidence:
    """A bare triple as seen from the end that the question names: a small model does not turn it round by itself."""
    other_end = support.named_in(item.object, question) and not support.named_in(item.subject, question)
    if item.text or item.relation == RESULT or not other_end:
        return item
    return replace(item, subject=item.object, relation=turned_round(item.relation), object=item.subject)


def _excerpts(items: Sequence[Evidence], claimed: set[str]) -> list[str]:
    """A line for each, of `_CHARACTERS` in all: what the short ones leave is for the long ones."""
    left, lines = _CHARACTERS, dict[int, str]()
    by_length = sorted(items, key=lambda item: len(item.text) + len(item.object))
    for number, item in enumerate(by_length):
        room = left // (len(items) - number)
        lines[item.id] = line(
            replace(item, text=_around(item.text, claimed, room), object=_around(item.object, claimed, room))
        )
        left = max(0, left - len(lines[item.id]))
    return [lines[item.id] for item in items]


def _around(text: str, claimed: set[str], room: int) -> str:
    """Of a long text the part that bears most of what is claimed, and of those around it what there is room for."""
    if len(text) <= room:
        return text
    parts = [part for part in _PARTS.split(text) if part]
    best = max(range(len(parts)), key=lambda index: len(claimed & support.claims(parts[index], "")))
    if len(parts[best]) > room:
        places = [place for term in claimed if (place := fold(parts[best]).find(term)) >= 0]
        start = max(0, min(places, default=0) - room // 2)
        return parts[best][start : start + room]
    kept = [best]
    for index in (best - 1, best + 1, best - 2, best + 2):
        if 0 <= index < len(parts) and sum(len(parts[other]) + 1 for other in kept) + len(parts[index]) <= room:
            kept.append(index)
    return " ".join(parts[index] for index in sorted(kept))
