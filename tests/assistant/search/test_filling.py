"""Queries filled in from an example."""

import pytest

from assistant.search.examples import Example
from assistant.search.filling import fill

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
        (Example("Ada's age?", 'SELECT ?x { ?a <name> "Ada" ; <age> ?x }'), "Bob's age?", None),
        (Example("Which books are there?", "SELECT ?x { ?x a <book> }"), "Which books are there?", None),
    ],
)
def test_only_names_may_differ(example: Example, question: str, query: str | None) -> None:
    assert fill(question, example) == query


def test_a_name_that_comes_twice_is_one_gap() -> None:
    example = Example("Is Emma by the author of Emma?", 'ASK { ?a <name> "Emma" . ?b <wrote> ?a }')
    assert fill("Is Ulysses by the author of Ulysses?", example) == 'ASK { ?a <name> "Ulysses" . ?b <wrote> ?a }'
    assert fill("Is Ulysses by the author of Dubliners?", example) is None
