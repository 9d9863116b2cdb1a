"""What a message does, as one line of the model's says it."""

import json
import re
from contextlib import closing
from datetime import datetime
from operator import itemgetter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import prompting, shortcuts
from assistant.errors import ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import Cut, ScriptedTransport, Weights
from assistant.memory_requests.lately import may_be_meant
from assistant.memory_requests.requests import (
    Agree,
    Forget,
    ForgetDocument,
    ForgetEverything,
    ForgetLast,
    ForgetThat,
    ForgetTold,
    Summarise,
    SummariseAll,
    Tell,
    Undo,
    requested,
)
from assistant.types import Message, Turn
from assistant.understanding import Understanding, grammar, read, understand
from memory.store import Memory
from tests.memory.samples import WordEmbedder

_TEXT = "Und die Einwohnerzahl?"
YES, NO = Weights({"yes": 0.9, "no": 0.1}), Weights({"yes": 0.1, "no": 0.9})


def turn(text: str = _TEXT, **fields) -> Turn:
    return Turn(text, "me", "s", datetime(2026, 1, 5, 12), **fields)


@pytest.mark.parametrize(
    ("line", "understood", "route"),
    [
        ("de ask", Understanding("ask", _TEXT, "", "de"), "search"),
        ("zh remember+ask", Understanding("remember+ask", _TEXT, "", "zh"), "search+remember"),
        ("en remember", Understanding("remember", language="en"), "remember"),
        ("fr correct", Understanding("correct", language="fr"), "remember"),
        ("en chat", Understanding("chat", language="en"), "answer"),
        ("es forget: hermana", Understanding("forget", about="hermana", language="es"), "answer"),
        ("ask", Understanding("ask", _TEXT), "search"),
        ("en ask world", Understanding("ask", _TEXT, language="en", leans=False), "search"),
        ("ja ask own", Understanding("own", _TEXT, language="ja", leans=False), "search"),
        ("de ask world, leans", Understanding("ask", _TEXT, language="de"), "search"),
        ("de ask own, leans", Understanding("own", _TEXT, language="de"), "search"),
        ("ask: Wie viele Einwohner hat Lima?", Understanding("ask", _TEXT), "search"),
        ("- recall: me", Understanding("recall", about="me"), "search"),
    ],
)
def test_a_line_is_read(line: str, understood: Understanding, route: str) -> None:
    assert read(line, _TEXT) == understood
    assert understood.route == route


@given(st.text())
def test_any_other_line_is_none(line: str) -> None:
    understood = read(line, _TEXT)
    assert understood is None or any(kind in line for kind in (understood.kind, "ask"))


@pytest.mark.parametrize(
    ("whole", "parts", "kind", "question"),
    [
        ("chat", ("chat", "remember"), "remember+chat", ""),
        ("ask", ("remember", "ask"), "remember+ask", "Yes."),
        ("chat", ("remember", "ask"), "remember+ask", "Yes."),
        ("chat", ("chat", "ask"), "ask", "Hm. Yes."),
        ("ask", ("chat", "chat"), "ask", "Hm. Yes."),
        ("chat", ("chat", "remember+ask"), "remember+ask", "Yes."),
        ("ask", ("chat", "remember+ask"), "remember+ask", "Yes."),
        ("chat", ("chat", "recall: me"), "ask", "Hm. Yes."),
        ("ask", ("chat", "own"), "own", "Hm. Yes."),
        ("own", ("chat", "ask"), "own", "Hm. Yes."),
        ("chat", ("chat", "forget: that"), "chat", ""),
        ("ask", (ModelUnavailable("Busy."),), "ask", "Hm. Yes."),
        ("ask", ("remember", ModelUnavailable("Busy.")), "remember+ask", "Yes."),
    ],
)
def test_a_chat_or_a_question_does_what_its_sentences_do(whole, parts, kind, question) -> None:
    script = {
        "understand": [said if isinstance(said, Exception) else f"en {said}" for said in (whole, *parts)],
        "standalone": ["Yes."],
    }
    understood = understand(LanguageModel(ScriptedTransport(script)), turn("Hm. Yes."))
    assert (understood.kind, understood.question) == (kind, question)


