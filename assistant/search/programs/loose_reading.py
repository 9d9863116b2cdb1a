"""Questions in Chinese whose last step is in words of their own: 谁翻译了商务沟通, 打工春晚的主持人喜欢做什么.

What `reading` leaves is read once more. The steps before the last have to be relations still; the last is followed as
it is worded, and which relation that means is told as for any program (KnowledGPT, sections 3.2.4 and 4.3): by
likeness, and by the model's one token where a single step is like none. A small model that writes such a program itself
names relations that do not exist.
"""

from collections.abc import Sequence

from assistant.knowledge_bases.relations import RelationRanker
from assistant.language import language_of
from assistant.search.programs import asking
from assistant.search.programs.path import following
from assistant.search.programs.reading import MOST_STEPS, Known, asks_of_others, literal, nearest, reached
from assistant.types import Triple

_HOP = 0.86  # as like a relation a step of its own is, in whatever words


def read_loosely(names: Sequence[str], known: Known) -> str:
    """The program that follows the question from the longest of `names` about which it asks one thing.

    Empty where it asks to compute, to compare or for yes or no, or none of them is `known`; raises as `read`.
    """
    linking, question = known.linking, known.linking.question
    if language_of(question) != "zh":
        return ""
    for start in asking.starts(names):
        before, behind = asking.words_around(start, question)
        triples = known.of(linking.bearers(start)) if before or behind else []
        if path := _path(before, behind, triples, known):
            return following([start, *path], [start], [[step] for step in path])
    return ""


def _path(before: str, behind: str, triples: Sequence[Triple], known: Known) -> list[str]:
    """The relations with which the words `behind` begin, and the rest with those `before`; none where that is none."""
    path, linking = list[str](), known.linking
    while triples and len(path) < MOST_STEPS:
        step, rest = literal({t.relation for t in triples}, behind)
        rest = rest.removeprefix("的")
        further = known.of(reached(triples, step, linking)) if step and asking.goes_on(rest) else []
        if not further:
            return [*path, before + behind] if _is_step(before + behind, triples, linking.ranker) else []
        if nearest(further, rest, linking.ranker)[0] < _HOP:
            return []
        path.append(step)
        behind, triples = rest, further
    return []


def _is_step(words: str, triples: Sequence[Triple], ranker: RelationRanker) -> bool:
    """Whether the words can mean one relation, and ask for no more than its value."""
    _, meant = nearest(triples, words, ranker)
    if asks_of_others(words, meant):
        return False
    if asking.is_computed(words, meant):
        values = [t.object for t in triples if t.relation == meant]
        return asking.is_counted(words, meant) and all(map(asking.is_figure, values))
    if not (owner := asking.first_owner(words)):
        return True
    likeness, hop = nearest(triples, owner, ranker)  # of 现在的校长 none, or the one that 校长 means too
    return owner != hop and (likeness < _HOP or hop == meant)
