import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import Cut, ScriptedTransport
from assistant.remembering.remembering import Remembering
from assistant.remembering.said import is_named, is_said
from memory.documents import read_document
from memory.folding import fold
from memory.store import Memory
from memory.types import THE_USER, Extraction, FactKind, Passage, Span, Statement
from tests.memory.samples import WordEmbedder

TEXT = (
    "Mairi Grant is the keeper of the Skerry Light. She was born in Oban, and she paints seabirds. "
    "In the storm of 1902 the lamp broke, and fishermen lit fires on the cliff."
)


def extracted(replies, text=TEXT, title="harbour.md") -> Extraction:
    """What is read out of a text, the lines of the replies to its first sentences given."""
    transport = ScriptedTransport([*map("\n".join, replies), ""], repeat=True)
    return Remembering(LanguageModel(transport)).extract(Passage(text, Span(0, len(text))), title)


def triples(extraction: Extraction):
    return [(s.subject, s.relation, s.object) for s in extraction.statements if s.kind is FactKind.TRIPLE]


def test_the_three_forms_have_the_span_that_supports_them():
    extraction = extracted(
        [
            ["keeper", "Mairi Grant | is | keeper of the Skerry Light"],
            ["birth and hobby", "Mairi Grant | born in | Oban", "Mairi Grant | paints | seabirds"],
            ["storm of 1902"],
        ]
    )
    first, second, third = (part + "." for part in TEXT.rstrip(".").split(". "))
    held = [(s.kind, s.relation, TEXT[s.span.start : s.span.end]) for s in extraction.statements]
    assert held == [
        (FactKind.TRIPLE, "is", first),
        (FactKind.TRIPLE, "born in", second),
        (FactKind.TRIPLE, "paints", second),
        (FactKind.DESCRIPTION, "description", first),
        (FactKind.ASPECT, "storm of 1902", third),
    ]
    assert {s.subject for s in extraction.statements} == {"Mairi Grant"}
    assert extraction.dropped == 0
    assert extraction.tokens > 0


@pytest.mark.parametrize("title", ["", " ", " .pdf", "….md", "¿?"])
def test_a_title_may_say_nothing(title: str):
    extraction = extracted([["keeper", "Grant | is | keeper"]], title=title)
    assert triples(extraction) == [("Grant", "is", "keeper")]


def test_a_sentence_that_its_triples_tell_is_not_kept_twice():
    text = "The Skerry Light is a lighthouse. It is 32 metres high."
    replies = [["building", "Skerry Light | is | lighthouse"], ["height", "Skerry Light | height | 32 metres high"]]
    assert FactKind.ASPECT not in {s.kind for s in extracted(replies, text).statements}


@pytest.mark.parametrize(
    "fact",
    [
        *("Mairi Grant | place of birth | Bergen", "Oban", "Flora | place of birth | Oban", "Mairi Grant | | Oban"),
        *("Mairi Grant | born |", "Mairi Grant | is | Mairi Grant", "She | born in | Oban", "Skerry | Light"),
    ],
)
def test_what_the_passage_does_not_say_is_dropped_and_counted(fact):
    paints = "Mairi Grant | paints | seabirds"
    extraction = extracted([["keeper", "Mairi Grant | keeper of | Skerry Light"], ["x", fact, paints]])
    assert triples(extraction) == [("Mairi Grant", "keeper of", "Skerry Light"), ("Mairi Grant", "paints", "seabirds")]
    assert extraction.dropped == 1


def test_each_row_of_a_table_is_a_sentence():
    _, (passage,) = read_document("towns.csv", b"Name,City\nAnn Berg,Oslo\nBo Holm,Rome\n")
    replies = [["town", "Ann Berg | City | Oslo", "Ann Berg | City | Rome"], ["town", "Bo Holm | City | Rome"]]
    extraction = extracted(replies, passage.text)
    assert triples(extraction) == [("Ann Berg", "City", "Oslo"), ("Bo Holm", "City", "Rome")]
    assert extraction.dropped == 1
    spans = [passage.text[s.span.start : s.span.end] for s in extraction.statements if s.kind is FactKind.TRIPLE]
    assert spans == ["Name: Ann Berg; City: Oslo", "Name: Bo Holm; City: Rome"]


def test_what_another_sentence_says_has_no_support_in_this_one():
    extraction = extracted([["Mairi Grant | keeper of | Skerry Light", "Mairi Grant | paints | seabirds"]])
    assert triples(extraction) == [("Mairi Grant", "keeper of", "Skerry Light")]
    assert extraction.dropped == 1


