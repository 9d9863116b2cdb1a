"""The three formats of evidence, and when the model is asked for them."""

import re
from pathlib import Path

import pytest

import assistant.search
from assistant.errors import NothingThere
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.search.evidence import with_objects
from assistant.search.formats import Formats, told, triples
from assistant.types import Evidence

SEARCH = Path(assistant.search.__file__).parent
CAPITAL = Evidence(1, "world", "Peru", "capital", "Lima")
NOTE = Evidence(2, "personal", "notes.md", "", "", "The tenant may\nkeep a cat.")
TOLD = Evidence(3, "personal", "Emil", "brother", "Paul", "Paul is Emil's brother.")
SUPERVISED = Evidence(4, "films", "Mira", "supervised by", "Arne")
MIXED = [CAPITAL, NOTE, TOLD]


def model(*replies: str) -> LanguageModel:
    return LanguageModel(ScriptedTransport(list(replies)))


def asked(model: LanguageModel) -> list[str]:
    transport = model.transport
    assert isinstance(transport, ScriptedTransport)
    return [request.messages[-1].content for request in transport.requests]


def test_triples_are_numbered_lines() -> None:
    assert triples(MIXED).splitlines() == [
        "[1] Peru | capital | Lima",
        "[2] notes.md: The tenant may keep a cat.",
        "[3] Emil | brother | Paul (Paul is Emil's brother.)",
    ]
    assert Formats().of("triples", model())(MIXED) == triples(MIXED)


def test_what_the_user_said_of_themselves_is_quoted() -> None:
    said = Evidence(1, "personal", "the user", "lives in", "Jena", "I live\nin Jena.")
    assert triples([said]) == "[1] the user | lives in | Jena (the user: “I live in Jena.”)"
    assert told(said) == "the user – lives in: Jena (I live in Jena.)"


def test_sentences_of_common_relations_need_no_model() -> None:
    evidence = [
        *MIXED,
        with_objects(Evidence(5, "conceptnet", "ice", "at location", ""), ("freezer", "glacier")),
        Evidence(6, "medqa", "Lithium", "may cause", "Tremor"),
        Evidence(7, "nlpcc", "秘鲁", "首都", "利马"),
        Evidence(8, "conceptnet", "Vitamin X", "is a", "vitamin Y"),
        Evidence(9, "personal", "王磊", "喜欢", "爬山"),
        Evidence(10, "personal", "小明", "住在", "上海"),
        Evidence(11, "personal", "小明", "毕业院校", "复旦大学"),
        Evidence(12, "personal", "小明", "不喜欢", "香菜"),
        Evidence(13, "personal", "长江", "补给", "雨水"),
    ]
    assert Formats().of("sentences", model())(evidence).splitlines() == [
        "[1] The capital of Peru is Lima.",
        "[2] notes.md: The tenant may keep a cat.",
        "[3] The brother of Emil is Paul. (Paul is Emil's brother.)",
        "[5] ice is found at freezer, glacier.",
        "[6] Lithium may cause Tremor.",
        "[7] 秘鲁首都：利马。",
        "[8] Vitamin X is a kind of vitamin Y.",
        "[9] 王磊喜欢：爬山。",
        "[10] 小明住在：上海。",
        "[11] 小明毕业院校：复旦大学。",
        "[12] 小明不喜欢：香菜。",
        "[13] 长江补给：雨水。",
    ]


