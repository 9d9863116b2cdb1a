"""CN-DBpedia, against a server that answers in the documented shapes (http://shuyantech.com/docuapi)."""

from functools import partial

import pytest

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.public.cn_dbpedia import CnDbpedia
from assistant.knowledge_bases.web.http import Http
from assistant.types import Entity
from tests.assistant.knowledge_bases.contract import (
    Case,
    KnowledgeBaseContract,
    ServedContract,
    TriplesContract,
    asking,
)
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply

MENTIONS = {
    "临江塔": ["临江塔（江边的砖塔）", "临江塔（2003年的电影）"],
    "江塔": ["临江塔（江边的砖塔）"],
    "雾港": ["雾港"],
}
PAIRS = {
    "临江塔（江边的砖塔）": [
        ["中文名", "临江塔"],
        ["高度", "42米"],
        ["所在地", "<a href='/item/1'>雾港</a>"],
        ["所在地", "<a href='/item/1'>雾港</a>"],
        ["CATEGORY_ZH", "建筑"],
        ["DESC", "临江塔是一座砖塔，建于1721年。"],
    ],
    "雾港": [["面积", "310平方千米"], ["别名", ""]],
}
VALUES = {("雾港", "DESC"): ["雾港是一座港口城市。"]}


def answer(asked: dict[str, str]) -> Reply:
    """What the API would say."""
    if "attr" in asked:
        return Reply({"status": "ok", "ret": VALUES.get((asked["q"], asked["attr"]), [])})
    if asked["function"] == "ment2ent":
        return Reply({"status": "ok", "ret": MENTIONS.get(asked.get("q", ""), [])})
    return Reply({"status": "ok", "ret": PAIRS.get(asked["q"], [])})


@pytest.fixture
def base(http: Http, server: LoopbackServer) -> CnDbpedia:
    http.allow(server.host, private=True)
    server.answer = answer
    return CnDbpedia(http, server.url)


def link(base: CnDbpedia, mention: str, *aliases: str) -> list[Entity]:
    return base.link(mention, aliases, "它有多高？", Deadline.after(20))


def info(base: CnDbpedia, name: str) -> str:
    return base.entity_info(link(base, name)[0], Deadline.after(20))


class TestContract(KnowledgeBaseContract, TriplesContract, ServedContract):
    @pytest.fixture
    def case(self, http: Http, base: CnDbpedia) -> Case:
        return Case(base, "临江塔", "临江塔有多高？", partial(asking, http, CnDbpedia))


def test_namesakes_are_told_apart_by_what_stands_in_brackets(base: CnDbpedia) -> None:
    assert [(e.id, e.name, e.description) for e in link(base, "临江塔")] == [
        ("临江塔（江边的砖塔）", "临江塔", "江边的砖塔"),
        ("临江塔（2003年的电影）", "临江塔", "2003年的电影"),
    ]


def test_an_alias_is_asked_only_where_the_name_is_unknown(base: CnDbpedia, server: LoopbackServer) -> None:
    assert link(base, "临江塔", "雾港")[0].name == "临江塔"
    assert link(base, "无名塔", "雾港")[0].name == "雾港"
    assert [asked["q"] for asked in server.asked] == ["临江塔", "无名塔", "雾港"]


def test_attributes_are_triples_in_words_and_each_is_told_once(base: CnDbpedia) -> None:
    tower = link(base, "江塔")[0]
    assert [(t.relation, t.object) for t in base.triples(tower, "out", 9, Deadline.after(20))] == [
        ("中文名", "临江塔"),
        ("高度", "42米"),
        ("所在地", "雾港"),
        ("类别", "建筑"),
    ]
    assert base.triples(tower, "in", 9, Deadline.after(20)) == []


def test_the_information_is_the_articles_beginning(base: CnDbpedia) -> None:
    assert info(base, "临江塔") == "临江塔是一座砖塔，建于1721年。"
    assert info(base, "雾港") == "雾港是一座港口城市。"


def test_without_an_article_what_tells_it_apart_is_the_information(base: CnDbpedia) -> None:
    film = link(base, "临江塔")[1]
    assert base.entity_info(film, Deadline.after(20)) == "2003年的电影"


@pytest.mark.parametrize(
    "body", [{"status": "fail", "msg": "limit"}, {"status": "ok"}, {"status": "ok", "ret": "雾港"}, [], {"ret": []}]
)
def test_a_failure_in_the_reply_is_not_nothing_found(base: CnDbpedia, server: LoopbackServer, body: object) -> None:
    server.replies(Reply(body))
    with pytest.raises(KnowledgeBaseUnreachable):
        link(base, "临江塔")


@pytest.mark.network
def test_the_real_cn_dbpedia(http: Http) -> None:
    base = CnDbpedia(http)
    (entity, *_) = link(base, "复旦大学")
    assert any("上海" in triple.object for triple in base.triples(entity, "out", 100, Deadline.after(30)))
