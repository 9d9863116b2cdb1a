import threading
import time

import pytest

from assistant.bounded import TooMuch
from assistant.errors import Interrupted
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.linking import enumerated
from assistant.knowledge_bases.relations import Asked as Relation
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


FUNCTIONS = ["get_entity_info", "find_entity_or_value", "find_relationship"]


def shared(times):
    value = ["Peru"]
    for _ in range(times):
        value = [value, value]
    return value


def ring():
    value = ["Peru"]
    value.append(value)
    return value


TOO_MUCH = {
    "shared": shared(40),
    "ring": ring(),
    "long": "a" * 1_000_000,
    "many": [f"name {n}" for n in range(5000)],
    "a long one": ["a" * 5000],
    "digits": 10**5000,
    "sets": {frozenset(range(30_000))},
}


@pytest.mark.parametrize("argument", TOO_MUCH.values(), ids=TOO_MUCH)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_argument_that_is_too_much_ends_the_call_before_anything_is_asked(function, argument):
    kb = Asked([("Peru", "capital", "Lima")])
    call = functions(kb).by_name()[function]
    others = [] if function == "get_entity_info" else [["Peru"]]
    for given in ([argument, *others], [*others, argument]):
        with pytest.raises(TooMuch, match=r"entity|relation"):
            call(*given)
    assert kb.linked == []


def test_many_relations_one_after_the_other_are_too_much():
    kb = Asked([("Peru", "capital", "Lima")])
    with pytest.raises(TooMuch, match="the most in one call"):
        functions(kb).find_entity_or_value(["Peru"], *[["capital"]] * 1000)
    assert kb.linked == []


def test_what_was_found_may_be_many_and_long():
    long = "a long story " * 200
    triples = [("Peru", "told", long), *(("Peru", "river", f"river {n}") for n in range(2000))]
    asked = functions(Asked(triples, ids=[long, *(f"river {n}" for n in range(2000))]))
    rivers = asked.find_entity_or_value(["Peru"], ["river"])
    assert asked.find_entity_or_value(rivers, ["river of"])
    assert asked.find_entity_or_value(asked.find_entity_or_value(["Peru"], ["told"]), ["told of"]) == ["Peru"]


def test_a_program_that_finds_the_same_without_an_end_is_told():
    asked = functions(Asked([("Peru", "river", f"river {n}") for n in range(300)]))
    with pytest.raises(TooMuch, match=r"has found more|asked for too much"):
        for _ in range(100_000):
            asked.find_entity_or_value(["Peru"], ["river"])


@pytest.mark.parametrize("stopped", [True, False])
def test_a_call_that_works_long_looks_at_the_time_and_at_stop(stopped):
    """Each look into the knowledge base takes a moment, of a thousand that the call would take."""
    cancel = threading.Event()
    deadline = Deadline.after(600 if stopped else 0.3, cancel)

    class Slow(Asked):
        def triples(self, entity, direction, limit, deadline):
            time.sleep(0.01)
            if stopped and entity.name == "river 9":
                cancel.set()
            return super().triples(entity, direction, limit, deadline)

    names = [f"river {n}" for n in range(1000)]
    kb = Slow([("Peru", "river", name) for name in names], ids=names)
    asked = KnowledgeFunctions(kb, RelationRanker(Letters()), "Q", deadline, lambda event: None)
    with pytest.raises(Interrupted if stopped else TimeoutError):
        asked.find_entity_or_value(["Peru"], ["river"], ["river of"], ["river"], ["river of"])


def test_ranking_many_relations_looks_at_the_time():
    class Counting(Letters):
        embedded = 0

        def query(self, texts):
            Counting.embedded += len(texts)
            cancel.set()
            return super().query(texts)

    cancel = threading.Event()
    ranker = RelationRanker(Counting()).until(Deadline.after(600, cancel))
    with pytest.raises(Interrupted):
        ranker.rank([Relation((f"relation {n}",), True) for n in range(20_000)], ["capital"])
    assert Counting.embedded < 1000


def test_scoring_many_relations_looks_at_the_time(monkeypatch):
    cancel = threading.Event()
    relations = [Relation((f"relation {n}",), True) for n in range(2_000)]
    ranker = RelationRanker(Letters())
    ranker.rank(relations, ["capital"])  # what they mean is known now
    scored = []

    def opposed(*_, **__):
        scored.append(1)
        cancel.set()
        return False

    monkeypatch.setattr("assistant.knowledge_bases.relations.opposed", opposed)
    with pytest.raises(Interrupted):
        ranker.until(Deadline.after(600, cancel)).rank(relations, ["capital"])
    assert len(scored) == 1


def test_a_value_of_many_signs_is_no_list():
    assert enumerated("、" * 50_000) == []
    assert enumerated("首尔、") == []
