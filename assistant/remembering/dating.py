"""When what a text tells is so: since when, until when, or only one day; one constrained call for a dozen facts.

The model writes each time in one form, whatever the language ("depuis trois ans" is "since 3 years ago"); code counts.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.remembering.periods import DATE, TIME, moment, names_other_year, names_year, period
from memory.types import FactKind, Held, Statement

_FACTS = 12  # of a text, in one call
_CHARACTERS = 2_000  # of their sentences
_TOKENS = 34  # "12 from 2019-05-03 to 2020-06-01\n", where each digit is one
_LINE = re.compile(r"\W*(\d+)\W+(\w+) ?(.*)")
_STANDING = 'standing ::= "now" | "since " when | "over" (" " when)? | "from " when " to " when | "in " when'
_STANDING += ' | "planned" (" " when)?'
_SPOKEN, _WRITTEN = (f"{_STANDING}\nwhen ::= {named}\n{rules}" for named, rules in (("time", TIME), ("date", DATE)))


def dated(
    model: LanguageModel, text: str, statements: Sequence[Statement], at: datetime, *, spoken: bool
) -> tuple[Statement, ...]:
    """The statements of a text, its triples with when they are so.

    `at` is when it is told. In a document, which is not `spoken`, nobody knows which day its "now" is, so only what
    names its year counts, and what is no longer so has ended by the time that it is read.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    sentences = [" ".join(text[one.span.start : one.span.end].split()) for one in statements]
    asked = [
        (place, one, sentence)
        for place, (one, sentence) in enumerate(zip(statements, sentences, strict=True))
        if one.kind is FactKind.TRIPLE and not one.denied and (spoken or names_year(sentence))
    ]
    told = list(statements)
    for first in range(0, len(asked), _FACTS):
        some = asked[first : first + _FACTS]
        parts = [text] if spoken and len(text) <= _CHARACTERS else [sentence for _, _, sentence in some]
        said = " ".join(" ".join(dict.fromkeys(parts)).split())[:_CHARACTERS]
        lines = _standings(model, said, [one for _, one, _ in some], spoken=spoken)
        for number, (place, one, _) in enumerate(some, 1):
            told[place] = replace(one, held=_held(*lines.get(number, ("", "")), said, at, spoken=spoken))
    return tuple(told)


def _standings(
    model: LanguageModel, said: str, triples: Sequence[Statement], *, spoken: bool
) -> dict[int, tuple[str, str]]:
    """By the numbers of the triples, how each stands, and the time."""
    facts = [f"{number}. {one.subject} | {one.relation} | {one.object}" for number, one in enumerate(triples, 1)]
    root = ' "\\n" '.join(f'"{number} " standing' for number in range(1, len(facts) + 1))
    reply = model.complete(
        prompting.load("dating").render(text=said, facts="\n".join(facts)),
        purpose="date",
        max_tokens=_TOKENS * len(facts),
        grammar=f"root ::= {root}\n{_SPOKEN if spoken else _WRITTEN}",
    )
    found = filter(None, map(_LINE.fullmatch, reply.splitlines()))
    return {int(line[1]): (line[2], line[3]) for line in found}


def _held(way: str, written: str, said: str, at: datetime, *, spoken: bool) -> Held:
    """When something is so that stands in a `way`, as "since" 2019-05; no year counts that is not `said`, and nothing
    is over since one."""
    today = at.astimezone().date()
    counted_from = today if spoken else None
    invented = names_other_year(written, said)
    if invented and way == "over":
        return Held()
    first, _, last = ("", "", "") if invented else written.partition(" to ")
    planned = way == "planned"
    began = period(first, counted_from, ahead=planned)
    ended = period(last, counted_from, after=began) if last else began
    if planned and not (began and began.last < today):
        return Held(since=moment(began.first) if began else None, ahead=True)
    if way == "over":
        until = min(moment(ended.last), at) if ended else at
        return Held(until=until if ended is None or ended.first <= today else None)
    if not (began and ended):
        return Held()
    since = moment(began.first)
    if began.first > today:
        return Held(since=since, ahead=True)
    match way:
        case "since" | "planned":
            return Held(since=since)
        case "from" if last and ended.last >= began.first:
            # A small model writes an end alone as a stretch that begins with it.
            until = moment(ended.last)
            return Held(since=since if began != ended else None, until=until if until <= at else None)
        case "in":  # what lasts may have begun then, and what happened is over
            return Held(since=since, within=True)
        case _:
            return Held()
