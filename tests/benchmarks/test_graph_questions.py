"""How answers over a graph are read, scored and compared."""

import numpy as np
import pytest

from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.types import Answered, Call, Entity, Evidence, Linked, ProgramRan, ProgramRun
from tests.benchmarks.f1 import f1
from tests.benchmarks.graph_baselines import Baselines, Bm25
from tests.benchmarks.graph_questions import missed_at, named


@pytest.mark.parametrize(
    ("said", "gold", "score"),
    [
        (["Lima"], ["lima"], 1.0),
        (["Lima", "Cusco"], ["Lima"], 2 / 3),
        (["Lima"], ["Lima", "Cusco", "Ica"], 0.5),
        (["Cusco"], ["Lima"], 0.0),
        ([], ["Lima"], 0.0),
        (["乙二胺", "苯"], ["苯、乙二胺"], 1.0),
        (["Murder, My Sweet"], ["Murder, My Sweet"], 1.0),
        (["My Sweet"], ["Murder, My Sweet"], 0.0),
        (["赵本山", "毛毛"], ["赵本山&毛毛"], 1.0),
        (["索马里海盗", "旋转卡门"], ["《索马里海盗》,《旋转卡门》"], 1.0),
        (["苦；寒；有小毒。肝；胃经。", "苦,寒,有小毒。肝,胃经。"], ["苦,寒,有小毒。肝,胃经。"], 1.0),
        (["79（cc）；85（oc）"], ["79（CC）,85（OC）"], 1.0),
        (["X (有害)", "C (腐蚀性)"], ["X（有害）,C（腐蚀性）"], 1.0),
        (["怡湖西路21号"], ["：怡湖西路21号"], 1.0),
        (["赵本山"], ["赵本山&毛毛"], 2 / 3),
        (["赵本"], ["赵本山&毛毛"], 0.0),
        (["日本 大阪"], ["日本 东京"], 0.0),
        (["Johnson"], ["Johnson&Johnson"], 0.0),
        (["1685年2月6日到1688年12月11日"], ["1685年2月6日－1688年12月11日"], 1.0),
        (["104"], ["104,760人"], 0.0),
    ],
)
def test_f1_over_names(said, gold, score):
    assert f1(said, gold) == pytest.approx(score)


def reply(answer, *evidence, declined=False):
    return Answered(answer, "search", "", evidence, declined=declined)


def test_what_a_reply_names_is_read_off_its_answer():
    found = (Evidence(1, "g", "Heat; Ali", "director", "Michael Mann"), Evidence(2, "g", "Heat", "year", "1995"))
    question = "Who directed Heat?"
    assert named(question, reply("Michael Mann [1].", *found), []) == ["Michael Mann"]
    assert named(question, reply("Michael Mann, as Ali [1].", *found), ["Michael Mann"]) == ["Michael Mann"]
    assert named(question, reply("Heat is a film [1].", *found), []) == []
    assert named(question, reply("Michael Mann [1].", *found, declined=True), ["Michael Mann"]) == []


def test_a_miss_is_counted_under_the_first_stage_that_went_wrong():
    heat = Linked("g", "heat", (Entity("g", "1", "Heat"),))
    ali = Linked("g", "heat", (Entity("g", "2", "Ali"),))

    def ran(*results):
        call = Call("find_entity_or_value", (("Heat",), ("director",)), "", results)
        return ProgramRan(ProgramRun("g", "", (call,), results))

    assert missed_at("Heat", ["Michael Mann"], [heat, ProgramRan(ProgramRun("g", "x", error="no such name"))]) == "code"
    assert missed_at("Heat", ["Michael Mann"], [ali, ran("Michael Mann")]) == "linking"
    assert missed_at("Heat", ["Michael Mann", "Ann Roth"], [heat, ran("Michael Mann")]) == "relation"
    assert missed_at("Heat", ["Michael Mann"], [heat, ran("michael mann", "1995")]) == "answer"


def test_a_list_in_one_value_is_named_item_by_item():
    found = Evidence(1, "g", "四甲基乙二胺", "相关物质", "乙二胺、苯")
    assert named("它的相关物质是什么？", reply("苯和乙二胺 [1]。", found), ["乙二胺、苯"]) == ["乙二胺", "苯"]


def test_a_name_is_read_off_an_answer_that_writes_it_otherwise():
    found = Evidence(1, "g", "过氧化氢", "危险性符号", "X（有害）,C（腐蚀性）")
    said = named("它的危险性符号是什么？", reply("X (有害) 和 C (腐蚀性) [1]。", found), ["X（有害）,C（腐蚀性）"])
    assert said == ["X（有害）", "C（腐蚀性）"]
    assert named("谁演的？", reply("赵本山和毛毛 [1]。", found), ["赵本山&毛毛", "毕福剑"]) == ["赵本山", "毛毛"]


def test_bm25_prefers_the_rarer_word():
    index = Bm25(["the city of Lima", "the city of Oslo", "the city of Cusco and the city of Ica"])
    assert index.best("Which city is Oslo?", 3)[0] == 1
    assert index.best("???", 3) == []


class Same:
    """An embedder to which all texts are alike."""

    name, size = "same", 2

    def query(self, texts):
        return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(texts), 1))

    passage = query


def test_the_baselines_answer_the_same_question():
    script = {
        "alone": ["Lima; Cusco"],
        "answer": ["The capital is Lima [1].", "UNKNOWN"],
        "entailment": [Weights({"yes": 1.0})],
    }
    transport = ScriptedTransport(script)
    facts = [("Peru", "capital", "Lima"), ("Oslo", "country", "Norway"), ("Oslo", "river", "Akerselva")]
    scores = Baselines(facts, LanguageModel(transport), Same()).f1("What is the capital of Peru?", ["Lima"])
    assert scores == {"model_alone": pytest.approx(2 / 3), "bm25": 1.0, "embedding": 0.0, "one_triple": 1.0}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("他的父母是克洛诺斯（父）和瑞亚（母） [1]。", ["克洛诺斯（父） 瑞亚（母）"]),
        ("他的父亲是克洛诺斯（父） [1]。", []),
        ("在位时间是1685年2月6日至1688年12月11日 [2]。", ["1685年2月6日－1688年12月11日"]),
        ("写过《甲书》、《乙书》和《丙．丁》 [4]。", ["《甲书》 《乙书》  《丙．丁》"]),
        ("写过《甲书》和《丙．丁》 [4]。", []),
        ("She acts in Are We There Yet [3].", ["Are We There Yet?"]),
    ],
)
def test_a_value_is_read_off_an_answer_that_parts_or_joins_it_otherwise(answer, said):
    found = (
        Evidence(1, "g", "宙斯", "父母", "克洛诺斯（父） 瑞亚（母）"),
        Evidence(2, "g", "詹姆斯二世", "在位", "1685年2月6日－1688年12月11日"),
        Evidence(3, "g", "Are We There Yet?", "actors", "Ann"),
        Evidence(4, "g", "蔡依林", "书", "《甲书》 《乙书》  《丙．丁》"),
    )
    assert named("是什么？", reply(answer, *found), []) == said
