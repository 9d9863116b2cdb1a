import pytest

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.relations import RelationRanker
from assistant.types import Entity, Triple
from tests.assistant.search.letters import Letters

PERU = "Peru lies on the Pacific; its capital is Lima. Its currency is the sol."


class Asked:
    """A knowledge base of a few triples and texts that keeps which names it was asked for; `ids` are entities."""

    name = "asked"
    languages = frozenset()
    public = False
    link_policy, relation_policy = "one", "best"

    def __init__(self, triples=(), texts=None, ids=()):
        self._triples, self._texts, self._ids = triples, texts or {}, set(ids)
        self.linked = []

    def link(self, mention, aliases, question, deadline):
        self.linked.append(mention)
        known = {s for s, _, _ in self._triples} | self._ids | set(self._texts)
        return [Entity(self.name, name, name) for name in (mention, *aliases) if name in known]

    def entity_info(self, entity, deadline):
        return self._texts.get(entity.name, "")

    def triples(self, entity, direction, limit, deadline):
        return [
            Triple(s, r, o, kb=self.name, subject_id=s, object_id=o if o in self._ids else None)
            for s, r, o in self._triples
            if entity.name in (s, o)
        ][:limit]


def functions(kb, question="Q"):
    return KnowledgeFunctions(kb, RelationRanker(Letters()), question, Deadline.after(20), lambda event: None)


def test_a_text_is_the_name_of_nothing_and_says_itself_what_comes_next():
    kb = Asked(texts={"Peru": PERU})
    asked = functions(kb)
    assert asked.find_entity_or_value(["Peru"], ["capital"], ["currency"]) == ["Its currency is the sol."]
    assert asked.find_entity_or_value(["Peru"], ["capital"], ["zebra"]) == []
    assert set(kb.linked) == {"Peru"}
    assert [e.text for e in asked.record.evidence][:2] == [
        "Peru lies on the Pacific; its capital is Lima.",
        "Its currency is the sol.",
    ]


CITIES = [("韩国", "城市", "首尔、釜山、大邱"), ("韩国", "邻国", "日本"), ("日本", "邻国", "韩国")]


@pytest.mark.parametrize("ids", [[], ["首尔、釜山、大邱"]])
def test_the_items_of_a_list_in_one_value_are_results_of_their_own(ids):
    asked = functions(Asked([*CITIES, ("釜山", "人口", "340万")], ids=ids), "韩国的城市？")
    cities = asked.find_entity_or_value(["韩国"], ["城市"])
    assert cities == ["首尔", "釜山", "大邱"]
    assert [item.object for item in asked.record.evidence] == ["首尔、釜山、大邱"]
    assert asked.find_entity_or_value(cities, ["人口"]) == ["340万"]


def test_what_has_the_same_list_is_found_from_an_item_of_it():
    books = [("甲书", "主编", "杨可桢、程光蕴"), ("乙书", "主编", "杨可桢、程光蕴")]
    asked = functions(Asked(books, ids=["杨可桢、程光蕴"]), "甲书？")
    assert asked.find_entity_or_value(["甲书"], ["主编"], ["主编 of"]) == ["乙书"]


def test_what_more_is_said_of_is_one_thing_whatever_its_name():
    band = [*CITIES, ("首尔、釜山、大邱", "歌手", "金")]
    assert functions(Asked(band, ids=[band[0][2]])).find_entity_or_value(["韩国"], ["城市"]) == ["首尔、釜山、大邱"]


@pytest.mark.parametrize(("function", "relation"), [("find_entity_or_value", [["zebra"]]), ("get_entity_info", [])])
def test_a_text_is_not_looked_up_in_a_later_call_either(function, relation):
    kb = Asked(texts={"Peru": PERU})
    asked = functions(kb)
    text = asked.by_name()[function](["Peru"], *relation)
    assert PERU in text
    assert asked.find_entity_or_value(text, ["currency"]) == []
    assert kb.linked == ["Peru"]
