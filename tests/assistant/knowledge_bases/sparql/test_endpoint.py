"""A SPARQL endpoint as a knowledge base, against a real store behind the protocol."""

import re

import pytest
from pyoxigraph import NamedNode

from assistant.errors import KnowledgeBaseUnreachable, QueryRefused, UserMistake
from assistant.knowledge_bases.base import Deadline, QueryResult
from assistant.knowledge_bases.sparql.endpoint import Endpoint
from assistant.knowledge_bases.web.http import Http
from assistant.types import Direction, Entity
from tests.assistant.knowledge_bases.contract import Case, KnowledgeBaseContract, ServedContract, TriplesContract
from tests.assistant.knowledge_bases.files.test_triples import CITIES
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply
from tests.assistant.knowledge_bases.sparql.sparql_double import serving

MORE = """
e:Vienna2 rdfs:label "Vienna"@en ; rdfs:comment "A town in Virginia."@en .
e:Danube rdfs:label "Danube"@en, "Donau"@de ; e:flowsThrough e:Vienna , e:Austria .
"""


@pytest.fixture
def endpoint(http: Http, server: LoopbackServer) -> Endpoint:
    server.answer = serving(CITIES + MORE)
    return Endpoint(http, "cities", server.url)


def linked(base: Endpoint, mention: str, *aliases: str, question: str = "Which one?") -> list[Entity]:
    return base.link(mention, aliases, question, Deadline.after(20))


def said(base: Endpoint, entity: Entity, direction: Direction = "both") -> set[tuple[str, str, str]]:
    triples = base.triples(entity, direction, 100, Deadline.after(20))
    return {(triple.subject, triple.relation, triple.object) for triple in triples}


class TestContract(KnowledgeBaseContract, TriplesContract, ServedContract):
    @pytest.fixture
    def case(self, http: Http, endpoint: Endpoint) -> Case:
        return Case(endpoint, "Vienna", "Where is Vienna?", lambda address: Endpoint(http, "cities", address))


def test_namesakes_are_linked_with_their_descriptions_the_most_told_of_first(endpoint: Endpoint) -> None:
    first, second = linked(endpoint, "vienna")
    assert (first.name, first.description) == ("Vienna", "A city on the Danube.")
    assert (second.name, second.description) == ("Vienna", "A town in Virginia.")
    assert first.url == "http://example.org/Vienna"


@pytest.mark.parametrize("mention", ["Wien", "VIENNA", "维也纳"])
def test_other_names_and_spellings_link(endpoint: Endpoint, mention: str) -> None:
    assert linked(endpoint, mention, question=mention)[0].url == "http://example.org/Vienna"


def test_a_name_is_looked_up_in_few_languages(endpoint: Endpoint, server: LoopbackServer) -> None:
    linked(endpoint, "Dunaj", question="Jaka rzeka jest w stolicy?")
    linked(endpoint, "维也纳", question="Where is the town of 维也纳?")
    tags = [re.findall(r'"(?:Dunaj|维也纳)"(?:@(\w+))?', asked["query"]) for asked in server.asked]
    assert [asked for asked in tags if asked] == [["", "en", "de", "fr", "es", "pl"], ["", "zh", "en"]]


def test_the_mention_goes_before_its_aliases(endpoint: Endpoint) -> None:
    assert [entity.name for entity in linked(endpoint, "Donau", "Vienna")] == ["Danube", "Vienna", "Vienna"]


def test_triples_are_readable_in_both_directions(endpoint: Endpoint) -> None:
    assert said(endpoint, linked(endpoint, "Vienna")[0]) == {
        ("Vienna", "capital of", "Austria"),
        ("Vienna", "area", "414.78"),
        ("Vienna", "ring road", "Gürtel"),
        ("Vienna", "motto", "Vienna waits"),
        ("Vienna", "founded on", "1137-01-01"),
        ("Danube", "flows through", "Vienna"),
    }


def test_a_chinese_question_is_answered_in_chinese(endpoint: Endpoint) -> None:
    vienna = linked(endpoint, "维也纳", question="维也纳是哪国的首都？")[0]
    assert vienna.name == "维也纳"
    assert endpoint.entity_info(vienna, Deadline.after(20)) == "多瑙河畔的城市。"
    assert {("维也纳", "首都", "奥地利"), ("维也纳", "motto", "维也纳在等")} <= said(endpoint, vienna, "out")


def test_a_query_is_answered_and_a_wrong_one_refused_with_the_services_reason(endpoint: Endpoint) -> None:
    query = "SELECT ?of WHERE { <http://example.org/Vienna> <http://example.org/capitalOf> ?of }"
    expected = QueryResult(("of",), ((NamedNode("http://example.org/Austria"),),))
    assert endpoint.query(query, Deadline.after(20)) == expected
    assert endpoint.query("ASK { ?s ?p ?o }", Deadline.after(20)).boolean is True
    with pytest.raises(QueryRefused, match=r"cities refuses the query: ."):
        endpoint.query("SELECT ?x WHERE { ?x nowhere:name ?y }", Deadline.after(20))


@pytest.mark.parametrize(("reply", "why"), [(Reply(status=500), "status 500"), (Reply(stall=True), "longer than 1 s")])
def test_a_query_that_is_too_much_is_refused_and_the_next_one_answered(
    endpoint: Endpoint, server: LoopbackServer, reply: Reply, why: str
) -> None:
    answer = server.answer
    server.replies(reply)
    with pytest.raises(QueryRefused, match=f"cities refuses the query: it .*{why}.*; ask for less at once") as caught:
        endpoint.query("SELECT * { ?s ?p ?o . ?x ?y ?z }", Deadline.after(1.1))
    assert "\n" not in str(caught.value)
    assert len(server.asked) == 1
    server.answer = answer
    assert endpoint.query("ASK { ?s ?p ?o }", Deadline.after(20)).boolean
    assert linked(endpoint, "Vienna")


