"""Generated queries linked into the knowledge base that they are for."""

import threading

import pytest

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.relations import RelationRanker
from assistant.knowledge_bases.sparql.bank import Pair, QueryBank
from assistant.search.examples import ExampleBank
from assistant.search.queries.attempt import Allowance, Asking
from assistant.search.queries.banks import Bank
from assistant.search.queries.linking import QueryLinker
from assistant.search.vector_cache import VectorCache
from tests.assistant.search.letters import Letters
from tests.assistant.search.queries.books import PAIRS, PREFIXES

PUBLISHER = (
    'SELECT ?x { ?a rdfs:label "Jane Austen"@en . ?b rdfs:label "Emma"@en . '
    "[ p:subject ?a ; p:predicate p:wrote ; p:object ?b ] p:publisher ?x . }"
)


@pytest.fixture
def link(books, tmp_path):
    letters = Letters()
    source = QueryBank(tuple(Pair(*pair) for pair in PAIRS), PREFIXES)
    bank = Bank(ExampleBank([], letters, VectorCache(tmp_path, letters)), source, by_iri=False)

    def linked(query, question=None, linking=None):
        """`question` says what the query says, unless it is given."""
        asking = Asking(query if question is None else question, books, bank, threading.Event(), linking or Allowance())
        linker = QueryLinker(books, [sparql for _, sparql in PAIRS], RelationRanker(letters), asking)
        return linker.linked(asking.run(query))

    return linked


def busy_after(queries, books, monkeypatch):
    """Let the books answer so many queries and then none; the list that all of them go to."""
    run, calls = books.query, []

    def busy(sparql, deadline):
        calls.append(sparql)
        if len(calls) > queries:
            raise KnowledgeBaseUnreachable("library", "library was busy with another query.")
        return run(sparql, deadline)

    monkeypatch.setattr(books, "query", busy)
    return calls


def values(attempt):
    return [term.value.rpartition("/")[2] for row in attempt.result.rows for term in row]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        # a name misspelt
        ('SELECT ?x { ?a rdfs:label "Marry Shelly"@en ; p:place_of_birth ?x . }', ["london"]),
        # a name without its language
        ('SELECT ?x { ?a rdfs:label "Mary Shelley" ; p:place_of_birth ?x . }', ["london"]),
        # a predicate that there is not
        ('SELECT ?x { ?a rdfs:label "Mary Shelley"@en ; p:birth_place ?x . }', ["london"]),
        # an edge turned round
        ('SELECT ?x { ?a rdfs:label "Emma"@en . ?a p:wrote ?x . }', ["austen"]),
        # turned round and misspelt
        ('SELECT ?x { ?a rdfs:label "Persuasoin"@en . ?a p:wrote ?x . }', ["austen"]),
        # a value that differs by a slash
        ('SELECT ?x { ?a p:website "http://shelley.org" ; p:wrote ?x . }', ["frankenstein"]),
        # a name in the place of the thing
        ('SELECT ?x { ?x p:wrote "Dracula"@en . }', ["stoker"]),
        # a value for what has a name, and a name for what has a value
        ('SELECT ?x { ?x p:wrote ?b . ?b p:year "Dracula"@en . }', ["stoker"]),
        # an edge and the statement that says it again, turned round
        (
            'SELECT ?x { ?a rdfs:label "Emma"@en . ?b rdfs:label "Jane Austen"@en . ?a p:wrote ?b . '
            "[ p:subject ?a ; p:predicate p:wrote ; p:object ?b ] p:publisher ?x . }",
            ["John Murray"],
        ),
        # another name is no misspelling of this one
        ('SELECT ?x { ?a rdfs:label "Emmy"@en . ?x p:wrote ?a . }', []),
        # nor another day
        ('SELECT ?x { ?a p:born "1797-08-31" ; p:wrote ?x . }', []),
        # a direction that is turned round within a list
        ('SELECT ?x { ?a rdfs:label "Emma"@en ; p:wrote ?x ; p:year ?y . }', ["austen"]),
        # what declares its prefixes itself
        (
            'PREFIX q: <http://books.org/p/> SELECT ?x { ?a rdfs:label "Marry Shelly"@en ; q:birth_place ?x . }',
            ["london"],
        ),
        # nothing is near
        ('SELECT ?x { ?a rdfs:label "Homer"@en ; p:place_of_birth ?x . }', []),
    ],
)
def test_a_query_is_mended_by_what_the_knowledge_base_holds(link, written: str, found: list[str]) -> None:
    assert values(link(written)) == found


