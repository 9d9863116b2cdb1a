import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import ModelReplyUnreadable, ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import Cut, Scripted, ScriptedTransport
from assistant.remembering.said import is_said
from assistant.remembering.telling import read_lines
from memory.types import THE_USER, Extraction


def told(text: str, *replies: Scripted, before: tuple[str, ...] = ()) -> Extraction:
    """What is read in a message by a model that replies so, a reply for each part of it."""
    return read_lines(LanguageModel(ScriptedTransport(list(replies))), text, before)


def facts(extraction: Extraction) -> list[tuple[str, str, str]]:
    return [(one.subject, one.relation, one.object) for one in extraction.statements]


def test_facts_stand_in_the_sentences_that_tell_them() -> None:
    text = "My sister Anna moved to Oslo. She is a nurse, and I live in Bonn."
    reply = "the user | sister | Anna\nAnna | moved to | Oslo\nAnna | job | nurse\nthe user | lives in | Bonn"
    extraction = told(text, reply)
    assert facts(extraction) == [tuple(line.split(" | ")) for line in reply.splitlines()]
    assert all(one.object in text[one.span.start : one.span.end] for one in extraction.statements)
    assert extraction.statements[0].span.end < extraction.statements[2].span.start
    assert [mention.name for mention in extraction.mentions] == [THE_USER.name, "Anna"]
    assert extraction.dropped == 0


def test_words_for_a_time_are_no_part_of_a_fact() -> None:
    (one,) = told("Seit 2015 wohne ich in Gera.", "the user | wohnt in | Gera | Seit 2015").statements
    assert one.object == "Gera"


@pytest.mark.parametrize(
    ("text", "line", "value"),
    [
        ("Ann plays chess on Mondays.", "Ann | plays chess | on | Mondays", "on Mondays"),
        ("Ich gehe um 9 Uhr heim.", "the user | gehe heim | um | 9 Uhr", "um 9 Uhr"),
        ("Ann sits on a chair on Mondays.", "Ann | sits | on | Mondays", "on Mondays"),
        ("Ann has a cat now.", "Ann | has | cat | now", "cat"),
    ],
)
def test_what_leads_to_an_object_is_no_object_of_its_own(text: str, line: str, value: str) -> None:
    assert facts(told(text, line))[0][2] == value


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("I like tea. My sister likes tea too.", "sister | likes | tea", "My sister likes tea too."),
        ("Do you know Oslo? I live in Oslo.", "the user | live in | Oslo", "I live in Oslo."),
        ("我有猫。小雨也有猫。", "小雨 | 有 | 猫", "小雨也有猫。"),
    ],
)
def test_a_fact_rests_on_the_sentence_that_says_it(text: str, line: str, sentence: str) -> None:
    (one,) = told(text, line).statements
    assert text[one.span.start : one.span.end] == sentence


def test_a_long_message_is_read_in_parts() -> None:
    text = f"Anna lives in Oslo. {'She rows a lot in the bay. ' * 22}Tom lives in Bonn."
    extraction = told(text, "Anna | lives in | Oslo", "Tom | lives in | Bonn")
    assert [fact[2] for fact in facts(extraction)] == ["Oslo", "Bonn"]


def test_a_line_that_was_cut_is_no_fact() -> None:
    extraction = told("Tom moved from Ulm to New York.", Cut("Tom | moved from | Ulm\nTom | moved to | New"))
    assert [fact[2] for fact in facts(extraction)] == ["Ulm"]


@pytest.mark.parametrize("line", ["the user | name | Ottilie", "Ottilie | name | Ottilie"])
def test_what_is_said_by_the_name_of_the_speaker_is_said_of_the_user(line: str) -> None:
    extraction = told("Ich bin Ottilie und wohne in Gera.", f"{line}\nOttilie | wohnt in | Gera")
    assert ("the user", "wohnt in", "Gera") in facts(extraction)
    assert {one.subject for one in extraction.statements} == {"the user"}


@pytest.mark.parametrize(
    ("text", "reply", "subject"),
    [
        ("My dog is called Rex and barks at cats.", "the user | dog | Rex\nRex | barks at | cats", "Rex"),
        ("My sister is called Ada. She rows.", "the user | sister | Ada\nAda | name | Ada\nAda | does | rows", "Ada"),
        ("I'm Ada Berg, and Ada likes tea.", "I | name | Ada Berg\nAda | likes | tea", "the user"),
        ("I row.", "the user | name | Bo\nBo | does | row", ""),  # the message has no Bo
    ],
)
def test_whose_name_it_is(text: str, reply: str, subject: str) -> None:
    assert [one.subject for one in told(text, reply).statements][-1:] == [subject] * bool(subject)


