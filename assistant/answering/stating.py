"""What one relation of one thing is, said without a model: 甲的面积是…, "The capital of Peru is …".

Where a question asks for just that, by the relation's own words, a small model can only lose something of what was
found: it shortens what it copies, takes one of two values, or declines. All that asks for anything besides is left to
it: why and how, where something is, whose something is, how it was before.
"""

import re
from collections import Counter
from collections.abc import Sequence

from assistant.answering import findings
from assistant.knowledge_bases.relations import CLEAR, NAMED
from assistant.language import language_of
from assistant.messages import listed
from assistant.search.evidence import LISTED, RESULT, items
from assistant.search.programs import asking
from assistant.search.programs.doubts import mismatch
from assistant.search.programs.genitives import asked_about, is_name_of, paths
from assistant.search.programs.reading import asks_of_others
from assistant.types import Evidence
from memory.folding import fold

_LONGEST = 400  # characters of a value; what is longer is better summed up
_STEP = " > "
_FOOTNOTE = re.compile(r"[\[⟦]\d+[\]⟧]$")  # jpn[2]
_FULL_STOP = re.compile(r"(?<=[a-z]{4})\.$")  # of a sentence, and not of "Inc."
# Characters that ask for nothing by themselves; those of kinds where the relation says of which kind it is.
_FILLING_ZH, _KIND_ZH = "属于来自拥具备进行经过位", "种类型情况样式"
_QUESTION_WORD_ZH = re.compile("什么|[谁哪几何啥]|多少|多(?=[大高长重])|[怎如](?=[么何样])")
_MANNER_ZH = re.compile("为什么|为何|怎么|如何")
_OF_MANNER_ZH = re.compile("方[式法]|原因|情况|过程")
_WHERE_ZH = re.compile("哪[里儿]|什么地[方点区]|何[地处]")
_PLACE_ZH = re.compile("[地址处区国城市省县籍]|位置|所在|首[都府]|省会")


def stated(question: str, evidence: Sequence[Evidence]) -> str:
    """The statement that answers the question; empty where that asks for anything besides, or it was found otherwise.

    It cites the first piece of evidence, which no other one may contradict.
    """
    first = evidence[0]
    values = _without_repetitions(items(first.object))
    if first.score < CLEAR or first.text or not first.object or mismatch(question, values):
        return ""
    if len(values) >= LISTED or len(first.object) > _LONGEST or any(_tells_another(item, first) for item in evidence):
        return ""
    if first.relation == RESULT and any(item.object and item.text for item in evidence[1:]):
        return ""  # what was once so, or only at times
    worded = _in_chinese if language_of(question) == "zh" else _in_english
    return worded(question, evidence, values)


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


def _last_relations(evidence: Sequence[Evidence], values: Sequence[str]) -> set[str]:
    """The relations by which the end of a path was found."""
    return {item.relation for item in evidence[1:] if set(items(item.object)) & set(values)}


def _in_chinese(question: str, evidence: Sequence[Evidence], values: Sequence[str]) -> str:
    first = evidence[0]
    name, *steps = first.subject.split(_STEP) if first.relation == RESULT else [findings.WHICH.sub("", first.subject)]
    before, _, after = question.partition(name)
    asked_first = _QUESTION_WORD_ZH.search(before) and not re.match('[》”"]?的', after)
    if name not in question or asked_first or len(_QUESTION_WORD_ZH.findall(question.replace(name, ""))) > 1:
        return ""
    behind = asking.behind(name, question)
    asked, relation = asking.asked_in(behind), first.relation
    if steps:
        last = _last_relations(evidence, values)
        if len(last) != 1 or not asked or asked != asking.asked_in("".join(steps)) or asking.is_computed(behind, asked):
            return ""
        relation = "的".join([*steps[:-1], *last])
    elif not _asks_for(relation, asked, behind, question, values) or not findings.has_all_of(first, question):
        return ""
    if asks_of_others(behind, relation) or not _is_of_the_kind(relation, question):
        return ""
    spaced_out = relation.replace(" ", "")  # as encyclopaedias have it: 编 剧
    return f"{name}的{spaced_out}是{listed('zh', values).rstrip('。')} [{first.id}]。"


def _asks_for(relation: str, asked: str, behind: str, question: str, values: Sequence[str]) -> bool:
    """Whether the characters that ask are the relation's, in whatever order, and none is left but filling."""
    if asking.is_computed(behind, relation) and not all(map(asking.is_figure, values)):
        return False  # how many there are
    own = findings.without_kind(relation, question)
    left = set(Counter(asked) - Counter(relation)) - set(_FILLING_ZH) - set(_KIND_ZH if own != relation else "")
    return bool(set(asked) & set(own)) and not left


def _is_of_the_kind(relation: str, question: str) -> bool:
    """Whether the relation tells a manner or a reason, or a place, where that is asked for."""
    if _MANNER_ZH.search(question) and not _OF_MANNER_ZH.search(relation):
        return False
    return not _WHERE_ZH.search(question) or _PLACE_ZH.search(relation) is not None


def _in_english(question: str, evidence: Sequence[Evidence], values: Sequence[str]) -> str:
    first = evidence[0]
    name, *steps = first.subject.split(_STEP) if first.relation == RESULT else [first.subject, first.relation]
    verb, thing = asked_about(question)
    spelled_out = any(
        len(path) == len(steps) and all(map(is_name_of, path, steps))
        for path in paths(thing, findings.WHICH.sub("", name))
    )
    if not spelled_out or (len(values) > 1 and verb in {"is", "was"}):
        return ""
    if first.relation == RESULT:
        last = _last_relations(evidence, values)
        if first.score < NAMED or len(last) != 1 or not is_name_of(steps[-1], *last):
            return ""
    return f"{thing[0].upper()}{thing[1:]} {verb} {_FULL_STOP.sub('', listed('en', values))} [{first.id}]."
