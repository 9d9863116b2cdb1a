"""Questions in Chinese that spell out their path, read step by step against a knowledge base: no model is called.

岁夜的解释的出处是什么 names a thing and, joined by 的, the relations to follow from it. A small model leaves one out or
adds one; the knowledge base knows which relations there are. Each step is a relation that stands next in the question;
the last may be the rest of it, where a relation is like that (KnowledGPT, section 3.2.4), and stays in its own words:
so it counts for no surer than it is. What asks for more than to follow relations (to count, to compare, yes or no) is
not read, and left to the model.
"""

import re
from collections.abc import Sequence

from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import Asked, RelationRanker
from assistant.language import language_of
from assistant.search.path import following
from assistant.types import Entity, Triple

_MOST_STEPS = 4
_ENTITIES = 20
_TRIPLES_AN_ENTITY = 400
# How like a relation what is left of a question has to be. With its question words it is less like than a bare name: of
# NLPCC's training questions 0.92 reach this with the right relation, 0.19 with the best of the wrong ones.
_LIKE = 0.89
_LIKE_NEXT = 0.87  # behind a step that stands in the question, when another surely follows
_COMPUTED = re.compile(
    r"[最比更不]|几[个座条位部本家]|多少[个种位座条部本家]|[一总]共|同时|共同|除了|以外|超过|[以之][上下前后间外]|没有|是否"
    r"|[中里][，,]|[和与跟]"
)
_ASKING = re.compile(
    r"[想能]?(?:请问?|知道|告诉|了解|记得|清楚|问)|很?好奇|有人|大家|一[些下]|什么|时候|多少|哪[些个里儿位种]?"
    r"|该?(?:怎[么样]*|如何)(?:拼?[写读]|念|称呼|描述|表[示达])?|[我你是为有叫都在于谁几吗呢啊呀吧的了又这那名个位]|[\W_]"
)
_OWNED = re.compile(r"(?:(?<!告诉)[我你您咱他她它]们?|的)$")  # 我妈妈 is not the film of that name
_BESIDE = re.compile(r"^[》〉”」』\"' ]*(?:这[个部本款张首位座种家]\w{1,3}?(?=的))?")  # 甲这部电影的导演
_CHARACTER = re.compile(r"^字(?=的)")  # 汭字的部首
# How a question for a value ends; 密度是多少 behind 人口 asks for something else.
_WORDING = re.compile(
    r"(?!为什么|为何)(?:大[约概]|究竟|到底|[了是有于为叫])*(?:什么|谁|哪|几|多[少久长大高远重]|怎么?[样写读念称叫算])"
)
_STATED = re.compile(r"(?:就?是|为|叫|等于)(?!什么|谁|哪|怎|多少|几|如何|做|属于)\w")
# Of what kind the answer is, and no step to follow: 首都是哪座城市.
_OF_WHICH_KIND = re.compile(
    r"(?:[是叫]|为(?!什么))(?:哪一?|什么)(?![里儿年天日月时])[座个种位条片家所部款]?([^\W的]{1,3})[\W呢啊呀]*$"
)
# What is counted in the relation itself: 有几个行政村 where 行政村 is 29个, 有多少页 where there is 页数.
_COUNTED = re.compile(
    r"(?:[一总]?共|大[约概])?(?:[有是]|包[括含])?(?:几|多少)([个座条位本部家所张种层页册卷集章]?)([^\W的]*)[\W吗呢啊呀]*$"
)
_MEASURED = re.compile(r"有?多([长高大重宽深厚远])")
_FIGURE = re.compile(r"[约共有]*(?:\d|[一二两三四五六七八九十百千万]+(?:[多余个座条种名人家所页层]|$))")
_CHAIN = re.compile(r"的(?![呢吗啊呀吧])\w")
_PARTICLES = re.compile(r"[\W_吗呢啊呀吧]+$")


