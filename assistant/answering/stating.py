"""What one relation of one thing is, said without a model: 甲的面积是…, "The capital of Peru is …".

Where a question asks for just that, by the relation's own words, a small model can only lose something of what was
found: it shortens what it copies, takes one of two values, or declines.
"""

import re
from collections.abc import Sequence

from assistant.answering import findings
from assistant.knowledge_bases.relations import CLEAR
from assistant.language import language_of
from assistant.search.evidence import LISTED, RESULT, items
from assistant.search.programs import asking
from assistant.search.programs.genitives import asked_about
from assistant.stemming import roots
from assistant.types import Evidence
from memory.folding import fold, terms

_LONGEST = 400  # characters of a value; what is longer is better summed up
_FILLING_ZH = frozenset("属于来自拥具备进行经过位种类型情况样式")  # characters that ask for nothing by themselves
_STEP = " > "
_FOOTNOTE = re.compile(r"\[\d+\]$")  # jpn[2]
_LITTLE = frozenset(["the", "of", "s", "a", "an", "in", "for", "name", "names"])


def stated(question: str, evidence: Sequence[Evidence]) -> str:
    """The statement that answers the question; empty where that asks for anything besides, or it was found otherwise.

    It cites the first piece of evidence, which no other one may contradict.
    """
    first = evidence[0]
    values = _without_repetitions(items(first.object))
    if first.score < CLEAR or first.text or not 1 <= len(values) < LISTED or len(first.object) > _LONGEST:
        return ""
    if any(_tells_another(item, first) for item in evidence):
        return ""
    chinese = language_of(question) == "zh"
    if first.relation == RESULT:
        return _of_path(question, evidence, values) if chinese else _in_english(question, first, values)
    if not first.object or not findings.has_all_of(first, question):
        return ""
    return _in_chinese(question, first, values) if chinese else _in_english(question, first, values)


def _tells_another(item: Evidence, first: Evidence) -> bool:
    """Whether it says something else by the same name: of a namesake, or as another knowledge base has it."""
    return fold(item.relation) == fold(first.relation) and fold(item.object) != fold(first.object)


def _without_repetitions(values: Sequence[str]) -> list[str]:
    """The values without those spelled otherwise before, and without 1886年 beside 1886年9月19日."""
    spelled: dict[str, str] = {}
    for value in values:
        spelled.setdefault(fold(_FOOTNOTE.sub("", value)), value)
    return [
        value
        for short, value in spelled.items()
        if not (short[:1].isdigit() and any(longer.startswith(f"{short} ") for longer in spelled))
    ]


def _in_chinese(question: str, first: Evidence, values: Sequence[str]) -> str:
    name = findings.WHICH.sub("", first.subject)
    own = findings.without_kind(first.relation, question)
    behind = asking.behind(name, question) if name in question else ""
    asked = asking.asked_in(behind)
    if asking.is_computed(behind, first.relation) and not all(map(asking.is_figure, values)):
        return ""  # how many there are
    if not set() < set(asked) & set(own) or set(asked) - set(first.relation) - _FILLING_ZH:
        return ""
    relation = first.relation.replace(" ", "")  # encyclopaedias space some out: 编 剧
    return f"{name}的{relation}是{'、'.join(values).rstrip('。')} [{first.id}]。"


def _of_path(question: str, evidence: Sequence[Evidence], values: Sequence[str]) -> str:
    """What a path of several relations leads to, where the question spells out just these."""
    first = evidence[0]
    name, *steps = first.subject.split(_STEP)
    last = {item.relation for item in evidence[1:] if set(items(item.object)) & set(values)}
    behind = asking.behind(name, question) if name in question else ""
    said = asking.asked_in("".join(steps))
    if not said or len(last) != 1 or set(asking.asked_in(behind)) ^ set(said) or asking.is_computed(behind, said):
        return ""
    way = "的".join([name, *steps[:-1], *last])
    return f"{way}是{'、'.join(values).rstrip('。')} [{first.id}]。"


def _in_english(question: str, first: Evidence, values: Sequence[str]) -> str:
    name, *path = first.subject.split(_STEP) if first.relation == RESULT else [first.subject, first.relation]
    verb, thing = asked_about(question)
    said, named = set(terms(thing)), set(terms(findings.WHICH.sub("", name)))
    if not named <= said or roots(" ".join(said - named)) - _LITTLE != roots(" ".join(path)) - _LITTLE:
        return ""
    if len(values) > 1 and verb in {"is", "was"}:
        return ""
    *others, last = values
    value = f"{', '.join(others)} and {last}" if others else last
    return f"{thing[0].upper()}{thing[1:]} {verb} {value.rstrip('.')} [{first.id}]."
