"""Which entity a name means: what decides, and when the model is asked."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from assistant.embedding import load_embedder
from assistant.errors import ModelUnavailable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import guess_format, read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.linking import Linking, enumerated
from assistant.knowledge_bases.relations import RelationRanker
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import Scripted, ScriptedTransport, Weights
from assistant.settings import Settings

DESCRIBED = """
@prefix e: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:planet rdfs:label "Mercury" ; rdfs:comment "The planet nearest to the sun." ; e:orbits e:Sun ; e:moons "0" .
e:metal rdfs:label "Mercury" ; rdfs:comment "A metal that is liquid." ; e:boils "357 °C" .
e:god rdfs:label "Mercury" ; rdfs:comment "The messenger of the Roman gods." .
e:Venus rdfs:label "Venus" ; e:orbits e:Sun .
"""
# No descriptions: what tells the two apart is what they stand in.
PLAIN = """
Osk|flows through|Brenholm
Osk|length|84 km
Osk (film)|directed by|Ilse Talvik
Osk (film)|release year|1944
Osk (film)|language|Swedish
杨可桢|出生地|江城
李仲生|出生地|海城
机械基础|作者|杨可桢，程光蕴，李仲生
"""

Make = Callable[..., Linking]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """`make(text, question, replies)`: linking over a file of triples; the requests are in `made.model.transport`."""
    opened: list[Triples] = []
    settings = Settings.from_environment()
    ranker = RelationRanker(load_embedder(settings.embeddings, settings.cache))

    def make_(text: str, question: str, replies: Sequence[Scripted] = ()) -> Linking:
        file, folder = tmp_path / "kb.txt", tmp_path / f"kb-{len(opened)}"
        file.write_text(text, encoding="utf-8")
        build(folder, read_triples(file, guess_format(file)), "kb.txt")
        opened.append(Triples("test", folder))
        model = LanguageModel(ScriptedTransport(replies))
        return Linking(opened[-1], question, Deadline.after(30), ranker, model)

    yield make_
    for base in opened:
        base.close()


def linked(linking: Linking, *names: str, relations: Sequence[str] = ()) -> list[str]:
    return [entity.id.rpartition("/")[2] for entity in linking.entities(names, relations)]


def requests(linking: Linking) -> int:
    assert linking.model is not None
    assert isinstance(linking.model.transport, ScriptedTransport)
    return len(linking.model.transport.requests)


def test_the_only_one_of_the_name_is_linked_without_asking(make: Make) -> None:
    assert linked(make(DESCRIBED, "How hot is Venus?"), "Venus") == ["Venus"]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which planet is Mercury?", "planet"),
        ("Is mercury a liquid metal?", "metal"),
        ("Whose messenger was Mercury among the Roman gods?", "god"),
        ("Does Mercury, like Venus, go round the sun?", "planet"),
    ],
)
def test_the_words_of_the_question_tell_namesakes_apart_without_asking(make: Make, question: str, wanted: str) -> None:
    assert linked(make(DESCRIBED, question), "Mercury") == [wanted]


def test_triples_tell_namesakes_apart_where_there_are_no_descriptions(make: Make) -> None:
    question = "Which town does the Osk flow through, is it Brenholm?"
    assert [e.name for e in make(PLAIN, question).entities(["Osk"], ["flows through"])] == ["Osk"]
    question = "What is the language of Osk by Ilse Talvik?"
    assert [e.name for e in make(PLAIN, question).entities(["Osk"], ["language"])] == ["Osk (film)"]


def test_namesakes_that_have_the_asked_relation_come_before_those_that_have_not(make: Make) -> None:
    linking = make(PLAIN, "Would you tell me the release year of Osk, please?")
    assert [e.name for e in linking.entities(["Osk"], ["release year"])] == ["Osk (film)"]
    assert requests(linking) == 0


def test_a_relation_in_other_words_tells_namesakes_apart_too(make: Make) -> None:
    text = "The Sill|starred actors|Nia Corvo\nHarbour|starred actors|Nia Corvo\nRidge|has tags|nia corvo\n"
    linking = make(text, "what does nia corvo appear in")
    assert [entity.name for entity in linking.entities(["nia corvo"], ["films acted in", "actor of"])] == ["Nia Corvo"]
    assert requests(linking) == 0


def test_a_country_is_meant_and_not_its_capital_of_the_same_name(make: Make) -> None:
    text = """
    @prefix e: <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    e:country rdfs:label "Luvara" ; e:population "33785" ; e:currency "lu" ; e:neighbour e:Osk .
    e:city rdfs:label "Luvara" ; e:located_in_country e:country ; e:population "4500" .
    e:Osk rdfs:label "Osk" ; e:population "90" .
    """
    linking = make(text, "Which has more people, Luvara or Osk?")
    assert linked(linking, "Luvara", relations=["population"]) == ["country"]
    assert requests(linking) == 0


def test_of_namesakes_the_one_without_brackets_is_meant_where_no_word_says_otherwise(make: Make) -> None:
    towns = "Osk (Norway)|population|80\nOsk|population|900\nOsk (Mars)|population|0\n"
    linking = make(towns, "Would you tell me the population of Osk, please?")
    assert [e.name for e in linking.entities(["Osk"], ["population"])] == ["Osk"]
    assert requests(linking) == 0
    linking = make(towns, "Would you tell me the population of Osk on Mars, please?")
    assert [e.name for e in linking.entities(["Osk"], ["population"])] == ["Osk (Mars)"]


def test_a_question_of_the_name_alone_takes_the_first(make: Make) -> None:
    linking = make(DESCRIBED, "What are the moons of Mercury?")
    assert linked(linking, "Mercury", relations=["moons"]) == ["planet"]
    assert requests(linking) == 0


def test_what_words_leave_open_the_model_decides_with_one_token(make: Make) -> None:
    linking = make(DESCRIBED, "Was Mercury worshipped in temples?", [Weights({"A": 0.2, "B": 0.1, "C": 0.6, "N": 0.1})])
    chosen = linking.entities(["Mercury"], ["temples"])
    assert linking.model is not None
    assert isinstance(linking.model.transport, ScriptedTransport)
    (request,) = linking.model.transport.requests
    assert (request.purpose, request.max_tokens) == ("link", 1)
    asked = request.messages[-1].content
    assert asked.startswith(
        'Question: Was Mercury worshipped in temples?\nWhich of these is "Mercury" here?\nA. Mercury: '
    )
    third = next(line for line in asked.splitlines() if line.startswith("C."))
    assert third.startswith(f"C. {chosen[0].name}: {chosen[0].description}"[:60])


def shown(linking: Linking, *names: str) -> list[str]:
    """The candidates as the model is shown them."""
    linking.entities(names, [])
    assert linking.model is not None
    assert isinstance(linking.model.transport, ScriptedTransport)
    return [line for line in linking.model.transport.requests[0].messages[-1].content.splitlines() if ". " in line[:3]]


def test_the_model_is_told_by_which_other_name_a_candidate_was_found(make: Make) -> None:
    text = """
    @prefix e: <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    e:firm rdfs:label "Osk Machines" ; skos:altLabel "Osk Inc", "Big Blue" ; rdfs:comment "A firm." .
    e:song rdfs:label "Big Blue (song)" ; rdfs:comment "A song." .
    """
    lines = shown(make(text, "Who likes Big Blue?", [Weights({"A": 1.0})]), "Big Blue")
    assert "A. Osk Machines (Big Blue): A firm." in lines


def test_where_a_public_knowledge_base_describes_no_candidate_its_triples_tell_them_apart(make: Make) -> None:
    bare = "Osk (film)|directed by|Ilse Talvik\nOsk (song)|sung by|Ann Keld\n"
    linking = make(bare, "Would you tell me of temples on Osk, please?", [Weights({"A": 1.0})])
    linking.kb.public = True
    told = {line[3:] for line in shown(linking, "Osk")}
    assert {"Osk (film): directed by Ilse Talvik", "Osk (song): sung by Ann Keld"} < told
    linking = make(DESCRIBED, "Would you tell me of temples on Mercury, please?", [Weights({"A": 1.0})])
    linking.kb.public = True
    assert "The planet nearest to the sun." in {line.partition(": ")[2] for line in shown(linking, "Mercury")}


def test_the_model_may_reject_all(make: Make) -> None:
    none = Weights({"A": 0.1, "N": 0.9})
    assert linked(make(DESCRIBED, "Who sang in the band Venux?", [none]), "Venux") == []
    assert linked(make(DESCRIBED, "Who sang in the band Mercury?", [none]), "Mercury") == []


def test_where_all_bear_the_very_name_a_doubt_is_no_rejection(make: Make) -> None:
    doubtful = Weights({"A": 0.1, "B": 0.3, "N": 0.6})
    assert len(linked(make(DESCRIBED, "Who sang in the band Mercury?", [doubtful]), "Mercury")) == 1


def test_the_model_is_asked_once_a_run(make: Make) -> None:
    linking = make(DESCRIBED, "Was Mercury worshipped in temples?", [Weights({"B": 1.0})])
    linked(linking, "Mercury")
    assert len(linked(linking, "Mercury")) == 1
    assert requests(linking) == 1


def test_without_a_model_the_first_is_taken(make: Make) -> None:
    linking = make(DESCRIBED, "Was Mercury worshipped in temples?", [ModelUnavailable("away")])
    assert len(linked(linking, "Mercury")) == 1
    linking.model = None
    assert len(linked(linking, "Mercury")) == 1


def test_without_a_model_nobody_is_taken_whose_name_is_only_similar(make: Make) -> None:
    similar = "Venux"
    assert linked(make(DESCRIBED, f"Who lives in {similar}?", [ModelUnavailable("away")]), similar) == []
    asked_before = make(DESCRIBED, f"Who lives in {similar}?", [Weights({"A": 1.0})])
    assert len(linked(asked_before, similar)) == 1
    assert linked(asked_before, similar) == []


def test_what_has_the_name_but_for_its_accents_comes_before_a_value_and_a_value_before_other_signs(make: Make) -> None:
    text = """
