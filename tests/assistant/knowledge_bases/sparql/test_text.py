"""Queries as tokens, and which may be run."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import QueryRefused
from assistant.knowledge_bases.sparql.text import check, edited, quoted, tokens
from assistant.search.queries.patterns import patterns


def texts(query):
    return [token.text for token in tokens(query)]


def test_tokens_are_the_grammars_terminals() -> None:
    query = "SELECT*{?s wdt:P31/wdt:P279*<http://e.org/a#b>;rdfs:label 'it\\'s #1'@en,-1.5e3.FILTER(?a<=2&&!?b)}# end"
    assert texts(query) == [
        *("SELECT", "*", "{", "?s", "wdt:P31", "/", "wdt:P279", "*", "<http://e.org/a#b>", ";", "rdfs:label"),
        *("'it\\'s #1'@en", ",", "-", "1.5e3", ".", "FILTER", "(", "?a", "<=", "2", "&&", "!", "?b", ")", "}"),
    ]


@given(st.text())
def test_a_quoted_text_says_what_it_said(text: str) -> None:
    (token,) = tokens(quoted(text))
    assert token.value == text


def test_escapes_in_strings_are_read() -> None:
    assert tokens(r'"a\u00e9\n\\u0041"')[0].value == "aé\n\\u0041"


def test_a_string_goes_with_its_language_or_datatype() -> None:
    words = tokens("""'a'@en-GB "1"^^xsd:date '2'^^<http://e.org/d'> 'b'""")
    assert [(word.value, word.written) for word in words] == [("a", "'a'"), ("1", '"1"'), ("2", "'2'"), ("b", "'b'")]


