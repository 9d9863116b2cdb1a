"""Questions in Chinese that spell out their path, read step by step against a knowledge base: no model is called.

岁夜的解释的出处是什么 names a thing and, joined by 的, the relations to follow from it. A small model leaves one out or
adds one; the knowledge base knows which relations there are. Each step is a relation that stands next in the question;
the last may be the rest of it, where a relation is like that (KnowledGPT, section 3.2.4), and stays in its own words:
so it counts for no surer than it is. What asks for more than to follow relations (to count, to compare, yes or no) is
not read, and left to the model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import Asked, RelationRanker
from assistant.language import language_of
from assistant.search.programs import asking
from assistant.search.programs.path import following
from assistant.types import Entity, Triple

MOST_STEPS = 4
_ENTITIES = 20
_TRIPLES_AN_ENTITY = 400
# How like a relation what is left of a question has to be. With its question words it is less like than a bare name: of
# NLPCC's training questions 0.92 reach this with the right relation, 0.19 with the best of the wrong ones.
_LIKE = 0.89
_LIKE_NEXT = 0.87  # behind a step that stands in the question, when another surely follows
# One character is a relation where no longer word can begin with it: 种属于什么族, but not 种植 or 目的.
_ALONE = re.compile(r"(?!目的)[^\W是有在为的](?:的|是|有|属于)")


@dataclass
class Known:
    """What a knowledge base says of the entities that a question leads to, each read once, however it is read."""

    linking: Linking
    _triples: dict[Entity, list[Triple]] = field(default_factory=dict, init=False)

    def of(self, entities: Sequence[Entity]) -> list[Triple]:
        """The triples of the first of the entities; raises as `KnowledgeBase.triples`."""
        near, kb = entities[:_ENTITIES], self.linking.kb
        for entity in near:
            if entity not in self._triples:
                self._triples[entity] = kb.triples(entity, "out", _TRIPLES_AN_ENTITY, self.linking.deadline)
        return [triple for entity in near for triple in self._triples[entity]]


def read(names: Sequence[str], known: Known) -> str:
    """The program that follows the path which the question spells out; empty where it spells out none that is `known`.

    `names` are those in the question that are known; the path begins with the longest from which it can be read.

    Raises:
        KnowledgeBaseUnreachable: as `KnowledgeBase.link` and `KnowledgeBase.triples`.
    """
    linking, question = known.linking, known.linking.question
    if language_of(question) != "zh":
        return ""
    for start in asking.starts(names):
        rest = asking.behind(start, question)
        if rest and (path := _path(rest, linking.bearers(start), known)):
            return following([start, *path], [start], [[step] for step in path])
    return ""


def _path(rest: str, entities: Sequence[Entity], known: Known) -> list[str]:
    """The relations that the rest of a question names, from the entities on; none where it asks for something else."""
    path, linking = list[str](), known.linking
    while entities and len(path) < MOST_STEPS:
        triples = known.of(entities)
        relations = {triple.relation for triple in triples}
        if path and not triples and asking.only_words(rest):
            return path  # a value was reached
        rest = rest.removeprefix("的")
        if path and (kind := asking.kind_in(rest)):
            is_one = any(triple.object == kind for triple in triples)  # 首都是哪座城市, and what it leads to is a 城市
            if is_one or (path[-1] != kind and path[-1].endswith(kind)):
                return path  # 内筒材质是什么材质的 asks for no material of the material
            if literal(relations, kind)[0]:
                rest = kind
            elif _meant(triples, rest, linking.ranker) < _LIKE_NEXT:
                return path
        if counted := _counted(triples, asking.counted_in(rest)):
            return [*path, counted]
        step, rest = literal(relations, rest)
        if not step:
            words = asking.without_particles(rest)
            step, rest = words if _meant(triples, words, linking.ranker) >= (_LIKE_NEXT if path else _LIKE) else "", ""
        if not step or asking.is_stated(rest):
            return []
        if measured := _measured(relations, step, asking.size_in(rest)):
            return [*path, measured]
        if not asking.asked_in(rest):
            return [*path, step] if _is_figure(triples, step) or not asking.is_computed(rest) else []
        path.append(step)
        entities = reached(triples, step, linking)
    return []


def literal(relations: set[str], text: str) -> tuple[str, str]:
    """The longest relation that the text begins with, and what is behind it; empty where there is none.

    现任的主席 begins with 现任主席 too.
    """
    for said in (text, text.replace("的", "", 1)):
        for relation in sorted(relations, key=lambda name: (-len(_written(name)), len(name))):
            written = _written(relation)
            rest = said.removeprefix(written)
            if rest != said and not asking.is_doer(rest) and (len(written) > 1 or _ALONE.match(said)):
                return relation, rest
    return "", text


def _written(relation: str) -> str:
    """A relation as a question has it: encyclopaedias space some out, as 配 偶."""
    return relation.replace(" ", "")


def _counted(triples: Sequence[Triple], counted: str) -> str:
    """The relation whose value is the number asked for; empty where the objects themselves have to be counted."""
    relations = {t.relation for t in triples if counted and _is_figure(triples, t.relation)}
    numbers = [relation for relation in relations if re.fullmatch(f"{re.escape(counted)}(?:人?数量?|总数)", relation)]
    return counted if counted in relations else min(numbers, key=len, default="")


def _is_figure(triples: Sequence[Triple], relation: str) -> bool:
    """Whether all that is known of the relation begins with a number."""
    values = [t.object for t in triples if t.relation == relation]
    return bool(values) and all(map(asking.is_figure, values))


def _measured(relations: set[str], step: str, size: str) -> str:
    """枪管长度 where 枪管 is followed by 有多长, and both are relations; empty where there is no such relation."""
    longer = [relation for relation in relations if size and relation.startswith(step)]
    return min((relation for relation in longer if size in relation.removeprefix(step)), key=len, default="")


def _meant(triples: Sequence[Triple], text: str, ranker: RelationRanker) -> float:
    """How like the nearest relation the text is; 0 where it has steps of its own, or asks from the other end."""
    if not triples or not text or asking.is_joined(text):
        return 0.0
    likeness, best = nearest(triples, text, ranker)
    return 0.0 if asks_of_others(text, best) or asking.is_computed(text, best) else likeness


def nearest(triples: Sequence[Triple], text: str, ranker: RelationRanker) -> tuple[float, str]:
    """The name of the relation that is most like the text, behind its likeness; there has to be a triple."""
    relations = dict.fromkeys(Asked((t.relation, *t.relation_aliases), outgoing=True) for t in triples)
    likeness, best = ranker.rank(list(relations), [text])[0]
    return likeness, best.names[0]


def asks_of_others(text: str, relation: str) -> bool:
    """Whether the text asks for what has this relation to the thing that is asked about: 是哪国的首都."""
    others = asking.asked_of_others(text)
    return bool(others) and relation.endswith(others)


def reached(triples: Sequence[Triple], step: str, linking: Linking) -> list[Entity]:
    """What the relation `step` leads to, as far as the knowledge base knows it.

    Raises:
        KnowledgeBaseUnreachable: as `KnowledgeBase.link`.
    """
    found: list[Entity] = []
    for triple in triples:
        if triple.relation == step:
            known = [Entity(linking.kb.name, triple.object_id, triple.object)] if triple.object_id else []
            found += linking.bearers(triple.object, known)
        if len(found) >= _ENTITIES:  # each name is looked up, and one relation may have hundreds of objects
            break
    return list(dict.fromkeys(found))[:_ENTITIES]
