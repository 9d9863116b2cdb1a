"""The strategy `sparql`: from a question to a query, with a scripted model and a real store."""

import json
import threading
from dataclasses import replace

import pytest

from assistant.errors import Interrupted, ModelUnavailable
from assistant.search.evidence import doubtful
from assistant.search.examples import Example
from assistant.search.queries.sparql import FULL, PAPER, Method
from assistant.types import Failed
from tests.assistant.search.queries.asking_books import BORN, NONE, Tiring, told
from tests.assistant.search.queries.books import PREFIXES, library


def test_the_prompt_is_instruction_examples_question(search, books) -> None:
    found = search(books, "Where did Jane Austen come into the world?", [f"```sparql\n{BORN}\n```"], Method(k=2))
    (request,) = search.transport.requests
    assert [message.role for message in request.messages] == ["system", *["user", "assistant"] * 2, "user"]
    assert request.messages[0].content.startswith("You are given natural questions")
    assert request.messages[-1].content == "Where did Jane Austen come into the world?"
    assert search.ran.query == BORN
    assert search.ran.rows == (("Steventon",),)
    assert search.ran.examples == (request.messages[3].content, request.messages[1].content)  # nearest first
    assert told(found) == [
        ("Where did Jane Austen come into the world?", "result", "Steventon"),
        ("Jane Austen", "place of birth", "Steventon"),
    ]


def test_an_examples_query_is_filled_in_without_the_model(search, books) -> None:
    found = search(books, "Where was Mary Shelley born?", [], Method())
    assert told(found)[0][2] == "London"
    assert search.ran.examples == ("Where was Bram Stoker born?",)


@pytest.mark.parametrize("by", ["the bank", "the user"])
def test_the_same_question_has_the_same_query_without_the_model(search, tmp_path, by: str) -> None:
    kb = library(tmp_path)
    pair = {"question": "Where was Jane Austen born?", "sparql": "SELECT ?x { b:austen p:place_of_birth ?x . }"}
    if by == "the user":
        search.approved = [Example(pair["question"], pair["sparql"])]
        pair = {"question": "Who is she?", "sparql": "SELECT ?x { ?x p:wrote b:emma . }"}
    lines = [{"prefixes": {**PREFIXES, "b": "http://books.org/"}}, pair]
    kb.bank_file.write_text("\n".join(map(json.dumps, lines)))
    try:
        found = search(kb, "where was  jane austen born", [], Method())
    finally:
        kb.close()
    assert told(found)[0][2] == "Steventon"
    assert search.ran.examples == ("Where was Jane Austen born?",)


def test_an_approved_query_is_filled_in_without_the_model(search, books) -> None:
    search.approved = [Example("Where did Jane Austen come into the world?", BORN)]
    found = search(books, "Where did Mary Shelley come into the world?", [], Method())
    assert told(found)[0][2] == "London"


def test_what_another_relation_says_is_not_told_as_the_answer(search, books) -> None:
    query = 'SELECT ?x WHERE { ?a rdfs:label "Mary Shelley"@en ; p:place_of_berth ?x . }'
    found = search(books, "In which berth did Mary Shelley lie?", [query], replace(PAPER, linking=True))
    assert told(found) == [("Mary Shelley", "place of birth", "London")]


def test_a_query_that_finds_nothing_is_shown_to_the_model_once(search, books) -> None:
    method = replace(PAPER, feedback=True)
    found = search(books, "Where did Jane Austen come from?", [NONE, BORN], method)
    assert told(found)[0][2] == "Steventon"
    complaint = search.transport.requests[1].messages[-1].content
    assert complaint.startswith("That query finds nothing. It leaves out: Jane Austen.")
    assert search(books, "Where did Jane Austen come from?", [NONE, NONE], method) == []


def test_a_no_to_another_question_is_shown_to_the_model_once(search, books) -> None:
    other, asked = (f'ASK {{ ?a rdfs:label "Emma"@en ; p:year "{year}" . }}' for year in ("1816", "1815"))
    method = replace(PAPER, feedback=True)
    found = search(books, "Is Emma of 1815?", [other, asked], method)
    assert told(found)[0][2] == "yes"
    assert search.transport.requests[1].messages[-1].content.startswith("It leaves out: 1815.")
    assert told(search(books, "Is Emma of 1815?", [other, other], method))[0][2] == "no"


def test_a_count_of_none_that_leaves_a_name_out_is_shown_to_the_model(search, books) -> None:
    count = 'SELECT (COUNT(?x) AS ?n) WHERE { ?a rdfs:label "%s"@en ; p:wrote ?x . }'
    drafts = [count % "Zeno", count % "Jane Austen"]
    found = search(books, "How many books are by Jane Austen?", drafts, replace(PAPER, feedback=True))
    assert told(found)[0][2] == "2"


