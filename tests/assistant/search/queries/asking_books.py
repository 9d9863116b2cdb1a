"""One question asked by the strategy `sparql` of the library of books, with a scripted model."""

import threading
from datetime import datetime

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.relations import RelationRanker
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.search.queries.banks import QueryBanks
from assistant.search.queries.sparql import PAPER, SparqlSearch
from assistant.search.vector_cache import VectorCache
from assistant.types import QueryRan, Turn
from tests.assistant.search.letters import Letters

BORN = 'SELECT ?x WHERE { ?a rdfs:label "Jane Austen"@en ; p:place_of_birth ?x . }'
NONE = 'SELECT ?x WHERE { ?a rdfs:label "Zoroaster"@en ; p:place_of_birth ?x . }'


class Search:
    """One question asked by the strategy; `transport` has the calls of the model, `events` what was emitted."""

    def __init__(self, folder):
        letters = Letters()
        self._parts = QueryBanks(letters, lambda _: VectorCache(folder, letters)), RelationRanker(letters)
        self.events = []
        self.approved = []

    def __call__(self, kb, question, replies, method=PAPER, cancel=None, *, beside=()):
        self.transport = ScriptedTransport(replies)
        strategy = SparqlSearch(
            LanguageModel(self.transport), *self._parts, lambda user, kb: self.approved, method=method
        )
        turn = Turn(question, "anna", "s", datetime.now().astimezone(), question=question)
        return strategy.find(turn, [kb, *beside], self.events.append, cancel or threading.Event())

    @property
    def ran(self):
        return next(event for event in self.events if isinstance(event, QueryRan))


def told(evidence):
    return [(e.subject, e.relation, e.object) for e in evidence]


class Tiring:
    """A knowledge base that answers so many queries and then none."""

    def __init__(self, kb, queries, failure=None):
        self.name, self.bank_file, self.public = kb.name, kb.bank_file, True
        self._kb, self._left = kb, queries
        self._failure = failure or KnowledgeBaseUnreachable(self.name, "It answers no more.")
        self.asked = []

    def query(self, sparql, deadline):
        self.asked.append(sparql)
        self._left -= 1
        if self._left < 0:
            raise self._failure
        return self._kb.query(sparql, deadline)
