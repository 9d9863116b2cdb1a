import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.remembering import Remembering
from memory.types import THE_USER, Extraction, FactKind, Passage, Span

TEXT = "Mairi Grant keeps the Skerry Light. She was born in Oban, and she paints seabirds. In 1902 the lamp broke."


def extracted(entities, text=TEXT) -> Extraction:
    reply = json.dumps({"entities": entities}, ensure_ascii=False)
    model = LanguageModel(ScriptedTransport([reply]))
    return Remembering(model).extract(Passage(text, Span(0, len(text))), "harbour.md")


def triples(extraction: Extraction):
    return [(s.subject, s.relation, s.object) for s in extraction.statements if s.kind is FactKind.TRIPLE]


def test_every_statement_has_the_span_that_supports_it():
    extraction = extracted(
        [
            {
                "name": "Mairi Grant",
                "about": [1],
                "facts": ["2|place of birth|Oban"],
                "aspects": [{"name": "accident", "n": [3]}],
            }
        ]
    )
    held = {s.kind: TEXT[s.span.start : s.span.end] for s in extraction.statements}
    assert held == {
        FactKind.TRIPLE: "She was born in Oban, and she paints seabirds.",
        FactKind.DESCRIPTION: "Mairi Grant keeps the Skerry Light.",
        FactKind.ASPECT: "In 1902 the lamp broke.",
    }
    assert extraction.dropped == 0


@pytest.mark.parametrize(
    "fact",
    [
        "2|place of birth|Bergen",
        "place of birth|Oban",
        "2|Oban",
        "x|born|Oban",
        "2||Oban",
        "2|born|",
        "",
        "2|is|Mairi Grant",
    ],
)
def test_what_the_passage_does_not_say_is_dropped_and_counted(fact):
    extraction = extracted([{"name": "Mairi Grant", "facts": [fact, "2|paints|seabirds"]}])
    assert triples(extraction) == [("Mairi Grant", "paints", "seabirds")]
    assert extraction.dropped == 1


def test_an_entity_that_the_passage_does_not_name_is_dropped_with_its_facts():
    extraction = extracted([{"name": "Flora", "facts": ["2|place of birth|Oban"]}])
    assert extraction.mentions == ()
    assert extraction.statements == ()
    assert extraction.dropped == 2


def test_a_wrong_number_is_put_right():
    extraction = extracted([{"name": "Mairi Grant", "facts": ["3|keeps|Skerry Light", "3|place of birth|Oban"]}])
    assert triples(extraction) == [("Mairi Grant", "keeps", "Skerry Light")]  # "she" is told by the number alone
    span = extraction.statements[0].span
    assert TEXT[span.start : span.end] == "Mairi Grant keeps the Skerry Light."


def test_aliases_are_those_that_the_passage_uses():
    text = "Mairi Grant, the Owl, keeps the light."
    extraction = extracted([{"name": "Mairi Grant", "aliases": ["the Owl", "Queen", "Mairi Grant"]}], text)
    assert extraction.mentions[0].aliases == ("the Owl",)


def test_chinese():
    text = "陈雪是青山医院的医生。她住在昆明。"
    extraction = extracted([{"name": "陈雪", "facts": ["1|工作单位|青山医院", "2|居住地|昆明", "2|居住地|北京"]}], text)
    assert triples(extraction) == [("陈雪", "工作单位", "青山医院"), ("陈雪", "居住地", "昆明")]
    assert extraction.dropped == 1


def test_the_one_who_speaks_is_the_user():
    reply = {"entities": [{"name": "我", "facts": ["1|女儿|小雨"]}, {"name": "小雨", "facts": ["1|年级|三年级"]}]}
    model = LanguageModel(ScriptedTransport([reply]))
    extraction = Remembering(model).from_user("我女儿小雨上三年级。")
    assert extraction.mentions[0] == THE_USER
    assert triples(extraction)[0] == (THE_USER.name, "女儿", "小雨")


