"""SPARQL search: the model writes a query from annotated examples that carry the schema (ICSU).

The prompt is (i, {e}, q) of section 2.1: the instruction, retrieved examples as turns of a chat, the question. Past the
paper, and each to be switched off for measuring: a query that is an example's, as it stands or but for the names that
it quotes, is filled in without a call of the model; what a query names is linked into the knowledge base; a query that
still finds nothing is shown to the model once with that finding; several drafts vote by their results.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Event as Signal

from assistant import prompting
from assistant.errors import KnowledgeBaseUnreachable, ModelUnavailable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase, Queryable, Term
from assistant.knowledge_bases.naming import NameIndex, names_in
from assistant.knowledge_bases.relations import RelationRanker
from assistant.llm.client import LanguageModel
from assistant.search.base import Emit, unreached
from assistant.search.evidence import numbered
from assistant.search.examples import Example, as_turns, code_of
from assistant.search.queries import topic_entities
from assistant.search.queries.attempt import Asking, Attempt
from assistant.search.queries.banks import QueryBanks
from assistant.search.queries.evidence import RowReader
from assistant.search.queries.filling import filled
from assistant.search.queries.linking import QueryLinker
from assistant.search.queries.retrieval import Retrieval, retrieve
from assistant.types import Evidence, Failed, Message, QueryRan, Turn

_MAX_TOKENS = 400
_LINKED_FILLINGS = 3
_NAMING_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Method:
    """How queries are found. The defaults are the product's; benchmarks switch the additions one by one."""

    retrieval: Retrieval = "mixed"
    k: int = 4
    diversity: float = 0.3
    nearest_last: bool = True
    filling: bool = True
    linking: bool = True
    feedback: bool = True
    drafts: int = 1


PAPER = Method("anonymized", k=6, diversity=0.0, nearest_last=False, filling=False, linking=False, feedback=False)
FULL = Method()


