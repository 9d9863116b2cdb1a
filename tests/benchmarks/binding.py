"""KB-Binder's way, which ICSU compares itself with: a draft without the schema, whose relations BM25 binds."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import KnowledgeBase
from assistant.knowledge_bases.sparql.text import Token, edited, tokens
from assistant.search.examples import Example
from assistant.search.queries.attempt import Asking, Attempt
from assistant.search.queries.sparql import SparqlSearch

_K1, _B = 1.5, 0.75


class Bm25:
    """Documents ranked for a query by Okapi BM25."""

    def __init__(self, documents: Sequence[str]) -> None:
        self._documents = [Counter(words(document)) for document in documents]
        self._mean = sum(sum(document.values()) for document in self._documents) / max(1, len(self._documents))
        self._frequency = Counter(word for document in self._documents for word in document)

    def scores(self, query: str) -> list[float]:
        """A score for each document, in their order."""
        count = len(self._documents)
        weights = {
            word: math.log(1 + (count - self._frequency[word] + 0.5) / (self._frequency[word] + 0.5))
            for word in set(words(query))
        }
        return [
            sum(
                weight
                * found[word]
                * (_K1 + 1)
                / (found[word] + _K1 * (1 - _B + _B * sum(found.values()) / self._mean))
                for word, weight in weights.items()
            )
            for found in self._documents
        ]


class BoundSearch(SparqlSearch):
    """Examples show relations as words; those of the draft become the knowledge base's most similar ones."""

    def _attempt(self, asking: Asking, kb: KnowledgeBase, examples: Sequence[Example]) -> Attempt:
        relations = sorted({t.text for e in asking.bank.examples.examples for t in tokens(e.code) if _is_relation(t)})
        ranked = Bm25([rdf.relation_name(relation.strip("<>")) for relation in relations])

        def bound(token: Token) -> str:
            scores = ranked.scores(rdf.relation_name(token.value))
            return relations[max(range(len(scores)), key=scores.__getitem__)]

        free = [Example(example.question, _schema_free(example.code)) for example in examples]
        draft = self._draft(asking, free)
        if draft.error:
            return draft
        return asking.run(edited(draft.query, [(t, bound(t)) for t in tokens(draft.query) if _is_relation(t)]))


def words(text: str) -> list[str]:
    """Its words in small letters."""
    return re.findall(r"\w+", text.lower().replace("_", " "))


def _schema_free(code: str) -> str:
    changed = [(t, f"<p:{'_'.join(words(rdf.relation_name(t.value)))}>") for t in tokens(code) if _is_relation(t)]
    return edited(code, changed)


def _is_relation(token: Token) -> bool:
    return token.kind == "iri" and token.text.startswith("<p:")