def test_nobody_is_spoken_of_before_they_are_named():
    text = "It lies near the bay. Woodson is a town."
    assert triples(extracted([["Woodson | lies near | the bay"]], text)) == []


def test_aliases_are_those_that_the_passage_uses():
    text = "Mairi Grant, the Owl, keeps the light."
    extraction = extracted([["Mairi Grant | also known as | the Owl | Queen"]], text)
    assert extraction.mentions[0].aliases == ("the Owl",)


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("Mairi Grant keeps a light. Grant paints.", "Grant", "Mairi Grant"),
        ("Mairi Grant keeps a light. Mairi paints.", "Mairi", "Mairi Grant"),
        ("Woodson is a town. Woodson Lake is near, and Woodson paints.", "Woodson", "Woodson"),
    ],
)
def test_a_part_of_a_name_stands_for_whoever_was_named_in_full_before(text, part, whole):
    first = text.partition(" keeps")[0] if part != whole else whole
    replies = [[f"{first} | keeps | light", f"{first} | is | town"], [f"{part} | does | paints"]]
    assert (whole, "does", "paints") in triples(extracted(replies, text))


def test_a_sentence_about_nobody_named_is_about_its_heading():
    text = "Fishermen lit fires on the cliff for three nights."
    passage = Passage(text, Span(0, len(text)), heading="Islands > Skerry Light")
    model = LanguageModel(ScriptedTransport(["fires on the cliff"]))
    (statement,) = Remembering(model).extract(passage, "notes.md").statements
    assert (statement.kind, statement.subject, statement.relation) == (
        FactKind.ASPECT,
        "Skerry Light",
        "fires on the cliff",
    )


def test_who_speaks_in_a_talk_is_nobody_known():
    text = "I never eat walnuts."
    passage = Passage(text, Span(0, len(text)), heading="Food > 2025-06-12 > 18:04 UTC the user")
    model = LanguageModel(ScriptedTransport(["18:04 UTC the user | never eats | walnuts"]))
    assert "user" not in str(
        [statement.subject for statement in Remembering(model).extract(passage, "a.json").statements]
    )


def test_an_entity_may_be_named_in_the_title_alone():
    text = "This lighthouse was built in 1854."
    extraction = extracted([["Skerry Light | built in | 1854"]], text, title="Skerry Light")
    assert triples(extraction) == [("Skerry Light", "built in", "1854")]


def test_the_kind_of_a_file_is_no_part_of_its_title():
    text = "The deposit is two rents."
    extraction = extracted([["lease | deposit | two rents"]], text, title="lease.pdf")
    assert triples(extraction) == [("lease", "deposit", "two rents")]


def test_chinese():
    text = "陈雪是青山医院的医生。她住在昆明。"
    replies = [["工作", "陈雪 | 工作单位 | 青山医院"], ["住处", "陈雪 | 居住地 | 昆明 | 北京"]]
    extraction = extracted(replies, text)
    assert triples(extraction) == [("陈雪", "工作单位", "青山医院"), ("陈雪", "居住地", "昆明")]
    assert extraction.dropped == 1


@pytest.mark.parametrize(
    ("text", "reply", "kept"),
    [
        (
            "I moved to Leeds last month and work at Siemens. My wife is Clara Berg. Clara Berg paints.",
            [
                ["move", "I | moved to | Leeds", "I | works at | Siemens"],
                ["wife", "Clara Berg | husband | me"],
                ["hobby", "Clara Berg | does | paints"],
            ],
            [("Clara Berg", "does", "paints")],
        ),
        (
            "The user can reset the password. The admin helps a user.",
            [["reset", "The user | can reset | password"], ["help", "admin | helps | user", "the user | has | admin"]],
            [],
        ),
        (
            "我上个月搬到利兹了。陈雪是护士。我妻子是陈雪。",
            [["搬家", "我 | 搬到 | 利兹"], ["工作", "陈雪 | 是 | 护士"], ["妻子", "陈雪 | 丈夫 | 我"]],
            [("陈雪", "是", "护士")],
        ),
        ("用户可以重置密码。", [["密码", "用户 | 可以重置 | 密码"]], []),
    ],
)
def test_who_writes_a_document_is_nobody_known(text, reply, kept):
    extraction = extracted(reply, text, title="mail.eml")
    assert triples(extraction) == kept
    assert THE_USER not in extraction.mentions
    assert extraction.dropped == sum("|" in line for lines in reply for line in lines) - len(kept)


