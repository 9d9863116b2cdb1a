"""What a long document comes to: of each of its parts the sentences that are nearest to all that the part says.

Centroids as in Radev et al., "Centroid-based summarization of multiple documents" (2004), of the vectors of passages.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from memory.folding import HEADINGS_APART
from memory.indexing import Indexer
from memory.passages import sentences
from memory.types import Passage

_A_PART = 250  # characters that are taken of each
_SECTION = 2  # headings deep

_Passages = Sequence[tuple[str, Passage]]


class Gist(NamedTuple):
    """Passages, or sentences of them, with the ids of these; `is_all` where nothing is left out."""

    passages: _Passages
    is_all: bool


def gist(indexer: Indexer, user_id: int, passages: _Passages, characters: int) -> Gist:
    """About so much of a document, in its order: all of its `passages`, which have ids, or sentences of each part."""
    if _length(passages) <= characters:
        return Gist(passages, is_all=True)
    parts = _parted(_sections(passages, max(1, characters // _A_PART)), characters // _A_PART)
    return Gist([_middle(indexer, user_id, part) for part in parts], is_all=False)


def _sections(passages: _Passages, most: int) -> list[_Passages]:
    """What stands under the upper headings, neighbours together where that is more than so many."""
    under = groupby(passages, lambda one: one[1].heading.split(HEADINGS_APART)[:_SECTION])
    sections = [list(section) for _, section in under]
    if len(sections) <= most:
        return list(sections)
    share, before, together = _length(passages) / most, 0, dict[int, list[tuple[str, Passage]]]()
    for section in sections:
        together.setdefault(min(int(before / share), most - 1), []).extend(section)
        before += _length(section)
    return list(together.values())


def _parted(parts: list[_Passages], many: int) -> list[_Passages]:
    """So many parts, as far as there are passages: the longest are halved."""
    while len(parts) < many and len(longest := max(parts, key=len)) > 1:
        at, half = parts.index(longest), len(longest) // 2
        parts[at : at + 1] = [longest[:half], longest[half:]]
    return parts


def _middle(indexer: Indexer, user_id: int, part: _Passages) -> tuple[str, Passage]:
    """The passage that is nearest to what all of a part says, with the sentences in it that are."""
    by_id = dict(part)
    passage_id, centre = indexer.central(user_id, list(by_id))
    passage = by_id[passage_id]
    spans = list(sentences(passage.text, 0, len(passage.text)))
    first = last = indexer.nearest_of(centre, [passage.text[span.start : span.end] for span in spans]) if spans else 0
    while last + 1 < len(spans) and spans[last + 1].end - spans[first].start <= _A_PART:
        last += 1
    said = passage.text[spans[first].start : spans[last].end][:_A_PART] if spans else ""
    return passage_id, replace(passage, text=said)


def _length(passages: _Passages) -> int:
    return sum(len(passage.text) for _, passage in passages)
