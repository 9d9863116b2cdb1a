"""Queries filled in from an example."""

import pytest

from assistant.search.examples import Example
from assistant.search.queries.filling import fill

BORN = Example("Where was Bram Stoker born?", 'SELECT ?x { ?a <name> "Bram Stoker"@en ; <born> ?x . }')
BOTH = Example(
    "Did Emma, written by Jane Austen, appear in 1815?", 'ASK { ?a <name> "emma" ; <by> "Jane Austen" ; <in> "1815" . }'
)


@pytest.mark.parametrize(
    ("example", "question", "query"),
    [
        (BORN, "where was  Mary Shelley born", 'SELECT ?x { ?a <name> "Mary Shelley"@en ; <born> ?x . }'),
        (BORN, 'Where was "the" Poe born?', 'SELECT ?x { ?a <name> "\\"the\\" Poe"@en ; <born> ?x . }'),
        (BORN, "Where did Mary Shelley die?", None),
        (BORN, "Where was born?", None),
        (
            BOTH,
            "Did Dracula, written by Bram Stoker, appear in 1897?",
            'ASK { ?a <name> "Dracula" ; <by> "Bram Stoker" ; <in> "1897" . }',
        ),
        # what is before an address is no part of it
        (
            Example("Is the website of Ada http://a.org/x ?", 'ASK { ?a <name> "Ada" ; <site> "http://a.org/x" . }'),
            "Is the website of Ada Lovelace http://b.org?",
            'ASK { ?a <name> "Ada Lovelace" ; <site> "http://b.org" . }',
        ),
        # what a query takes out of a figure is no name
        (
            Example(
                "Which is larger, Oslo or Rome?", 'SELECT ?x { VALUES ?n { "Oslo" "Rome" } BIND(REPLACE(?v, ",", "")) }'
            ),
            "Which is larger: Oslo or Rome?",
            None,
        ),
        (Example("Ada's age?", 'SELECT ?x { ?a <name> "Ada" ; <age> ?x }'), "Bob's age?", None),
        (Example("Which books are there?", "SELECT ?x { ?x a <book> }"), "Which books are there?", None),
    ],
)
def test_only_names_may_differ(example: Example, question: str, query: str | None) -> None:
    assert fill(question, example) == query


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("塞内加尔的首都是哪里？", "塞内加尔"),
        ("法国的首都是哪里", "法国"),
        ("圣多美和普林西比的首都是哪里？", "圣多美和普林西比"),
        ("法国最长的河的首都是哪里？", None),
        ("法国的首都有多少人？", None),
    ],
)
def test_chinese_names_have_no_spaces_around_them(question: str, name: str | None) -> None:
    query = 'SELECT ?x {{ ?a <name> "{}"@zh ; <capital> ?x . }}'
    example = Example("塞内加尔的首都是哪里？", query.format("塞内加尔"))
    assert fill(question, example) == (None if name is None else query.format(name))


def test_a_name_that_comes_twice_is_one_gap() -> None:
    example = Example("Is Emma by the author of Emma?", 'ASK { ?a <name> "Emma" . ?b <wrote> ?a }')
    assert fill("Is Ulysses by the author of Ulysses?", example) == 'ASK { ?a <name> "Ulysses" . ?b <wrote> ?a }'
    assert fill("Is Ulysses by the author of Dubliners?", example) is None
