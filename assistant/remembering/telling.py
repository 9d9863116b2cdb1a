"""What the user tells, read by a small model in one constrained call of plain lines.

"Anna | lives in | Oslo | last month" costs half the tokens of JSON. Names and objects are the message's own words, in a
grammar that grows with the message and not with its square. Words for a time stand apart so that no object has them;
when each fact is so is asked for next (`dating`), since a small model passes over some of them.
"""

import contextlib
from collections.abc import Sequence
from typing import NamedTuple

from assistant import prompting
from assistant.errors import ModelUnavailable
from assistant.language import has_question_mark
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import NONE, any_of, own_words
from assistant.remembering.lines import parted, unreadable, word, written
from assistant.remembering.said import is_said, meant
from assistant.remembering.swallowed import is_within, parted_otherwise
from memory.folding import STOP_WORDS, fold, terms
from memory.passages import sentences
from memory.resolution import USER_NAMES
from memory.types import THE_USER, Extraction, FactKind, Mention, Span, Statement

_PURPOSE = "extract"
_CHARACTERS = 600  # read in one call
_FACTS, _TOKENS = 16, 500
_LONGEST, _LONGEST_NAME = 10, 4  # words
_PARTS = 4  # of a line
_LEADING = 2  # letters of a word that leads to an object, such as "on"
_FACTS_ONLY = f'fact ("\\n" fact){{0,{_FACTS - 1}}}'
_PARTED = 3  # times that a relation is parted from an object
_UNNAMED = "somebody"  # the prompt's word for whom only earlier messages may name
_TELLER = frozenset(("i", "我"))  # no object begins so: "I see" is none
_NAME = "name"  # the prompt's relation between the user and what they are called


class _Line(NamedTuple):
    subject: str
    relation: str
    object: str


def read_lines(model: LanguageModel, text: str, before: Sequence[str] = (), *, must_tell: bool = False) -> Extraction:
    """Read what the user says.

    `before` is what was said earlier, which tells whom "he" and "she" stand for; it leads a small model astray where it
    is not needed. Where a message `must_tell` something, the reply cannot be that it does not.

    Raises:
        ModelReplyUnreadable: a reply has no line of this form.
        Interrupted, ModelUnavailable: as `LanguageModel.stream`.
    """
    lines, dropped, earlier = list[_Line](), 0, before
    parts = _parts(text)
    for part in parts:
        found, others = _read(model, part, earlier, must_tell=must_tell and len(parts) == 1)
        lines += found
        dropped += others
        earlier = [part]
    said = fold(" ".join([*before, text]))
    speakers = _speakers(lines, text)
    spans = list(sentences(text, 0, len(text)))
    told = dict[tuple[str, ...], Statement]()
    for line in lines:
        subject = THE_USER.name if fold(line.subject) in speakers else meant(line.subject, said)
        if not subject or subject == _UNNAMED or fold(line.object) == fold(subject) or not is_said(line.object, text):
            dropped += 1
            continue
        one = Statement(FactKind.TRIPLE, subject, line.relation, line.object, _span(line, text, spans))
        told.setdefault((fold(subject), fold(line.relation), fold(line.object)), one)
    names = dict.fromkeys(one.subject for one in told.values())
    mentions = tuple(THE_USER if name == THE_USER.name else Mention(name) for name in names)
    return Extraction(mentions, tuple(told.values()), dropped)


def _parts(text: str) -> list[str]:
    """The sentences of a text, as many together as are read in one call, but for what is asked behind what is told."""
    said = [" ".join(text[span.start : span.end].split()) for span in sentences(text, 0, len(text))]
    last = next((place for place in range(len(said), 0, -1) if not has_question_mark(said[place - 1])), len(said))
    parts = [""]
    for sentence in said[:last]:
        if parts[-1] and len(parts[-1]) + len(sentence) > _CHARACTERS:
            parts.append("")
        parts[-1] = f"{parts[-1]} {sentence}".strip()
    return list(filter(None, parts))