def test_a_model_that_needs_no_such_help_is_asked_once() -> None:
    transport = ScriptedTransport(["en ask"])
    assert understand(LanguageModel(transport), turn("Hm. Yes."), by_sentence=False).kind == "ask"
    assert len(transport.requests) == 1


def test_what_asks_something_of_the_memory_is_taken_as_a_whole() -> None:
    transport = ScriptedTransport({"understand": ["en forget: that"], "erase": [Weights({"yes": 0.6, "no": 0.4})]})
    assert understand(LanguageModel(transport), turn("That was private. Forget it.")).kind == "forget"
    assert [request.purpose for request in transport.requests] == ["understand", "erase"]


def test_what_does_not_hold_any_more_is_no_request_to_forget() -> None:
    script = {"understand": ["es forget: Bilbao", "es remember"], "erase": [Weights({"yes": 0.05, "no": 0.95})]}
    transport = ScriptedTransport(script)
    assert understand(LanguageModel(transport), turn("Ya no vivo en Bilbao, ahora vivo en Vitoria.")).kind == "remember"
    assert "forget" in transport.requests[0].grammar
    assert "forget" not in transport.requests[-1].grammar


def test_everything_about_somebody_is_not_everything() -> None:
    script = {
        "understand": ["ja forget: everything", "ja forget: 健太"],
        "erase": [Weights({"yes": 1.0})],
        "scope": [Weights({"all": 0.1, "some": 0.9})],
    }
    transport = ScriptedTransport(script)
    assert understand(LanguageModel(transport), turn("健太のことは全部忘れて。")).about == "健太"
    assert "everything" in transport.requests[0].grammar
    assert "everything" not in transport.requests[-1].grammar


def test_what_cannot_be_read_is_looked_up() -> None:
    model = LanguageModel(ScriptedTransport(["I would say it is a greeting."]))
    assert understand(model, turn()) == Understanding("ask", _TEXT)


def test_a_reply_that_is_cut_before_it_says_anything_is_a_failure() -> None:
    with pytest.raises(ModelUnavailable):
        understand(LanguageModel(ScriptedTransport([Cut("I would")])), turn())


@pytest.mark.parametrize(("small", "shown"), [(True, 2), (False, 6)])
def test_a_small_model_has_less_of_the_conversation_in_view(small: bool, shown: int) -> None:
    history = tuple(Message("user" if number % 2 else "assistant", f"Said {number}.") for number in range(9))
    transport = ScriptedTransport(["en chat"])
    understand(LanguageModel(transport), turn("Yes.", history=history), by_sentence=small)
    (request,) = transport.requests
    assert request.messages[-1].content.splitlines()[:-1] == [
        f"{'User' if number % 2 else 'Assistant'}: Said {number}." for number in range(9 - shown, 9)
    ]


def test_the_conversation_is_shown_in_short_lines_without_citations() -> None:
    transport = ScriptedTransport(["en chat"])
    said = Message("user", "Who wrote\n\nCarmen? " + "x" * 1000), Message("assistant", "Georges Bizet [1].")
    understand(LanguageModel(transport), turn("and Norma?", history=said))
    (request,) = transport.requests
    shown = request.messages[-1].content.splitlines()
    assert shown[0].startswith("User: Who wrote Carmen?") and len(shown[0]) < 400
    assert shown[1:] == ["Assistant: Georges Bizet.", "Now: and Norma?"]
    assert request.grammar


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("Soy celíaca.", False),
        ("妹は四月三日生まれです。", False),
        ("Soy celíaca, ¿qué cereales no tienen gluten?", True),
        ("Soy celíaca. Dime qué es el gluten.", True),
    ],
)
def test_one_sentence_without_a_question_does_not_both_tell_and_ask(text: str, both: bool) -> None:
    (alone,) = (line for line in grammar(text).splitlines() if line.startswith("alone ::= "))
    assert ('"remember+ask"' in alone) is both
    assert '"remember"' in alone


