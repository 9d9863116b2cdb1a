from dataclasses import replace
from datetime import datetime

import pytest

from assistant.answering.checker import Checker, Sentence, judged
from assistant.errors import Interrupted, ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.search.evidence import RESULT
from assistant.types import Evidence, Message, Turn

PAIR = Evidence(1, "kb", "Mahesh Shrinivas Bhupathi", "partner", "Leander Paes")
RENT = Evidence(2, "personal", "Miete", "passage", "", "Die Miete beträgt 1.050,50 € seit dem 3.5.2019, zwei Zimmer.")
HONEY = Evidence(3, "personal", "notes", "passage", "", "Hive two gave 11 040 g of honey, and four jars were sold.")
WEB = Evidence(4, "web", "Osk", "description", "", "More at https://osk.example.org/map, by osk@example.org.", url="")


def found(text, question="Who?", evidence=(PAIR, RENT, HONEY, WEB), told=""):
    return Checker(question, told, evidence, trusted=True).checked(text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who is Leander Paes' partner?", "Mahesh Bhupathi [1]."),
        ("Who is it with?", "With **Mahesh Bhupathi** [1]."),
        ("Who is the partner of Leander Paes?", "The partner of Leander Paes is Mahesh Bhupathi [1]."),
        ("Who were they?", "- Leander Paes [1]"),
        ("Wie hoch ist die Miete?", "Die Miete ist 1050,5 € [2]."),
        ("Wie hoch ist sie?", "1.050,50 € [2]"),
        ("How much?", "11,040 [3]"),
        ("How much?", "11.040 [3]."),
        ("How many?", "4 [3]"),
        ("Und seit wann?", "Seit 2019-05-03 [2]."),
        ("Who?", "---"),
    ],
)
def test_a_bare_name_or_number_that_stands_in_what_is_cited_needs_no_judge(question, text):
    assert found(text, question) == Sentence(text, "supported")


NOT = Evidence(1, "personal", "a.md", "passage", "", "The roof was NOT repaired with slates from Wales in 2019.")
MARCH = Evidence(1, "personal", "a.md", "passage", "", "Am 15. März 2026 spielt sie.")
PAUL = Evidence(1, "personal", "a.md", "passage", "", "Paul Ott complained in June. Dogs? No. 5 cats.")


@pytest.mark.parametrize(
    ("evidence", "question", "text"),
    [
        (NOT, "What happened to the roof?", "The roof was repaired with slates from Wales [1]."),
        (NOT, "Was the roof repaired in 2019?", "The roof was repaired in 2019 [1]."),
        (NOT, "What happened?", "| what | when |\n|---|---|\n| Wales | 2019 [1] |"),
        (MARCH, "Wann spielt sie?", "12. März 2026 [1]."),
        (PAUL, "What happened in June?", "Ida complained in June [1]."),
        (PAUL, "Was it Ida who complained?", "Ida complained in June [1]."),
        (PAUL, "Are cats allowed?", "No [1]."),
        (PAUL, "How many cats?", "$5 [1]"),
        (PAUL, "How many cats?", "5 %[1]"),
        (RENT, "Wie hoch ist sie?", "1.150,50 € [2]"),
        (HONEY, "How much?", "11.04 [3]"),
        (PAIR, "Who?", "Mahesh Bhupathi."),
        (PAIR, "Whom did Leander Paes ask?", "Leander Paes [1]."),
        (PAIR, "Who?", "Mahesh Bhupathi and hive two [1]."),
        (HONEY, "多少？", "是11040 [3]。"),
        (WEB, "Where?", "See https://osk.example.org/map [4]."),
        (PAIR, "Print it as code", "```\nMahesh Bhupathi [1]\n```"),
        (replace(PAIR, url="memory:passage/p7"), "How many?", "7 [1]."),  # its address says nothing
    ],
)
def test_anything_else_is_judged(evidence, question, text):
    assert found(text, question, [evidence]) == Sentence(text, "doubtful")


@pytest.mark.parametrize(
    ("text", "shown", "finding"),
    [
        ("Mahesh Bhupathi [1][9].", "Mahesh Bhupathi [1].", "supported"),
        ("Mahesh Bhupathi [1, 9].", "Mahesh Bhupathi [1].", "supported"),
        ("It was Ott [9].", "It was Ott.", "doubtful"),
        ("It was Bhupathi [9].", "It was Bhupathi [1].", "doubtful"),
        ("It was Bhupathi [2].", "It was Bhupathi [1].", "doubtful"),
        ("It took 5 days [9].", "It took 5 days [2].", "doubtful"),
        ("One is 2 more than the other [2].", "One is 2 more than the other [2].", "doubtful"),  # 5 less 3
        ("1. Hive two [3]", "1. Hive two [3]", "doubtful"),
    ],
)
def test_a_citation_that_holds_nothing_is_put_right_or_goes(text, shown, finding):
    assert found(text) == Sentence(shown, finding)


@pytest.mark.parametrize(
    "text",
    [
        "Ask at https://osk.example.org/other [4].",
        "https://osk.example.org/other",
        "Mahesh Bhupathi: https://osk.example.org/other [1]",
        "```\nhttps://osk.example.org/other\n```",
        "邮箱是ida@example.com [4]。",
    ],
)
def test_an_address_that_stands_nowhere_is_not_supported(text):
    assert found(text).finding == "unsupported"


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("- 2 × 1.050,50 € = 2.100 € [2]", "unsupported"),
        ("So 2 × 1.050,50 € = 2.100 € [2].", "unsupported"),
        ("So 2 × 1.050,50 € = 2.101 € [2].", "doubtful"),
        ("She said: 2 + 2 = 5 [1].", "doubtful"),  # as the user did
        ("```\n2 + 2 = 5\n3 + 3 = 7\n```", "doubtful"),
    ],
)
def test_a_sum_that_comes_to_something_else_is_not_supported(text, finding):
    assert found(text, told="My aunt says that 2 + 2 = 5.").finding == finding


