"""SPARQL on a local store."""

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Store

from assistant.errors import QueryRefused
from assistant.knowledge_bases.base import QueryResult
from assistant.knowledge_bases.sparql.querying import run

OSLO, CAPITAL, NORWAY = (NamedNode(f"http://e.org/{name}") for name in ("Oslo", "capitalOf", "Norway"))


@pytest.fixture
def store() -> Store:
    made = Store()
    made.extend([Quad(OSLO, CAPITAL, NORWAY), Quad(OSLO, NamedNode("http://e.org/founded"), Literal("1040"))])
    return made


def test_select_gives_rows_of_terms(store: Store) -> None:
    found = run(
        store, "SELECT ?of ?no WHERE { ?city <http://e.org/capitalOf> ?of OPTIONAL { ?city <http://e.org/x> ?no } }"
    )
    assert found == QueryResult(("of", "no"), ((NORWAY, None),))


@pytest.mark.parametrize(("year", "true"), [("1040", True), ("1041", False)])
def test_ask_gives_a_boolean(store: Store, year: str, true: bool) -> None:
    assert run(store, f'ASK {{ ?city <http://e.org/founded> "{year}" }}') == QueryResult(boolean=true)


@pytest.mark.parametrize(
    "query", ["SELECT", "CONSTRUCT WHERE { ?s ?p ?o }", "DELETE WHERE { ?s ?p ?o }", "SELECT ?x { ?x <rel> ?y }", ""]
)
def test_what_cannot_be_run_is_refused_with_the_reason(store: Store, query: str) -> None:
    with pytest.raises(QueryRefused, match=r"not valid SPARQL: .|Only SELECT and ASK"):
        run(store, query)
    assert len(store) == 2


def test_the_reason_is_one_line(store: Store) -> None:
    with pytest.raises(QueryRefused) as caught:
        run(store, "SELECT ?x WHERE { ?x ?p")  # where the parser names fifty things that could follow
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://e.org/sparql> { ?s ?p ?o } }",
        "SELECT * { service silent <http://e.org/sparql> { ?s ?p ?o } }",
        "SELECT * { FILTER(?a<1)SERVICE?where{ ?s ?p ?o } }",
        'SELECT * { ?s ?p "a#b" SERVICE <http://e.org/sparql> { ?s ?p ?o } }',
    ],
)
def test_no_query_asks_another_machine(store: Store, query: str) -> None:
    with pytest.raises(QueryRefused, match="SERVICE is not allowed"):
        run(store, query)
