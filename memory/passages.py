"""Text to passages: whole sentences under one heading, about 120 words each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from memory.folding import HEADINGS_APART
from memory.types import Passage, Span

PARAGRAPHS_APART = "\n\n"  # in the text of a document
_WORDS = 120  # of a passage
_LONGEST_SENTENCE = 2 * _WORDS  # a longer one is cut, at spaces where there are any
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHS}]")
_IDEOGRAPHS_A_WORD = 1.7
# A run of letters or signs without end counts by its length.
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]{{1,40}}|\W{{40}}")
_LONGEST = 80 * _WORDS  # characters of a passage, whatever they are; one more sentence may be added to less than that
# Chinese marks end a sentence by themselves, others before a space and no small letter; an item of a list is one too,
# and so is what blank lines set apart: a row of a table, a heading.
_END = re.compile(
    r"(?:[。！？；]|……)+[”’」』）》]*"
    # No step back, so that no run takes its square.
    r"|(?<![.!?…])(?P<mark>[.!?…]++)[\"'”’)\]]*+(?=\s++(?P<next>\S)|\s*+$)"
    r"|\n(?=[^\S\n]*(?:[-*+•]|\d+[.)])\s)"
    r"|\n(?=[ \t]*\n)"
)
_TITLES = "Mr|Mrs|Ms|Dr|Prof|St|Mt|Jr|Sr|Gen|Col|Lt|Rev|Hon|No|Nr|vs|e\\.g|i\\.e|cf|al|ca|approx"
# "2. Water the bees" is one: no sentence is a number alone.
_ABBREVIATION = re.compile(rf"(?:^|[\s(\"'“‘])(?:[A-Z](?:\.[A-Z])*|{_TITLES})$|^\s*\d{{1,3}}$")
_DAY = re.compile(r"(?<!\d)\d{1,2}$")
_ABBREVIATED = 60  # characters before a full stop that are looked at


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph (level 0) or a heading (from 1 on) at `start` to `end` of a text; `page` as in `Piece`."""

    start: int
    end: int
    level: int = 0
    page: int = 0


def split(text: str, blocks: Sequence[Block]) -> Iterator[Passage]:
    """Passages in their order; where there are only headings, those are the text."""
    if all(block.level for block in blocks):
        blocks = [replace(block, level=0) for block in blocks]
    return _passages(text, blocks)


def sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences between two places of a text, without the space around them."""
    begin = start
    for match in _END.finditer(text, start, end):
        if match["mark"] and _goes_on(text, begin, match):
            continue
        yield from _trimmed(text, begin, match.end())
        begin = match.end()
    yield from _trimmed(text, begin, end)


def _goes_on(text: str, begin: int, match: re.Match[str]) -> bool:
    """Whether it goes on behind the mark: with a small letter, whatever the script, in a date, or after an
    abbreviation."""
    if (match["next"] or "").islower():
        return True
    before = text[max(begin, match.start() - _ABBREVIATED) : match.start()]
    if match["mark"][0] != ".":
        return False
    return bool(_ABBREVIATION.search(before) or (_DAY.search(before) and _german_month().match(text, match.end())))


@cache
def _german_month() -> re.Pattern[str]:
    """As in "am 3. April": in German alone, months behind a full stop are written with a capital letter."""
    from babel.dates import get_month_names  # takes a while, which not every command needs

    names = (name for locale in ("de", "de_AT") for name in get_month_names("wide", locale=locale).values())
    return re.compile(rf"\s+(?:{'|'.join(dict.fromkeys(names))})\b")


def _passages(text: str, blocks: Sequence[Block]) -> Iterator[Passage]:
    headings: dict[int, str] = {}
    start = end = None
    page, words = 0, 0.0
    for block in blocks:
        if block.level:
            if start is not None and end is not None:
                yield _passage(text, start, end, headings, page)
            start, words = None, 0.0
            headings = {level: heading for level, heading in headings.items() if level < block.level}
            headings[block.level] = text[block.start : block.end]
            continue
        whole = _words(text[block.start : block.end])
        stays_whole = words + whole > _WORDS >= whole
        if start is not None and end is not None and (stays_whole or block.page != page):
            yield _passage(text, start, end, headings, page)
            start, words = None, 0.0
        for sentence in _cut(text, sentences(text, block.start, block.end)):
            length = _words(text[sentence.start : sentence.end])
            full = start is not None and (words + length > _WORDS or sentence.end - start > _LONGEST)
            if full and start is not None and end is not None:
                yield _passage(text, start, end, headings, page)
                start, words = None, 0.0
            if start is None:
                start, page = sentence.start, block.page
            end, words = sentence.end, words + length
    if start is not None and end is not None:
        yield _passage(text, start, end, headings, page)


def _passage(text: str, start: int, end: int, headings: dict[int, str], page: int) -> Passage:
    return Passage(text[start:end], Span(start, end), HEADINGS_APART.join(headings.values()), page)


def _cut(text: str, found: Iterator[Span]) -> Iterator[Span]:
    """Sentences, the endless ones in parts."""
    for sentence in found:
        if _words(text[sentence.start : sentence.end]) <= _LONGEST_SENTENCE:
            yield sentence
            continue
        start, count = sentence.start, 0.0
        for word in _WORD.finditer(text, sentence.start, sentence.end):
            weight = _words(word.group())
            if count and count + weight > _LONGEST_SENTENCE:
                yield from _trimmed(text, start, word.start())
                start, count = word.start(), 0.0
            count += weight
        yield from _trimmed(text, start, sentence.end)


def _words(text: str) -> float:
    """The length in English words; an ideograph is less than one."""
    if not _IDEOGRAPH.search(text):
        return len(_WORD.findall(text))
    return sum(1 / _IDEOGRAPHS_A_WORD if _IDEOGRAPH.match(word) else 1.0 for word in _WORD.findall(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    part = text[start:end]
    stripped = part.strip()
    if stripped:
        begin = start + part.index(stripped[0])
        yield Span(begin, begin + len(stripped))
