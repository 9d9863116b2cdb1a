"""Hostile programs and queries of a fixed seed, through the product: each ends, and the next turn works."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from assistant.errors import KnowledgeBaseUnreachable, QueryRefused
from assistant.knowledge_bases.base import Deadline, Queryable
from assistant.llm.scripted import Weights
from assistant.orchestrator import Assistant
from assistant.search.programs.outcome import RUN_SECONDS
from assistant.search.queries.patterns import core_of, patterns
from assistant.types import Answered, ProgramRan, Turn
from tests.benchmarks.hostile_programs import BLOCKS, QUERY_BLOCKS, USES, programs, queries

_QUESTION = "What is the capital of Peru?"
_BUSY_SECONDS = 30.0  # what a busy machine may add; this only tells an end from a hang
_QUERY_SECONDS = 1.0


@pytest.fixture
def assistant(composed: Callable[..., Assistant]) -> Assistant:
    return composed({"answer": ["It is so [1]."] * 99, "entailment": [Weights({"yes": 1.0})] * 99})


def run(assistant: Assistant, code: str) -> list[object]:
    turn = Turn(_QUESTION, "me", "s", datetime.now(UTC), question=_QUESTION)
    return list(assistant.rerun(turn, code))


def test_the_generators_give_as_many_kinds_as_they_have() -> None:
    assert len({case.kind for case in programs(1, 300)}) == len(BLOCKS) >= 20
    assert len({case.kind for case in queries(1, 60)}) == len(QUERY_BLOCKS) >= 15
    assert len(USES) >= 20
    assert programs(7, 50) == programs(7, 50) != programs(8, 50)
    assert max(len(case.text) for case in programs(3, 300)) <= 20_000


def test_hostile_programs_end_and_the_next_one_works(assistant: Assistant) -> None:
    for case in programs(20, 40):
        start = time.monotonic()
        events = run(assistant, case.text)
        assert time.monotonic() - start < RUN_SECONDS + _BUSY_SECONDS, case
        assert isinstance(events[-1], Answered), case
    ran = [e.run for e in run(assistant, "find_entity_or_value(['Peru'], ['capital'])") if isinstance(e, ProgramRan)]
    assert ("Lima",) in [one.value for one in ran]


def test_hostile_queries_end_and_the_next_one_works(assistant: Assistant) -> None:
    (world,) = [kb for kb in assistant.knowledge_bases.shared if isinstance(kb, Queryable) and not kb.public]
    for case in queries(20, len(QUERY_BLOCKS)):
        start = time.monotonic()
        try:
            world.query(case.text, Deadline.after(_QUERY_SECONDS))
        except (QueryRefused, KnowledgeBaseUnreachable) as refused:
            assert "\n" not in str(refused), case
        try:
            patterns(case.text)
            core_of(case.text)
        except QueryRefused:
            pass
        assert time.monotonic() - start < _QUERY_SECONDS + _BUSY_SECONDS, case
    assert world.query("ASK { ?s ?p ?o }", Deadline.after(60)).boolean is True
