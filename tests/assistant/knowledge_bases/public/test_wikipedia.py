"""Wikipedia, against a real MediaWiki."""

import threading
from contextlib import suppress
from functools import partial

import pytest

from assistant.errors import Interrupted, KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.public.wikipedia import Wikipedia
from assistant.knowledge_bases.relations import RelationRanker
from assistant.knowledge_bases.web.http import Http
from assistant.types import Direction, Entity
from tests.assistant.knowledge_bases.contract import DIRECTIONS, Case, KnowledgeBaseContract, ServedContract, asking
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply
from tests.assistant.knowledge_bases.public.wiki import Wiki
from tests.assistant.search.letters import Letters


@pytest.fixture
def wikipedia(http: Http, wiki: Wiki) -> Wikipedia:
    http.allow(wiki.host, private=True)
    return Wikipedia(http, wiki.address)


@pytest.fixture
def chinese(http: Http, chinese_wiki: Wiki) -> Wikipedia:
    http.allow(chinese_wiki.host, private=True)
    return Wikipedia(http, chinese_wiki.address)


def link(base: Wikipedia, mention: str, *aliases: str, question: str = "What is it?") -> list[Entity]:
    return base.link(mention, aliases, question, Deadline.after(20))


def info(base: Wikipedia, entity: Entity) -> str:
    return base.entity_info(entity, Deadline.after(20))


class TestContract(KnowledgeBaseContract, ServedContract):
    @pytest.fixture
    def case(self, http: Http, wikipedia: Wikipedia) -> Case:
        return Case(wikipedia, "Brenholm", "Where is Brenholm?", partial(asking, http, Wikipedia))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_wikipedia_is_text_and_has_no_triples(wikipedia: Wikipedia, direction: Direction) -> None:
    assert wikipedia.triples(link(wikipedia, "Brenholm")[0], direction, 10, Deadline.after(20)) == []


def test_a_title_is_linked_with_its_first_sentence_and_its_page(wikipedia: Wikipedia, wiki: Wiki) -> None:
    first, *_ = link(wikipedia, "brenholm")
    assert first.name == "Brenholm"
    assert first.description == "Brenholm is a town of lighthouses."
    assert first.url == f"http://{wiki.host}/index.php/Brenholm"


def test_a_redirect_leads_to_its_article(wikipedia: Wikipedia) -> None:
    first, *_ = link(wikipedia, "The Talvik")
    assert (first.name, first.aliases) == ("Talvik (river)", ("The Talvik",))


def test_a_disambiguation_page_gives_way_to_what_it_lists_namesakes_first(wikipedia: Wikipedia) -> None:
    found = {entity.name: entity.description for entity in link(wikipedia, "Talvik")}
    assert list(found)[:3] == ["Talvik (composer)", "Talvik (river)", "Ostrava Hall"]
    assert found["Talvik (river)"] == "Talvik is a river of 84 kilometres."


def test_an_article_whose_links_are_ambiguous_is_an_article(wikipedia: Wikipedia) -> None:
    assert link(wikipedia, "Talvik (river)")[0].name == "Talvik (river)"


def test_a_search_finds_what_is_not_a_title(wikipedia: Wikipedia) -> None:
    assert [entity.name for entity in link(wikipedia, "lighthouses")] == ["Brenholm"]


def test_an_alias_is_tried_where_the_name_is_unknown(wikipedia: Wikipedia) -> None:
    assert link(wikipedia, "Qwxzvk", "Ostrava Hall")[0].name == "Ostrava Hall"


def test_the_information_has_the_summary_and_the_sections(wikipedia: Wikipedia) -> None:
    text = info(wikipedia, link(wikipedia, "Talvik (river)")[0])
    assert text.startswith("Talvik is a river of 84 kilometres. It flows north.")
    assert "It rises near Brenholm." in text
    assert "The Osk is the longest." in text


