"""Whether a text holds what it should, told by strings alone: no model judges."""

import re
import unicodedata
from collections.abc import Sequence

Alternatives = Sequence[str]  # any one of them will do

_CITATION = re.compile(r"\[\d+(?:\s*,\s*\d+)*\]")
_GROUPED = re.compile(r"(?<=\d)[,\s'’](?=\d{3}(?!\d))")
_BIGGER = re.compile(r"\b(?:more|larger|largest|higher|highest|bigger|greater|heavier)\b|[多大高重]")


def fold(text: str) -> str:
    """Without case, accents, width, citations and the marks that group digits."""
    text = unicodedata.normalize("NFKD", without_citations(text))
    text = "".join(c for c in text if not unicodedata.combining(c)).casefold()
    return ungrouped(text)


def without_citations(text: str) -> str:
    """Without the numbers of the evidence."""
    return _CITATION.sub("", text)


def ungrouped(text: str) -> str:
    """Without the marks that group digits."""
    return _GROUPED.sub("", text)


def _places(term: str, folded: str) -> list[int]:
    """Where `term` stands, as a word of its own where it is a Latin word or a figure."""
    wanted = fold(term)
    before = r"(?<![a-z0-9])" if re.match(r"[a-z0-9]", wanted) else ""
    after = r"(?![a-z0-9])" if re.search(r"[a-z0-9]$", wanted) else ""
    return [match.start() for match in re.finditer(before + re.escape(wanted) + after, folded)]


def holds(text: str, wanted: Sequence[Alternatives]) -> bool:
    """Whether one alternative of each of `wanted` stands in `text`."""
    return all(holds_any(text, alternatives) for alternatives in wanted)


def holds_any(text: str, terms: Sequence[str]) -> bool:
    """Whether any of `terms` stands in `text`."""
    folded = fold(text)
    return any(_places(term, folded) for term in terms)


def chosen(text: str, options: Sequence[str]) -> str:
    """Which of `options` a comparison names as the greater one; "" where it names none.

    It is the option that stands nearest before the last word of comparison, what the other is compared with ("than B",
    "比B") left out; without such a word, the first option named.
    """
    folded = fold(text)
    names = "|".join(re.escape(fold(option)) for option in options)
    folded = re.sub(rf"(?:\bthan\b|比)[^,.;，。；]*?(?:{names})", "", folded)
    places = sorted((place, option) for option in options for place in _places(option, folded))
    if not places:
        return ""
    marks = [match.start() for match in _BIGGER.finditer(folded)]
    before = [option for place, option in places if marks and place < marks[-1]]
    return before[-1] if before else places[0][1]
