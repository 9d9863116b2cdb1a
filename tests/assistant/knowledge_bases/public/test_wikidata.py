"""Wikidata, against a server that answers in the documented shapes."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.public.wikidata import Wikidata
from assistant.knowledge_bases.public.wikidata_values import TimeValue
from assistant.knowledge_bases.relations import RelationRanker
from assistant.knowledge_bases.web.http import Http
from assistant.language import TOLD_APART
from assistant.types import Entity, Triple
from tests.assistant.knowledge_bases.contract import (
    Case,
    KnowledgeBaseContract,
    ServedContract,
    TriplesContract,
    asking,
)
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply
from tests.assistant.knowledge_bases.public import wikidata_double
from tests.assistant.knowledge_bases.sparql.sparql_double import serving
from tests.assistant.search.letters import Letters


@pytest.fixture
def wikidata(http: Http, server: LoopbackServer) -> Wikidata:
    http.allow(server.host, private=True)
    server.answer = wikidata_double.answer
    return Wikidata(http, server.url)


def link(base: Wikidata, mention: str, *aliases: str, question: str = "Who is it?") -> list[Entity]:
    return base.link(mention, aliases, question, Deadline.after(20))


def triples(base: Wikidata, item_id: str = "en:Q501", limit: int = 100) -> list[Triple]:
    return base.triples(Entity("wikidata", item_id, ""), "out", limit, Deadline.after(20))


def values(base: Wikidata, item_id: str = "en:Q501") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for triple in triples(base, item_id):
        found.setdefault(triple.relation, []).append(triple.object)
    return found


def state(server: LoopbackServer, claims: dict[str, list[wikidata_double.Json]]) -> None:
    """Let the item Q501 have these statements."""
    item = Reply({"entities": {"Q501": {"id": "Q501", "claims": claims}}})
    server.answer = lambda asked: item if "claims" in asked["props"] else wikidata_double.answer(asked)


class TestContract(KnowledgeBaseContract, TriplesContract, ServedContract):
    @pytest.fixture
    def case(self, http: Http, wikidata: Wikidata) -> Case:
        return Case(wikidata, "Ilse Talvik", "Where did Ilse Talvik live?", partial(asking, http, Wikidata))


def test_an_item_is_linked_with_what_tells_it_from_its_namesakes(wikidata: Wikidata, server: LoopbackServer) -> None:
    assert link(wikidata, "talvik") == [
        Entity("wikidata", "en:Q502", "Talvik", (), "river", f"http://{server.host}/wiki/Q502")
    ]


def test_an_alias_that_the_item_bears_is_told(wikidata: Wikidata) -> None:
    (entity,) = link(wikidata, "The Nightingale")
    assert (entity.name, entity.aliases) == ("Ilse Talvik", ("The Nightingale",))


def test_aliases_are_tried_until_one_is_the_very_name(wikidata: Wikidata, server: LoopbackServer) -> None:
    found = link(wikidata, "Ils", "Brenholm", "Osk")
    assert [entity.name for entity in found] == ["Brenholm", "Ilse Talvik"]
    assert [asked["search"] for asked in server.asked] == ["Ils", "Brenholm"]


def test_the_language_of_the_question_is_the_language_of_names_and_values(wikidata: Wikidata) -> None:
    (entity,) = link(wikidata, "布伦霍尔姆", question="布伦霍尔姆在哪里？")
    assert (entity.id, entity.name) == ("zh:Q503", "布伦霍尔姆")
    (person,) = link(wikidata, "伊尔莎·塔尔维克", question="伊尔莎·塔尔维克是谁？")
    found = {t.relation: t for t in wikidata.triples(person, "out", 100, Deadline.after(20))}
    assert found["出生日期"].object == "1901年3月14日"
    assert found["spouse"].object == "未知"
    assert found["height"].object == "1.68 米"  # a property without a Chinese label falls back to English


def test_the_information_is_label_description_and_other_names(wikidata: Wikidata) -> None:
    entity = link(wikidata, "Ilse Talvik")[0]
    assert (
        wikidata.entity_info(entity, Deadline.after(20))
        == "Ilse Talvik: composer of chamber music. Also known as: I. Talvik, The Nightingale."
    )
    assert wikidata.entity_info(Entity("wikidata", "en:Q999", "?"), Deadline.after(20)) == ""


def test_preferred_statements_come_first_and_deprecated_ones_never(wikidata: Wikidata) -> None:
    assert values(wikidata)["place of residence"] == ["Brenholm", "Osk"]


def test_each_property_has_its_best_statement_before_any_has_its_second(wikidata: Wikidata) -> None:
    relations = [triple.relation for triple in triples(wikidata, limit=6)]
    assert len(set(relations)) == 6


def test_values_are_readable(wikidata: Wikidata) -> None:
    found = values(wikidata)
    assert found["date of birth"] == ["14 March 1901"]
    assert found["height"] == ["1.68 metre"]
    assert found["spouse"] == ["unknown"]
    assert found["website"] == ["https://talvik.example/"]
    assert found["teacher"] == ["Arno Keld", "Q507"]  # a label for all languages; none at all
    assert "catalogue number" not in found
    assert values(wikidata, "en:Q503") == {
        "coordinate location": ["58.25° S, 22.50° E"],
        "official name": ["Brenholm vid Osk"],
    }


def test_a_triple_knows_its_ends_its_qualifiers_and_its_place(wikidata: Wikidata, server: LoopbackServer) -> None:
    first = triples(wikidata)[0]
    assert (first.subject, first.relation, first.object) == ("Ilse Talvik", "place of residence", "Brenholm")
    assert (first.subject_id, first.object_id) == ("en:Q501", "en:Q503")
    assert first.qualifiers == (("start time", "May 1931"),)
    assert first.url == f"http://{server.host}/wiki/Q501#P1"


@pytest.mark.parametrize(
    ("at", "precision", "text"),
    [
        ("+1879-03-14T00:00:00Z", 11, "14 March 1879"),
        ("+1879-03-00T00:00:00Z", 10, "March 1879"),
        ("+1879-00-00T00:00:00Z", 9, "1879"),
        ("+1879-00-00T00:00:00Z", 11, "1879"),
        ("+1870-00-00T00:00:00Z", 8, "1870s"),
        ("+1801-00-00T00:00:00Z", 7, "19th century"),
        ("+1900-00-00T00:00:00Z", 7, "19th century"),
        ("+2000-00-00T00:00:00Z", 6, "2nd millennium"),
        ("-0044-03-15T00:00:00Z", 11, "15 March 44 BCE"),
        ("-0500-00-00T00:00:00Z", 9, "500 BCE"),
        ("-0500-00-00T00:00:00Z", 7, "5th century BCE"),
        ("-13798000000-00-00T00:00:00Z", 3, "about 13798000000 BCE"),
        ("+12000-01-01T00:00:00Z", 9, "12000"),
        ("+1500-02-29T00:00:00Z", 11, "1500-02-29"),
    ],
)
def test_dates_are_as_precise_as_they_are_known(
    wikidata: Wikidata, server: LoopbackServer, at: str, precision: int, text: str
) -> None:
    double = wikidata_double
    claims = {"P2": [double.claim(double.time("P2", at, precision))]}
    state(server, claims)
    assert values(wikidata) == {"date of birth": [text]}


@pytest.mark.parametrize(
    ("at", "precision", "text"),
    [
        ("-0500-00-00T00:00:00Z", 7, "公元前5世纪"),
        ("+1870-00-00T00:00:00Z", 8, "1870年代"),
        ("+2000-00-00T00:00:00Z", 6, "第2个千年"),
        ("-13798000000-00-00T00:00:00Z", 3, "公元前约13798000000年"),
        ("-13000-00-00T00:00:00Z", 9, "公元前13000年"),
        ("+1500-02-29T00:00:00Z", 11, "1500年2月29日（儒略历）"),
    ],
)
def test_a_chinese_date_is_chinese_in_all_its_parts(at: str, precision: int, text: str) -> None:
    found = {"time": at, "precision": precision, "calendarmodel": "http://www.wikidata.org/entity/Q1985786"}
    assert TimeValue.model_validate({"type": "time", "value": found}).text({}, "zh") == text


def test_a_date_of_the_julian_calendar_says_so(wikidata: Wikidata, server: LoopbackServer) -> None:
    double = wikidata_double
    claims = {"P2": [double.claim(double.time("P2", "+1616-04-23T00:00:00Z", 11, "Q1985786"))]}
    state(server, claims)
    assert values(wikidata) == {"date of birth": ["23 April 1616 (Julian calendar)"]}


@given(
    at=st.tuples(st.sampled_from("+-"), st.integers(1, 10**10), st.integers(0, 12), st.integers(0, 31)),
    precision=st.integers(0, 14),
    language=st.sampled_from(TOLD_APART),
)
def test_every_date_is_told_in_every_language(at: tuple[str, int, int, int], precision: int, language: str) -> None:
    written = "{}{:04d}-{:02d}-{:02d}T00:00:00Z".format(*at)
    value = TimeValue.model_validate({"type": "time", "value": {"time": written, "precision": precision}})
    text = value.text({}, language)
    assert text == text.strip() != ""
    assert str(at[1]) in text or precision < 9
    assert (at[0] == "-") == ("BCE" in text or "公元前" in text)


def test_labels_are_fetched_fifty_at_a_time_and_once(wikidata: Wikidata, server: LoopbackServer) -> None:
    double = wikidata_double
    many = [double.claim(double.item("P1", f"Q{number}")) for number in range(1000, 1120)]
    state(server, {"P1": many})
    assert len(triples(wikidata, limit=200)) == 120
    batches = [asked["ids"].split("|") for asked in server.asked if asked["props"] == "labels"]
    assert [len(batch) for batch in batches] == [50, 50, 21]
    triples(wikidata, limit=150)
    assert len([asked for asked in server.asked if asked["props"] == "labels"]) == 3


def test_labels_without_which_nothing_is_told_are_asked_for_first(wikidata: Wikidata, server: LoopbackServer) -> None:
    double = wikidata_double
    state(server, {"P1": [double.claim(double.item("P1", "Q10"), double.item("P5", "Q20"))]})
    triples(wikidata)
    assert server.asked[-1]["ids"] == "P1|Q10|P5|Q20"


def test_of_a_well_connected_item_is_told_what_there_is_time_for(wikidata: Wikidata, server: LoopbackServer) -> None:
    double = wikidata_double
    claims = {
        f"P{number}": [
            double.claim(double.item(f"P{number}", f"Q{10 * number + place}"), double.item("P5", f"Q{20000 + number}"))
            for place in range(3)
        ]
        for number in range(100, 300)
    }
    state(server, {"P2": [double.claim(double.time("P2", "+1901-00-00T00:00:00Z", 9))], **claims})
    at_once = server.answer

    def slowly(asked: dict[str, str]) -> Reply:
        server.over.wait(0.2)
        return at_once(asked)

    server.answer = slowly
    found = wikidata.triples(Entity("wikidata", "en:Q501", ""), "out", 400, Deadline.after(4))
    assert found[0].object == "1901"
    assert len(found) < 400
    asked = [asked["ids"] for asked in server.asked if asked["props"] == "labels"]
    assert asked[0].startswith("P2|P100|P101|")  # properties first: the next item has them too


def test_an_item_that_does_not_exist_has_no_triples(wikidata: Wikidata) -> None:
    assert triples(wikidata, "en:Q999") == []


def test_statements_that_point_at_an_item_are_not_to_be_had(wikidata: Wikidata) -> None:
    assert wikidata.triples(Entity("wikidata", "en:Q503", "Brenholm"), "in", 10, Deadline.after(20)) == []


@pytest.mark.parametrize(
    "body", [{"search": [{"label": "no id"}]}, {"hits": []}, [1], {"error": {"info": "overloaded"}}]
)
def test_a_reply_of_another_form_is_not_nothing_found(wikidata: Wikidata, server: LoopbackServer, body: object) -> None:
    server.replies(Reply(body))
    with pytest.raises(KnowledgeBaseUnreachable):
        link(wikidata, "Talvik")
    server.answer = wikidata_double.answer
    assert link(wikidata, "Talvik")  # the broken reply is not kept


def test_a_value_of_an_unknown_type_is_left_out(wikidata: Wikidata, server: LoopbackServer) -> None:
    double = wikidata_double
    claims = {
        "P1": [double.claim(double.snak("P1", "new", "novelty", {"a": 1})), double.claim(double.item("P1", "Q503"))]
    }
    state(server, claims)
    assert values(wikidata) == {"place of residence": ["Brenholm"]}


def test_queries_go_to_the_query_service(http: Http, server: LoopbackServer) -> None:
    http.allow(server.host, private=True)
    server.answer = serving('<http://e.org/Osk> <http://e.org/length> "84" .')
    base = Wikidata(http, queries=server.url)
    found = base.query("SELECT ?long { <http://e.org/Osk> <http://e.org/length> ?long }", Deadline.after(20))
    assert found.rows == ((Literal("84"),),)
    server.replies(Reply(status=429, headers={"Retry-After": "60"}))
    with pytest.raises(KnowledgeBaseUnreachable, match="status 429"):
        base.query("ASK { ?s ?p ?o }", Deadline.after(5))


HAVING = """
@prefix wd: <http://www.wikidata.org/entity/> . @prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
wd:Q501 wdt:P10 wd:Q503 ; rdfs:label "Ilse Talvik"@en, "伊尔莎·塔尔维克"@zh .
wd:Q506 wdt:P10 wd:Q503 ; rdfs:label "Arno Keld"@mul .
wd:Q507 wdt:P10 wd:Q503 .
wd:Q504 wdt:P1 wd:Q503 .
"""


@pytest.fixture
def followed(http: Http, server: LoopbackServer) -> Callable[[str], KnowledgeFunctions]:
    """What programs call over a Wikidata with a query service."""
    http.allow(server.host, private=True)
    queries = serving(HAVING)
    server.answer = lambda asked: queries(asked) if "query" in asked else wikidata_double.answer(asked)
    base = Wikidata(http, server.url, server.url)

    def make(question: str) -> KnowledgeFunctions:
        return KnowledgeFunctions(base, RelationRanker(Letters()), question, Deadline.after(20), lambda event: None)

    return make


@pytest.mark.parametrize("relation", [["teacher of"], ["zebra", "tutored"]])
def test_what_has_an_item_is_asked_for_by_the_relation(followed, server: LoopbackServer, relation: list[str]) -> None:
    functions = followed("Whom did Brenholm teach?")
    names = functions.find_entity_or_value(["Brenholm"], relation)
    assert set(names) == {"Ilse Talvik", "Arno Keld", "Q507"}
    assert {(e.relation, e.object) for e in functions.record.evidence} == {("teacher", "Brenholm")}
    assert sum("query" in asked for asked in server.asked) == 1


def test_nothing_more_is_asked_where_the_item_has_the_relation_or_no_other_end_is_meant(
    followed, server: LoopbackServer
) -> None:
    assert followed("Q?").find_entity_or_value(["Ilse Talvik"], ["place of residence"]) == ["Brenholm", "Osk"]
    assert followed("Q?").find_entity_or_value(["Ilse Talvik"], ["zebra"])
    assert not [asked for asked in server.asked if "query" in asked or asked.get("type") == "property"]


def test_a_query_service_in_trouble_is_told_and_leaves_the_rest(followed, server: LoopbackServer) -> None:
    whole = server.answer
    server.answer = lambda asked: Reply(status=503) if "query" in asked else whole(asked)
    functions = followed("Whom did Brenholm teach?")
    assert functions.find_entity_or_value(["Brenholm"], ["teacher of"]) == ["Brenholm: town."]
    assert "what has it as teacher could not be asked" in functions.record.calls[-1].message
    assert functions.unreachable is None


@pytest.mark.network
def test_the_real_wikidata(http: Http) -> None:
    base = Wikidata(http)
    first, *_ = link(base, "Nairobi", question="What is the capital of Kenya?")
    assert first.url.startswith("https://www.wikidata.org/wiki/Q")
    found = base.triples(first, "out", 60, Deadline.after(30))
    assert any(triple.object == "Kenya" for triple in found)
