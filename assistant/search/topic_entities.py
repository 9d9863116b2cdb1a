"""The entities of a question with their ids, for banks whose queries name entities by ids.

ICSU, appendix A.1, adds "Topic Entity Id: …" to such questions, and assumes that they are linked; here the knowledge
base links them.
"""

import re
from collections.abc import Callable, Sequence

from assistant.errors import Failure
from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.knowledge_bases.query_bank import QueryBank
from assistant.knowledge_bases.sparql_text import tokens
from assistant.search.anonymize import anonymize
from assistant.search.base import Emit
from assistant.search.examples import Example
from assistant.search.patterns import patterns
from assistant.types import Failed, Linked

_SECONDS = 8.0
_NAMED = re.compile(r"\[(ENTITY|WORK_OF_ART|STRING)_\d+\]")
_MOST = 4  # names that are linked
_MARKS = "《》〈〉\"“”「」『』'‘’"


def with_topic_entities(bank: QueryBank) -> Callable[[Example], Example]:
    """What puts the ids of an example's query behind its question; the example itself where the bank has no labels."""

    def told(example: Example) -> Example:
        predicates = {token.start for pattern in patterns(example.code) for token in pattern.path}
        ids = {
            token.text: bank.labels[local]
            for token in tokens(example.code)
            if token.kind == "name" and token.start not in predicates
            for local in [token.text.partition(":")[2]]
            if local in bank.labels
        }
        return Example(_told(example.question, list(ids.items())), example.code, example.kind)

    return told


def linked(question: str, kb: KnowledgeBase, examples: Sequence[Example], bank: QueryBank, emit: Emit) -> str:
    """The question with the ids of what it names, as far as the knowledge base can link it."""
    used = (token.text for example in examples for token in tokens(example.code) if token.kind == "name")
    prefix = next((name.partition(":")[0] for name in used if name.partition(":")[2] in bank.labels), None)
    if prefix is None:
        return question
    deadline = Deadline.after(_SECONDS)
    ids = []
    for mark, said in list(anonymize(question).replaced.items())[:_MOST]:
        if not _NAMED.fullmatch(mark):
            continue
        name = said.strip(_MARKS)
        try:
            entities = kb.link(name, [], question, deadline)[:1]
        except Failure as failure:
            emit(Failed(f"knowledge base {kb.name}", str(failure)))
            break
        emit(Linked(kb.name, name, tuple(entities)))
        ids += [(f"{prefix}:{re.split(r'[ :/#]', entity.id)[-1]}", entity.name) for entity in entities]
    return _told(question, ids)


def _told(question: str, ids: Sequence[tuple[str, str]]) -> str:
    return f"{question}\nTopic Entity Id: {', '.join(f'{id_} ({name})' for id_, name in ids)}" if ids else question
