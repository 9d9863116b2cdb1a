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
    r"[最比更不]|几[个位座条部本家]|多少[个种位座条部本家]|[一总]共|同时|共同|除了|以外|超过|[以之][上下前后间外]|没有|是否"
    r"|[中里][，,]|[和与跟]"
)
_ASKING = re.compile(
    r"请问?|[想能]?(?:知道|告诉|了解|记得|清楚|问)|有人|大家|一[些下]|什么|时候|多少|哪[些个里儿位种]?|怎[么样]*|如何"
    r"|[我你是为有叫都在于谁几吗呢啊呀吧的了又这那名个位]|[\W_]"
)
_OWNED = re.compile(r"(?:(?<!告诉)[我你您咱他她它]们?|的)$")  # 我妈妈 is not the film of that name
# How a question for a value ends; 密度是多少 behind 人口 asks for something else.
_WORDING = re.compile(
    r"(?!为什么|为何)(?:大[约概]|究竟|到底|[了是有于为叫])*(?:什么|谁|哪|几|多[少久长大高远重]|怎么?[样写读念称叫算])"
)
_STATED = re.compile(r"(?:就?是|为|叫|等于)(?!什么|谁|哪|怎|多少|几|如何|做|属于)\w")
# Of what kind the answer is, and no step to follow: 首都是哪座城市.
_OF_WHICH_KIND = re.compile(
    r"(?:[是叫]|为(?!什么))(?:哪一?|什么)(?![里儿年天日月时])[座个种位条片家所部款]?([^\W的]{1,3})[\W呢啊呀]*$"
)
_CHAIN = re.compile(r"的(?![呢吗啊呀吧])\w")
_PARTICLES = re.compile(r"[\W_吗呢啊呀吧]+$")
_CLOSING = "》〉”」』\"' "


def read(question: str, names: Sequence[str], kb: KnowledgeBase, ranker: RelationRanker, deadline: Deadline) -> str:
    """The program that follows the path which `question` spells out; empty where it spells out none that `kb` has.

    `names` are those in the question that are known; the longest is where the path begins.

    Raises:
        KnowledgeBaseUnreachable: as `KnowledgeBase.link` and `KnowledgeBase.triples`.
    """
    start = max(names, key=len, default="")
    before, _, rest = question.partition(start) if start else ("", "", "")
    if language_of(question) != "zh" or _OWNED.search(before) or _asked_in(before) or not _asked_in(rest):
        return ""
    rest = rest.lstrip(_CLOSING)
    linking = Linking(kb, question, deadline, ranker)
    entities = linking.bearers(start)[:_ENTITIES]
    path: list[str] = []
    while entities and len(path) < _MOST_STEPS:
        triples = [t for e in entities for t in kb.triples(e, "out", _TRIPLES_AN_ENTITY, deadline)]
        if path and not triples and _WORDING.match(rest) and not _COMPUTED.search(rest):
            rest = ""  # a value was reached, and what is left only words the question for it
            break
        rest = rest.removeprefix("的")
        if path and (kind := _OF_WHICH_KIND.match(rest)):
            if not _literal({t.relation for t in triples}, kind[1]):
                rest = ""
                break
            rest = kind[1]
        step = _literal({t.relation for t in triples}, rest)
        rest = rest.removeprefix(step.replace(" ", ""))
        if not step:
            words = _PARTICLES.sub("", rest)
            step, rest = words if _meant(triples, words, ranker) >= (_LIKE_NEXT if path else _LIKE) else "", ""
        if not step or _STATED.match(rest) or (not _asked_in(rest) and _COMPUTED.search(rest)):
            return ""
        path.append(step)
        if not _asked_in(rest):
            break
        entities = _reached(triples, step, kb, linking)
    return following([start, *path], [start], [[step] for step in path]) if path and not _asked_in(rest) else ""


def _asked_in(text: str) -> str:
    """What a text asks for: what is left without question words."""
    return _ASKING.sub("", text)


def _literal(relations: set[str], text: str) -> str:
    """The longest relation that the text begins with; one character is too little to tell it by."""
    beginning = [r for r in relations if len(r) > 1 and text.startswith(r.replace(" ", ""))]
    return max(beginning, key=len, default="")


def _meant(triples: Sequence[Triple], text: str, ranker: RelationRanker) -> float:
    """How like the nearest relation the text is; 0 where it has steps of its own."""
    if not text or _COMPUTED.search(text) or _CHAIN.search(text):
        return 0.0
    relations = dict.fromkeys(Asked((t.relation, *t.relation_aliases), outgoing=True) for t in triples)
    return max((score for score, _ in ranker.rank(list(relations), [text])), default=0.0)


def _reached(triples: Sequence[Triple], step: str, kb: KnowledgeBase, linking: Linking) -> list[Entity]:
    found: list[Entity] = []
    for triple in triples:
        if triple.relation == step:
            known = [Entity(kb.name, triple.object_id, triple.object)] if triple.object_id else []
            found += linking.bearers(triple.object, known)
        if len(found) >= _ENTITIES:  # each name is looked up, and one relation may have hundreds of objects
            break
    return list(dict.fromkeys(found))[:_ENTITIES]