@prefix e: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:city rdfs:label "Brasília" ; e:population "2817000" .
e:song e:title "Brasilia" .
e:district rdfs:label "41" ; e:part_of e:city .
e:country rdfs:label "Vall" ; e:calling_code "+41" .
"""
    assert linked(make(text, "How many people live in Brasilia?"), "Brasilia", relations=["population"]) == ["city"]
    assert linked(make(text, "Where is 41?"), "41") == ["district"]
    (value,) = make(text, "Whose calling code is +41?").entities(["forty-one", "+41"], ["calling code of"])
    assert (value.id, value.name) == ("", "+41")


def test_a_slip_in_a_name_is_forgiven_and_a_short_name_is_another(make: Make) -> None:
    text = "Brenholm|on|Osk\nSarrià|population|24819\nSarrat|on|Osk\n"
    linking = make(text, "Where is Brenhom?")
    assert [entity.name for entity in linking.entities(["Brenhom"], [])] == ["Brenholm"]
    assert requests(linking) == 0
    linking = make(text, "How high is Sarra?", [Weights({"N": 1.0})])
    assert linking.entities(["Sarra"], ["height"]) == []
    assert requests(linking) == 1


def test_what_is_reached_has_the_very_name_and_nobody_is_asked(make: Make) -> None:
    linking = make(DESCRIBED, "Was Mercury worshipped in temples?")
    assert len(linking.bearers("mercury")) == 1
    assert linking.bearers("Mercurie") == []


def test_a_value_that_lists_several_things_stands_for_each(make: Make) -> None:
    linking = make(PLAIN, "《机械基础》的作者出生在哪里？")
    assert [entity.name for entity in linking.bearers("杨可桢，程光蕴，李仲生")][1:] == ["杨可桢", "李仲生"]
    assert [entity.name for entity in linking.bearers("杨可桢/李仲生、李仲生")] == ["杨可桢", "李仲生"]
    assert linking.bearers("一，二") == []
    assert linking.bearers("Osk, Brenholm") == []


@pytest.mark.parametrize(
    ("value", "items"),
    [
        ("杨可桢，程光蕴，李仲生", ["杨可桢", "程光蕴", "李仲生"]),
        ("《听海》、《我最亲爱的》", ["《听海》", "《我最亲爱的》"]),
        ("福格茨；马特乌斯", ["福格茨", "马特乌斯"]),
        ("广东省、福建省", ["广东省", "福建省"]),
        ("甲君|||乙君", ["甲君", "乙君"]),
        ("三、四千人", []),
        ("上、下册", []),
        ("广东省，深圳市，南山区", []),
        ("张三丰，字君实，号三丰", []),
        ("你好，李焕英", []),
        ("《北京、上海》", []),
        ("西班牙、智利、古巴等", []),
        ("教育部、妇联组织等5个部门", []),
        ("一淘让购物更聪明、更实惠！", []),
        ("精神障碍的病因、发病机制", []),
        ("空气净化，清除甲醛、苯", []),
        ("1、形容很黑 2、很暗", []),
        ("9.4升/百公里", []),
        ("Kim (A、B)", []),
        ("Washington, D.C.", []),
        ("首尔", []),
    ],
)
def test_only_what_is_plainly_a_list_is_one(value, items):
    assert enumerated(value) == items
