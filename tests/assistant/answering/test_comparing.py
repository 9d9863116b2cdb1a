"""Questions of which of two: which they are, and what is said to them."""

from datetime import datetime

import pytest

from assistant.answering.comparing import compared, is_comparison
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.messages.languages import reply_language
from assistant.search.formats import triples
from assistant.types import Evidence, Turn

MIRO = Evidence(1, "personal", "a.md", "passage", "", "Miro Sand (born 2 April 1960) is a Finnish actor.")
JON = Evidence(2, "personal", "Jon Rask", "date of birth", "3 May 1952")
NOVELS = Evidence(3, "personal", "b.md", "passage", "", "Jon Rask has written eleven novels, Miro Sand 4 novels.")
NORTH = Evidence(4, "personal", "c.md", "passage", "", "北山高2,310米。")
SOUTH = Evidence(5, "personal", "南山", "海拔", "1,820米")
OLD = Evidence(6, "works", "Old Bridge", "length", "90 m")
MILL = Evidence(7, "personal", "Mill Road Bridge", "description", "", "A bridge of 52 m and 140 tons, opened in 1931.")

FAIR = Evidence(
    8, "personal", "d.md", "passage", "", "The general meeting is on 12 March, the summer fair on 12 April."
)
ROTA = Evidence(9, "personal", "e.md", "passage", "", "Choir begins at 19:00, yoga at 7:30 pm.")
PAPERS = Evidence(10, "personal", "f.md", "passage", "", "The Gazette came out in the 1970s, the Courier in 2001.")
ALL = (MIRO, JON, NOVELS, NORTH, SOUTH, OLD, MILL, FAIR, ROTA, PAPERS)


def said(reply: str, question: str, *evidence: Evidence) -> str | None:
    turn = Turn(question, "me", "s", datetime(2026, 1, 5), question=question, language=reply_language(question))
    return compared(LanguageModel(ScriptedTransport({"answer": [reply]})), turn, evidence, triples)


@pytest.mark.parametrize(
    "question",
    [
        "Who is older, Jon Rask or Miro Sand?",
        "Was the Old Bridge or Mill Road Bridge built first?",
        "which has more pages, The Salt Road or Winter Bees",
        "南山和北山哪座更高？",
        "Which of Jon Rask and Miro Sand is older?",
        "Between Oslo and Rome, which is larger?",
        "Is Jon Rask younger than Miro Sand?",
        "Has Jon Rask written more novels than Miro Sand?",
        "李林和王海谁先出生？",
        "南山还是北山更高？",
    ],
)
def test_what_compares_two_things(question: str) -> None:
    assert is_comparison(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote novels or plays?",
        "Is there a father or mother in the story?",
        "Which is the longest river?",
        "Does she have a brother?",
        "Do I have to be 18 or older to join?",
        "Is Ada more or less retired?",
        "Is the rent more than 500 euros?",
        "Which of her films and plays are lost?",
        "Which films came out last year or in 2010?",
        "中华人民共和国哪个城市先开放？",
        "谁写了这本书？",
    ],
)
def test_what_does_not(question: str) -> None:
    assert not is_comparison(question)


@pytest.mark.parametrize(
    ("reply", "question", "answer"),
    [
        (
            "Jon Rask: 3 May 1952; Miro Sand: 2 April 1960; the earlier",
            "Who is older, Jon Rask or Miro Sand?",
            "Jon Rask (3 May 1952 [2]; Miro Sand: 2 April 1960 [1])",
        ),
        (
            "Jon Rask: 3 May 1952; Miro Sand: 2 April 1960; the later",
            "Who is younger, Jon Rask or Miro Sand?",
            "Miro Sand (2 April 1960 [1]; Jon Rask: 3 May 1952 [2])",
        ),
        (
            "Jon Rask: 3 May 1952; Miro Sand: 2 April 1960; the later",
            "Is Jon Rask younger than Miro Sand?",
            "No: Miro Sand (2 April 1960 [1]; Jon Rask: 3 May 1952 [2]).",
        ),
        (
            "Jon Rask: 3 May 1952; Miro Sand: 2 April 1960; the earlier",
            "Was Jon Rask born earlier than Miro Sand?",
            "Yes: Jon Rask (3 May 1952 [2]; Miro Sand: 2 April 1960 [1]).",
        ),
        (
            "Jon Rask: eleven; Miro Sand: 4; the more",
            "Who has written more, Jon Rask or Miro Sand?",
            "Jon Rask (eleven [3]; Miro Sand: 4 [3])",
        ),
        (
            "南山: 1,820米; 北山: 2,310米; the less",
            "南山和北山哪座更矮？",
            "南山 (1,820米 [5]; 北山: 2,310米 [4])",
        ),
        (
            "the summer fair: 12 April; the general meeting: 12 March; the earlier",
            "Which comes first, the summer fair or the general meeting?",
            "The general meeting (12 March [8]; The summer fair: 12 April [8])",
        ),
        (
            "choir: 19:00; yoga: 7:30 pm; the later",
            "Which starts later, choir or yoga?",
            "Yoga (7:30 pm [9]; Choir: 19:00 [9])",
        ),
        (
            "The Old Bridge: 90 m; Mill Road Bridge: 52 m; the less",
            "Which is shorter, the Old Bridge or Mill Road Bridge?",
            "Mill Road Bridge (52 m [7]; The Old Bridge: 90 m [6])",
        ),
        (
            "The Gazette: 1970s; The Courier: 2001; the older",
            "Which is older, the Gazette or the Courier?",
            "The Gazette (1970s [10]; The Courier: 2001 [10])",
        ),
    ],
)
def test_code_compares_what_the_model_read_off(reply: str, question: str, answer: str) -> None:
    assert said(reply, question, *ALL) == answer


@pytest.mark.parametrize(
    "reply",
    [
        "Jon Rask: 3 May 1952; Miro Sand: unknown; the earlier",
        "Jon Rask: 3 May 1952; Miro Sand: 3 May 1952; the earlier",
        "Jon Rask: 1948; Miro Sand: 1960; the earlier",  # which stands nowhere
        "Jon Rask: 1952; Karl Menz: 1960; the earlier",
        "Jon Rask: 1952; Miro Sand: 196; the earlier",
        "Jon Rask: 3 May 1952; Miro Sand: 2 April 1960; the more",  # days are no amounts
    ],
)
def test_nothing_is_said_where_the_evidence_does_not_tell_it_of_both(reply: str) -> None:
    assert said(reply, "Who is older, Jon Rask or Miro Sand?", MIRO, JON) == ""


def test_metres_are_not_held_against_tons() -> None:
    reply = "the Old Bridge: 90 m; Mill Road Bridge: 140 tons; the less"
    assert said(reply, "Which is lighter, the Old Bridge or Mill Road Bridge?", OLD, MILL) == ""


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        (
            "the summer fair: 12 January; the general meeting: 12 March; the earlier",
            "Which comes first, the summer fair or the general meeting?",
        ),
        ("choir: 19:00; yoga: 7:30 am; the earlier", "Which starts earlier, choir or yoga?"),
    ],
)
def test_a_month_or_half_of_the_day_that_stands_nowhere_decides_nothing(reply: str, question: str) -> None:
    assert said(reply, question, *ALL) == ""


@pytest.mark.parametrize("reply", ["Jon Rask is older.", "UNKNOWN", "A: 1; B: 2; C: 3; the more"])
def test_a_reply_of_another_form_is_none(reply: str) -> None:
    assert said(reply, "Who is older, Jon Rask or Miro Sand?", MIRO, JON) is None