def test_a_service_that_answers_no_query_is_left_alone(endpoint: Endpoint, server: LoopbackServer) -> None:
    answer, query = server.answer, "ASK { ?s ?p ?o }"
    server.replies(Reply(stall=True))
    with pytest.raises(QueryRefused, match="ask for less at once"):
        endpoint.query(query, Deadline.after(1.1))
    server.answer = answer
    assert endpoint.query(query, Deadline.after(20)).boolean
    server.replies(Reply(stall=True))
    with pytest.raises(QueryRefused, match="ask for less at once"):
        endpoint.query(query, Deadline.after(1.1))
    for _ in range(2):
        with pytest.raises(KnowledgeBaseUnreachable, match="no answer in time; it is left alone until"):
            endpoint.query(query, Deadline.after(1.1))
    assert len(server.asked) == 4


def test_a_query_to_a_service_that_is_down_is_no_fault_of_the_query(endpoint: Endpoint, server: LoopbackServer) -> None:
    server.close()
    for _ in range(2):
        with pytest.raises(KnowledgeBaseUnreachable, match="left alone until"):
            endpoint.query("ASK { ?s ?p ?o }", Deadline.after(20))


def test_a_query_reaches_no_other_service(endpoint: Endpoint, server: LoopbackServer) -> None:
    with pytest.raises(QueryRefused):
        endpoint.query("SELECT * WHERE { SERVICE <http://10.0.0.1/> { ?s ?p ?o } }", Deadline.after(20))
    assert server.asked == []


@pytest.mark.parametrize(
    "body",
    [
        {"head": {}},
        [],
        b"<html>",
        {"head": {"vars": ["x"]}, "results": 3},
        {
            "head": {"vars": ["entity"]},
            "results": {"bindings": [{"entity": {"type": "uri", "value": "http://e.org/"}}]},
        },
    ],
)
def test_a_reply_of_another_form_is_not_nothing_found(endpoint: Endpoint, server: LoopbackServer, body: object) -> None:
    server.replies(Reply(body))
    with pytest.raises(KnowledgeBaseUnreachable):
        linked(endpoint, "Vienna")


def test_a_name_that_was_not_asked_for_is_passed_over(endpoint: Endpoint, server: LoopbackServer) -> None:
    values = {"entity": "http://example.org/Vienna", "naming": "http://www.w3.org/2000/01/rdf-schema#label"}
    row = {name: {"type": "uri", "value": iri} for name, iri in values.items()}
    row["name"] = {"type": "literal", "value": "VIENNA!"}
    server.replies(Reply({"head": {"vars": ["entity", "naming", "name", "weight"]}, "results": {"bindings": [row]}}))
    assert linked(endpoint, "Vienna") == []


def test_a_query_whose_answer_is_too_large_is_told_to_ask_for_less(endpoint: Endpoint, server: LoopbackServer) -> None:
    server.replies(Reply(b" " * (9 * 2**20)))
    with pytest.raises(QueryRefused, match="more than 8 MB in one answer; ask for less"):
        endpoint.query("SELECT * { ?s ?p ?o }", Deadline.after(20))


def test_a_name_for_all_languages_is_a_name(http: Http, server: LoopbackServer) -> None:
    label, wrote = "<http://www.w3.org/2000/01/rdf-schema#label>", "<http://e.org/wrote>"
    server.answer = serving(f'<http://e.org/1> {label} "Emma"@mul . <http://e.org/2> {wrote} <http://e.org/1> .')
    austen = Entity("books", "en http://e.org/2", "Jane Austen", (), "", "")
    assert said(Endpoint(http, "books", server.url), austen) == {("Jane Austen", "wrote", "Emma")}


@pytest.mark.parametrize(
    ("address", "public"),
    [("http://127.0.0.1:3030/sparql", False), ("http://localhost/sparql", False), ("https://dbpedia.org/sparql", True)],
)
def test_what_leaves_this_machine_is_public(http: Http, address: str, public: bool) -> None:
    assert Endpoint(http, "cities", address).public is public


@pytest.mark.parametrize("address", ["films.ttl", "ftp://example.org/sparql", "https:///sparql", "http://[::1/"])
def test_what_is_no_address_is_the_users_mistake(http: Http, address: str) -> None:
    with pytest.raises(UserMistake, match="is not the address of an endpoint"):
        Endpoint(http, "cities", address)


@pytest.mark.parametrize("address", ["http://ada:secret@localhost/sparql", "https://ada@example.org/sparql"])
def test_an_address_with_a_password_is_refused_without_showing_it(http: Http, address: str) -> None:
    with pytest.raises(UserMistake, match="password") as caught:
        Endpoint(http, "cities", address)
    assert "ada" not in str(caught.value)


def test_what_an_endpoint_holds_now_is_told(endpoint: Endpoint, server: LoopbackServer) -> None:
    query = "ASK { ?city ?relation ?value }"
    assert endpoint.query(query, Deadline.after(20)).boolean
    server.answer = serving("")
    assert endpoint.query(query, Deadline.after(20)).boolean is False


@pytest.mark.network
def test_a_real_endpoint(http: Http) -> None:
    base = Endpoint(http, "dbpedia", "https://dbpedia.org/sparql")
    first, *_ = linked(base, "Nairobi", question="What is the capital of Kenya?")
    assert any("Kenya" in triple.object for triple in base.triples(first, "out", 100, Deadline.after(30)))
    assert base.query("ASK { ?city ?relation ?value }", Deadline.after(30)).boolean
