import pytest

from assistant.answering.checker import Checker, Sentence, judged
from assistant.errors import Interrupted, ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.types import Evidence

PAIR = Evidence(1, "kb", "Mahesh Shrinivas Bhupathi", "partner", "Leander Paes")
RENT = Evidence(2, "personal", "Miete", "passage", "", "Die Miete beträgt 1.050,50 € seit dem 3.5.2019, zwei Zimmer.")
HONEY = Evidence(3, "personal", "notes", "passage", "", "Hive two gave 11 040 g of honey, and four jars were sold.")
WEB = Evidence(4, "web", "Osk", "description", "", "More at https://osk.example.org/map, by osk@example.org.", url="")


def found(text, question="Who?", evidence=(PAIR, RENT, HONEY, WEB), told=""):
    return Checker(question, told, evidence).checked(text)


@pytest.mark.parametrize(
    "text",
    [
        "It was Mahesh Bhupathi [1].",
        "**Bhupathi** and Leander Paes [1].",
        "Sie beträgt 1050,5 € [2].",
        "It is €1,050.50 [2].",
        "It gave 11,040 g [3].",
        "It gave 11.040 g [3].",
        "4 of them were sold [3].",
        "Seit 2019-05-03 [2].",
        "1. Hive two [3]",
        "print(1) ".join(["```\n", "\n```"]),
        "---",
    ],
)
def test_names_and_numbers_that_stand_in_what_is_cited_need_no_judge(text):
    assert found(text) == Sentence(text, "supported")


@pytest.mark.parametrize(
    "text",
    [
        "It was Rohan Bhupathi [1].",
        "It is 1.150,50 € [2].",
        "It gave 11.04 g [3].",
        "It was late [1].",
        "It was Mahesh Bhupathi.",
        "Leander Paes asked [1].",
        "It was Paes and hive two [1][3], in 2012.",
        "是他 [1]。",
        "See https://osk.example.org/map [4].",
    ],
)
def test_anything_else_is_judged(text):
    assert found(text, question="Whom did Leander Paes ask?").finding == "doubtful"


@pytest.mark.parametrize(
    ("text", "shown", "finding"),
    [
        ("It was Bhupathi [1][9].", "It was Bhupathi [1].", "supported"),
        ("It was Bhupathi [1, 9].", "It was Bhupathi [1].", "supported"),
        ("It was Ott [9].", "It was Ott.", "unsupported"),
        ("It was Bhupathi [9].", "It was Bhupathi [1].", "doubtful"),
        ("It was Bhupathi [2].", "It was Bhupathi [1].", "doubtful"),
        ("Ask at https://osk.example.org/other [4].", "Ask at https://osk.example.org/other [4].", "unsupported"),
    ],
)
def test_what_a_citation_holds_not_is_put_right_or_marked(text, shown, finding):
    assert found(text) == Sentence(shown, finding)


def test_an_address_of_the_user_s_own_is_no_invention():
    assert found("Write to ida@example.com.", told="My address is ida@example.com.").finding == "doubtful"


def sentences(*findings):
    return [Sentence(f"Sentence {number}. ", finding) for number, finding in enumerate(findings, start=1)]


def test_one_call_judges_all_that_is_doubtful_and_nothing_else():
    transport = ScriptedTransport([{"not_supported": [1, 3, 9]}])
    judgement = judged(LanguageModel(transport), "Who?", "[1] a", sentences("supported", "doubtful", "doubtful"))
    assert [sentence.finding for sentence in judgement] == ["supported", "supported", "unsupported"]
    (request,) = transport.requests
    assert request.schema
    assert "(1) Sentence 1.\n(2) Sentence 2." in request.messages[-1].content
    assert request.messages[-1].content.endswith("Judge these statements: 2, 3")


def test_without_doubt_nobody_is_asked():
    assert judged(LanguageModel(ScriptedTransport([])), "Who?", "", sentences("supported", "unsupported"))


@pytest.mark.parametrize("replies", [["no JSON", "again none"], [ModelUnavailable("It is gone.")]])
def test_without_a_judge_there_is_no_judgement(replies):
    assert judged(LanguageModel(ScriptedTransport(replies)), "Who?", "", sentences("doubtful")) is None


def test_stop_ends_a_judgement():
    with LanguageModel(ScriptedTransport([])).for_turn(lambda: True) as model, pytest.raises(Interrupted):
        judged(model, "Who?", "", sentences("doubtful"))
