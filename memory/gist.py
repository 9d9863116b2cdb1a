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
from memory.speakers import above, as_said
from memory.types import Passage

_SECTION = 2  # headings deep
_COMPARED = 100  # passages of a part, taken evenly
_SENTENCES = 12  # of a passage that are embedded, taken evenly

_Passages = Sequence[tuple[str, Passage]]


class Gist(NamedTuple):
    """Passages, or what was taken of them, with their ids; `is_all` where nothing is left out."""

    passages: _Passages
    is_all: bool


def gist(indexer: Indexer, user_id: int, passages: _Passages, characters: int, pieces: int) -> Gist:
    """So much of a document at most, in its order: all of its `passages`, which have ids, or sentences of each part."""
    if _length(passages) <= characters and len(passages) <= pieces:
        return Gist(passages, is_all=True)
    share = characters // pieces
    parts = [_whole(part, share) or part for part in _parted(_sections(passages, pieces), pieces)]
    taken = [part[0] if len(part) == 1 else _middle(indexer, user_id, part) for part in parts]
    cut = [(passage_id, _cut(indexer, user_id, passage_id, passage, share)) for passage_id, passage in taken]
    return Gist(cut, is_all=all(len(part) == 1 for part in parts) and cut == taken)


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


def _whole(part: _Passages, characters: int) -> _Passages | None:
    """A part as one passage, where that is not too long."""
    passage_id, first = part[0]
    if len(part) == 1:
        return part if len(first.text) <= characters else None
    text = " ".join(as_said(passage for _, passage in part))
    return [(passage_id, replace(first, text=text, heading=above(first.heading)))] if len(text) <= characters else None


def _middle(indexer: Indexer, user_id: int, part: _Passages) -> tuple[str, Passage]:
    """The passage that is nearest to what all of a part says."""
    by_id = dict(part[:: -(-len(part) // _COMPARED)])
    passage_id = indexer.central(user_id, list(by_id))
    return passage_id, by_id[passage_id]


def _cut(indexer: Indexer, user_id: int, passage_id: str, passage: Passage, characters: int) -> Passage:
    """The sentences of a passage around the one that is nearest to what all of it says."""
    if len(passage.text) <= characters:
        return passage
    spans = list(sentences(passage.text, 0, len(passage.text)))
    compared = range(0, len(spans), -(-len(spans) // _SENTENCES))
    texts = [passage.text[spans[place].start : spans[place].end] for place in compared]
    first = last = compared[indexer.nearest_of(user_id, passage_id, texts)]
    while last + 1 < len(spans) and spans[last + 1].end - spans[first].start <= characters:
        last += 1
    while first and spans[last].end - spans[first - 1].start <= characters:
        first -= 1
    return replace(passage, text=passage.text[spans[first].start : spans[last].end][:characters])


def _length(passages: _Passages) -> int:
    return sum(len(passage.text) for _, passage in passages)
