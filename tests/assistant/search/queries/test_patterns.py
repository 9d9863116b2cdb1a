"""The triple patterns of a query, and edits of them."""

import pytest

from assistant.search.queries.patterns import core_of, patterns, rendered, replaced, turned_round


def read(query: str) -> list[tuple[str, str, str]]:
    return [(p.subject.text, "".join(t.text for t in p.path), p.object.text) for p in patterns(query)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (
            'ASK { ?a <n> "x"@en, 3 ; a <c> . ?b ^<p>/<q>* ?a }',
            [("?a", "<n>", '"x"@en'), ("?a", "<n>", "3"), ("?a", "a", "<c>"), ("?b", "^<p>/<q>*", "?a")],
        ),
        (
            "SELECT (COUNT(?x) AS ?n) { { SELECT ?x { ?x <p> -4 } } UNION { ?x <q> true } } GROUP BY ?x ORDER BY ?n",
            [("?x", "<p>", "4"), ("?x", "<q>", "true")],
        ),
        (
            "SELECT * { VALUES ?x { <a> <b> } ?x <p> ?y FILTER(?y > 3 && <f>(?y)) BIND(?y + 1 AS ?z) "
            "FILTER NOT EXISTS { ?y <q> ?x } OPTIONAL { ?y <r> ?w } }",
            [("?x", "<p>", "?y"), ("?y", "<q>", "?x"), ("?y", "<r>", "?w")],
        ),
        (
            "SELECT ?d { [ <h> ?a ; <r> <p> ; <t> ?b ] <when> ?d . ?a <p> [] }",
            [("[", "<h>", "?a"), ("[", "<r>", "<p>"), ("[", "<t>", "?b"), ("[", "<when>", "?d"), ("?a", "<p>", "[")],
        ),
        ("SELECT ?x { ?x <p> ?y", [("?x", "<p>", "?y")]),
        ("SELECT ?x {", []),
    ],
)
def test_patterns_are_read_wherever_they_stand(query: str, found: list[tuple[str, str, str]]) -> None:
    assert read(query) == found


def test_an_edge_turns_round_with_the_statement_that_says_it_again() -> None:
    query = "SELECT ?d { ?a <p> ?b . [ <h> ?a ; <r> <p> ; <t> ?b ] <when> ?d . [ <h> ?a ; <r> <q> ; <t> ?b ] <x> ?e }"
    turned = turned_round(query, patterns(query)[0])
    assert turned == (
        "SELECT ?d { ?b <p> ?a . [ <h> ?b ; <r> <p> ; <t> ?a ] <when> ?d . [ <h> ?a ; <r> <q> ; <t> ?b ] <x> ?e }"
    )
    assert turned_round(turned, patterns(turned)[0]) == query


def test_a_token_is_replaced_wherever_it_stands() -> None:
    query = 'ASK { ?a <p> "<p>" . [ <r> <p> ] <s> ?b }'
    assert replaced(query, patterns(query)[0].path[0], "<q>") == 'ASK { ?a <q> "<p>" . [ <r> <q> ] <s> ?b }'


def test_patterns_are_written_with_bracketed_nodes_as_variables() -> None:
    assert rendered(patterns("ASK { [ <h> ?a ] <w> ?d . ?d <n> 'x' }")) == "?node6 <h> ?a . ?node6 <w> ?d . ?d <n> 'x'"


@pytest.mark.parametrize(
    ("query", "core"),
    [
        (
            'SELECT ?x { ?a <n> "A" . ?b <n> "B" . ?b <r> ?c . ?c <n> "C" . [ <h> ?a ; <t> ?b ] <q> ?x . }',
            'SELECT ?x { ?node63 <h> ?a . ?node63 <t> ?b . ?node63 <q> ?x . ?a <n> "A" . ?b <n> "B" }',
        ),
        # what is asked is told by a statement and a class, and B by its name alone
        (
            'SELECT ?x { ?c <n> "C" . ?b <n> "B" . ?x <is> ?c . ?b <p> ?c . [ <h> ?x ; <t> ?b ] <q> "V" . ?x <m> ?y }',
            'SELECT ?x { ?x <is> ?c . ?node63 <h> ?x . ?node63 <t> ?b . ?node63 <q> "V" . ?x <m> ?y . '
            '?c <n> "C" . ?b <n> "B" }',
        ),
        # that she has an occupation
        (
            'SELECT ?x { ?a <n> "A" . ?a <born_in> ?x . ?a <occupation> ?o . ?x <p> ?y }',
            'SELECT ?x { ?a <born_in> ?x . ?x <p> ?y . ?a <n> "A" }',
        ),
        # all of it is needed
        ('SELECT ?x { ?a <n> "A" . ?a <p> ?x . }', ""),
        # what is asked is reached over a thing that only the rest tells
        ('SELECT ?x { ?a <n> "A" . ?a <p> ?b . ?b <q> ?x . }', ""),
        ('SELECT ?x { ?x <p> ?b . ?b <q> ?a . ?a <n> "A" . }', ""),
    ],
)
def test_what_is_asked_stands_without_what_else_is_said_of_things_named(query: str, core: str) -> None:
    assert core_of(query) == core