@pytest.mark.parametrize("heading", ["I", "User", "用户"])
def test_a_chapter_is_not_about_the_user(heading):
    text = "Fishermen lit fires on the cliff for three nights."
    passage = Passage(text, Span(0, len(text)), heading=f"A novel > {heading}")
    model = LanguageModel(ScriptedTransport(["fires on the cliff"]))
    assert Remembering(model).extract(passage, "novel.md").statements == ()


def test_a_letter_ends_nothing_that_the_user_said_of_themselves(home):
    memory = Memory(home, WordEmbedder())
    user = memory.of("eve")
    told = "I live in Berlin and work at Bosch."
    facts = [("lives in", "Berlin"), ("works at", "Bosch")]
    known = (Statement(FactKind.TRIPLE, THE_USER.name, *fact, Span(0, len(told))) for fact in facts)
    user.note(told, Extraction((THE_USER,), tuple(known)))
    replies = [f"I | {fact}" for fact in ("moved to | Leeds", "works at | Siemens")]
    model = Remembering(LanguageModel(ScriptedTransport(replies)))
    source = user.add_document("tom.txt", b"I moved to Leeds last month. I now work at Siemens.")
    ((passage_id, passage),) = user.passages(source.id)
    stored = user.store(source.id, passage_id, model.extract(passage, source.name))
    left = {fact.object: fact.valid_to for fact in user.facts()}
    found = user.recall("Who moved to Leeds?")
    memory.close()
    assert left == {"Berlin": None, "Bosch": None}
    assert stored.dropped == 2
    assert any("Leeds" in hit.text for hit in found)


def test_a_reply_that_was_cut_short_counts_for_what_it_has():
    text = "Mairi Grant was born in Oban and paints boats."
    cut = Cut("birth\nMairi Grant | place of birth | Oban\nMairi Grant | paints | b")
    extraction = Remembering(LanguageModel(ScriptedTransport([cut]))).extract(
        Passage(text, Span(0, len(text))), "harbour.md"
    )
    assert triples(extraction) == [("Mairi Grant", "place of birth", "Oban")]


def test_a_reply_of_another_form_is_an_error():
    with pytest.raises(ModelReplyUnreadable):
        extracted([["Here are the facts:", "- Mairi Grant keeps the light."]])


@pytest.mark.parametrize(
    ("name", "texts", "replies"),
    [
        (
            "Ann Berg",
            ["Ann Berg is a jazz pianist from Vienna.", "Ann Berg was the mayor of Ribe between two wars."],
            [["pianist", "Ann Berg | is | jazz pianist"], ["mayor", "Ann Berg | was | mayor of Ribe"]],
        ),
        (
            "张伟",
            ["张伟是维也纳的爵士钢琴家。", "张伟是丹麦小镇市长。"],
            [["钢琴家", "张伟 | 是 | 爵士钢琴家"], ["市长", "张伟 | 是 | 丹麦小镇市长"]],
        ),
    ],
)
def test_namesakes_described_otherwise_are_two(home, name, texts, replies):
    memory = Memory(home, WordEmbedder())
    user = memory.of("eve")
    for text, lines in zip(texts, replies, strict=True):
        source = user.add_document("notes.txt", text.encode())
        ((passage_id, passage),) = user.passages(source.id)
        user.store(source.id, passage_id, extracted([lines], passage.text))
    found = user.find_entities(name)
    memory.close()
    assert {entity.description for entity in found} == set(texts)


def test_each_sentence_is_a_turn_after_those_before_it():
    reply = "keeper\nMairi Grant | is | keeper"
    transport = ScriptedTransport([reply, ""], repeat=True)
    Remembering(LanguageModel(transport)).extract(Passage(TEXT, Span(0, len(TEXT)), heading="People"), "harbour.md")
    first, second, third = (request.messages for request in transport.requests)
    assert first[-1].content == "Title: harbour – People\nMairi Grant is the keeper of the Skerry Light."
    assert second[: len(first)] == first
    assert second[-2].content == reply
    assert second[-1].content == "She was born in Oban, and she paints seabirds."
    assert third[: len(second)] == second


@given(st.lists(st.lists(st.text(alphabet="| OsloMairi Grant", max_size=20), max_size=4), max_size=3))
def test_whatever_is_replied_a_triple_stands_in_its_span(replies):
    try:
        extraction = extracted(replies)
    except ModelReplyUnreadable:
        return
    for statement in extraction.statements:
        said = TEXT[statement.span.start : statement.span.end]
        assert is_said(statement.object, said)
        assert statement.relation
        assert is_named(statement.subject, fold(TEXT[: statement.span.end]))
