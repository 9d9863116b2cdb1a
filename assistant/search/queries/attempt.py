"""One query tried on one knowledge base."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event as Signal

from pyoxigraph import Literal, NamedNode

from assistant.errors import Interrupted, KnowledgeBaseUnreachable, QueryRefused
from assistant.knowledge_bases.base import Deadline, Queryable, QueryResult
from assistant.knowledge_bases.sparql.querying import MAX_ROWS, is_cut
from assistant.knowledge_bases.sparql.text import tokens
from assistant.search.anonymize import anonymize
from assistant.search.queries.banks import Bank
from memory.folding import fold

SECONDS = 10.0
_NOTHING = QueryResult()


@dataclass(frozen=True, slots=True)
class Attempt:
    """A query and what came of it: a result, or the line that says why there is none.

    `other_relation` is set where it asks for another relation than the query that it was made of, or for the same under
    fewer conditions. `taken` has the names of things in that query which the knowledge base does not have, each with
    the one that stands here instead, where that is more than a slip of the keyboard away.
    """

    query: str
    result: QueryResult = _NOTHING
    error: str = ""
    other_relation: bool = False
    taken: tuple[tuple[str, str], ...] = ()

    @property
    def remark(self) -> str:
        """What there is to say about its result, in one line; empty where all is well."""
        told = f"Only the first {MAX_ROWS:,} rows were read: ask for less."
        return self.error or (told if is_cut(self.result) else "")

    @property
    def is_nought(self) -> bool:
        """Whether it says no, or counts none: which is so, too, of what the knowledge base knows nothing about."""
        terms = [term for row in self.result.rows for term in row]
        counted = len(terms) == 1 and isinstance(terms[0], Literal) and terms[0].value == "0"
        return self.result.boolean is False or counted

    @property
    def found(self) -> bool:
        """Whether it says anything: a yes or no, or at least one row with a value; a blank node is none."""
        terms = (term for row in self.result.rows for term in row)
        return self.result.boolean is not None or any(isinstance(term, NamedNode | Literal) for term in terms)


@dataclass(slots=True)
class Allowance:
    """Seconds that are left of what linking may take for one question, over all its attempts."""

    left: float = 8.0


@dataclass(frozen=True, slots=True)
class Asking:
    """What the queries for one question are run with; `held` has the ASK queries that were run for it, each with its
    answer."""

    question: str
    kb: Queryable
    bank: Bank
    cancel: Signal
    linking: Allowance = field(default_factory=Allowance)
    held: dict[str, bool] = field(default_factory=dict)

    def left_out(self, query: str, codes: Sequence[str]) -> list[str]:
        """Names and values of the question that are neither in the query nor in the relations of its examples' `codes`.

        Where queries name things by IRIs, the words do not tell.
        """
        if self.bank.by_iri:
            return []
        relations = [token.text for code in codes for token in tokens(code) if token.kind in {"iri", "name"}]
        written = fold(" ".join([query, *relations]).replace("_", " "))
        try:
            strings = [token.value for token in tokens(query) if token.kind == "string"]
        except QueryRefused:  # what is no SPARQL names nothing
            strings = []
        rest = self.question  # of "Mary Shelley of Dublin", where the query has her name, "Dublin" is left
        for name in sorted(strings, key=len, reverse=True):
            rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", ",", rest, flags=re.IGNORECASE)
        return [said for said in anonymize(rest).replaced.values() if fold(said) not in written]

    def run(self, query: str, seconds: float = SECONDS) -> Attempt:
        """Run the query, its prefixes declared, for at most so many seconds.

        Raises:
            KnowledgeBaseUnreachable: there is no result in time.
            Interrupted: the turn was stopped.
        """
        if self.cancel.is_set():
            raise Interrupted("Stopped.")
        try:
            return Attempt(query, self.kb.query(self.bank.whole(query), Deadline.after(seconds, self.cancel)))
        except (QueryRefused, KnowledgeBaseUnreachable) as failure:
            if self.cancel.is_set():
                raise Interrupted("Stopped.") from failure
            if isinstance(failure, QueryRefused):
                return Attempt(query, error=str(failure))
            raise