def test_a_value_that_the_question_does_not_say_may_be_any(link) -> None:
    query = 'SELECT ?x { ?a rdfs:label "Mary Shelley"@en ; p:website "http://writer.net/" ; p:wrote ?x . }'
    mended = link(query, "What did Mary Shelley, who has a website, write?")
    assert values(mended) == ["frankenstein"]
    assert mended.other_relation, "it was found under a condition less"
    assert values(link(query, "What did Mary Shelley of http://writer.net/ write?")) == []


def test_two_things_that_are_named_may_stand_in_any_relation(link) -> None:
    query = (
        'SELECT ?x { ?a rdfs:label "Emma"@en . ?b rdfs:label "Jane Austen"@en . ?a p:year ?b . '
        "[ p:subject ?a ; p:predicate p:year ; p:object ?b ] p:publisher ?x . }"
    )
    mended = link(query)
    assert values(mended) == ["John Murray"]
    assert mended.other_relation


def test_what_is_asked_may_stand_without_what_else_is_said(link) -> None:
    query = (
        'SELECT ?x { ?a rdfs:label "Jane Austen"@en . ?b rdfs:label "Emma"@en . ?c rdfs:label "London"@en . '
        "?a p:place_of_birth ?c . [ p:subject ?a ; p:predicate p:wrote ; p:object ?b ] p:publisher ?x . }"
    )
    mended = link(query)
    assert values(mended) == ["John Murray"]
    assert mended.other_relation


@pytest.mark.parametrize(("question", "found"), [("When was it sold?", ["1815-12"]), ("Who sold it?", [])])
def test_a_statement_may_have_what_is_asked_for_under_another_name(link, question: str, found: list[str]) -> None:
    query = (
        'SELECT ?x { ?a rdfs:label "Jane Austen"@en . ?b rdfs:label "Emma"@en . ?a p:wrote ?b . '
        "[ p:subject ?a ; p:predicate p:wrote ; p:object ?b ] p:sold ?x . }"
    )
    mended = link(query, question)
    assert (values(mended), mended.other_relation) == (found, bool(found))


@pytest.mark.parametrize(
    ("question", "asked", "found"),
    [
        # by the relation's other end, which the question names, too
        ("Who published Emma, by Jane Austen, which Dublin read?", "publisher", ["John Murray"]),
        ("When was Emma, by Jane Austen, which Dublin read, sold?", "sold", ["1815-12"]),
        # who did it is no time
        ("When was Emma, by Jane Austen, which Dublin read, brought out?", "publisher", ["1815-12"]),
        # nothing that the question names has a statement with another
        ("Who published Emma, which Dublin read?", "publisher", []),
    ],
)
def test_a_statement_between_what_the_question_names_is_meant(link, question, asked, found) -> None:
    query = (
        'SELECT ?x { ?a rdfs:label "Dublin"@en . ?b rdfs:label "Emma"@en . ?a p:wrote ?b . '
        f"[ p:subject ?a ; p:predicate p:wrote ; p:object ?b ] p:{asked} ?x . }}"
    )
    mended = link(query, question)
    assert (values(mended), mended.other_relation) == (found, bool(found))


def test_who_did_it_is_no_answer_to_when(link) -> None:
    assert values(link(PUBLISHER, "Who brought out Jane Austen's Emma?")) == ["John Murray"]
    mended = link(PUBLISHER, "When was Jane Austen's Emma brought out?")
    assert (values(mended), mended.other_relation) == (["1815-12"], True)