class SparqlSearch:
    """The `sparql` strategy for one turn."""

    name = "sparql"

    def __init__(
        self,
        model: LanguageModel,
        banks: QueryBanks,
        ranker: RelationRanker,
        approved: Callable[[str, str], Sequence[Example]],
        *,
        method: Method = FULL,
    ) -> None:
        """`approved` has the queries over a knowledge base that a user approved: (user, knowledge base) -> examples."""
        self._model = model
        self._banks = banks
        self._ranker = ranker
        self._approved = approved
        self._method = method

    def available(self, knowledge_bases: Sequence[KnowledgeBase]) -> bool:
        """Where a knowledge base takes queries and has a bank."""
        return any(self._banks.of(kb) for kb in knowledge_bases)

    def find(self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], emit: Emit, cancel: Signal) -> list[Evidence]:
        """See `SearchStrategy.find`; knowledge bases without a bank are left out."""
        found: list[Evidence] = []
        for kb in knowledge_bases:
            bank = self._banks.of(kb)
            if bank is None or not isinstance(kb, Queryable):
                continue
            start = time.monotonic()
            try:
                asking = Asking(turn.question, kb, bank, cancel)
                attempt, examples = self.query(asking, turn.user, kb, emit, beside=knowledge_bases)
                attempt = self._about_something(asking, kb, examples, attempt)
                reader = RowReader(kb, kb.name, bank, turn)
                emit(
                    QueryRan(
                        kb.name,
                        attempt.query,
                        reader.rows(attempt.result),
                        attempt.remark,
                        time.monotonic() - start,
                        tuple(example.question for example in examples),
                        total=len(attempt.result.rows),
                        is_answer=not attempt.other_relation and not attempt.taken,
                    )
                )
                told = reader.evidence(attempt.query, attempt.result, attempt.taken)
                # What another relation says is told as what it is, and not as what the question comes to.
                found += told[1:] if attempt.other_relation else told
            except KnowledgeBaseUnreachable as failure:
                emit(unreached(kb.name, failure))
            except ModelUnavailable as failure:
                emit(Failed("sparql", str(failure)))
                break
        return numbered(found)

    def query(
        self,
        asking: Asking,
        user: str,
        kb: KnowledgeBase,
        emit: Emit,
        *,
        beside: Sequence[KnowledgeBase] = (),
    ) -> tuple[Attempt, Sequence[Example]]:
        """The query for a user's question, with its result and the examples that it was written from.

        Where the knowledge base has no index of names, those `beside` it say which names stand in the question.

        Raises:
            ModelUnavailable, KnowledgeBaseUnreachable, Interrupted: as the model and the knowledge base raise them.
        """
        bank = asking.bank
        bank.await_examples(asking.cancel)
        approved = [bank.named(example) for example in self._approved(user, kb.name)]
        if self._method.filling and (done := self._filled(asking, kb, approved)):
            return done
        indexed = [kb] if isinstance(kb, NameIndex) else beside
        names = names_in(asking.question, indexed, bank.examples.wording, Deadline.after(_NAMING_SECONDS))

        def with_ids(examples: Sequence[Example]) -> Asking:
            linked = topic_entities.linked(asking.question, kb, examples, bank.source, emit, names=names)
            return replace(asking, question=linked)

        examples = self._examples(asking, names, approved, with_ids)
        if bank.by_iri:
            asking = with_ids(examples)
        attempts = [self._attempt(asking, kb, examples)]
        for number in range(1, self._method.drafts):
            attempts.append(self._attempt(asking, kb, [*examples[number:], *examples[:number]]))
        return _elected(attempts), examples

    def _filled(
        self, asking: Asking, kb: KnowledgeBase, approved: Sequence[Example]
    ) -> tuple[Attempt, Sequence[Example]] | None:
        """The first query that needs no model and whose names the knowledge base holds, linked into it if need be."""
        missed: list[tuple[Attempt, Example]] = []
        for query, example in filled(asking.question, asking.bank.examples, self._method.k, approved):
            attempt = asking.run(query)
            if attempt.is_nought:
                attempt = self._linked(asking, kb, [example], attempt)
            if self._is_sure(asking, kb, attempt, example):
                return attempt, [example]
            missed.append((attempt, example))
        for attempt, example in missed[:_LINKED_FILLINGS]:
            linked = self._linked(asking, kb, [example], attempt)
            if self._is_sure(asking, kb, linked, example):
                return linked, [example]
        return None

    def _is_sure(self, asking: Asking, kb: KnowledgeBase, attempt: Attempt, example: Example) -> bool:
        if attempt.other_relation or attempt.taken:  # the example's own is right
            return False
        linker = self._linker(asking, kb, [example])
        return attempt.found and not (linker.unknown_names(attempt.query) or linker.unlike(attempt.query))

    def _about_something(
        self, asking: Asking, kb: KnowledgeBase, examples: Sequence[Example], attempt: Attempt
    ) -> Attempt:
        """The attempt; what it says about what the knowledge base does not know is no result: a no, a count of none, or
        the one that is known of two that are compared."""
        if kb.public or not attempt.found:
            return attempt
        linker, query = self._linker(asking, kb, examples), attempt.query
        unknown = linker.unknown_names(query) if attempt.is_nought else []
        if unknown:
            return Attempt(query, error=f"Nothing here is called {' or '.join(unknown)}.")
        if unknown := linker.unlike(query):
            return Attempt(query, error=f"What the query asks is not known here of {' or '.join(unknown)}.")
        if attempt.result.boolean is False and linker.lacks_values(query):
            return Attempt(query, error="No such value is known here at all.")
        return attempt

    def _examples(
        self,
        asking: Asking,
        names: Sequence[str],
        approved: Sequence[Example],
        with_ids: Callable[[Sequence[Example]], Asking],
    ) -> list[Example]:
        method, bank = self._method, asking.bank.examples

        def draft(examples: Sequence[Example]) -> str:
            return self._write(_prompt(with_ids(examples) if asking.bank.by_iri else asking, examples))

        return retrieve(
            bank,
            asking.question,
            method.retrieval,
            method.k,
            draft,
            diversity=method.diversity,
            names=names,
            further=approved,
        )

    def _attempt(self, asking: Asking, kb: KnowledgeBase, examples: Sequence[Example]) -> Attempt:
        """One draft, linked into the knowledge base, and written once more where it still finds nothing, or where it
        says no to another question than the one that was asked."""
        draft, codes = self._draft(asking, examples), [example.code for example in examples]
        attempt = self._linked(asking, kb, examples, draft)
        left_out = asking.left_out(draft.query, codes)
        doubted = not attempt.found or (left_out and attempt.is_nought)
        if not doubted or not self._method.feedback:
            return attempt
        complaint = f"{_finding(attempt, left_out)}Write another query for the question: {asking.question}"
        exchange = [Message("assistant", draft.query), Message("user", complaint)]
        second = self._draft(asking, examples, exchange)
        if attempt.found and len(asking.left_out(second.query, codes)) >= len(left_out):
            return attempt
        second = self._linked(asking, kb, examples, second)
        return second if second.found else attempt

    def _draft(self, asking: Asking, examples: Sequence[Example], exchange: Sequence[Message] = ()) -> Attempt:
        """A query by the model, run; `exchange` is what was said after the question."""
        shown = examples[::-1] if self._method.nearest_last else examples
        return asking.run(self._write([*_prompt(asking, shown), *exchange]))

    def _linked(self, asking: Asking, kb: KnowledgeBase, examples: Sequence[Example], attempt: Attempt) -> Attempt:
        if not self._method.linking or attempt.error or kb.public:  # a public service is not to be asked so often
            return attempt
        return self._linker(asking, kb, examples).linked(attempt)

    def _linker(self, asking: Asking, kb: KnowledgeBase, examples: Sequence[Example]) -> QueryLinker:
        return QueryLinker(kb, [example.code for example in examples], self._ranker, asking)

    def _write(self, messages: Sequence[Message]) -> str:
        return code_of(self._model.complete(messages, purpose="sparql", max_tokens=_MAX_TOKENS, must_say=True))


def _prompt(asking: Asking, examples: Sequence[Example]) -> list[Message]:
    """Table 6: instruction, examples, question."""
    *head, last = prompting.load("sparql").render(question=asking.question)
    bank = asking.bank
    shown = [topic_entities.with_topic_entities(one, bank.source) for one in examples] if bank.by_iri else examples
    return [*head, *as_turns(shown), last]


def _finding(attempt: Attempt, left_out: Sequence[str]) -> str:
    said = f"That query cannot be run: {attempt.error} " if attempt.error else "That query finds nothing. "
    return ("" if attempt.found else said) + (f"It leaves out: {', '.join(left_out)}. " if left_out else "")


def _elected(attempts: Sequence[Attempt]) -> Attempt:
    """The first of those attempts whose result most others have."""
    able = [attempt for attempt in attempts if attempt.found] or list(attempts)
    votes = Counter(_said(attempt) for attempt in able)
    return max(able, key=lambda attempt: votes[_said(attempt)])


def _said(attempt: Attempt) -> tuple[bool | None, frozenset[tuple[Term | None, ...]]]:
    return attempt.result.boolean, frozenset(attempt.result.rows)
