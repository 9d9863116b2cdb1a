"""What one relation of one thing is, said without a model: 甲的面积是…, "The capital of Peru is …".

Where a question asks for just that, by the relation's own words, a small model can only lose something of what was
found: it shortens what it copies, takes one of two values, or declines.
"""

import re
from collections.abc import Sequence

from assistant.answering import findings, support
from assistant.knowledge_bases.relations import CLEAR
from assistant.language import language_of
from assistant.search.evidence import LISTED, RESULT, items
from assistant.search.programs import asking
from assistant.stemming import roots
from assistant.types import Evidence
from memory.folding import fold, terms

_LONGEST = 400  # characters of a value; what is longer is better summed up
_FILLING_ZH = frozenset("属于来自拥具备进行经过位种类型情况样式")  # characters that ask for nothing by themselves
_STEP = " > "
_QUESTION = re.compile(r"\W*(?:what|who) (is|are|was|were) ([^?]+?)[\s?]*", re.IGNORECASE)
_LITTLE = frozenset(["the", "of", "s", "a", "an", "in", "for", "name", "names"])


def stated(question: str, evidence: Sequence[Evidence]) -> str:
    """The statement that answers the question; empty where that asks for anything besides, or it was found otherwise.

    It cites the first piece of evidence, which no other one may contradict.
    """
    first = evidence[0]
    values = _without_shorter(items(first.object))
    if first.score < CLEAR or first.text or not 1 <= len(values) < LISTED or len(first.object) > _LONGEST:
        return ""
    if any(_tells_another(item, first) for item in evidence):
        return ""
    chinese = language_of(question) == "zh"
    if first.relation == RESULT:
        return _of_path(question, evidence, values) if chinese else ""
    if not first.object or not findings.has_all_of(first, question):
        return ""
    return _in_chinese(question, first, values) if chinese else _in_english(question, first, values)


def _tells_another(item: Evidence, first: Evidence) -> bool:
    """Whether it says something else by the same name: of a namesake, or as another knowledge base has it."""
    return fold(item.relation) == fold(first.relation) and fold(item.object) != fold(first.object)


def _without_shorter(values: Sequence[str]) -> list[str]:
    """The values without those that another one says as well: 1886年 beside 1886年9月19日."""
    return [
        value
        for place, value in enumerate(values)
        if not any(
            support.named_in(value, other) and (fold(value) != fold(other) or before < place)
            for before, other in enumerate(values)
            if before != place
        )
    ]


def _in_chinese(question: str, first: Evidence, values: Sequence[str]) -> str:
    name = findings.WHICH.sub("", first.subject)
    own = findings.without_kind(first.relation, question)
    asked = asking.asked_in(asking.behind(name, question)) if name in question else ""
    if not set() < set(asked) & set(own) or set(asked) - set(first.relation) - _FILLING_ZH:
        return ""
    relation = first.relation.replace(" ", "")  # encyclopaedias space some out: 编 剧
    return f"{name}的{relation}是{'、'.join(values).rstrip('。')} [{first.id}]。"


def _of_path(question: str, evidence: Sequence[Evidence], values: Sequence[str]) -> str:
    """What a path of several relations leads to, where the question spells out just these."""
    first = evidence[0]
    name, *steps = first.subject.split(_STEP)
    last = {item.relation for item in evidence[1:] if set(items(item.object)) & set(values)}
    asked = asking.behind(name, question) if name in question else ""
    said = asking.asked_in("".join(steps))
    if not said or len(last) != 1 or set(asking.asked_in(asked)) ^ set(said) or asking.is_computed(asked, said):
        return ""
    way = "的".join([name, *steps[:-1], *last])
    return f"{way}是{'、'.join(values).rstrip('。')} [{first.id}]。"


def _in_english(question: str, first: Evidence, values: Sequence[str]) -> str:
    asked = _QUESTION.fullmatch(question)
    name = findings.WHICH.sub("", first.subject)
    if not asked or len(values) > 1:
        return ""
    said, named = set(terms(asked[2])), set(terms(name))
    besides = said - named - _LITTLE
    if not named <= said or roots(" ".join(besides)) != roots(first.relation) - _LITTLE or not besides:
        return ""
    thing = asked[2][0].upper() + asked[2][1:]
    return f"{thing} {asked[1].lower()} {values[0].rstrip('.')} [{first.id}]."
