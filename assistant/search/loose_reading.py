"""Questions in Chinese whose last step is in words of their own: 谁翻译了商务沟通, 打工春晚的主持人喜欢做什么.

What `reading` leaves is read once more. The steps before the last have to be relations still; the last is followed as
it is worded, so that the relations that there are decide what is meant and, where none clearly is, the model with one
token (`RelationChoice`; KnowledGPT, section 4.3). A small model that writes such a program itself names relations that
do not exist.
"""

from collections.abc import Sequence

from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import Asked, RelationRanker
from assistant.language import language_of
from assistant.search import asking
from assistant.search.path import following
from assistant.search.reading import MOST_STEPS, known_of, literal, reached
from assistant.types import Triple

_HOP = 0.87  # as like a relation what stands before 的 is a step of its own


def read_loosely(
    question: str, names: Sequence[str], kb: KnowledgeBase, ranker: RelationRanker, deadline: Deadline
) -> str:
    """The program that follows the question from the longest of `names` about which it asks one thing.

    Empty where it asks to compute or to compare, or for yes or no, or `kb` knows none of them; raises as `read`.
    """
    if language_of(question) != "zh":
        return ""
    linking = Linking(kb, question, deadline, ranker)
    for start in asking.starts(names):
        before, behind = asking.of_one(start, question)
        if (before or behind) and (triples := known_of(linking.bearers(start), linking)):
            path = _path(before, behind, triples, linking)
            return following([start, *path], [start], [[step] for step in path]) if path else ""
    return ""


def _path(before: str, behind: str, triples: Sequence[Triple], linking: Linking) -> list[str]:
    """The relations with which the words `behind` begin, and the rest with those `before`; none where that is none."""
    path: list[str] = []
    while len(path) < MOST_STEPS:
        step, rest = literal({t.relation for t in triples}, behind)
        further = known_of(reached(triples, step, linking), linking) if step and asking.goes_on(rest) else []
        if not further:
            return [*path, before + behind] if _is_step(before + behind, triples, linking.ranker) else []
        path.append(step)
        behind, triples = rest.removeprefix("的"), further
    return []


def _is_step(words: str, triples: Sequence[Triple], ranker: RelationRanker) -> bool:
    """Whether the words can mean one relation, and ask for no more than its value."""
    relations = list(dict.fromkeys(Asked((t.relation, *t.relation_aliases), outgoing=True) for t in triples))
    _, nearest = ranker.rank(relations, [words])[0]
    name = nearest.names[0]
    if (others := asking.asked_of_others(words)) and name.endswith(others):
        return False
    if asking.is_computed(words, name):
        values = [t.object for t in triples if t.relation == name]
        return asking.is_counted(words, name) and all(map(asking.is_figure, values))
    if not (owner := asking.first_owner(words)):
        return True
    likeness, hop = ranker.rank(relations, [owner])[0]  # of 现在的校长 none, or the one that 校长 means too
    return owner not in hop.names and (likeness < _HOP or hop == nearest)