def read(question: str, names: Sequence[str], kb: KnowledgeBase, ranker: RelationRanker, deadline: Deadline) -> str:
    """The program that follows the path which `question` spells out; empty where it spells out none that `kb` has.

    `names` are those in the question that are known; the path begins with the longest from which it can be read.

    Raises:
        KnowledgeBaseUnreachable: as `KnowledgeBase.link` and `KnowledgeBase.triples`.
    """
    if language_of(question) != "zh":
        return ""
    linking = Linking(kb, question, deadline, ranker)
    for start in sorted(names, key=len, reverse=True):
        before, _, rest = question.partition(start)
        if _OWNED.search(before) or _asked_in(before) or not _asked_in(rest):
            continue
        rest = _BESIDE.sub("", rest) if len(start) > 1 else _CHARACTER.sub("", rest)
        if path := _path(rest, linking.bearers(start)[:_ENTITIES], linking):
            return following([start, *path], [start], [[step] for step in path])
    return ""


def _path(rest: str, entities: Sequence[Entity], linking: Linking) -> list[str]:
    """The relations that the rest of a question names, from the entities on; none where it asks for something else."""
    path: list[str] = []
    while entities and len(path) < _MOST_STEPS:
        triples = [t for e in entities for t in linking.kb.triples(e, "out", _TRIPLES_AN_ENTITY, linking.deadline)]
        if path and not triples and _WORDING.match(rest) and not _COMPUTED.search(rest):
            return path  # a value was reached, and what is left only words the question for it
        rest = rest.removeprefix("的")
        if path and (kind := _OF_WHICH_KIND.match(rest)):
            if not _literal({t.relation for t in triples}, kind[1]):
                return path
            rest = kind[1]
        if counted := _counted(triples, rest):
            return [*path, counted]
        step = _literal({t.relation for t in triples}, rest)
        rest = rest.removeprefix(step.replace(" ", ""))
        if not step:
            words = _PARTICLES.sub("", rest)
            step, rest = words if _meant(triples, words, linking.ranker) >= (_LIKE_NEXT if path else _LIKE) else "", ""
        if not step or _STATED.match(rest):
            return []
        if measured := _measured(triples, step, rest):
            return [*path, measured]
        if not _asked_in(rest):
            return [*path, step] if _is_figure(triples, step) or not _COMPUTED.search(rest) else []
        path.append(step)
        entities = _reached(triples, step, linking)
    return []


def _asked_in(text: str) -> str:
    """What a text asks for: what is left without question words."""
    return _ASKING.sub("", text)


def _literal(relations: set[str], text: str) -> str:
    """The longest relation that the text begins with; one character is too little to tell it by."""
    beginning = [r for r in relations if len(r) > 1 and text.startswith(r.replace(" ", ""))]
    return max(beginning, key=len, default="")


def _counted(triples: Sequence[Triple], text: str) -> str:
    """The relation whose value is the number asked for; empty where the objects themselves have to be counted."""
    if not (asked := _COUNTED.match(text)):
        return ""
    counted = asked[2] or asked[1]
    named = {counted, f"{counted}数", f"{counted}数量"}
    return next((t.relation for t in triples if t.relation in named and _is_figure(triples, t.relation)), "")


def _is_figure(triples: Sequence[Triple], relation: str) -> bool:
    """Whether the relation has one value, and that begins with a number."""
    values = {t.object for t in triples if t.relation == relation}
    return len(values) == 1 and _FIGURE.match(values.pop()) is not None


def _measured(triples: Sequence[Triple], step: str, asked: str) -> str:
    """枪管长度 where 枪管 is followed by 有多长, and both are relations; empty where there is no such relation."""
    size = _MEASURED.match(asked)
    relations = {t.relation for t in triples if t.relation.startswith(step)}
    return min((r for r in relations if size and size[1] in r.removeprefix(step)), key=len, default="")


def _meant(triples: Sequence[Triple], text: str, ranker: RelationRanker) -> float:
    """How like the nearest relation the text is; 0 where it has steps of its own."""
    if not text or _COMPUTED.search(text) or _CHAIN.search(text):
        return 0.0
    relations = dict.fromkeys(Asked((t.relation, *t.relation_aliases), outgoing=True) for t in triples)
    return max((score for score, _ in ranker.rank(list(relations), [text])), default=0.0)


def _reached(triples: Sequence[Triple], step: str, linking: Linking) -> list[Entity]:
    found: list[Entity] = []
    for triple in triples:
        if triple.relation == step:
            known = [Entity(linking.kb.name, triple.object_id, triple.object)] if triple.object_id else []
            found += linking.bearers(triple.object, known)
        if len(found) >= _ENTITIES:  # each name is looked up, and one relation may have hundreds of objects
            break
    return list(dict.fromkeys(found))[:_ENTITIES]