SHIPPED = [line.split("\t") for line in (SEARCH / "relation_sentences.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("relation", "template"), SHIPPED, ids=[relation for relation, _ in SHIPPED])
def test_each_relation_that_has_a_sentence_is_told_by_it(relation: str, template: str) -> None:
    listed = with_objects(Evidence(1, "g", "ALPHA", relation, ""), ("beta", "gamma"))
    said = Formats().of("sentences", model())([listed])
    expected = re.sub(r"\bY\b", "beta, gamma", re.sub(r"\bX\b", "ALPHA", template))
    assert said == f"[1] {expected}"


def test_an_x_or_y_in_a_relations_name_stays() -> None:
    evidence = [
        Evidence(1, "g", "Anna", "has Y chromosome count", "0"),
        Evidence(2, "g", "Anna", "Y chromosome haplogroup", "R1a"),
    ]
    writer = model("1 The X of Anna.")
    sentences = Formats().of("sentences", writer)
    for _ in range(2):
        assert sentences(evidence).splitlines() == [
            "[1] Anna has Y chromosome count 0.",
            "[2] The Y chromosome haplogroup of Anna is R1a.",
        ]
    assert len(asked(writer)) == 1


def test_a_will_is_no_verb() -> None:
    sentences = Formats().of("sentences", model("1 The will of X names Y."))
    assert sentences([Evidence(1, "g", "Anna", "will", "Bob")]) == "[1] The will of Anna names Bob."


def test_the_model_puts_other_relations_into_words_once() -> None:
    writer = model("1 X was supervised by Y.")
    sentences = Formats().of("sentences", writer)
    assert sentences([CAPITAL, SUPERVISED]) == "[1] The capital of Peru is Lima.\n[4] Mira was supervised by Arne."
    assert asked(writer) == ["1 supervised by | X is Mira | Y is Arne"]
    other = Evidence(1, "films", "Arne", "supervised by", "Tor")
    assert sentences([other]) == "[1] Arne was supervised by Tor."
    assert len(asked(writer)) == 1


@pytest.mark.parametrize("reply", ["", "1 Mira knew Arne.", "1 X was supervised by X.", "2 X Y", "nonsense"])
def test_words_that_leave_out_an_end_are_not_used(reply: str) -> None:
    sentences = Formats().of("sentences", model(reply))
    assert sentences([SUPERVISED]) == "[4] The supervised by of Mira is Arne."


def test_words_with_the_names_that_they_were_written_for_are_not_used_for_others() -> None:
    sentences = Formats().of("sentences", model("1 X was supervised by Y in Mira's laboratory."))
    sentences([SUPERVISED])
    assert sentences([Evidence(1, "films", "Arne", "supervised by", "Tor")]) == "[1] The supervised by of Arne is Tor."


def test_a_description_is_written_once_and_texts_stand_below_it() -> None:
    writer = model("Peru, whose capital\nis Lima.", "Mira only.")
    formats = Formats()
    expected = "Peru, whose capital is Lima.\n[2] notes.md: The tenant may keep a cat."
    assert formats.of("description", writer)([CAPITAL, NOTE]) == expected
    assert formats.of("description", writer)([CAPITAL, NOTE]) == expected
    assert asked(writer) == ["Peru | capital | Lima"]
    assert formats.of("description", writer)([SUPERVISED]) == "Mira only."


def test_what_is_said_of_a_fact_is_told_in_each_format() -> None:
    ended = Evidence(1, "personal", "Anna", "lives in", "Rome", "until 2026-11-01, no longer so")
    for name in ("triples", "sentences"):
        assert "until 2026-11-01, no longer so" in Formats().of(name, model())([ended])
    writer = model("Anna lived in Rome until 2026-11-01.")
    Formats().of("description", writer)([ended])
    assert asked(writer) == ["Anna | lives in | Rome (until 2026-11-01, no longer so)"]


@pytest.mark.parametrize("name", ["triples", "sentences", "description"])
def test_nothing_found_is_nothing_said(name: str) -> None:
    assert Formats().of(name, model())([]) == ""
    assert Formats().of(name, model())([NOTE]) == "[2] notes.md: The tenant may keep a cat."


def test_a_format_that_is_not_there() -> None:
    with pytest.raises(NothingThere, match="triples, sentences, description"):
        Formats().of("poem", model())


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (Evidence(1, "world", "Peru", "capital", "Lima", text="since 1535"), "Peru – capital: Lima (since 1535)"),
        (Evidence(1, "personal", "notes.md", "passage", "Ada\nsings.", text="Ada\nsings."), "Ada sings."),
        (Evidence(1, "world", "Ada", "description", "", text="A singer."), "A singer."),
        (Evidence(1, "world", "Ada", "description", ""), "Ada – description"),
    ],
)
def test_people_read_a_triple_with_what_else_is_said_of_it_or_the_text_alone(item: Evidence, text: str) -> None:
    assert told(item) == text