def test_where_things_are_named_by_their_ids_no_name_is_left_out(search, tmp_path) -> None:
    kb = library(tmp_path)
    heads = {"prefixes": {**PREFIXES, "b": "http://books.org/"}, "labels": {"austen": "Jane Austen"}}
    pair = {"question": "Where was Jane Austen born?", "sparql": "SELECT ?x { b:austen p:place_of_birth ?x . }"}
    kb.bank_file.write_text(
        "\n".join(json.dumps({key: value}) for key, value in heads.items()) + "\n" + json.dumps(pair)
    )
    no = "ASK { b:austen p:place_of_birth b:london . }"
    try:
        found = search(kb, "Did Jane Austen come from London?", [no], replace(PAPER, feedback=True))
    finally:
        kb.close()
    assert told(found)[0][2] == "no"
    assert "Topic Entity Id: b:austen (Jane Austen)" in search.transport.requests[0].messages[-1].content


def test_a_query_that_cannot_be_run_is_shown_with_the_reason(search, books) -> None:
    search(books, "Who?", ["DROP ALL", BORN], Method(filling=False))
    assert "Only SELECT and ASK are allowed, not DROP." in search.transport.requests[1].messages[-1].content


@pytest.mark.parametrize("method", [PAPER, Method(filling=False), FULL])
@pytest.mark.parametrize("draft", ['SELECT ?x { ?a rdfs:label "Jane Austen ; p:place_of_birth ?x . }', "I can't."])
def test_what_is_no_query_is_one_that_cannot_be_run(search, books, method: Method, draft: str) -> None:
    found = search(books, "Which place did Jane Austen come from, please?", [draft, BORN], method)
    assert told(found)[:1] == ([] if method is PAPER else [(*told(found)[0][:2], "Steventon")])
    assert not search.ran.error if method is not PAPER else search.ran.error


def test_without_additions_a_refused_query_is_a_line(search, books) -> None:
    assert search(books, "Who?", ["SELECT * { SERVICE <http://10.0.0.1/> { ?s ?p ?o } }"]) == []
    assert search.ran.error == "SERVICE is not allowed: a query may only ask the knowledge base itself."


@pytest.mark.parametrize(
    "query",
    [
        'ASK {{ ?a rdfs:label "{}"@en ; p:wrote ?b . ?b rdfs:label "Emma"@en }}',
        'SELECT (COUNT(?b) AS ?n) WHERE {{ ?a rdfs:label "{}"@en ; p:wrote ?b . ?b p:year "1900" }}',
    ],
)
def test_a_no_or_none_about_what_is_not_known_is_no_result(search, books, query: str) -> None:
    assert search(books, "Anna Miller?", [query.format("Anna Miller")]) == []
    assert search.ran.error == "Nothing here is called Anna Miller."
    search.events.clear()
    assert told(search(books, "Bram Stoker?", [query.format("Bram Stoker")]))[0][2] in {"no", "0"}


@pytest.mark.parametrize(("other", "older"), [("Emma", "Emma"), ("London", None), ("Atlantis", None)])
def test_of_two_that_are_compared_both_have_to_be_known(search, books, other: str, older: str | None) -> None:
    both = f'VALUES ?n {{ "Dracula"@en "{other}"@en }} ?a rdfs:label ?n ; p:year ?y'
    query = f"SELECT ?n WHERE {{ {both} }} ORDER BY ?y LIMIT 1"
    found = search(books, f"Which is older, Dracula or {other}?", [query])
    assert [result for _, _, result in told(found)[:1]] == ([older] if older else [])
    assert (other in search.ran.error) is (older is None)


def test_where_no_value_is_known_nothing_is_denied(search, books) -> None:
    query = 'ASK {{ ?a rdfs:label "{}"@en ; p:website "http://dracula.org/" }}'
    assert search(books, "Jane Austen?", [query.format("Jane Austen")]) == []
    assert search.ran.error == "No such value is known here at all."
    search.events.clear()
    assert told(search(books, "Mary Shelley?", [query.format("Mary Shelley")]))[0][2] == "no"


def test_a_name_that_is_not_there_is_no_other_that_is_alike(search, books) -> None:
    question = "In which year did Emmy come out?"  # Emma's, but for the name
    found = search(books, question, [NONE, NONE], FULL)
    assert len(search.transport.requests) > 0, "it is not simply filled in"
    assert all("1815" not in item.object for item in found)
    drafted = 'SELECT ?x WHERE { ?a rdfs:label "Frankensteen"@en ; p:year ?x . }'
    slip = search(books, "When did Frankensteen come out?", [drafted], FULL)[0]
    assert (slip.object, slip.text) == ("1818", "")
    drafted = BORN.replace("Jane Austen", "Brian Stoker")
    other = search(books, "Where does Brian Stoker come from?", [drafted, drafted], FULL)
    assert [(item.object, item.text) for item in other[:1]] == [
        ("Dublin", "there is no Brian Stoker here; this is about Bram Stoker")
    ]
    assert doubtful(other[0])


