"""What a search surely came to, told from its evidence without a model."""

from collections import defaultdict
from collections.abc import Sequence

from assistant.citations import as_text
from assistant.knowledge_bases.documents import BEGINNING, DIFFERING, DOCUMENTS
from assistant.knowledge_bases.tables import TABLES
from assistant.messages import Phrase, listed, say
from assistant.messages.shared import verdict as verdict_said
from assistant.search.evidence import LISTED, RESULT, came_to, listing, objects, subjects
from assistant.search.formats import is_triple, told
from assistant.types import Certainty, Evidence, Turn
from memory.folding import fold
from memory.formats.tables import EMPTY

_MOST_NAMES = 200  # of a list
_FEW, _SHORT = 3, 240  # triples, and characters of them, that are told beside a yes or no

_FOUND_SO_MANY = Phrase("I found {n}: {names}")
_FOUND_SO_MANY_BUT = Phrase("I found {n}: {names} ({remark})")
_DIFFERING = Phrase("Parts that differ: {n}")
_NOT_ENTERED = Phrase("{row} – {column}: nothing is entered there")


def composed(turn: Turn, evidence: Sequence[Evidence]) -> str:
    """A long list, which documents, a yes or no, or an empty cell, that a search came to; empty where it came to none.

    A model that copies long lists is slow, and loses some; a yes or no that was computed needs no other judge; and a
    small model takes the next cell for an empty one, and says of documents what was asked once more.
    """
    ways = (_list, _documents, _side_by_side, _verdict, _empty_cell)
    return next(filter(None, (way(turn, evidence) for way in ways)), "")


def as_it_stands(evidence: Sequence[Evidence]) -> str:
    """What a search surely came to, as it stands; empty where it came to nothing, or to no more than a yes or no."""
    first = evidence[0]
    found = came_to(first)
    return f"{listing(found)} [{first.id}]" if found else ""


def _list(turn: Turn, evidence: Sequence[Evidence]) -> str:
    names = _names(evidence)
    return _told_list(turn, evidence[0], names) if len(names) >= LISTED else ""


def _documents(turn: Turn, evidence: Sequence[Evidence]) -> str:
    """Which documents say of themselves what the question names."""
    first = evidence[0]
    is_clear = first.kb == DOCUMENTS and first.certainty >= Certainty.CLEAR and first.relation != RESULT
    is_named = f" {fold(first.object)} " in f" {fold(turn.question)} "
    return _told_list(turn, first, first.subjects) if is_clear and is_named and first.subjects else ""


def _side_by_side(turn: Turn, evidence: Sequence[Evidence]) -> str:
    """What two documents say differently in each part, as `PairIndex.between` tells it; a line a part, each cited."""
    found = [item for item in evidence if item.certainty > Certainty.UNKNOWN]
    parts: dict[str, list[Evidence]] = defaultdict(list)
    for item in found:
        parts[item.relation].append(item)
    counted = parts.pop(DIFFERING, [])
    is_named = all(item.kb == DOCUMENTS and item.certainty is Certainty.NAMED and item.object for item in found)
    pairs = {tuple(item.subject for item in said) for said in parts.values()}
    are_two = len(pairs) == 1 and all(len(pair) == len(set(pair)) == 2 for pair in pairs)
    if not is_named or not (are_two or (counted and not parts)):
        return ""
    told = {
        part: "; ".join(f"{as_text(item.subject)}: {_cited(item)}" for item in said) for part, said in parts.items()
    }
    lines = [said if part == BEGINNING else f"{as_text(part)} – {said}" for part, said in told.items()]
    lines += [say(turn.language, _DIFFERING, n=_cited(item)) for item in counted]
    return "\n".join(f"- {line}" for line in lines)


def _cited(item: Evidence) -> str:
    return f"{as_text(item.object)} [{item.id}]"


def _told_list(turn: Turn, first: Evidence, names: Sequence[str]) -> str:
    phrase = _FOUND_SO_MANY_BUT if first.text else _FOUND_SO_MANY
    names_told = listed(turn.language, names, _MOST_NAMES)
    return f"{say(turn.language, phrase, n=len(names), names=names_told, remark=first.text)} [{first.id}]"


def _empty_cell(turn: Turn, evidence: Sequence[Evidence]) -> str:
    """That the one cell of a table is empty which a program clearly came to."""
    first = evidence[0]
    if first.kb != TABLES or first.object != EMPTY or first.certainty < Certainty.CLEAR:
        return ""
    if any(item.kb == TABLES and item.object != EMPTY for item in evidence):
        return ""
    return f"{say(turn.language, _NOT_ENTERED, row=first.subject, column=first.relation)} [{first.id}]"


def _names(evidence: Sequence[Evidence]) -> Sequence[str]:
    """The items of a result; none where one or two relations do not lead to all: that is no list of a thing.

    "Starred in" and "directed" may both lead to films.
    """
    first = evidence[0]
    if first.relation != RESULT:
        return ()
    named = set(objects(first))
    by_relation: dict[str, set[str]] = defaultdict(set)
    for item in evidence[1:]:
        by_relation[item.relation] |= {*subjects(item), *objects(item)} & named if item.object else set()
    met = set().union(*by_relation.values())
    one_thing = any(one | other == met for one in by_relation.values() for other in by_relation.values())
    return objects(first) if one_thing or not met else ()


def _verdict(turn: Turn, evidence: Sequence[Evidence]) -> str:
    """The yes or no that a program clearly came to, and beside it the triples that it met with, each cited, whether it
    judged by them or not; empty where there are none, or too many to be told."""
    first, *others = evidence
    if first.is_so is None or first.certainty < Certainty.CLEAR:
        return ""
    # A result is as clear as the least clear triple of its run; what is less so was found otherwise.
    near = [item for item in others if item.kb == first.kb and item.certainty >= first.certainty]
    found = [item for item in near if is_triple(item)]
    says = "; ".join(f"{told(item)} [{item.id}]" for item in found)
    return verdict_said(turn.language, first.is_so, says) if 0 < len(found) <= _FEW and len(says) <= _SHORT else ""
