"""What a user tells, read in one constrained call: facts, each with its sentence and with when it is so.

The model writes plain lines, "2 Anna | lives in | Oslo | since 1 month ago": half the tokens of JSON, and a grammar of
one class of characters costs nothing, where an alternative for each run of words cost seconds.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import foreign
from assistant.remembering.periods import TIME

_FACTS, _TOKENS = 16, 500
_LINE = re.compile(r"\W*(?:(\d+)\W+)?([^|]+)\|([^|]+)\|([^|]+)(?:\|(.+))?")
_SPEAKER = re.compile(r"I am (.+)")
_STANDING = """standing ::= "since " time | "over" (" " time)? | "from " time " to " time | "in " time | "never" | planned
planned ::= "planned" (" " time)?"""


@dataclass(frozen=True, slots=True)
class Line:
    """A fact, the number of the sentence that says it, and when it is so, as the model writes that."""

    sentence: int
    subject: str
    relation: str
    object: str
    standing: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """The facts that were told, and the name that the user says to have; `unread` lines are none."""

    speaker: str
    lines: tuple[Line, ...]
    unread: int = 0


def read(model: LanguageModel, sentences: Sequence[str], before: Sequence[str] = ()) -> Reading:
    """Read what sentences of one message tell; `before` is what was said earlier.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    messages = prompting.load("telling").render(sentences=sentences, before=before)
    reply = model.complete(
        messages, purpose="extract", max_tokens=_TOKENS, grammar=grammar(sentences, " ".join(before))
    )
    speaker, lines, unread = "", dict[Line, None](), 0
    for written in filter(None, map(str.strip, reply.splitlines())):
        if name := _SPEAKER.fullmatch(written):
            speaker = name[1].strip()
        elif line := _LINE.fullmatch(written):
            number, subject, relation, object_, standing = ((part or "").strip() for part in line.groups())
            lines[Line(int(number or 1), subject, relation, object_, standing)] = None
        elif written != "none":
            unread += 1
    return Reading(speaker, tuple(lines), unread)


def grammar(sentences: Sequence[str], before: str = "") -> str:
    """The form of a reply, in GBNF of llama.cpp: no script that the texts do not have, and an end."""
    strange = foreign(" ".join([*sentences, before]))
    numbers = " | ".join(f'"{number} "' for number in range(1, len(sentences) + 1))
    return f"""root ::= ("I am " words "\\n")? ("none" | fact ("\\n" fact){{0,{_FACTS - 1}}})
fact ::= ({numbers}) words " | " words " | " longer (" | " standing)?
words ::= word (" " word){{0,4}}
longer ::= word (" " word){{0,9}}
word ::= [^ |\\n{strange}]{{1,32}}
{_STANDING}
{TIME}"""
