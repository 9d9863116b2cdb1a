"""Questions of yes or no: which they are, and what is said to them."""

from datetime import datetime

import pytest

from assistant.answering.polar import is_polar, verdict
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.messages.languages import reply_language
from assistant.search.formats import triples
from assistant.types import Evidence, Turn

LEASE = Evidence(1, "personal", "lease.pdf", "passage", "", "Smoking is forbidden on stairs and balconies.")
ADA = Evidence(2, "personal", "Ada Lind", "description", "", "Ada Lind is a Danish cellist.")
BO = Evidence(3, "personal", "Bo Rask", "nationality", "Danish")
ZHOU = Evidence(4, "personal", "周敏", "职业", "医生")


def said(reply: str, question: str, *evidence: Evidence, grounds: float = 0.6) -> str | None:
    model = LanguageModel(
        ScriptedTransport({"answer": [reply], "entailment": [Weights({"yes": grounds, "no": 1 - grounds})]})
    )
    turn = Turn(question, "me", "s", datetime(2026, 1, 5), question=question, language=reply_language(question))
    return verdict(model, turn, evidence, triples)


@pytest.mark.parametrize(
    "question",
    [
        "Am I allowed to smoke on the balcony?",
        "is breakfast included",
        "Are Ada Lind and Bo Rask both Danish?",
        "And did she study in Paris?",
        "Isn't the deposit refunded?",
        "May I get a second key?",
        "哪吒是神吗？",
        "林涛是医生吗？",
        "这里能不能养狗？",
    ],
)
def test_what_is_polar(question: str) -> None:
    assert is_polar(question, reply_language(question))


@pytest.mark.parametrize(
    "question",
    [
        "Who is allowed to smoke?",
        "Which films or plays did Ada write?",
        "Is Ada or Bo older?",
        "Do you know who owns the mill?",
        "Can you tell me the deposit?",
        "What can I do on the balcony?",
        "你知道谁是医生吗？",
        "林涛还是周敏是医生？",
        "The island is large.",
        "Is Ada Lind a cellist? and where was she born?",
        "林涛是医生吗？ 那王海呢？",
        "Has anyone told me the name of the mill?",
        "Will Smith's first film",
        "能告诉我周敏的职业吗？",
        "关于是否允许养狗的规定在第三条。",
        "Was studiert mein Bruder?",
        "Had Jan vroeger een hond?",
    ],
)
def test_what_asks_for_something_else(question: str) -> None:
    assert not is_polar(question, reply_language(question))


@pytest.mark.parametrize(
    ("reply", "question", "evidence", "answer"),
    [
        (
            "The evidence says that smoking is forbidden on balconies, so no: no",
            "Can I smoke on the balcony?",
            [LEASE, ADA],
            "No: smoking is forbidden on balconies [1].",
        ),
        (
            "The evidence says that Ada Lind is Danish and Bo Rask is Danish, so both the same: yes",
            "Are Ada Lind and Bo Rask from the same country?",
            [LEASE, ADA, BO],
            "Yes: Ada Lind is Danish and Bo Rask is Danish, so both the same [2] [3].",
        ),
        (
            "Let me see.\nThe evidence states that Ada Lind is a cellist [7], so a musician: **yes**",
            "Is Ada Lind a musician?",
            [ADA, Evidence(3, "world", "Karl Menz", "occupation", "musician")],
            "Yes: Ada Lind is a cellist, so a musician [2].",
        ),
        (
            "The evidence says Ada Lind is Danish, so they come from other countries: no",
            "Do they come from one place?",
            [ADA, BO],
            "No: Ada Lind is Danish, so they come from other countries [2].",
        ),
        ("证据说周敏是医生: yes", "周敏是医生吗？", [ZHOU], "是：周敏是医生 [4]。"),
    ],
)
def test_the_verdict_comes_with_what_it_rests_on(
    reply: str, question: str, evidence: list[Evidence], answer: str
) -> None:
    assert said(reply, question, *evidence) == answer


@pytest.mark.parametrize(
    "reply",
    [
        "The evidence says nothing of dogs: unknown",
        "The evidence says that dogs sleep in the cellar: yes",  # which it does not
        "The evidence says that smoking is forbidden, but not whether dogs are: no",
    ],
)
def test_nothing_is_said_where_the_evidence_leaves_it_open(reply: str) -> None:
    assert said(reply, "Are dogs allowed?", LEASE) == ""


@pytest.mark.parametrize("reply", ["Yes, dogs are allowed [1].", "I cannot tell.", ""])
def test_a_reply_of_another_form_is_none(reply: str) -> None:
    assert said(reply, "Are dogs allowed?", LEASE) is None


def test_what_gives_no_grounds_is_not_concluded_from() -> None:
    reply = "The evidence says that Ada Lind is a Danish cellist, so she swims: yes"
    assert said(reply, "Does Ada Lind swim?", ADA) == "Yes: Ada Lind is a Danish cellist, so she swims [2]."
    assert said(reply, "Does Ada Lind swim?", ADA, grounds=0.2) == ""