@pytest.mark.parametrize(
    "question",
    [
        "Who published Jane Austen's Emma when it first came out?",
        "When Jane Austen's Emma first came out, who published it?",
        "For Emma, which Jane Austen wrote, what firm was its publisher when it came out?",
        "简·奥斯汀的《爱玛》是谁在什么时候出版的？",
    ],
)
def test_what_happened_when_something_did_is_no_date(link, question: str) -> None:
    found = link(PUBLISHER, question)
    assert (values(found), found.query) == (["John Murray"], PUBLISHER)


@pytest.mark.parametrize(
    "question",
    [
        "When did Emma, which Jane Austen wrote, first come out?",
        "At what point in time did Jane Austen's Emma come out?",
        "Emma by Jane Austen, who wrote four novels, was brought out on which date?",
        "简·奥斯汀的《爱玛》是什么时候出版的？",
    ],
)
def test_when_is_asked_for_in_many_ways(link, question: str) -> None:
    assert values(link(PUBLISHER, question)) == ["1815-12"]


def test_a_query_that_finds_something_stays(link) -> None:
    query = 'SELECT ?x { ?a rdfs:label "Emma"@en . ?x p:wrote ?a . }'
    assert link(query).query == query


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ('ASK { ?a rdfs:label "Emma"@en . ?b rdfs:label "Jane Austen"@en . ?a p:wrote ?b . }', True),
        ('ASK { ?a rdfs:label "Emma"@en . ?b rdfs:label "Bram Stoker"@en . ?b p:wrote ?a . }', False),
        # another website is no misspelling of this one
        ('ASK { ?a rdfs:label "Mary Shelley"@en ; p:website "http://shelly.org/" . }', False),
        ('ASK { ?a rdfs:label "mary shelley"@en ; p:website "HTTP://shelley.org" . }', True),
    ],
)
def test_yes_and_no_are_not_bent(link, written: str, answer: bool) -> None:
    assert link(written).result.boolean is answer


@pytest.mark.parametrize(
    ("question", "written", "answer"),
    [
        # a condition that nobody asked for, between the thing and its name
        (
            "Is http://shelley.org/ the website of Mary Shelley?",
            'ASK { ?a rdfs:label "Mary Shelley"@en . ?b p:taught ?a ; p:website "http://shelley.org/" . }',
            True,
        ),
        # name and value in each other's place
        (
            "Is 1815 the year of Emma?",
            'ASK { ?a rdfs:label "1815"@en ; p:year "Emma" . }',
            True,
        ),
        # what tells the thing apart is another relation
        (
            "Is http://shelley.org/ the website of the author of Frankenstein who was born in London?",
            'ASK { ?b rdfs:label "Frankenstein"@en . ?c rdfs:label "London"@en . ?b p:place_of_birth ?c . '
            '?a p:taught ?b ; p:website "http://shelley.org/" . }',
            True,
        ),
        # a made-up name is nothing that the question is about
        (
            "Is http://shelley.org/ the web presence of Mary Shelley?",
            'ASK { ?a rdfs:label "Mary Shelley"@en . ?b rdfs:label "web presence"@en . ?a p:wrote ?b . '
            '?b p:website "http://shelley.org/" . }',
            True,
        ),
        # who only knows somebody of that name is another one
        (
            "Is http://shelley.org/ the website of Jane Austen?",
            'ASK { ?a rdfs:label "Jane Austen"@en . ?b p:wrote ?a ; p:website "http://shelley.org/" . }',
            False,
        ),
        # not all of it is so
        (
            "Is http://shelley.org/ the website of the author of Frankenstein who was born in Dublin?",
            'ASK { ?b rdfs:label "Frankenstein"@en . ?c rdfs:label "Dublin"@en . ?a p:wrote ?b ; p:place_of_birth ?c ; '
            'p:website "http://shelley.org/" . }',
            False,
        ),
        # nor what the query leaves out
        (
            "Is http://shelley.org/ the website of Mary Shelley of Dublin?",
            'ASK { ?a rdfs:label "Mary Shelley"@en . ?b p:taught ?a ; p:website "http://shelley.org/" . }',
            False,
        ),
        # a value that nothing has
        (
            "Is http://shelley.com/ the website of Mary Shelley?",
            'ASK { ?a rdfs:label "Mary Shelley"@en . ?b p:taught ?a ; p:website "http://shelley.com/" . }',
            False,
        ),
    ],
)
def test_a_no_stands_unless_something_is_joined_to_all_that_is_named(link, question, written, answer) -> None:
    assert link(written, question).result.boolean is answer