def test_what_stands_in_the_last_section_of_a_long_article_is_found(wikipedia: Wikipedia) -> None:
    ranker, question = RelationRanker(Letters()), "Who built its tallest tower?"
    asked = KnowledgeFunctions(wikipedia, ranker, question, Deadline.after(20), lambda event: None)
    (told,) = asked.find_entity_or_value(["Brenholm"], ["tallest tower"])
    assert told.endswith("Its tallest tower was built by Ilka.")


def test_an_article_that_is_gone_has_no_information(wikipedia: Wikipedia) -> None:
    assert info(wikipedia, Entity("wikipedia", "en:No such article", "No such article")) == ""


@pytest.mark.parametrize("name", ["临江塔", "江塔"])
def test_chinese_is_read_in_the_chinese_edition(chinese: Wikipedia, name: str) -> None:
    first, *_ = link(chinese, name, question=f"{name}有多高？")
    assert (first.id, first.description) == ("zh:临江塔", "临江塔是一座位于江边的砖塔，高四十二米。")
    assert "该塔建于1721年。" in info(chinese, first)


def test_a_title_in_the_other_script_is_found(chinese: Wikipedia) -> None:
    assert link(chinese, "臨江塔", question="臨江塔有多高？")[0].id == "zh:临江塔"


def test_each_language_has_an_edition(http: Http, server: LoopbackServer) -> None:
    http.allow(server.host, private=True)
    server.replies(Reply({"query": {"search": []}}))
    base = Wikipedia(http, server.url + "?edition={language}")
    link(base, "Berlin", question="Wie viele Einwohner hat die Stadt Berlin?")
    assert {asked["edition"] for asked in server.asked} == {"de"}


def test_an_error_in_the_reply_is_not_nothing_found(http: Http, server: LoopbackServer) -> None:
    http.allow(server.host, private=True)
    server.replies(Reply({"error": {"code": "readonly", "info": "The wiki is in read-only mode."}}))
    with pytest.raises(KnowledgeBaseUnreachable, match="read-only"):
        link(Wikipedia(http, server.url), "Berlin")


@pytest.mark.parametrize(
    "body", [[], {"query": {"pages": {"1": {"pageid": "x"}}}}, {"query": {"search": 3}}, {"query": 1}]
)
def test_a_reply_of_another_form_is_not_nothing_found(http: Http, server: LoopbackServer, body: object) -> None:
    http.allow(server.host, private=True)
    server.replies(Reply(body))
    with pytest.raises(KnowledgeBaseUnreachable):
        link(Wikipedia(http, server.url), "Berlin")


@pytest.mark.network
def test_the_real_wikipedia(http: Http) -> None:
    base = Wikipedia(http)
    first, *_ = link(base, "Nairobi", question="What is the capital of Kenya?")
    assert first.url == "https://en.wikipedia.org/wiki/Nairobi"
    assert "Kenya" in info(base, first)
    assert len(link(base, "Mercury", question="Which planet is Mercury?")) > 3


def test_links_that_go_on_for_ever_end_with_the_time(http: Http, server: LoopbackServer) -> None:
    cancel, ended = threading.Event(), threading.Event()
    page = {"title": "Talvik", "pageid": 1, "ns": 0, "extract": "It may be:", "pageprops": {"disambiguation": ""}}

    def answer(asked: dict[str, str]) -> Reply:
        if "links" not in asked.get("prop", ""):
            return Reply({"query": {"pages": {"1": page}}})
        if "plcontinue" in asked:
            threading.Timer(0.5, cancel.set).start()
        more = {"plcontinue": "1|0|X", "continue": "||"}
        return Reply({"continue": more, "query": {"pages": {"1": {**page, "links": [{"ns": 0, "title": "X"}]}}}})

    def look() -> None:
        with suppress(Interrupted, KnowledgeBaseUnreachable):
            Wikipedia(http, server.url).link("Talvik", (), "What is it?", Deadline.after(600, cancel))
        ended.set()

    server.answer = answer
    http.allow(server.host, private=True)
    threading.Thread(target=look, daemon=True).start()
    assert ended.wait(30)
    assert cancel.is_set()
