"""The entities of a question with their ids, for banks whose queries name entities by IRIs.

ICSU, appendix A.1, adds "Topic Entity Id: …" to such questions, and assumes that they are linked; here the knowledge
base links them.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from assistant.errors import Failure
from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.knowledge_bases.sparql.bank import QueryBank
from assistant.knowledge_bases.sparql.text import Token, tokens
from assistant.search.anonymize import anonymize
from assistant.search.base import Emit, unreached
from assistant.search.examples import Example
from assistant.search.queries.patterns import patterns
from assistant.types import Entity, Linked
from memory.folding import fold

_SECONDS = 8.0
_NAMED = re.compile(r"\[(ENTITY|WORK_OF_ART|STRING)_\d+\]")
_JOINED = re.compile(r"(\[ENTITY_\d+\]) and (?=(\[ENTITY_\d+\]))")
_MOST = 4  # names that are linked
_CLASSES = re.compile(r"a|rdf:type|<.*#type>")
_LOOKED_AT = 100  # queries of a bank
_MARKS = "《》〈〉\"“”「」『』'‘’"


def entities_in(query: str) -> list[Token]:
    """Where the query names things by IRIs: none where it says what they are called, and none for a class."""
    found = patterns(query)
    if any(one.is_naming and one.object.kind == "string" for one in found):
        return []
    words = tokens(query)
    begin = next((word.start for word in words if word.keyword in {"SELECT", "ASK"}), 0)
    others = {token.start for one in found for token in one.path}
    others |= {one.object.start for one in found if _CLASSES.fullmatch(one.path[0].text)}
    others |= {word.start for word, after in pairwise(words) if after.text == "("}  # a cast
    named = [word for word in words if word.kind in {"iri", "name"} and word.start > begin]
    return [word for word in named if word.start not in others]


def names_by_iri(bank: QueryBank) -> bool:
    """Whether most of some queries, from all over the bank, name things by IRIs."""
    some = bank.pairs[:: -(-len(bank.pairs) // _LOOKED_AT)]
    return sum(bool(entities_in(pair.sparql)) for pair in some) > len(some) / 2


def with_topic_entities(example: Example, bank: QueryBank) -> Example:
    """The example with what its query names by IRIs behind its question."""
    named = [token.text for token in entities_in(example.code)]
    ids = {text: bank.labels.get(re.split("[:/#]", text.strip("<>"))[-1], "") for text in named}
    return Example(_told(example.question, list(ids.items())), example.code, example.kind)


def linked(
    question: str,
    kb: KnowledgeBase,
    examples: Sequence[Example],
    bank: QueryBank,
    emit: Emit,
    *,
    names: Sequence[str] = (),
) -> str:
    """The question with the ids of what it names, written as the examples write them, as far as the knowledge base can
    link it.

    `names` are those known to stand in the question, also where no capital letter shows them.
    """
    like = next((token for example in examples for token in entities_in(example.code)), None)
    if like is None:
        return question
    ids = []
    try:
        for name, entities in _entities(question, kb, names):
            emit(Linked(kb.name, name, tuple(entities)))
            ids += [(_written(entity, like, bank), entity.name) for entity in entities]
    except Failure as failure:
        emit(unreached(kb.name, failure))
    return _told(question, ids)


def _entities(question: str, kb: KnowledgeBase, names: Sequence[str]) -> Iterator[tuple[str, Sequence[Entity]]]:
    """What the question names, each with its entity or none; two names with "and" between them are one where that is
    the name of something."""
    anonymized = anonymize(question, names)
    marks = [mark for mark in list(anonymized.replaced)[:_MOST] if _NAMED.fullmatch(mark)]
    said = {mark: anonymized.replaced[mark].strip(_MARKS) for mark in marks}
    deadline = Deadline.after(_SECONDS)
    for one, other in _JOINED.findall(anonymized.text):
        both = [said[mark] for mark in (one, other) if mark in said]
        if len(both) < 2 or set(both) <= set(names):  # each is known by itself
            continue
        whole = " and ".join(both)
        entities = kb.link(whole, [], question, deadline)[:1]
        if any(fold(name) == fold(whole) for entity in entities for name in (entity.name, *entity.aliases)):
            del said[one], said[other]
            yield whole, entities
    for name in said.values():
        yield name, kb.link(name, [], question, deadline)[:1]


def _written(entity: Entity, like: Token, bank: QueryBank) -> str:
    """The entity as a term of a query; where its id has no IRI, in the namespace of another that is written so."""
    language, _, iri = entity.id.partition(" ")
    if not iri:  # Wikidata's, as in "en:Q142"
        namespace = like.text[: max(like.text.rfind(mark) for mark in ":/#") + 1]
        return f"{namespace}{language.rpartition(':')[2]}{'>' if like.kind == 'iri' else ''}"
    prefix = like.text.partition(":")[0] if like.kind == "name" else ""
    namespace = bank.prefixes.get(prefix, "")
    local = iri.removeprefix(namespace)
    return f"{prefix}:{local}" if namespace and re.fullmatch(r"\w+", local) else f"<{iri}>"


def _told(question: str, ids: Sequence[tuple[str, str]]) -> str:
    told = ", ".join(f"{id_} ({name})" if name else id_ for id_, name in ids)
    return f"{question}\nTopic Entity Id: {told}" if told else question