def test_what_is_affirmed_by_its_names_is_told_by_what_joins_them(link) -> None:
    written = 'ASK { ?a rdfs:label "Mary Shelley"@en . ?b p:taught ?a ; p:website "http://shelley.org/" . }'
    affirmed = link(written, "Is http://shelley.org/ the website of Mary Shelley?")
    assert affirmed.other_relation
    assert "taught" not in affirmed.query


def test_a_value_is_spelled_as_the_thing_that_is_asked_about_has_it(link) -> None:
    written = 'ASK { ?a rdfs:label "Bram Stoker"@en ; p:website "http://stoker.org" . }'
    assert link(written).result.boolean is True, "another thing has the other spelling"


def test_the_last_step_that_there_is_no_time_for_leaves_the_answer(link, books, monkeypatch) -> None:
    calls = busy_after(5, books, monkeypatch)
    query = 'ASK { ?a rdfs:label "Bram Stoker"@en . ?b rdfs:label "Emma"@en . ?a p:wrote ?b . }'
    answered = link(query)
    assert (answered.result.boolean, answered.query) == (False, query)
    assert len(calls) > 5


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ('ASK { ?a rdfs:label "Bram Stoker"@en . ?b rdfs:label "Mary Shelley"@en . ?a p:taught ?b . }', []),
        ('SELECT ?x { ?a rdfs:label "Bram Stoker"@en . ?a p:taught ?x . }', ["shelley"]),
        ('SELECT ?x { ?a rdfs:label "Emma"@en . ?a p:wrote ?x . }', ["austen"]),
    ],
)
def test_of_an_edge_turned_round_either_end_may_be_meant(link, written: str, found: list[str]) -> None:
    turned = link(written)
    assert turned.found
    assert (values(turned), turned.other_relation) == (found, True)


@pytest.mark.parametrize(("written", "near"), [("1797-30-08", False), ("1797-08-3", False), ("1797-08-30 ", True)])
def test_another_figure_is_another_value(link, written: str, near: bool) -> None:
    query = f'ASK {{ ?a rdfs:label "Mary Shelley"@en ; p:born "{written}" . }}'
    assert link(query).result.boolean is near


def test_a_lookup_that_the_knowledge_base_has_no_time_for_leaves_the_query_as_it_was(link, books, monkeypatch) -> None:
    query = 'SELECT ?x { ?a rdfs:label "Marry Shelly"@en ; p:place_of_birth ?x . }'
    calls = busy_after(1, books, monkeypatch)
    assert link(query).query == query
    assert len(calls) > 1


def test_what_was_found_stays_where_other_names_cannot_be_looked_up(link, books, monkeypatch) -> None:
    def away(*_):
        raise KnowledgeBaseUnreachable("library", "library did not answer.")

    monkeypatch.setattr(books, "link", away)
    query = (
        'SELECT ?x { ?a rdfs:label "Emma"@en . [ p:subject ?b ; p:predicate p:wrote ; p:object ?a ] p:publisher ?x . }'
    )
    assert values(link(query, "When did Austen's Emma come out, by Oxford?")) == ["John Murray"]
    misspelt = query.replace("Emma", "Ema")
    assert link(misspelt).query == misspelt


def test_all_attempts_for_a_question_share_the_time_for_linking(link) -> None:
    query = 'SELECT ?x { ?a rdfs:label "Marry Shelly"@en ; p:place_of_birth ?x . }'
    allowance = Allowance()
    assert values(link(query, linking=allowance)) == ["london"]
    assert 0 < allowance.left < Allowance().left
    assert values(link(query, linking=Allowance(0.0))) == []