@pytest.mark.parametrize(
    ("kind", "said", "question"),
    [
        ("ask", True, "How many people live in Lima?"),
        ("ask world, leans", True, "How many people live in Lima?"),
        ("ask world", True, _TEXT),
        ("remember+ask", False, "How many people live in Lima?"),
        ("ask", False, _TEXT),
    ],
)
def test_what_cannot_stand_alone_is_asked_in_full(kind: str, said: bool, question: str) -> None:
    history = (Message("user", "What is the capital of Peru?"), Message("assistant", "Lima [1].")) if said else ()
    replies = {"understand": [f"de {kind}"], "tells": [YES], "standalone": ["How many people live in Lima?\n"]}
    transport = ScriptedTransport(replies)
    assert understand(LanguageModel(transport), turn(history=history)).question == question
    written = [request.purpose for request in transport.requests if request.purpose == "standalone"]
    assert len(written) == (question != _TEXT)


@pytest.mark.parametrize(
    ("text", "first", "does", "again", "kind"),
    [
        ("Where do I live?", "remember", YES, "ask own", "own"),
        ("她养了几只猫？", "remember", YES, "ask own", "own"),
        ("Who is the mayor of Bern?", "remember", YES, "ask world", "ask"),
        ("Can you keep that my locker is number 12?", "remember", NO, None, "remember"),
        ("Can you keep that my locker is number 12?", "remember", ModelUnavailable("Busy."), None, "remember"),
        ("Meine Schwester hat am 3. April Geburtstag.", "ask own", NO, None, "remember"),
        ("what does my sister do", "ask own", YES, None, "own"),
        ("what does my sister do", "ask own", Weights({"yes": 0.3, "no": 0.7}), None, "own"),
        ("what does my sister do", "ask own", ModelUnavailable("Busy."), None, "own"),
        ("I live in Bern.", "remember", None, None, "remember"),
        ("Where do I live?", "ask own", None, None, "own"),
        ("Which river runs through the town where Rosa Lund was born?", "remember+ask", NO, "ask world", "ask"),
        ("I live in Bern, where can I swim?", "remember+ask", YES, None, "remember+ask"),
        ("I live in Bern. Where can I swim?", "remember+ask", None, None, "remember+ask"),
        ("Sorry, that was May, wasn't it?", "correct", None, None, "correct"),
        ("I live in Bern.", "Hm.", None, None, "ask"),
    ],
)
def test_it_is_asked_again_whether_a_sentence_asks_or_tells_where_its_marks_say_otherwise(
    text, first, does, again, kind
) -> None:
    replies = [f"en {one}" for one in (first, again) if one]
    judged = [does] if does else []
    script = {"understand": replies, "standalone": [text], "asks": judged, "tells": judged}
    transport = ScriptedTransport(script)
    understood = understand(LanguageModel(transport), turn(text))
    assert (understood.kind, understood.question) == (kind, "" if kind in ("remember", "correct") else text)
    assert not again or '"remember"' not in transport.requests[2].grammar


@pytest.mark.parametrize("written", [" ", Cut("How many people live"), ModelUnavailable("Busy.")])
def test_a_question_that_is_not_written_whole_is_asked_as_it_stands(written) -> None:
    transport = ScriptedTransport({"understand": ["de remember+ask"], "tells": [YES], "standalone": [written]})
    assert understand(LanguageModel(transport), turn()).question == _TEXT


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("クリストファー・ノーランのことを忘れて", "クリストファー・ノーラン"),
        ("アニュアルレポート.pdfを要約して", "アニュアルレポート.pdf"),
        ("मेरी दीदी को भूल जाओ", "दीदी"),
        ("Forget about Ana-Maria d’Ávila, please", "Ana-Maria d’Ávila"),
    ],
)
def test_what_a_message_is_about_can_be_said_in_its_own_words(text: str, about: str) -> None:
    own = next(line for line in grammar(text).splitlines() if line.startswith("own ::= "))
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"|([|()?])', own)
    written = "".join(re.escape(literal) + sign for literal, sign in parts)
    assert re.fullmatch(written, about)


