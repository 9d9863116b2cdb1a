"""What the user tells, read by a small model in one constrained call of plain lines.

"Anna | lives in | Oslo | last month" costs half the tokens of JSON. Names and objects are the message's own words, in a
grammar that grows with the message and not with its square. Words for a time stand apart so that no object has them;
when each fact is so is asked for next (`dating`), since a small model passes over some of them.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from assistant import prompting
from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import NONE, foreign, own_words
from assistant.remembering.dating import dated
from assistant.remembering.said import is_said, meant
from memory.folding import fold
from memory.passages import sentences
from memory.types import THE_USER, Extraction, FactKind, Mention, Statement

_PURPOSE = "extract"
_FACTS, _TOKENS = 16, 400
_LONGEST, _LONGEST_NAME = 10, 4  # words, or characters of a script without spaces
_NAME = "name"  # the prompt's relation between the user and what they are called


class _Line(NamedTuple):
    subject: str
    relation: str
    object: str


def read_lines(model: LanguageModel, text: str, before: Sequence[str], at: datetime) -> Extraction:
    """Read what the user says at a time; `before` is what was said earlier, which tells whom "he" and "she" stand for.

    Raises:
        ModelReplyUnreadable: it has no line of this form.
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    messages = prompting.load("telling").render(text=text, before=before)
    grammar = _grammar(text, " ".join(before))
    reply = model.complete(messages, purpose=_PURPOSE, max_tokens=_TOKENS, grammar=grammar)
    written = [line for line in map(str.strip, reply.splitlines()) if line and line != NONE]
    lines = list(dict.fromkeys(filter(None, map(_line, written))))
    if written and not lines:
        raise ModelReplyUnreadable(
            "The model's reply ({purpose}) cannot be read: {reason}", purpose=_PURPOSE, reason=f"{written[0][:80]!r}"
        )
    speakers = {fold(line.object) for line in lines if _names_the_user(line)}
    said = fold(" ".join([*before, text]))
    spans = list(sentences(text, 0, len(text)))
    told = dict[tuple[str, ...], Statement]()
    for line in lines:
        subject = THE_USER.name if fold(line.subject) in speakers else meant(line.subject, said)
        if not subject or fold(line.object) == fold(subject) or not is_said(line.object, text):
            continue
        span = next((span for span in spans if is_said(line.object, text[span.start : span.end])), spans[0])
        one = Statement(FactKind.TRIPLE, subject, line.relation, line.object, span)
        told.setdefault((fold(subject), fold(line.relation), fold(line.object)), one)
    statements = dated(model, text, tuple(told.values()), at, spoken=True)
    names = dict.fromkeys(one.subject for one in statements)
    mentions = tuple(THE_USER if name == THE_USER.name else Mention(name) for name in names)
    return Extraction(mentions, statements, dropped=len(written) - len(statements))


def _line(written: str) -> _Line | None:
    parts = [part.strip() for part in written.split("|")]
    return _Line(*parts[:3]) if len(parts) in {3, 4} and all(parts[:3]) else None


def _names_the_user(line: _Line) -> bool:
    """Whether a fact is the user's own name; "Ada | name | Ada" means that too."""
    return line.relation == _NAME and line.subject in {THE_USER.name, line.object}


def _grammar(text: str, before: str) -> str:
    """The form of a reply, in GBNF of llama.cpp: no script that the texts do not have, and an end."""
    strange = foreign(f"{before} {text}")
    return f"""root ::= "{NONE}" | fact ("\\n" fact){{0,{_FACTS - 1}}}
fact ::= ("{THE_USER.name}" | name) " | " relation " | " own (" | " own)?
relation ::= word (" " word){{0,3}}
word ::= [^ |,;:.!?0-9\\n\\u3000-\\u303f\\uff00-\\uff20{strange}]{{1,20}}
name ::= {own_words([before, text], _LONGEST_NAME)}
own ::= {own_words([text], _LONGEST)}"""
