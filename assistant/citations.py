"""What in an answer cites evidence, and what only looks like it.

An answer is Markdown; `[2]` in it cites the evidence with that number, and so do `[1, 2]` and `[1-3]`. What looks like
that in code, behind a backslash or as the words of a link cites nothing. A document, a knowledge base or a question may
say `[2]` as well (a footnote, an index): a model reads it in other brackets, `⟦2⟧`, and what it repeats of it stands in
the answer as `\\[2\\]`, which Markdown shows as `[2]`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, backtick

from assistant.types import Evidence

_NUMBERS = r"\d{1,3}(?:\s*[,，;、–-]\s*\d{1,3})*"
BEHIND = re.compile(rf"(?:\s*\[\s*{_NUMBERS}\s*\])+[.!?。！？]*")  # a sentence, before the next
_CITATION = re.compile(rf"(?<!\\)\[\s*({_NUMBERS})\s*\](?!\()")
# What a model may take for the number of a piece of evidence, or copy as one, in whatever brackets.
_LOOKALIKE = re.compile(r"[\[［【〔〖⟦](?=\D{0,9}\d)([\s\d,，;；、.–—-]{1,60})[\]］】〕〗⟧]")
_APART = re.compile(r"⟦([^⟦⟧]*)⟧")
_LONGEST_RANGE = 40
_LONGEST = 40  # characters of a citation that is still being written
_WORDS = ("subject", "relation", "object", "text")  # of a piece of evidence


class Citation(NamedTuple):
    """Where in a text a citation stands, and which numbers it names."""

    start: int
    end: int
    numbers: tuple[int, ...]


def citation_at(text: str, place: int) -> Citation | None:
    """The citation that begins at `place`, in code or not; None where none does."""
    match = _CITATION.match(text, place)
    return Citation(match.start(), match.end(), _numbers(match[1])) if match else None


def citations(text: str) -> list[Citation]:
    """The citations of an answer, or of a sentence of it, in order."""
    found = [Citation(match.start(), match.end(), _numbers(match[1])) for match in _CITATION.finditer(text)]
    code = _code(text) if found else []
    return [one for one in found if not any(start <= one.start < end for start, end in code)]


def cited(text: str) -> list[int]:
    """The numbers that a text cites, in order, some perhaps more than once."""
    return [number for citation in citations(text) for number in citation.numbers]


def without_citations(text: str, instead: str = "") -> str:
    """The text with `instead` in the place of each citation and of the space before it."""
    kept, end = "", 0
    for citation in citations(text):
        kept += text[end : citation.start].rstrip() + instead
        end = citation.end
    return kept + text[end:]


def recited(text: str, numbers: Mapping[int, int]) -> str:
    """The text with other numbers in its citations; one that `numbers` does not have goes, and one that stands there
    already."""
    written, end, there = "", 0, set[int]()
    for citation in citations(text):
        before, as_it_stood = text[end : citation.start], text[citation.start : citation.end]
        there = set() if before.strip() else there
        named = dict.fromkeys(numbers[number] for number in citation.numbers if number in numbers)
        cited = [number for number in named if number not in there]
        there |= set(cited)
        if cited == list(citation.numbers):
            written += before + as_it_stood
        else:
            written += before + "".join(f"[{number}]" for number in cited) if cited else before.rstrip()
        end = citation.end
    return written + text[end:]


def ends_in_code(text: str) -> bool:
    """Whether what comes behind the text would stand in a block of code that it leaves open."""
    blocks = _BLOCKS.parse(f"{text}\n⟦⟧")
    return any(block.type == "fence" and block.content.endswith("⟦⟧") for block in blocks)


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """What looks like a citation in the texts that a model reads, put back in what it says.

    `spelled` has what stands in the brackets, and how it was spelled with them.
    """

    spelled: dict[str, str]

    @classmethod
    def of(cls, evidence: Iterable[Evidence], *texts: str) -> "Lookalikes":
        """Those of evidence, and of texts besides."""
        spelled: dict[str, str] = {}
        for text in (*texts, *(getattr(item, name) for item in evidence for name in _WORDS)):
            for match in _LOOKALIKE.finditer(text):
                spelled.setdefault(match[1], match[0])
        return cls(spelled)

    def in_answer(self, text: str, said: str = "") -> str:
        """What was said behind `said`, with brackets told apart, as Markdown that shows them as they were spelled."""
        code = _code(said + text) if "⟦" in text else []

        def put_back(match: re.Match[str]) -> str:
            spelled = self.spelled.get(match[1], f"[{match[1]}]")
            place = len(said) + match.start()
            return spelled if any(start <= place < end for start, end in code) else as_text(spelled)

        return _APART.sub(put_back, text)


def told_apart(text: str) -> str:
    """A text for a model to read, in which nothing looks like a citation."""
    return _LOOKALIKE.sub(r"⟦\1⟧", text)


def evidence_told_apart(item: Evidence) -> Evidence:
    """A piece of evidence for a model to read, in which nothing looks like a citation."""
    subject, relation, object_, text = (told_apart(getattr(item, name)) for name in _WORDS)
    same = (subject, relation, object_, text) == (item.subject, item.relation, item.object, item.text)
    if same:
        return item
    subjects, objects = (tuple(map(told_apart, names)) for names in (item.subjects, item.objects))
    return replace(
        item, subject=subject, relation=relation, object=object_, text=text, subjects=subjects, objects=objects
    )


def as_text(text: str) -> str:
    """A text that is no Markdown as a part of an answer in which it cites nothing."""
    return _LOOKALIKE.sub(lambda match: match[0].replace("[", "\\[").replace("]", "\\]"), text)


def as_texts(pieces: Iterable[str]) -> Iterator[str]:
    """Markdown that comes in pieces and cites nothing, since no evidence was given for it."""
    waiting = ""
    for piece in pieces:
        waiting += piece
        whole = waiting if "[" not in waiting[-_LONGEST:] else waiting[: waiting.rindex("[")]
        yield _uncited(whole)
        waiting = waiting[len(whole) :]
    yield _uncited(waiting)


def _uncited(text: str) -> str:
    for citation in reversed(citations(text)):
        inner = text[citation.start + 1 : citation.end - 1]
        text = f"{text[: citation.start]}\\[{inner}\\]{text[citation.end :]}"
    return text


def _numbers(listed: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[,，;、]", listed):
        ends = [int(number) for number in re.split("[–-]", part)]
        is_range = len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _LONGEST_RANGE
        numbers += range(ends[0], ends[1] + 1) if is_range else ends
    return tuple(dict.fromkeys(numbers))


def _code(text: str) -> list[tuple[int, int]]:
    """Where in Markdown there is code: whole blocks between fences, and what stands between backticks elsewhere."""
    text = text.replace("\r", " ")  # the parser would take it out
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found: list[tuple[int, int]] = []
    for block in _BLOCKS.parse(text):
        if block.type not in ("fence", "inline") or block.map is None:
            continue
        start, end = (starts[line] for line in block.map)
        if block.type == "fence":
            found.append((start, end))
        else:
            spans: list[tuple[int, int]] = []
            _INLINE.parseInline(text[start:end], {"spans": spans})
            found += [(start + first, start + last) for first, last in spans]
    return found


def _noted_backticks(state: StateInline, silent: bool) -> bool:
    """The parser's own rule for code, which notes where that stands."""
    start, before = state.pos, len(state.tokens)
    matched = backtick(state, silent)
    if matched and not silent and len(state.tokens) > before and state.tokens[-1].type == "code_inline":
        state.env["spans"].append((start, state.pos))
    return matched


# Sentences are looked at one by one, so that the space before one makes no block of code.
_BLOCKS = MarkdownIt("commonmark", {"html": False}).disable(["code", "reference", "html_block", "inline"])
_INLINE = MarkdownIt("zero").enable(["escape", "backticks"])
_INLINE.inline.ruler.at("backticks", _noted_backticks)
