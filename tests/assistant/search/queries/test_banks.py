"""The banks of questions and queries that knowledge bases bring."""

import threading

from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.search.queries.banks import QueryBanks
from assistant.search.queries.sparql import SparqlSearch
from assistant.search.vector_cache import VectorCache
from tests.assistant.search.letters import Letters
from tests.assistant.search.queries.books import library


def test_only_where_there_is_a_bank(search, books, tmp_path) -> None:
    strategy = SparqlSearch(LanguageModel(ScriptedTransport([])), *search._parts, lambda user, kb: [])
    assert strategy.available([books])
    assert not strategy.available([object()])


def test_the_vectors_of_a_bank_are_made_before_the_first_question(books, tmp_path) -> None:
    texts = []

    class Noting(Letters):
        def query(self, asked):
            texts.extend(asked)
            return super().query(asked)

    letters = Noting()
    banks = QueryBanks(letters, lambda _: VectorCache(tmp_path, letters))
    banks.prepare([books]).join()
    made = list(texts)
    assert {"Where was Bram Stoker born?", "Where was [ENTITY_0] born?"} < set(made)
    banks.of(books).await_examples(threading.Event())
    assert texts == made
    banks.close()


def test_a_bank_that_was_deleted_is_none(search, tmp_path) -> None:
    kb = library(tmp_path)
    kb.bank_file.unlink()
    strategy = SparqlSearch(LanguageModel(ScriptedTransport([])), *search._parts, lambda user, kb: [])
    assert not strategy.available([kb])
    kb.close()


def test_an_examples_names_are_those_of_its_query(search, books) -> None:
    bank = search._parts[0].of(books)
    assert {example.names for example in bank.examples.examples} == {
        ("Bram Stoker",),
        ("Dracula",),
        ("Emma",),
        ("Jane Austen",),
    }
