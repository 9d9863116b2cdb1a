"""What the same model answers without programs, on the same rows.

`model_alone`: from its head. `bm25`: from the documents that BM25 finds, one for each entity. `embedding`: from single
triples found by their embeddings, in two steps. `one_triple`: no model, the only triple of the longest name.
"""

import gzip
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from assistant.answering.reader import Reader
from assistant.llm.client import LanguageModel
from assistant.policy import SMALL
from assistant.search.evidence import numbered
from assistant.types import Evidence, Message, Turn
from memory.folding import terms
from memory.types import Embedder
from tests.benchmarks.f1 import f1, split
from tests.benchmarks.judging import fold, holds_any

ALONE, BM25, EMBEDDING, ONE_TRIPLE = BASELINES = ("model_alone", "bm25", "embedding", "one_triple")
_DOCUMENTS = 3
_DOCUMENT_CHARACTERS = 1_500
_POOL = 200  # triples that BM25 proposes; embedding a whole file of them takes an hour
_TRIPLES = 10
_ALONE = "Answer with the names or values only, separated by semicolons. Write UNKNOWN if you do not know."

Fact = tuple[str, str, str]


@dataclass
class Baselines:
    """All four over one file of triples."""

    facts: Sequence[Fact]
    model: LanguageModel
    embedder: Embedder

    def __post_init__(self) -> None:
        documents: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            documents[fact[0]].append(fact)
        self._documents = list(documents.items())
        self._by_name = {fold(name): facts for name, facts in self._documents}
        self._document_index = Bm25(" ".join(map(" ".join, facts)) for _, facts in self._documents)
        self._fact_index = Bm25(map(" ".join, self.facts))

    def f1(self, question: str, gold: Sequence[str]) -> dict[str, float]:
        """The F1 of each baseline."""
        said = {
            ALONE: self._alone(question),
            BM25: self._answered(question, self._found_documents(question)),
            EMBEDDING: self._answered(question, self._found_triples(question)),
            ONE_TRIPLE: self._only_triple(question),
        }
        return {name: f1(answers, gold) for name, answers in said.items()}

    def _alone(self, question: str) -> list[str]:
        reply = self.model.complete([Message("system", _ALONE), Message("user", question)], purpose="alone")
        return [name.strip(" .-") for name in reply.replace("\n", ";").split(";") if name.strip(" .-")]

    def _answered(self, question: str, evidence: Sequence[Evidence]) -> list[str]:
        turn = Turn(question, "baseline", "baseline", datetime.now().astimezone(), question=question)
        pieces = Reader(SMALL).answer(self.model, turn, evidence)
        text = "".join(piece.text for piece in pieces if not piece.declined)
        ends = [end for item in evidence for side in (item.subject, item.object) for end in split(side)]
        return [end for end in dict.fromkeys(ends) if fold(end) not in fold(question) and holds_any(text, [end])]

    def _found_documents(self, question: str) -> list[Evidence]:
        found = []
        for number in self._document_index.best(question, _DOCUMENTS):
            characters = 0
            for fact in self._documents[number][1]:
                characters += len(" ".join(fact))
                if characters > _DOCUMENT_CHARACTERS:
                    break
                found.append(_evidence(fact))
        return numbered(found)

    def _found_triples(self, question: str) -> list[Evidence]:
        """The nearest triples, then those nearest to the question with what the first of them lead to."""
        first = self._nearest(question)
        second = self._nearest(" ".join([question, *(fact[2] for fact in first[:3])]))
        return numbered([_evidence(fact) for fact in dict.fromkeys(first + second)])

    def _nearest(self, text: str) -> list[Fact]:
        pool = [self.facts[number] for number in self._fact_index.best(text, _POOL)]
        if not pool:
            return []
        likeness = self.embedder.passage([" ".join(fact) for fact in pool]) @ self.embedder.query([text])[0]
        return [pool[place] for place in (-likeness).argsort()[:_TRIPLES]]

    def _only_triple(self, question: str) -> list[str]:
        asked = fold(question)
        spans = {asked[start:end] for start in range(len(asked)) for end in range(start + 1, len(asked) + 1)}
        names = sorted(spans & self._by_name.keys(), key=lambda name: (-len(name), name))
        return [self._by_name[names[0]][0][2]] if names and len(self._by_name[names[0]]) == 1 else []


class Bm25:
    """Texts ranked by Okapi BM25, as SQLite's FTS5 computes it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute("CREATE VIRTUAL TABLE text USING fts5(terms, content='')")
        rows = ((" ".join(terms(text)),) for text in texts)
        self._database.executemany("INSERT INTO text (terms) VALUES (?)", rows)

    def best(self, question: str, limit: int) -> list[int]:
        """Places of the best texts, best first."""
        wanted = dict.fromkeys(terms(question))
        if not wanted:
            return []
        match = " OR ".join(f'"{term}"' for term in wanted)
        rows = self._database.execute("SELECT rowid FROM text WHERE text MATCH ? ORDER BY rank LIMIT ?", (match, limit))
        return [row[0] - 1 for row in rows]


def read_facts(path: Path, separator: str) -> list[Fact]:
    """The triples of a gzipped file of lines."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = (line.rstrip("\n").split(separator) for line in file)
        return [(head, relation.replace("_", " "), tail) for head, relation, tail in rows]


def _evidence(fact: Fact) -> Evidence:
    subject, relation, value = fact
    return Evidence(0, "file", subject, relation, value, source="file")