@pytest.mark.parametrize(
    ("text", "before", "line", "kept"),
    [
        ("He's turning 40 in May.", ("My brother Tom works in Leeds.",), "Tom | turning | 40", True),
        ("He's turning 40 in May.", (), "Tom | turning | 40", False),
        ("He's turning 40 in May.", ("My brother Tom works in Leeds.",), "Tom | works in | Leeds", False),
        ("No, she moved to Oslo.", ("Anna – lives in: Bergen",), "Anna | moved to | Bergen", False),
        ("I teach physics.", (), "the user | teaches | chemistry", False),
        ("她下个月搬到昆明。", ("我的姐姐叫陈雪。",), "陈雪 | 搬到 | 昆明", True),
        ("我对花生过敏。", (), "我 | 过敏 | 花生", True),
        ("Anna paints.", (), "Anna | is | Anna", False),
        ("She moved to Oslo.", (), "She | moved to | Oslo", False),
        ("我养了一只猫", (), "我 | 养 | 猫", True),
        ("I work in the US.", (), "the user | works in | the US", True),
        ("I work in the US.", (), "the user | works in | the", False),
    ],
)
def test_what_the_message_does_not_say_is_dropped_and_counted(
    text: str, before: tuple[str, ...], line: str, kept: bool
) -> None:
    extraction = told(text, line, before=before)
    assert bool(extraction.statements) is kept
    assert extraction.dropped == (not kept)


@pytest.mark.parametrize("reply", ["I have noted it.", '{"lines": []}', "a | b"])
def test_a_reply_of_another_form_is_an_error(reply: str) -> None:
    with pytest.raises(ModelReplyUnreadable):
        told("My PIN is 4422.", reply)


@pytest.mark.parametrize("reply", ["none", "", "\n"])
def test_a_message_may_tell_nothing(reply: str) -> None:
    assert told("Hi there!", reply) == Extraction()


@given(st.data())
def test_whatever_is_replied_what_is_kept_stands_in_its_sentence(data: st.DataObject) -> None:
    words = st.sampled_from(["Anna", "tea", "我", "猫", "O'Hara", "rows.", "3.", "|", "?", "茶。"])
    text = " ".join(data.draw(st.lists(words, max_size=9)))
    parts = st.lists(words | st.just("the user"), min_size=1, max_size=3).map(" ".join)
    reply = "\n".join(
        " | ".join(data.draw(st.tuples(parts, parts, parts))) for _ in range(data.draw(st.integers(0, 3)))
    )
    try:
        extraction = told(text, *[reply] * 40)
    except ModelReplyUnreadable:
        return
    for one in extraction.statements:
        assert is_said(one.object, text[one.span.start : one.span.end]) or is_said(one.object, text)
        assert one.subject == THE_USER.name or one.subject in text


def test_a_relation_that_has_swallowed_its_object_is_written_again() -> None:
    text = "My aunt Bea flies a glider and lives in Hull."
    first = "the user | aunt | Bea\nBea | flies a glider | lives in"
    second = "the user | aunt | Bea\nBea | flies | a glider\nBea | lives in | Hull"
    assert facts(told(text, first, second)) == [tuple(line.split(" | ")) for line in second.splitlines()]


def test_so_is_one_that_has_its_object_within() -> None:
    first, second = "Otto | plays the trumpet | plays", "Otto | plays | the trumpet"
    assert facts(told("Otto plays the trumpet.", first, second)) == [tuple(second.split(" | "))]


@pytest.mark.parametrize(
    ("second", "calls"),
    [
        ("Bea | flies a glider | lives in", 2),
        (Cut("Bea | flies | a gl"), 2),
        (ModelUnavailable("Busy."), 2),
        ("Bea | flies a glider | lives in\nBea | lives in | Hull", 3),
    ],
)
def test_where_that_does_not_mend_it_the_first_reading_stays(second: Scripted, calls: int) -> None:
    transport = ScriptedTransport(["Bea | flies a glider | lives in", *[second] * 20])
    extraction = read_lines(LanguageModel(transport), "Bea flies a glider and lives in Hull.")
    assert ("Bea", "flies a glider", "lives in") in facts(extraction)
    assert len(transport.requests) == calls


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The rent is 900 euros. How much is that in eight months?", "The rent is 900 euros."),
        ("我的房租是900元。八个月一共多少？", "我的房租是900元。"),
        ("You know Bo? He moved to Faro.", "You know Bo? He moved to Faro."),
        ("Did you know that I moved to Faro?", "Did you know that I moved to Faro?"),
    ],
)
def test_what_is_asked_behind_what_is_told_is_not_read(text: str, read: str) -> None:
    transport = ScriptedTransport(["none"])
    read_lines(LanguageModel(transport), text)
    (request,) = transport.requests
    assert request.messages[-1].content.endswith(read)
