"""Queries in a process that is killed where one takes too long."""

import threading
import time
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Store

from assistant.errors import KnowledgeBaseUnreachable, QueryRefused
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.sparql.process import QueryProcess
from assistant.knowledge_bases.sparql.querying import MAX_ROWS

_RUNAWAY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("queries") / "store"
    store = Store(str(made))
    nodes = [NamedNode(f"http://e.org/{number}") for number in range(1200)]
    store.extend(Quad(node, NamedNode("http://e.org/name"), Literal(f"No. {i}")) for i, node in enumerate(nodes))
    store.flush()
    return made


@pytest.fixture
def queries(folder: Path):
    made = QueryProcess("numbers", folder)
    yield made
    made.close()


def soon() -> Deadline:
    return Deadline.after(20)


def test_rows_come_back_as_terms(queries: QueryProcess) -> None:
    found = queries.run('SELECT ?s ?o { ?s ?p "No. 7" . ?s ?p ?o }', soon())
    assert found.variables == ("s", "o")
    assert found.rows == ((NamedNode("http://e.org/7"), Literal("No. 7")),)
    assert queries.run('ASK { ?s ?p "No. 0" }', soon()).boolean is True


def test_a_runaway_query_is_ended_and_the_next_one_runs(queries: QueryProcess) -> None:
    queries.run("ASK {}", soon())
    with pytest.raises(QueryRefused, match="took longer than 1 s and was ended"):
        queries.run(_RUNAWAY, Deadline.after(1))
    assert queries.run('ASK { ?s ?p "No. 7" }', soon()).boolean is True


def test_a_query_ends_where_its_answer_is_not_wanted_any_more(queries: QueryProcess) -> None:
    queries.run("ASK {}", soon())
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(QueryRefused, match="was ended"):
        queries.run(_RUNAWAY, Deadline.after(600, cancel))
    assert queries.run('ASK { ?s ?p "No. 7" }', soon()).boolean is True


def test_a_result_that_is_too_large_is_refused(queries: QueryProcess) -> None:
    longer = "CONCAT(?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x)"
    grown = " ".join(f"BIND({longer.replace('?x', f'?x{n}')} AS ?x{n + 1})" for n in range(6))
    with pytest.raises(QueryRefused, match="too large to be read: ask for less"):
        queries.run(f'SELECT ?x6 (?x6 AS ?again) {{ BIND("abc" AS ?x0) {grown} }}', soon())


def test_a_query_that_wants_all_memory_is_ended(queries: QueryProcess) -> None:
    with pytest.raises(QueryRefused, match=r"too much memory|took longer"):
        queries.run("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c DESC(?f)", Deadline.after(5))
    assert queries.run('ASK { ?s ?p "No. 7" }', soon()).boolean is True


def test_more_than_a_million_rows_are_cut(queries: QueryProcess) -> None:
    assert len(queries.run("SELECT ?a ?d { ?a ?b ?c . ?d ?e ?f }", soon()).rows) == MAX_ROWS


def test_a_hostile_query_is_refused_and_changes_nothing(queries: QueryProcess) -> None:
    with pytest.raises(QueryRefused, match="not DROP"):
        queries.run("DROP ALL", soon())
    assert queries.run('ASK { ?s ?p "No. 7" }', soon()).boolean is True


def test_who_waits_behind_another_query_is_told(queries: QueryProcess) -> None:
    queries.run("ASK {}", soon())

    def run_away() -> None:
        with pytest.raises(QueryRefused):
            queries.run(_RUNAWAY, Deadline.after(2))

    runaway = threading.Thread(target=run_away)
    runaway.start()
    time.sleep(0.3)
    with pytest.raises(KnowledgeBaseUnreachable, match="busy with another query"):
        queries.run("ASK {}", Deadline.after(0.2))
    runaway.join()


def test_closing_ends_a_query_that_runs(queries: QueryProcess) -> None:
    queries.run("ASK {}", soon())
    told: list[Exception] = []

    def ask() -> None:
        try:
            queries.run(_RUNAWAY, soon())
        except KnowledgeBaseUnreachable as error:
            told.append(error)

    runaway = threading.Thread(target=ask)
    runaway.start()
    time.sleep(0.3)
    queries.close()
    runaway.join(10)
    assert [str(error) for error in told] == ["The knowledge base numbers is closed."]


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseUnreachable, match="cannot be opened for queries"):
        QueryProcess("gone", tmp_path / "nothing").run("ASK {}", soon())