def test_a_question_without_entities(search, books) -> None:
    found = search(books, "why", ["SELECT (COUNT(*) AS ?n) WHERE { ?x p:wrote ?y . }"], Method())
    assert told(found)[0] == ("why", "result", "4")


def test_drafts_vote_by_their_results(search, books) -> None:
    other = BORN.replace("Jane Austen", "Bram Stoker")
    method = replace(PAPER, drafts=3)
    found = search(books, "Where?", [other, BORN, BORN.replace("?x", "?y")], method)
    assert told(found)[0][2] == "Steventon"


def test_drafts_vote_by_yes_and_no(search, books) -> None:
    yes, no = (f'ASK {{ ?a rdfs:label "Emma"@en ; p:year "{year}" . }}' for year in ("1815", "1816"))
    assert told(search(books, "1815?", [yes, no, no], replace(PAPER, drafts=3)))[0][2] == "no"


def test_retrieval_by_a_draft_calls_the_model_twice(search, books) -> None:
    method = replace(PAPER, retrieval="sparql", k=1)
    draft = 'SELECT (COUNT(?x) AS ?n) WHERE { ?a rdfs:label "Mary Shelley"@en ; p:wrote ?x . }'
    search(books, "Which number of works does Mary Shelley have?", [draft, draft], method)
    assert search.ran.examples == ("How many books did Jane Austen write?",)


def test_the_model_is_away(search, books) -> None:
    assert search(books, "Who?", [ModelUnavailable("It is being fetched.")]) == []
    assert search.events == [Failed("sparql", "It is being fetched.")]


def test_what_a_question_names_is_looked_up_once(search, books) -> None:
    kb = Tiring(books, 999)
    kb.public, kb.link = False, books.link
    asked = 'ASK { ?a rdfs:label "Anna Miller"@en ; p:wrote ?b . ?b rdfs:label "Emma"@en }'
    assert search(kb, "Has Anna Miller written Emma?", [asked, asked], FULL) == []
    looked_up = [query for query in kb.asked if "ASK { ?s" in query]
    assert any('"Anna Miller"' in query for query in looked_up)
    assert len(looked_up) == len(set(looked_up))


def test_stopping(search, books) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Interrupted):
        search(books, "Who?", [BORN], cancel=cancel)


def test_a_filled_query_is_linked_where_a_name_is_misspelt(search, books) -> None:
    found = search(books, "Where was Mary Shelly born?", [], Method())
    assert told(found)[0][2] == "London"
    assert '"Mary Shelley"@en' in search.ran.query


def test_what_the_user_approved_is_an_example(search, books) -> None:
    search.approved = [Example("Where did Jane Austen come into the world?", BORN)]
    search(books, "Where did Mary Shelley come into the world?", [BORN], replace(PAPER, k=1))
    assert search.ran.examples == ("Where did Jane Austen come into the world?",)


def test_what_was_approved_is_found_without_its_names_too(search, books) -> None:
    alike, other = "where did jane austen come into the world?", "where did an entity come into the worlds?"
    search.approved = [Example(alike, BORN), Example(other, "ASK { ?x p:wrote ?y }")]
    search(books, "where did mary shelley come into the world?", [BORN], replace(PAPER, k=1))
    assert search.ran.examples == (alike,)


def test_names_that_another_knowledge_base_knows_are_linked(search, books, tmp_path) -> None:
    kb = library(tmp_path)
    pair = {"question": "Where was Jane Austen born?", "sparql": "SELECT ?x { b:austen p:place_of_birth ?x . }"}
    lines = [{"prefixes": {**PREFIXES, "b": "http://books.org/"}}, pair]
    kb.bank_file.write_text("\n".join(map(json.dumps, lines)))
    try:
        search(Unindexed(kb), "what is mary shelley's birthplace?", [BORN, BORN], beside=[books])
    finally:
        kb.close()
    assert "Topic Entity Id: b:shelley (Mary Shelley)" in search.transport.requests[0].messages[-1].content


class Unindexed:
    """A knowledge base that links names and takes queries, but has no index of its names."""

    public = True

    def __init__(self, kb):
        self.name, self.bank_file, self.query, self.link = kb.name, kb.bank_file, kb.query, kb.link
