"""How much two texts have in common, word for word."""

from itertools import pairwise

from memory.folding import terms

_COMPARED = 200_000  # characters of each text


def resemblance(one: str, other: str) -> float:
    """The share of the shorter text's pairs of neighbouring words that the other has too, from 0 to 1.

    Broder's containment of shingles (1997), of two words each: high for two states of one text, also where one grew;
    low for two texts on the same subject.
    """
    fewer, more = sorted((_pairs(one), _pairs(other)), key=len)
    return len(fewer & more) / len(fewer) if fewer else 0.0


def _pairs(text: str) -> set[tuple[str, ...]]:
    found = terms(text[:_COMPARED])
    return set(pairwise(found)) or {(term,) for term in found}