def _read(model: LanguageModel, text: str, before: Sequence[str], *, must_tell: bool) -> tuple[list[_Line], int]:
    """The lines of the reply on a part of a message, and how many others it has."""
    messages = prompting.load("telling").render(text=text, before=before)
    root = _FACTS_ONLY if must_tell else f'"{NONE}" | {_FACTS_ONLY}'
    rules = _rules(text, before)

    def ask(root: str) -> list[str]:
        grammar = f"root ::= {root}\n{rules}"
        return written(model.stream(messages, purpose=_PURPOSE, max_tokens=_TOKENS, grammar=grammar))

    replied = ask(root)
    with contextlib.suppress(ModelUnavailable):  # then it stays as it is
        for _ in range(_PARTED):
            root = _parted(replied, text)
            again = ask(root) if root else []
            if len(again) < len(replied) or again == replied:
                break
            replied = again
    parsed = [parted(line, _PARTS) for line in replied]
    lines = list(dict.fromkeys(_whole(parts, text) for parts in parsed if parts))
    if replied and not lines:
        raise unreadable(_PURPOSE, replied[0])
    return lines, parsed.count(None)


def _parted(lines: Sequence[str], text: str) -> str:
    """The beginning of a reply in which the first relation that has swallowed its object is parted from it, as a rule
    of a grammar, and what stood in its place has to follow where that is anything else; empty where there is none."""
    for place, line in enumerate(lines):
        parts = parted(line, _PARTS)
        if parts and (ways := parted_otherwise(parts[0], parts[1], parts[2], text)):
            before = "".join(f'{any_of([one])} "\\n" ' for one in lines[:place])
            own = any_of(" | ".join(way) for way in ways)
            least = 0 if is_within(parts[2], parts[1]) or fold(parts[0]) == fold(parts[2]) else 1
            further = f'("\\n" fact){{{least},{max(1, _FACTS - 1 - place)}}}'
            return f'{before}{any_of([parts[0]])} " | " ({own}) (" | " own)? {further}'
    return ""


def _whole(parts: Sequence[str], text: str) -> _Line:
    """A line with its whole object: of "plays chess | on | Mondays" that is not what leads to it, but both."""
    subject, relation, value, *rest = parts
    *_, last = words = value.split()
    leads = value.islower() and (last in STOP_WORDS or all(len(word) <= _LEADING for word in words))
    if leads and rest and (whole := f"{value} {rest[0]}") in text:
        value = whole
    return _Line(subject, relation, value)


def _speakers(lines: Sequence[_Line], text: str) -> set[str]:
    """The names that the user says to have, folded, and their parts; "Ada | name | Ada" means that too, where Ada is
    nothing to the user."""
    named = [line for line in lines if line.relation == _NAME and is_said(line.object, text)]
    others = {fold(line.object) for line in lines if line not in named}
    own = [
        fold(line.object)
        for line in named
        if fold(line.subject) in USER_NAMES or (line.subject == line.object and fold(line.object) not in others)
    ]
    return {*own, *(part for name in own for part in name.split() if len(part) > 1)}


def _span(line: _Line, text: str, spans: Sequence[Span]) -> Span:
    """The sentence that says a fact: of those that have its object the one that has most else of it."""
    wanted = set(terms(f"{line.subject} {line.relation}"))
    said = [span for span in spans if is_said(line.object, text[span.start : span.end])]
    return max(said or spans, key=lambda span: len(wanted & set(terms(text[span.start : span.end]))))


def _rules(text: str, before: Sequence[str]) -> str:
    """The form of a fact, in GBNF of llama.cpp: no script that the texts do not have, and an end."""
    unnamed = "" if before else f' | "{_UNNAMED}"'
    return f"""fact ::= ("{THE_USER.name}"{unnamed} | name) " | " relation " | " own (" | " own)?
relation ::= word (" " word){{0,3}}
word ::= {word([*before, text])}
name ::= {own_words([*before, text], _LONGEST_NAME, USER_NAMES)}
own ::= {own_words([text], _LONGEST, _TELLER)}"""
