"""Which examples go into the prompt."""

import pytest

from assistant.search.examples import Example, ExampleBank
from assistant.search.queries.retrieval import retrieve
from assistant.search.vector_cache import VectorCache
from tests.assistant.search.letters import Letters

ASKED = "qqqq xxxx"
BY_QUESTION = [Example(f"qqqq xxxx{'y' * number}", "b" * 9) for number in range(8)]
BY_CODE = [Example("ooo", f"zzzz{'k' * number}") for number in range(8)]


@pytest.fixture
def bank(tmp_path):
    letters = Letters()
    return ExampleBank([*BY_QUESTION, *BY_CODE], letters, VectorCache(tmp_path, letters))


@pytest.fixture
def drafted():
    return []


@pytest.fixture
def chosen(bank, drafted):
    def choose(retrieval, k):
        def draft(examples):
            drafted.append(list(examples))
            return "zzzz"

        return retrieve(bank, ASKED, retrieval, k, draft)

    return choose


@pytest.mark.parametrize("retrieval", ["raw", "anonymized"])
def test_what_is_like_the_question_needs_no_draft(chosen, drafted, retrieval):
    assert chosen(retrieval, 3) == BY_QUESTION[:3]
    assert drafted == []


def test_what_is_like_a_draft_that_was_written_from_what_is_like_the_question(chosen, drafted):
    assert chosen("sparql", 3) == BY_CODE[:3]
    assert drafted == [BY_QUESTION[:3]]


@pytest.mark.parametrize(("k", "shares"), [(2, (1, 1, 0)), (4, (2, 1, 1)), (6, (2, 2, 2)), (8, (3, 3, 2))])
def test_the_hybrid_has_an_equal_share_of_each_in_the_paper_s_order(chosen, drafted, k, shares):
    first, second, third = shares
    assert chosen("hybrid", k) == [*BY_QUESTION[:first], *BY_CODE[:second], *BY_QUESTION[first:][:third]]
    assert len(drafted) == 1


def test_the_mixed_one_is_the_hybrid_without_its_draft(chosen, drafted):
    assert chosen("mixed", 4) == BY_QUESTION[:4]
    assert drafted == []


def test_chance_is_the_same_for_the_same_question(chosen):
    assert chosen("random", 5) == chosen("random", 5)
    assert len(set(chosen("random", 99))) == 16
