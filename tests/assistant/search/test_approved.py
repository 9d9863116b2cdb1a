"""A thumb up makes an example of what was written for the answer; what takes the thumb away takes the example too."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from assistant.llm.client import Request
from assistant.llm.scripted import Weights
from assistant.orchestrator import Assistant
from assistant.search.approved import Approved
from assistant.search.examples import Example
from assistant.types import Answered, Evidence, Turn
from memory.types import SavedMessage

PROGRAM = '# Ozarks > altitude\nfind_entity_or_value(["Ozarks"], ["altitude"])'
EVIDENCE = (Evidence(1, "world", "Ozarks", "altitude", "780 m"),)
QUESTION = "How high are the Ozarks?"
ANSWERED = Answered(
    "780 m [1].", "search", QUESTION, EVIDENCE, strategy="program", format="triples", program=PROGRAM, query="SELECT"
)
ROW = Evidence(1, "films", QUESTION, "result", "780 m")
QUERIED = replace(ANSWERED, strategy="sparql", query_kb="films", evidence=(ROW, replace(EVIDENCE[0], id=2)))


@pytest.fixture
def assistant(composed: Callable[..., Assistant]) -> Assistant:
    made: Assistant = composed([])
    sessions = made.memory.of("me").sessions
    for session in ("s", "t"):
        sessions.new(session)
        for role in ("user", "assistant"):
            sessions.append(session, SavedMessage(role, "text", datetime.now(UTC)))
    return made


def programs(assistant: Assistant, user: str = "me") -> list[Example]:
    return Approved(assistant.memory).programs(user)


def test_a_program_with_a_thumb_up_is_an_example(assistant: Assistant) -> None:
    assistant.feedback.rate("me", "s", 1, ANSWERED, "Like")
    assert programs(assistant) == [Example(QUESTION, PROGRAM, names=("Ozarks",))]
    assert programs(assistant, "eve") == []
    assert Approved(assistant.memory).queries("me", "world") == []


def test_a_query_is_an_example_for_its_knowledge_base(assistant: Assistant) -> None:
    assistant.feedback.rate("me", "s", 1, QUERIED, "Like")
    assert Approved(assistant.memory).queries("me", "films") == [Example(QUESTION, "SELECT")]
    assert Approved(assistant.memory).queries("me", "world") == []  # which only gave evidence beside it
    assert programs(assistant) == []


@pytest.mark.parametrize(
    "answered",
    [
        Answered("I do not know.", "search", QUESTION, EVIDENCE, strategy="program", program=PROGRAM, declined=True),
        Answered("Hello.", "answer", "Hi"),
        Answered("780 m.", "search", QUESTION, EVIDENCE, strategy="paths"),
        Answered("780 m.", "search", QUESTION, EVIDENCE, strategy="program", program=""),
        Answered("780 m.", "search", QUESTION, (), strategy="program", program=PROGRAM),
        Answered("780 m.", "search", QUESTION, EVIDENCE, strategy="program", program=PROGRAM, fruitless=True),
    ],
)
def test_what_no_program_found_is_no_example(assistant: Assistant, answered: Answered) -> None:
    assistant.feedback.rate("me", "s", 1, answered, "Like")
    assert programs(assistant) == []


@pytest.mark.parametrize("change", [{"answer": "780 m [2]."}, {"query_kb": ""}])
def test_nor_is_a_query_that_the_answer_does_not_rest_on(assistant: Assistant, change: dict[str, str]) -> None:
    assistant.feedback.rate("me", "s", 1, replace(QUERIED, **change), "Like")
    assert Approved(assistant.memory).queries("me", "films") == []


def test_the_latest_comes_first(assistant: Assistant) -> None:
    assistant.feedback.rate("me", "s", 1, ANSWERED, "Like")
    later = Answered("1 m [1].", "search", "Later?", EVIDENCE, strategy="program", program="1")
    assistant.feedback.rate("me", "t", 1, later, "Like")
    assert [one.question for one in programs(assistant)] == ["Later?", QUESTION]


@pytest.mark.parametrize(
    "taken",
    [
        lambda assistant: assistant.feedback.rate("me", "s", 1, ANSWERED, None),
        lambda assistant: assistant.feedback.rate("me", "s", 1, ANSWERED, "Dislike"),
        lambda assistant: assistant.memory.of("me").sessions.cut("s", 1),
        lambda assistant: assistant.memory.of("me").sessions.delete("s"),
        lambda assistant: assistant.memory.of("me").forget(everything=True),
    ],
    ids=["thumb taken back", "thumb down", "answer removed", "conversation removed", "all forgotten"],
)
def test_it_goes_with_its_thumb(assistant: Assistant, taken: Callable[[Assistant], None]) -> None:
    assistant.feedback.rate("me", "s", 1, ANSWERED, "Like")
    taken(assistant)
    assert programs(assistant) == []


def test_an_approved_program_is_shown_to_the_model_for_a_question_like_it(composed: Callable[..., Assistant]) -> None:
    seen: list[Request] = []

    def write(request: Request) -> str:
        seen.append(request)
        return PROGRAM

    made: Assistant = composed(
        {
            "understand": ["en ask"],
            "program": [write] * 3,
            "answer": ["UNKNOWN"],
            "entailment": [Weights({"no": 1.0})],
        }
    )
    sessions = made.memory.of("me").sessions
    sessions.new("s")
    made.feedback.rate("me", "s", 0, ANSWERED, "Like")
    list(made.reply(Turn("How high are the Andes?", "me", "t", datetime.now(UTC), strategy="program")))
    shown = [message.content for message in seen[0].messages]
    assert shown[shown.index(QUESTION) + 1] == PROGRAM
