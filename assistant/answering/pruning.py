"""Evidence without what a doubtful relation led to, where that is another thing than the question asks for."""

from collections.abc import Sequence, Set

from assistant.answering import support
from assistant.answering.entailment import ends_a_path
from assistant.llm.client import LanguageModel
from assistant.search.evidence import RESULT, doubtful, objects, subjects
from assistant.types import Evidence


def without_another_end(model: LanguageModel, question: str, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The evidence, without a result to which a doubtful relation led that is another one than the question's.

    "What languages are the films of …" is not answered by their writers, whatever the likeness of the words, and a
    count of comets is none of children. What was clearly found stays, but for the steps that only led there: where the
    director was born is not answered by who that is.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.weigh`.
    """
    first = evidence[0] if evidence else None
    if first is None or first.relation != RESULT or not doubtful(first):
        return evidence
    ends = set(objects(first))
    computed = not any(ends & sides(item) for item in evidence[1:])
    doubted = [e for e in evidence[1:] if doubtful(e) and (computed or ends & sides(e))]
    if not doubted:
        return evidence
    last = doubted[0]
    end = next((end for end in (*objects(last), *subjects(last)) if end in ends), first.object)
    if ends_a_path(model, question, end, last):
        return evidence
    left = [item for item in evidence[1:] if item not in doubted]
    starts = {start for item in doubted for start in _starts(item, ends)}
    return _without_steps_to(starts, left, ends, question)


def sides(item: Evidence) -> set[str]:
    """The items of both ends of a triple."""
    return {*subjects(item), *objects(item)}


def _starts(step: Evidence, ends: Set[str]) -> tuple[str, ...]:
    """Where a step to one of the ends began: its object where only its subject is an end, else its subject."""
    turned = ends.isdisjoint(objects(step)) and not ends.isdisjoint(subjects(step))
    return objects(step) if turned else subjects(step)


def _without_steps_to(
    starts: Set[str], evidence: Sequence[Evidence], ends: Set[str], question: str
) -> Sequence[Evidence]:
    """The evidence, without the triples that only lead from what the question names to where a further step began."""
    others = ends - starts
    met = {start for start in starts if not support.named_in(start, question)}
    while steps := [e for e in evidence if not e.text and sides(e) & met and not sides(e) & others]:
        evidence = [item for item in evidence if item not in steps]
        met |= {side for step in steps for side in sides(step) if not support.named_in(side, question)}
    return evidence
