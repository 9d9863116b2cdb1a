"""What documents say of themselves, and what their parts are called."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from memory.folding import HEADINGS_APART, ascii_digits, fold
from memory.formats.tables import fields
from memory.passages import PARAGRAPHS_APART
from memory.records.library import State
from memory.speakers import above
from memory.types import Passage

_HEAD = 2_000  # characters of a paragraph about the document
_SAYS_ABOUT = (".md", ".markdown", ".pdf")  # files whose text begins with what they say of themselves, where they do
_MAIL = (".eml", ".msg")  # says from whom, to whom and when below its subject
_FEWEST = 2  # fields: one alone is how a note or a letter may begin
_NUMBERED = re.compile(  # "Chapter 3 Safety", "3.1 Pets", "§ 3 Noise", "第3章 安全"
    r"(?:[^\W\d]+\.?\s+|第\s*|[§(#]\s*)*(\d+(?:\.\d+)*)(?![^\W\d_]*\d)\W*(.*)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Part:
    """A section or a page: what it is called, and the ids of its passages, in their order.

    `number` is the one in a heading ("3" of "Chapter 3 Safety"), or that of the page.
    """

    name: str
    title: str
    number: str
    passage_ids: tuple[str, ...]
    is_page: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """A document: when it was added, what it says `about` itself (author, date, tags …) by field, and its parts.

    `titles` are what it says that it is called: its first heading may be whom it is about. `told` is the paragraph
    about it, which begins in `passage_id`. With another `digest` it has another text.
    """

    id: str
    name: str
    digest: str
    added: datetime
    titles: tuple[str, ...]
    about: tuple[tuple[str, str], ...]
    pages: int
    parts: tuple[Part, ...]
    told: str
    passage_id: str


def outline(source_id: str, state: State, text: str, passages: Sequence[tuple[str, Passage]]) -> Outline:
    """The outline of a document; `passages` are all of its own, with their ids."""
    heading, name = passages[0][1].heading if passages else "", state.name.lower()
    told = text[: len(heading) + _HEAD].removeprefix(heading).strip().partition(PARAGRAPHS_APART)[0]
    says_about = name.endswith(_MAIL) or (name.endswith(_SAYS_ABOUT) and not heading)
    about = fields(told) if passages and says_about else []
    about = about if len(about) >= _FEWEST else []
    upper = [above(passage.heading) for _, passage in passages]
    paths = [tuple(heading.split(HEADINGS_APART)) if heading else () for heading in upper]
    titles = dict.fromkeys(value for field, value in about if fold(field) == "title" and value)
    titles |= {heading: None} if heading and name.endswith(_MAIL) else {}
    return Outline(
        source_id,
        state.name,
        state.digest,
        state.added,
        titles=tuple(titles),
        about=tuple(about),
        pages=max((passage.page for _, passage in passages), default=0),
        parts=(*_sections(passages, paths), *_pages(passages)),
        told=told if about else "",
        passage_id=passages[0][0] if passages else "",
    )


def _sections(passages: Sequence[tuple[str, Passage]], paths: Sequence[tuple[str, ...]]) -> Iterator[Part]:
    """What stands under each heading, with what stands under those below it."""
    under = dict[tuple[str, ...], list[str]]()
    for (passage_id, _), path in zip(passages, paths, strict=True):
        for depth in range(1, len(path) + 1):
            under.setdefault(path[:depth], []).append(passage_id)
    whole = [passage_id for passage_id, _ in passages]
    for path, ids in under.items():
        if len(path) == 1 and ids == whole:  # the title
            continue
        match = _NUMBERED.fullmatch(plain_digits(path[-1].strip()))
        number, title = match.groups() if match else ("", path[-1])
        yield Part(path[-1], title, number, tuple(ids))


def _pages(passages: Sequence[tuple[str, Passage]]) -> Iterator[Part]:
    """What begins on each page."""
    on = dict[int, list[str]]()
    for passage_id, passage in passages:
        if passage.page:
            on.setdefault(passage.page, []).append(passage_id)
    for page, ids in on.items():
        yield Part(f"page {page}", "", str(page), tuple(ids), is_page=True)


def plain_digits(text: str) -> str:
    """A text in which numbers are written as in ASCII, whatever the script."""
    return ascii_digits(unicodedata.normalize("NFKC", text))


def file_names(document: str) -> tuple[str, str, str]:
    """What a document is called as a file: with its ending, without, and in words."""
    stem = PurePath(document).stem
    return document, stem, stem.replace("_", " ").replace("-", " ")
