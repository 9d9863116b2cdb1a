"""Questions in English that spell out their path in genitives: no model is called for "what is Peru's capital".

"The area of the country of Lima" names a thing and relations to follow from it. They are taken where a knowledge base
knows each of them by that very name; all else is left to the model.
"""

import re
from collections.abc import Iterator, Sequence

from assistant.search.programs.path import following
from assistant.search.programs.reading import MOST_STEPS, Known, reached
from assistant.types import Triple
from memory.folding import fold

_QUESTION = re.compile(r"\W*(?:what|who)(?:['’](s)| (is|are|was|were)) ([^?\n]+)", re.IGNORECASE)
_JOINING = re.compile(r"['’]s?(?= )| of ", re.IGNORECASE)
_MOST_JOINTS = 8
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)


def asked_about(question: str) -> tuple[str, str]:
    """The verb of a question for what something is, and the words for that: "is" and "the capital of Peru".

    Both are empty where it asks otherwise.
    """
    asked = _QUESTION.fullmatch(question.strip(" \t\n?!."))
    return ((asked[2] or "is").lower(), asked[3]) if asked else ("", "")


def read_genitives(names: Sequence[str], known: Known) -> str:
    """The program that follows the genitives of the question; empty where they are not all `known`.

    Raises:
        KnowledgeBaseUnreachable: as `KnowledgeBase.link` and `KnowledgeBase.triples`.
    """
    _, phrase = asked_about(known.linking.question)
    for name in sorted(names if phrase else (), key=len, reverse=True):
        for path in paths(phrase, name):
            if path and _is_known(path, name, known):
                return following([name, *path], [name], [[step] for step in path])
    return ""


def paths(phrase: str, name: str, most: int = MOST_STEPS) -> Iterator[list[str]]:
    """The relations that may lead from the name to what the phrase means, in each way of taking it apart into at most
    so many; none of a phrase with more joints than anybody would follow."""
    bare = _ARTICLE.sub("", phrase)
    joints = list(_JOINING.finditer(bare))
    if fold(name) in {fold(phrase), fold(bare)}:
        yield []
    elif most and len(joints) <= _MOST_JOINTS:
        for joint in joints:
            before, behind = bare[: joint.start()], bare[joint.end() :].strip()
            owner, relation = (behind, before) if "of" in joint[0].casefold() else (before, behind)
            yield from ([*path, relation] for path in paths(owner, name, most - 1))


def is_name_of(step: str, relation: str) -> bool:
    """Whether the words are a relation's name, in whatever number: "official languages", but not "supplier" for
    "supplier of"."""
    *said, last = fold(step).split() or [""]
    *own, own_last = fold(relation).split() or [""]
    return said == own and bool(last) and bool(_numbers(last) & _numbers(own_last))


def _numbers(word: str) -> set[str]:
    """A noun and what it may be the plural of: "cities", "citie", "citi" and "city"."""
    return {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}


def _is_known(path: Sequence[str], name: str, known: Known) -> bool:
    entities = known.linking.bearers(name)
    for step in path:
        triples = known.of(entities)
        relation = next((triple.relation for triple in triples if _is_called(triple, step)), "")
        if not relation:
            return False
        entities = reached(triples, relation, known.linking)
    return True


def _is_called(triple: Triple, step: str) -> bool:
    return any(is_name_of(step, name) for name in (triple.relation, *triple.relation_aliases))