def test_edits_leave_the_rest_as_it_was_written() -> None:
    query = "ASK { ?x  <a:p> ?y }  # why"
    words = tokens(query)
    assert edited(query, [(words[2], "?y"), (words[4], "?x")]) == "ASK { ?y  <a:p> ?x }  # why"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?x WHERE { ?x ?p ?o }",
        "# first\nBASE <http://e.org/> PREFIX e: <x#> ask{?s e:p <y>}",
        "SELECT ?service { ?from <http://e.org/SERVICE> 'SERVICE <x>' } # SERVICE",
        'SELECT * { ?s ?p """a "quoted" SERVICE; DROP ALL""" }',
        "PREFIX e: <http://e.org/from> SELECT * { ?s e:service ?o }",
        "SELECT * { FILTER(?a < 1) ?s <http://e.org/service> ?o FILTER(EXISTS { ?o <http://e.org/service> ?s }) }",
        "SELECT * { ?s <urn:entity:O'Brien> <http://e.org/it's#a> FILTER(?o = <http://e.org/p#x>) }",
        "SELECT * { FILTER(?s = <http://e.org/service> || ?s IN (<http://e.org/services>)) }",
    ],
)
def test_reading_queries_pass(query: str) -> None:
    check(query)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("DROP ALL", "not DROP"),
        ("# SELECT\nDELETE WHERE { ?s ?p ?o }", "not DELETE"),
        ("PREFIX select: <http://e.org/> INSERT DATA { <a> <b> <c> }", "not INSERT"),
        ("LOAD <http://127.0.0.1/>", "not LOAD"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "not CONSTRUCT"),
        ("DESCRIBE <http://e.org/x>", "not DESCRIBE"),
        ("  # nothing\n", "an empty query"),
        ("SELECT * FROM <http://e.org/g> { ?s ?p ?o }", "FROM is not allowed"),
        ("SELECT * FROMNAMED<http://e.org/g> { ?s ?p ?o }", "FROM is not allowed"),
        ("SELECT * { SERVICE <http://10.0.0.1/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("SELECT * { ?s ?p '#' SERVICE <http://10.0.0.1/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("SELECT * { ?s ?p ?o # '\n SERVICE <http://10.0.0.1/> { ?s ?p ?o } # '\n }", "SERVICE is not allowed"),
        ("SELECT * { SERVICESILENT<http://10.0.0.1/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("SELECT * { ?s ?p trueSERVICE <http://10.0.0.1/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("SELECT * { ?s ?p ?o # \\u000A SERVICE <http://10.0.0.1/> { ?s ?p ?o }\n }", "SERVICE is not allowed"),
        ("SELECT * { ?s ?p '\\u0027 SERVICE <http://10.0.0.1/> { ?s ?p ?o } #' }", "SERVICE is not allowed"),
        ("PREFIX x: <http://10.0.0.1/> SELECT * { serviceX:a { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("PREFIX : <x:> SELECT * { ?s ?p ?a FILTER(?a<1)SERVICE:x#>\n{ ?s ?p ?o } }", "SERVICE is not allowed"),
        ("PREFIX : <x:> SELECT * { ?s ?p ?a BIND(2+(1)<1)service:x#>\n{ ?s ?p ?o } }", "SERVICE is not allowed"),
        ("PREFIX : <x:> SELECT * { FILTER(true<1)SERVICE:x#>\n{ ?s ?p ?o } }", "SERVICE is not allowed"),
        ("PREFIX : <x:> SELECT * { FILTER(1.e0<2)SERVICE:x#>\n{ ?s ?p ?o } }", "SERVICE is not allowed"),
        (
            "PREFIX : <x:> SELECT * { FILTER(true||<<(?s ?p ?o)>><1)SERVICE:x#>\n{ ?s ?p ?o } }",
            "SERVICE is not allowed",
        ),
        ("PREFIX : <x:> SELECT * { FILTER(EXISTS{?s ?p ?o}<1)SERVICE:x#>\n{ ?s ?p ?o } }", "SERVICE is not allowed"),
        ("PREFIX : <x:> SELECT * { FILTER(EXISTS{FILTER(?o<2)#>\n}&&?o<2)SERVICE:x#>\n{} }", "SERVICE is not allowed"),
        ("PREFIX : <x:> SELECT * { FILTER(true||?o<'>')SERVICE:x{ ?s ?p ?o }#'\n}", "SERVICE is not allowed"),
        ("PREFIX : <x:> SELECT * { FILTER(?o<2#>'''\n)SERVICE:x{ ?s ?p ?o }#'''\n}", "SERVICE is not allowed"),
        ("PREFIX a: <x:> SELECT * { FILTER(?o<a:b)SERVICE<x:y>#>\n{} }", "SERVICE is not allowed"),
        ("PREFIX : <x:> ASK { FILTER(EXISTS{?s ?p ?a}&&?a<1)SERVICE:x#>\n{ ?s ?p ?o } }", "SERVICE is not allowed"),
        ("SELECT * { \\u0053ERVICE <http://10.0.0.1/> { ?s ?p ?o } }", "not valid SPARQL at"),
        ("SELECT * { ?s ?p 'open }", "not valid SPARQL at"),
    ],
)
def test_everything_else_is_refused_in_one_line(query: str, reason: str) -> None:
    with pytest.raises(QueryRefused, match=reason) as refused:
        check(query)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT * { ?a ?b ?c } #" + "x" * 20_000, "characters"),
        ("SELECT * " + "{ " * 60 + "} " * 60, "levels deep"),
        ("ASK { FILTER(" + "(" * 60 + "true" + ")" * 61 + " }", "levels deep"),
        ("SELECT * { " + "[ <a:b> " * 60 + "]" * 60 + " <a:b> ?y }", "levels deep"),
    ],
)
def test_a_query_that_is_too_long_or_too_deep_is_refused_before_anybody_reads_it(query: str, told: str) -> None:
    with pytest.raises(QueryRefused, match=told):
        tokens(query)
    with pytest.raises(QueryRefused, match=told):
        patterns(query)


def test_a_name_without_an_end_is_read_once() -> None:
    start = time.monotonic()
    tokens("a." * 9_999)
    assert time.monotonic() - start < 20  # each dot would have all that follows read again
