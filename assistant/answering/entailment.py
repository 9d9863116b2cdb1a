"""Whether evidence gives the answer that a reply takes from it: asked of the model, which replies with one token.

Words tell that "1994" stands in the evidence; they do not tell that it is the year in which she retired.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from assistant import prompting
from assistant.citations import cited, without_citations
from assistant.errors import ModelReplyUnreadable
from assistant.knowledge_bases.relations import turned_round
from assistant.llm.client import LanguageModel
from assistant.search.evidence import RESULT, came_to, led_to, subjects
from assistant.search.formats import line
from assistant.types import Evidence
from memory.folding import fold, terms
from memory.passages import sentences
from memory.types import THE_USER

_CHARACTERS = 500  # of evidence; each hundred costs a small model a quarter of a second
_ENTAILED = 0.55  # of 50 right answers in six languages 42 have more, of 23 wrong ones 21 less
_BRIDGED = 0.45  # the step from one text to the other confuses a small model
_SECOND = 0.6  # where the first basis was not enough
_MOST = 3
_LINES = re.compile(r"\n+|(?<=[;；])\s*")  # of a list, which is one sentence


def entailing(model: LanguageModel, question: str, said: str, evidence: Sequence[Evidence]) -> list[int]:
    """The numbers of the evidence from which follows what is `said` in reply to the question; none where it does not.

    They are those that it cites; where it cites none, those of which it says what a search came to, or the one that has
    most of its words and the question's. That one goes before what it cites, too, where it has one new word or none and
    is not what a search came to: a bare yes says what the question does, and the model takes it from anything about
    whom is asked for. Where that is not enough, what it cites comes beside, or what says most of what is lacking: an
    answer of two steps follows from neither text alone, and a small model often says what is there behind the number of
    something else.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.weigh`.
    """
    numbers = set(cited(said))
    answer = without_citations(said).strip()
    new = set(terms(answer)) - set(terms(question))
    words = _Words(new, set(terms(question)), evidence)
    of_a_search = [item for item in evidence if _says(answer, item, evidence) is not None]
    fullest = max(evidence, key=lambda item: words.weight([item]))
    basis = named = [item for item in evidence if item.id in numbers] or of_a_search or [fullest]
    if len(new) <= 1 and not any(item in of_a_search for item in named):
        basis = [fullest] if words.weight([fullest]) > words.weight(named) else named
    if _follows(model, question, answer, basis, evidence):
        return [item.id for item in basis]
    beside = [item for item in named if item not in basis] or words.lacking(basis)
    both = [*beside, *basis][:_MOST]
    if not beside or not _follows(model, question, answer, both, evidence, at_least=_SECOND):
        return []
    return [item.id for item in both if new & words.of(item)] or [item.id for item in both]


class _Words:
    """What each piece of evidence has of an answer's new words and of the question's; one that many pieces have counts
    less."""

    def __init__(self, new: Set[str], asked: Set[str], evidence: Sequence[Evidence]) -> None:
        self._new = new
        self._evidence = evidence
        self._of = {item.id: (new | asked) & set(terms(line(item))) for item in evidence}
        self._pieces = Counter(word for found in self._of.values() for word in found)

    def of(self, item: Evidence) -> Set[str]:
        """Those of a piece."""
        return self._of[item.id]

    def weight(self, items: Sequence[Evidence]) -> float:
        """What those weigh that the pieces have together."""
        return self._weight(set[str]().union(*map(self.of, items)))

    def lacking(self, items: Sequence[Evidence]) -> list[Evidence]:
        """The piece that has most of what those lack, new words first; none where no piece has any of it."""
        had = set[str]().union(*map(self.of, items))

        def more(item: Evidence) -> tuple[float, float]:
            lacking = self.of(item) - had
            return self._weight(lacking & self._new), self._weight(lacking)

        best = max(self._evidence, key=more)
        return [best] if self.of(best) - had else []

    def _weight(self, words: Set[str]) -> float:
        return math.fsum(1 / self._pieces[word] for word in words)


def _follows(
    model: LanguageModel,
    question: str,
    answer: str,
    rests_on: Sequence[Evidence],
    evidence: Sequence[Evidence],
    *,
    at_least: float = 0.0,
) -> bool:
    said = [says for item in rests_on if (says := _says(answer, item, evidence)) is not None]
    if said:
        return all(said)
    claimed = set(terms(answer))
    new = claimed - set(terms(question))
    shown = [_from_the_asked_end(item, question) for item in _shown(rests_on, evidence, new)]
    text = "\n".join(_excerpts(shown, claimed, new))
    messages = prompting.load("entailment").render(text=text, question=question, answer=answer)
    try:
        yes, _ = model.weigh(messages, ["yes", "no"], purpose="entailment")
    except ModelReplyUnreadable:
        return True
    return yes >= max(at_least, _BRIDGED if len(shown) > 1 else _ENTAILED)


def _says(said: str, item: Evidence, evidence: Sequence[Evidence]) -> bool | None:
    """Whether a sentence says what a search surely came to, or a part of it; None where it has nothing of that.

    It does not where it names another thing first that the search looked at: of two that are compared, a small model
    takes the wrong one, and names both.
    """
    ends = came_to(item)
    places = [_place(end, said) for end in ends if _named_in(end, said)]
    if not places:
        return None
    compared = {led.relation for led in led_to(item, evidence) if set(ends) & set(subjects(led))}
    others = {name for one in evidence if one.relation in compared for name in subjects(one)} - set(ends)
    return not any(0 <= _place(other, said) < min(places) for other in others)


def _place(name: str, text: str) -> int:
    return f" {fold(text)} ".find(f" {fold(name)} ")


def _shown(rests_on: Sequence[Evidence], evidence: Sequence[Evidence], words: Set[str]) -> list[Evidence]:
    """What there is to judge by. Of what a search came to, the triples that led there: it says too little of itself. Of
    what the user told, what else they told with one of the `words` in it: who Leila is they said another time.
    """
    shown = list[Evidence]()
    for item in rests_on:
        led = led_to(item, evidence) if item.relation == RESULT else []
        shown += [one for one in led or [item] if one not in shown]
    if any(map(_is_told, rests_on)):
        shown += [one for one in evidence if _is_told(one) and one not in shown and words & set(terms(one.text))]
    return shown[:_MOST]


def _is_told(item: Evidence) -> bool:
    """Whether it is what the user told, in their words."""
    return item.subject == THE_USER.name and item.object == item.text


def _from_the_asked_end(item: Evidence, question: str) -> Evidence:
    """A bare triple as seen from the end that the question names: a small model does not turn it round by itself."""
    other_end = _named_in(item.object, question) and not _named_in(item.subject, question)
    if item.text or item.relation == RESULT or not other_end:
        return item
    return replace(item, subject=item.object, relation=turned_round(item.relation), object=item.subject)


def _named_in(name: str, text: str) -> bool:
    """Whether a text has a name as words of its own: "Al" is not in "Algeria"."""
    named, words = fold(name), set(terms(name))
    return bool(named) and (f" {named} " in f" {fold(text)} " or (bool(words) and words <= set(terms(text))))


def _excerpts(items: Sequence[Evidence], claimed: Set[str], new: Set[str]) -> list[str]:
    """A line for each, of `_CHARACTERS` in all: what the short ones leave is for the long ones."""

    def cut(text: str) -> str:
        return _around(text, claimed, new, room)

    left, lines = _CHARACTERS, dict[int, str]()
    by_length = sorted(items, key=lambda item: len(item.text) + len(item.object))
    for number, item in enumerate(by_length):
        room = left // (len(items) - number)
        lines[item.id] = line(replace(item, text=cut(item.text), object=cut(item.object)))
        left = max(0, left - len(lines[item.id]))
    return [lines[item.id] for item in items]


def _around(text: str, claimed: Set[str], new: Set[str], room: int) -> str:
    """Of a long text the part that has most of what is new in the claim, as the question says the rest of it, and of
    the parts around it what there is room for."""
    if len(text) <= room:
        return text
    whole = [text[span.start : span.end] for span in sentences(text, 0, len(text))]
    parts = [part for one in whole for part in ([one] if len(one) <= room else _LINES.split(one))] or [text]
    said = [set(terms(part)) for part in parts]
    best = max(range(len(parts)), key=lambda index: (len(new & said[index]), len(claimed & said[index])))
    if len(parts[best]) > room:
        sought = new & said[best] or claimed
        places = [place for term in sought if (place := parts[best].casefold().find(term)) >= 0]
        start = max(0, min(places, default=0) - room // 2)
        return parts[best][start : start + room]
    kept = [best]
    for index in (best - 1, best + 1, best - 2, best + 2):
        if 0 <= index < len(parts) and sum(len(parts[other]) + 1 for other in kept) + len(parts[index]) <= room:
            kept.append(index)
    return " ".join(parts[index] for index in sorted(kept))
