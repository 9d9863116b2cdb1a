"""Evidence put in order: repetitions left out, lists put together, numbered as answers cite it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from assistant.types import Certainty, Evidence, ProgramRun
from memory.folding import fold

# The relation of what a program computed: it stands in no knowledge base, but follows from what was found.
RESULT = "result"
# A result with so many items is written down as it is: a model that copies long lists is slow, and loses some.
LISTED = 6
# So many pieces are read by the model that answers.
READ = 14
_MOST = 40


def result(run: ProgramRun, path: str, certainty: Certainty = Certainty.NAMED, gaps: Sequence[str] = ()) -> Evidence:
    """What a program came to, as evidence of its own; `certainty` is that of the weakest thing it rests on.

    Where `gaps` say what was left out on the way, it is doubtful at best.
    """
    certainty = min(certainty, Certainty.DOUBTFUL) if gaps else certainty
    told = Evidence(0, run.kb, path, RESULT, "", "; ".join(gaps), certainty=certainty, source=run.kb, is_so=run.is_so)
    return with_objects(told, run.value)


def doubtful(evidence: Evidence) -> bool:
    """Whether it was found by a relation that is only somewhat like the one asked for, which often is another one."""
    return evidence.certainty is Certainty.DOUBTFUL


def came_to(item: Evidence) -> tuple[str, ...]:
    """What a search surely came to, where the evidence is that, and no mere yes or no."""
    sure = item.relation == RESULT and item.certainty >= Certainty.CLEAR and item.is_so is None
    return objects(item) if sure and item.object else ()


def subjects(item: Evidence) -> tuple[str, ...]:
    """What the subject of a piece of evidence lists; itself, where that is one thing."""
    return item.subjects or (item.subject,)


def objects(item: Evidence) -> tuple[str, ...]:
    """As `subjects`, of the object."""
    return item.objects or (item.object,)


def led_to(result: Evidence, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The triples that have an end in common with what a search came to: those that led there."""
    ends = set(objects(result))
    return [one for one in evidence if one.relation != RESULT and ends & {*subjects(one), *objects(one)}]


def with_subjects(item: Evidence, names: Sequence[str]) -> Evidence:
    """The evidence with a subject that lists these."""
    return replace(item, subject=listing(names), subjects=tuple(names) if len(names) > 1 else ())


def with_objects(item: Evidence, values: Sequence[str]) -> Evidence:
    """The evidence with an object that lists these."""
    return replace(item, object=listing(values), objects=tuple(values) if len(values) > 1 else ())


def listing(values: Iterable[str]) -> str:
    """A list as evidence has it."""
    return "; ".join(values)


def numbered(found: Sequence[Evidence]) -> list[Evidence]:
    """Evidence without repetitions, triples of one subject or one object and relation put together, numbered from 1."""
    unique: dict[tuple[str, str, str, str], Evidence] = {}
    for item in found:
        key = (fold(item.subject), fold(item.relation), fold(item.object), "" if item.object else fold(item.text))
        unique.setdefault(key, item)
    merged = _merged(_merged(list(unique.values()), "object"), "subject")
    return [replace(item, id=number) for number, item in enumerate(merged[:_MOST], start=1)]


def _merged(found: Sequence[Evidence], end: Literal["subject", "object"]) -> list[Evidence]:
    """One piece of evidence for the triples that differ in one `end` only: a list is one thing to read and to cite."""
    merged: list[Evidence] = []
    places: dict[tuple[str, ...], int] = {}
    for item in found:
        same, lists = (item.subject, item.subjects) if end == "object" else (item.object, item.objects)
        key = (item.kb, item.relation, same)
        if item.text or not item.object or lists or key not in places:
            places.setdefault(key, len(merged))
            merged.append(item)
            continue
        kept = merged[places[key]]
        if kept.text:
            merged.append(item)
        elif end == "object":
            merged[places[key]] = with_objects(kept, (*objects(kept), *objects(item)))
        else:
            merged[places[key]] = with_subjects(kept, (*subjects(kept), *subjects(item)))
    return merged