@pytest.mark.parametrize(
    "text",
    [
        "**https://osk.example.org/map**",
        "_https://osk.example.org/map_.",
        "| at |https://osk.example.org/map|Osk |",
        "地图在https://osk.example.org/map。",
        "邮箱是osk@example.org。",
    ],
)
def test_an_address_ends_where_its_letters_end(text):
    assert found(text).finding == "doubtful"


def test_an_address_of_the_user_s_own_is_no_invention():
    assert found("Write to ida@example.com.", told="My address is ida@example.com.").finding == "doubtful"


def sentences(*findings):
    return [Sentence(f"Sentence {number}. ", finding) for number, finding in enumerate(findings, start=1)]


def judge(replies, *parts, text="Who?", question="", conversation=()):
    turn = Turn(text, "me", "s", datetime(2026, 1, 5), question=question)
    transport = ScriptedTransport(replies)
    return judged(LanguageModel(transport), turn, conversation, "[1] a", parts), transport.requests


def test_one_call_judges_all_that_is_doubtful_and_nothing_else():
    judgement, (request,) = judge([{"not_supported": [1, 3, 9]}], *sentences("supported", "doubtful", "doubtful"))
    assert [sentence.finding for sentence in judgement] == ["supported", "supported", "unsupported"]
    assert request.schema
    assert "(1) Sentence 1.\n(2) Sentence 2." in request.messages[-1].content
    assert request.messages[-1].content.endswith("Judge these statements: 2, 3")


def test_the_judge_sees_what_the_writer_saw():
    conversation = [Message("user", "I come on Friday."), Message("assistant", "I see.")]
    _, (request,) = judge(
        [{"not_supported": []}],
        *sentences("doubtful"),
        text="and hers [7]?",
        question="What is her dog?",
        conversation=conversation,
    )
    seen = request.messages[-1].content
    for part in ("I come on Friday.", "I see.", "05 January 2026", "and hers ⟦7⟧?", "What is her dog?", "[1] a"):
        assert part in seen


def test_without_doubt_nobody_is_asked():
    parts = sentences("supported", "unsupported")
    assert judge([], *parts) == (parts, [])


@pytest.mark.parametrize("replies", [["no JSON", "again none"], [ModelUnavailable("It is gone.")]])
def test_without_a_judge_doubt_stays(replies):
    parts = sentences("doubtful", "unsupported")
    assert judge(replies, *parts)[0] == parts


def test_stop_ends_a_judgement():
    turn = Turn("Who?", "me", "s", datetime(2026, 1, 5))
    with LanguageModel(ScriptedTransport([])).for_turn(lambda: True) as model, pytest.raises(Interrupted):
        judged(model, turn, (), "", sentences("doubtful"))


def test_what_has_a_source_is_cited_rather_than_what_a_search_came_to():
    led = [
        Evidence(1, "world", "Peru > capital > population", RESULT, "7,737,002"),
        Evidence(2, "world", "Lima", "population", "7,737,002"),
    ]
    checker = Checker("How many live in the capital?", "", led, trusted=False)
    assert checker.checked("The capital has 7,737,002 inhabitants [1].").text.endswith("[2].")
    counted = replace(led[0], object="5")
    checker = Checker("How many?", "", [counted, led[1]], trusted=False)
    assert checker.checked("Peru has 5 of them [1].").text == "Peru has 5 of them [1]."
    by_chance = replace(led[1], id=3, subject="Bus 5", relation="stops at", object="the port")
    checker = Checker("How many?", "", [counted, by_chance], trusted=False)
    assert checker.checked("Peru has 5 of them [1].").text == "Peru has 5 of them [1]."


@pytest.mark.parametrize(
    ("said", "finding"),
    [
        ("Kenia hat 51.393.010 Einwohner [1].", "doubtful"),  # for the model to judge
        ("Kenia hat etwa 51 Millionen Einwohner [1].", "doubtful"),
        ("Kenya has 51,400,000 people [1].", "doubtful"),
        ("Kenia hat 51.393,01 Einwohner [1].", "unsupported"),
        ("Kenya has 15,393,010 people [1].", "unsupported"),
    ],
)
def test_of_a_small_model_a_large_number_has_to_be_told(said: str, finding: str) -> None:
    evidence = [Evidence(1, "kb", "Kenya", "population", "51,393,010")]
    assert Checker("Wie viele leben dort?", "", evidence, trusted=False).checked(said).finding == finding


@pytest.mark.parametrize(
    ("said", "finding"),
    [
        ("Das Ventil kostet 0,17 Euro [1].", "unsupported"),
        ("Das Ventil kostet 17,4 Euro [1].", "doubtful"),
        ("Das Ventil kostet etwa 17,5 Euro [1].", "doubtful"),
    ],
)
def test_of_a_small_model_a_fraction_has_to_be_told(said: str, finding: str) -> None:
    evidence = [Evidence(1, "kb", "Ventil", "Preis", "17,40 Euro", text="Menge: 12; Preis: 17,40 Euro; Fach: 2")]
    assert Checker("Was kostet das Ventil?", "", evidence, trusted=False).checked(said).finding == finding