def test_each_example_of_the_prompt_is_a_line_that_can_be_read() -> None:
    for message in prompting.load("understand").head:
        if message.role == "assistant":
            understood = read(message.content, _TEXT)
            assert understood is not None and re.fullmatch("[a-z]{2}", understood.language), message.content


@pytest.mark.parametrize(
    ("understood", "request_"),
    [
        (Understanding("undo"), Undo()),
        (Understanding("recall", about="hermana"), Tell("hermana")),
        (Understanding("forget", about="that"), ForgetThat()),
        (Understanding("forget", about="last"), ForgetLast()),
        (Understanding("forget", about="everything"), ForgetEverything()),
        (Understanding("forget", about="document"), ForgetDocument()),
        (Understanding("forget", about="last week"), ForgetTold("last week")),
        (Understanding("forget", about="2024-05"), ForgetTold("2024-05")),
        (Understanding("forget", about="Schwester"), Forget("Schwester")),
        (Understanding("summarise", about="latest"), Summarise()),
        (Understanding("summarise", about="all"), SummariseAll()),
        (Understanding("summarise", about="today"), SummariseAll("today")),
        (Understanding("summarise", about="report.pdf"), Summarise("report.pdf")),
        (Understanding("ask", "Who?"), None),
        (Understanding("chat"), None),
        (Understanding("yes"), Agree()),
    ],
)
def test_what_is_asked_of_the_memory(understood: Understanding, request_: object) -> None:
    assert requested(understood) == request_


@pytest.mark.parametrize(
    ("text", "kind", "about"),
    [
        ("undo", "undo", ""),
        ("Undo that, please.", "undo", ""),
        ("bring it back", "restore", ""),
        ("Forget that!", "forget", "that"),
        ("forget what I just told you", "forget", "last"),
        ("把刚才说的忘掉吧", "forget", "last"),
        ("忘掉一切", "forget", "everything"),
        ("yes, forget it", "yes", ""),
        ("是的", "yes", ""),
        ("撤销", "undo", ""),
    ],
)
def test_some_forms_need_no_model(text: str, kind: str, about: str) -> None:
    understood = shortcuts.understood(text)
    assert understood is not None
    assert (understood.kind, understood.about) == (kind, about)


@pytest.mark.parametrize(
    "text",
    [
        "forget that, tell me a joke",
        "What is an undo log?",
        "Undo the last commit",
        "I forgot that",
        "no worries, forget it!",
        "你忘了",
        "yes" + "!" * 100_000,
        "",
        "forget that" * 1000,
    ],
)
def test_more_words_than_a_form_has_are_for_the_model(text: str) -> None:
    understood = shortcuts.understood(text)
    assert understood is None or understood.kind == "yes"


_SHORT = [json.loads(line) for line in (Path(__file__).parent / "short_turns.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", [row for row in _SHORT if shortcuts.understood(row["said"])], ids=itemgetter("said"))
def test_a_form_means_what_is_wanted_or_nothing_where_memory_has_nothing_of_it(row: dict[str, str], home: Path) -> None:
    """Of 240 turns by somebody who had not seen the forms; many that want nothing are worded in the same way."""
    by_form = shortcuts.understood(row["said"])
    assert by_form is not None
    if row["wants"] != "none":
        assert f"{by_form.kind} {by_form.about}".strip() == row["wants"]
        return
    with closing(Memory(home, WordEmbedder())) as memory:
        assert not may_be_meant(memory.of("me"), "s", by_form)
