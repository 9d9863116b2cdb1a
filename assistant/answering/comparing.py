"""Questions of which of two things is more, older, first: the model reads off what decides, and code compares.

A small model finds "1952" and "1960", and then takes the larger figure for the older person.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant import prompting
from assistant.answering import support
from assistant.answering.moments import Moment, moment
from assistant.citations import without_citations
from assistant.llm.client import LanguageModel
from assistant.messages.shared import verdict
from assistant.search.evidence import RESULT
from assistant.search.formats import Format, line
from assistant.search.quantities import FIGURE, quantity, without_quantity
from assistant.types import Evidence, Turn
from memory.folding import STOP_WORDS, fold

_MORE = (
    r"(?:\b(?:old|young|eld|earli|lat|soon|long|short|tall|small|larg|bigg|high|low|great|heavi|light|fast|slow|cheap"
    r"|wid|deep|rich|new|few|thick|thin|warm|cold)er\b|\b(?:more|less)\b|\b(?:first|last)(?=\s*(?:[,?]|$)))"
)
_COMPARES = re.compile(
    rf"^(?!.*\b(?:or {_MORE}|more or less))\W*(?:which|who|whose|is|are|was|were|has|have|had|do|does|did)\b"
    rf"(?:.*{_MORE}.*\bor\b|.*\bor\b.*{_MORE})"
    rf"|^\W*(?:which of|who of|of|between)\b.*\band\b.*{_MORE}"
    r"|(?:(?<!共)[和与跟]|还是).+(?:哪|谁).*(?:更|[先早晚](?![生餐饭上宴]))|(?:更|先|早).+还是|.还是.+(?:更|先|早)",
    re.IGNORECASE,
)
_THAN = re.compile(
    rf"^\W*(?:is|are|was|were|has|have|had|do|does|did)\b.*{_MORE}(?: \w+){{0,2}} than (?!.*\d)", re.IGNORECASE
)
_THING = r"\s*([^;；:：]+?)\s*[:：]\s*([^;；]+?)\s*[;；]"
_BEFORE = frozenset({"earlier", "first", "older", "elder"})
_BY_TIME = f"{'|'.join(sorted(_BEFORE))}|later|last|younger|newer"
_BY_MORE = "more|larger|bigger|greater|longer|taller|higher|heavier|wider|deeper"
_BY_LESS = "less|fewer|smaller|shorter|lower|lighter"
_REPLY = re.compile(
    rf"^{_THING}{_THING}\s*the (?:({_BY_TIME})|({_BY_MORE})|(?:{_BY_LESS}))(?: one)?\W*$", re.IGNORECASE
)
_DIFFERENCE, _HOW_MUCH = re.compile("differ|差", re.IGNORECASE), re.compile(r"\bhow\b|多少|几", re.IGNORECASE)
_BARE_FIGURE = re.compile(r"-?[\d.,]+")
_ARTICLE = re.compile(r"^the ", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


def is_comparison(question: str) -> bool:
    """Whether it asks, in English or Chinese, which of two things that it names is more of something, or whether one
    is more than the other."""
    return bool(_COMPARES.search(question) or _THAN.search(question))


def without_difference(question: str, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The evidence, without the bare difference that a program took: that does not tell which of two is more."""
    first = evidence[0] if evidence else None
    if first is None or first.relation != RESULT or not _BARE_FIGURE.fullmatch(first.object):
        return evidence
    taken = _DIFFERENCE.search(first.subject) and evidence[2:]  # two more, of which it is the difference
    return evidence[1:] if taken and is_comparison(question) and not _HOW_MUCH.search(question) else evidence


def compared(model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], format: Format) -> str | None:
    """Which of the two, with what decides and where it stands; empty where the evidence does not tell it of both, None
    where the model does not reply so.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.stream`.
    """
    question = turn.question
    messages = prompting.load("comparing").render(evidence=format(evidence), question=question)
    written = model.complete(messages, purpose="answer", max_tokens=100).replace("*", "").strip()
    reply = _REPLY.match(without_citations(written))
    if reply is None:
        return None
    *read, time, more_of_it = reply.groups()
    by_time = time is not None
    one, other = (_read(name, said, by_time, question, evidence) for name, said in (read[:2], read[2:]))
    if one is None or other is None or (is_less := one.is_less_than(other)) is None:
        return ""
    less, more = (one, other) if is_less else (other, one)
    is_more = time.lower() not in _BEFORE if time is not None else more_of_it is not None
    asked, against = (more, less) if is_more else (less, more)
    answer = f"{asked.name} ({asked.told}; {against.name}: {against.told})"
    if not _THAN.search(question):
        return answer
    is_first = fold(question).find(fold(asked.name)) < fold(question).find(fold(against.name))
    return verdict(turn.language, is_first, answer)


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read off for one of the two; `told` is that with its citation."""

    name: str
    read: Moment | float
    unit: str
    told: str

    def is_less_than(self, other: "_Read") -> bool | None:
        """Whether it is less, or before the other; None where that cannot be told, as of metres and tons."""
        if isinstance(self.read, Moment) and isinstance(other.read, Moment):
            return self.read.is_before(other.read)
        if isinstance(self.read, Moment) or isinstance(other.read, Moment):
            return None
        same_unit = self.unit == other.unit or not (self.unit and other.unit)
        return self.read < other.read if same_unit and self.read != other.read else None


def _read(name: str, said: str, by_time: bool, question: str, evidence: Sequence[Evidence]) -> _Read | None:
    """None where the question does not name it, no evidence holds both its name and what was read off, or that is no
    date or figure."""
    when = moment(said)
    read = when if by_time else None if when and not said.isdigit() else quantity(said)
    bare = _ARTICLE.sub("", name)
    holding = (item for item in evidence if support.named_in(bare, line(item)) and _stands_in(said, line(item)))
    held = next(holding, None)
    if read is None or held is None or not support.named_in(name, question):
        return None
    unit = "" if by_time else without_quantity(said)
    return _Read(name[:1].upper() + name[1:], read, unit, f"{said} [{held.id}]")


def _stands_in(said: str, text: str) -> bool:
    """Whether a text has the figures of what was read off; of a date or a time its month and half of the day, too."""
    figures = re.findall(FIGURE, said)
    if not figures:
        return support.named_in(said, text)
    if moment(said):
        has = {word[:3] for word in _WORD.findall(fold(text))}
        if any(word[:3] not in has for word in _WORD.findall(fold(said)) if word not in STOP_WORDS):
            return False
    return all(re.search(rf"(?<![\d.,]){re.escape(figure)}(?!\d)", text) for figure in figures)