@pytest.mark.parametrize("end", ["", ',"2|pai', "]},{", '],"aspects":[{"na', '],"aspects":[{"name":"a","n":['])
def test_a_reply_that_was_cut_short_counts_for_what_it_has(end):
    cut = '{"entities":[{"name":"Mairi Grant","facts":["2|place of birth|Oban"' + end
    model = LanguageModel(ScriptedTransport([cut]))
    extraction = Remembering(model).extract(Passage(TEXT, Span(0, len(TEXT))), "harbour.md")
    assert triples(extraction) == [("Mairi Grant", "place of birth", "Oban")]


def test_what_cannot_be_read_twice_is_an_error():
    model = LanguageModel(ScriptedTransport(["no", "no"]))
    with pytest.raises(ModelReplyUnreadable):
        Remembering(model).extract(Passage(TEXT, Span(0, len(TEXT))), "harbour.md")


def test_sentences_are_numbered_under_title_and_heading():
    transport = ScriptedTransport(['{"entities":[]}'])
    Remembering(LanguageModel(transport)).extract(Passage(TEXT, Span(0, len(TEXT)), heading="People"), "harbour.md")
    prompt = transport.requests[0].messages[-1].content
    assert "harbour.md – People" in prompt
    assert "\n2 She was born in Oban, and she paints seabirds." in prompt


@given(st.lists(st.text(alphabet="12|OsloMairi Grant", max_size=20), max_size=6))
def test_every_triple_kept_stands_in_its_span(facts):
    for statement in extracted([{"name": "Mairi Grant", "facts": facts}]).statements:
        assert 0 <= statement.span.start < statement.span.end <= len(TEXT)
        assert statement.relation
        assert statement.object


@pytest.mark.parametrize(
    ("subject", "fact", "kept"),
    [
        ("Ada Berg", "1|works at|Veldmar", True),
        ("Ada Berg", "2|height|2,340 metres", False),  # the sentence is about Veldmar
        ("Veldmar", "2|height|2,340 metres", True),
        ("Ada Berg", "3|founded in|1958", False),  # "it" is Veldmar
        ("Veldmar", "3|founded in|1958", True),
        ("Ada Berg", "4|likes|chess", True),  # named by her first name
    ],
)
def test_a_fact_belongs_to_the_entity_that_its_sentence_is_about(subject, fact, kept):
    text = "Ada Berg works at Veldmar. Veldmar lies at 2,340 metres. It was founded in 1958. Berg likes chess."
    entities = [{"name": "Ada Berg"}, {"name": "Veldmar"}]
    next(entity for entity in entities if entity["name"] == subject)["facts"] = [fact]
    assert bool(extracted(entities, text).statements) is kept


@pytest.mark.parametrize(
    ("text", "before", "subject", "fact", "kept"),
    [
        ("He's turning 40 in May.", ["My brother Tom works in Leeds."], "Tom", "1|turns 40 in|May", True),
        ("He's turning 40 in May.", [], "Tom", "1|turns 40 in|May", False),
        ("No, she moved to Oslo.", ["Anna – lives in: Bergen"], "Anna", "1|lives in|Oslo", True),
        ("No, she moved to Oslo.", ["Anna – lives in: Bergen"], "Anna", "1|lives in|Bergen", False),
        ("It was built in 1850.", ["We bought Ash House."], "Ash House", "1|built in|1850", True),
        ("I paint. She likes tea.", ["My sister is Anna."], "Anna", "2|likes|tea", True),
        ("Bo likes tea.", ["My sister is Anna."], "Anna", "1|likes|tea", False),
        ("她下个月搬到昆明。", ["我的姐姐叫陈雪。"], "陈雪", "1|搬到|昆明", True),
    ],
)
def test_a_pronoun_may_stand_for_one_who_was_named_before(text, before, subject, fact, kept):
    transport = ScriptedTransport([{"entities": [{"name": subject, "facts": [fact]}, {"name": "Bo"}]}])
    extraction = Remembering(LanguageModel(transport)).from_user(text, before)
    assert bool(triples(extraction)) is kept
    assert all(line in transport.requests[0].messages[-1].content for line in before)
