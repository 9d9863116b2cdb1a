"""What the rows of a query say, as evidence."""

from urllib.parse import quote

import pytest

from assistant.errors import QueryRefused
from tests.assistant.search.queries.asking_books import BORN, Tiring, told


def test_chinese_names_for_a_chinese_question(search, books) -> None:
    query = 'SELECT ?x WHERE { ?a rdfs:label "玛丽·雪莱"@zh ; p:place_of_birth ?x . }'
    found = search(books, "玛丽·雪莱出生在哪里？", [query])
    assert told(found)[1:] == [("玛丽·雪莱", "出生地", "伦敦")]


def test_a_count_and_a_yes_are_results(search, books) -> None:
    count = 'SELECT (COUNT(?x) AS ?n) WHERE { ?a rdfs:label "Jane Austen"@en ; p:wrote ?x . }'
    result, bearing = told(search(books, "How many?", [count]))
    assert result == ("How many?", "result", "2")
    assert bearing[:2] == ("Jane Austen", "wrote")
    assert set(bearing[2].split("; ")) == {"Emma", "Persuasion"}
    ask = 'ASK { ?a rdfs:label "Emma"@en ; p:year "1815" . }'
    assert told(search(books, "1815?", [ask])) == [("1815?", "result", "yes"), ("Emma", "year", "1815")]


@pytest.mark.parametrize(
    ("modifiers", "answer", "bearing"),
    [
        ("ORDER BY DESC(?y) LIMIT 1", "Dracula", [("Dracula", "year", "1897")]),
        ("ORDER BY ?y OFFSET 1 LIMIT 1", "Persuasion", [("Persuasion", "year", "1817")]),
        ("ORDER BY ?age LIMIT 1", "Dracula, 129", []),
    ],
)
def test_only_the_rows_of_the_result_bear_it(search, books, modifiers: str, answer: str, bearing) -> None:
    projected = "?x (2026 - xsd:integer(?y) AS ?age)" if "?age" in modifiers else "?x"
    query = f"SELECT {projected} WHERE {{ ?x p:year ?y }} {modifiers}"
    query = f"PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> {query}"
    result, *rest = told(search(books, "Which book is the latest?", [query]))
    assert (result[2], rest) == (answer, bearing)


def test_of_all_rows_few_bear_an_extreme(search, books) -> None:
    query = "SELECT (MAX(?y) AS ?latest) WHERE { ?x p:year ?y }"
    assert told(search(books, "When was the latest?", [query])) == [("When was the latest?", "result", "1897")]


def test_what_a_statement_says_is_told_with_what_it_is_about(search, books) -> None:
    query = (
        'SELECT ?x WHERE { ?a rdfs:label "Jane Austen"@en . ?b rdfs:label "Emma"@en . '
        "[ p:subject ?a ; p:predicate p:wrote ; p:object ?b ] p:publisher ?x . }"
    )
    assert told(search(books, "Who published it?", [query]))[1:] == [
        ("Jane Austen wrote Emma", "publisher", "John Murray")
    ]


def test_a_result_stands_where_what_bears_it_cannot_be_asked_for(search, books) -> None:
    assert told(search(Tiring(books, 2), "Where?", [BORN])) == [("Where?", "result", "Steventon")]


@pytest.mark.parametrize("failure", [None, QueryRefused("It refuses.")])
def test_a_result_stands_where_its_names_cannot_be_asked_for(search, books, failure) -> None:
    assert told(search(Tiring(books, 1, failure), "Where?", [BORN])) == [("Where?", "result", "steventon")]


def test_what_bears_a_result_stands_where_its_names_cannot_be_asked_for(search, books) -> None:
    _, *bearing = told(search(Tiring(books, 3), "Where?", [BORN]))
    assert bearing == [("austen", "label", "Jane Austen"), ("austen", "place of birth", "Steventon")]


def test_names_are_asked_for_by_queries_that_an_address_holds(search, books) -> None:
    kb = Tiring(books, 99)
    iris = " ".join(f"<http://books.org/{'long' * 38}{number}>" for number in range(45))
    found = search(kb, "Which?", [f"SELECT ?x {{ VALUES ?x {{ {iris} <http://books.org/emma> }} }}"])
    assert told(found)[0][2].endswith("44; Emma")
    asked = [query for query in kb.asked if "?label" in query]
    assert sum(query.count("<http://books.org/") for query in asked) == 46
    assert all(len(quote(query)) < 8000 for query in asked)


def test_a_million_rows_are_cut_with_a_line(search, books) -> None:
    chain = " . ".join(f"?s{i} ?p{i} ?o{i}" for i in range(4))
    found = search(books, "Everything?", [f"SELECT ?s0 ?s1 ?s2 ?s3 WHERE {{ {chain} }}"])
    assert found[0].text == "only the first 50 of 10,000+ rows"
    assert search.ran.error == "Only the first 10,000 rows were read: ask for less."
    assert (len(search.ran.rows), search.ran.total) == (50, 10_000)


def test_it_is_said_how_many_rows_are_not_told(search, books) -> None:
    found = search(books, "Everything?", ["SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 20"] * 2)
    assert found[0].text == ""
    query = "SELECT ?x ?n ?y WHERE { ?x p:year ?n . ?y ?p ?o } LIMIT 60"
    assert search(books, "Everything?", [query])[0].text == "only the first 50 of 60 rows"


def test_a_value_that_no_prompt_holds_is_told_in_part(search, books) -> None:
    longer = "CONCAT(?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x)"
    grown = " ".join(f"BIND({longer.replace('?x', f'?x{n}')} AS ?x{n + 1})" for n in range(4))
    found = search(books, "What?", [f'SELECT ?x4 {{ ?a p:wrote ?b . BIND(CONCAT("ab", STR(?b)) AS ?x0) {grown} }}'])
    assert len(found[0].object) < 11_000
    assert found[0].object.endswith(" …")
