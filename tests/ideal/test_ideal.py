"""What a capable model replies is shown as it stands, but for citations and marks behind what is not supported."""

import json
import re
from datetime import datetime

import pytest

from assistant.answering.reader import Reader
from assistant.knowledge_bases.personal import passage_evidence
from assistant.llm.client import LanguageModel, Request
from assistant.llm.scripted import ScriptedTransport
from assistant.messages.languages import reply_language
from assistant.policy import policy_for
from assistant.search.evidence import numbered
from assistant.settings import Settings
from assistant.types import Evidence, Message, Profile, Turn
from tests.ideal.answers.chinese import CHINESE
from tests.ideal.answers.english import ENGLISH
from tests.ideal.answers.french import FRENCH
from tests.ideal.answers.german import GERMAN
from tests.ideal.answers.japanese import JAPANESE
from tests.ideal.answers.portuguese import PORTUGUESE
from tests.ideal.answers.russian import RUSSIAN
from tests.ideal.answers.spanish import SPANISH
from tests.ideal.evidence import False_, Ideal
from tests.ideal.false_replies.citations import ADDRESSES, ELSEWHERE, MISSING
from tests.ideal.false_replies.claims import CLAIMS
from tests.ideal.false_replies.meaning import OTHERS, TURNED
from tests.ideal.false_replies.values import DATES, NUMBERS, SUMS

TURNS = [*ENGLISH, *GERMAN, *FRENCH, *SPANISH, *PORTUGUESE, *RUSSIAN, *CHINESE, *JAPANESE]
FALSE = [*MISSING, *ADDRESSES, *ELSEWHERE, *NUMBERS, *DATES, *SUMS, *OTHERS, *TURNED]

CAPABLE = Profile("capable", "probes", structured=True)


def evidence_of(lines: tuple[str, ...]) -> list[Evidence]:
    found = []
    for line in lines:
        subject, *rest = line.split(" | ")
        name, _, text = line.partition(": ")
        found.append(Evidence(0, "personal", subject, *rest) if rest else passage_evidence("p1", name, text))
    return numbered(found)


def judge(false: tuple[str, ...]):
    """A judge to whom the sentences that have one of `false` in them are not supported."""

    def judged(request: Request) -> str:
        answer = request.messages[-1].content.rpartition("in round brackets:\n")[2]
        sentences = re.split(r"^\((\d+)\) ", answer, flags=re.MULTILINE)[1:]
        pairs = zip(sentences[::2], sentences[1::2], strict=True)
        return json.dumps({"not_supported": [int(n) for n, text in pairs if any(part in text for part in false)]})

    return judged


def turn(question: str, said: str = "", before: tuple[str, ...] = ()) -> Turn:
    said = said or question
    history = [Message("assistant" if place % 2 else "user", text) for place, text in enumerate(before)]
    return Turn(said, "me", "s", datetime(2026, 1, 5), tuple(history), question=question, language=reply_language(said))


def read(asked: Turn, lines, reply, false=()):
    """The text that is shown, its pieces, and the purposes of the calls."""
    transport = ScriptedTransport({"answer": [reply, "From memory."], "check": [judge(tuple(false))]})
    reader = Reader(policy_for(CAPABLE, Settings.from_environment({})))
    pieces = list(reader.answer(LanguageModel(transport), asked, evidence_of(lines)))
    return "".join(piece.text for piece in pieces), pieces, [request.purpose for request in transport.requests]


def row(ideal: Ideal):
    """A turn as a parameter of a test; what is known not to be shown as it stands has to fail."""
    known = [pytest.mark.xfail(strict=True, reason=ideal.known)] if ideal.known else []
    return pytest.param(ideal, marks=known, id=ideal.question)


@pytest.mark.parametrize("ideal", list(map(row, TURNS)))
def test_an_ideal_reply_is_shown_as_it_stands(ideal: Ideal) -> None:
    expected = ideal.reply
    for sentence in ideal.false:
        assert sentence in expected
        expected = expected.replace(sentence, f"{sentence}{ideal.mark}")
    asked = turn(ideal.question, ideal.said, ideal.before)
    shown, pieces, _ = read(asked, ideal.evidence, ideal.reply, ideal.false)
    assert shown == expected
    assert not any(piece.declined for piece in pieces)
    assert bool(ideal.false) != all(piece.supported for piece in pieces if piece.text.strip())


@pytest.mark.parametrize("false", FALSE, ids=lambda false: false.reply)
def test_what_code_can_tell_of_a_false_reply_takes_no_judge(false: False_) -> None:
    shown, _, _ = read(turn(false.question), false.evidence, false.reply)
    assert shown == (false.shown or false.reply)


@pytest.mark.parametrize("false", FALSE, ids=lambda false: false.reply)
def test_what_code_cannot_tell_of_a_false_reply_is_left_to_the_judge(false: False_) -> None:
    shown, pieces, calls = read(turn(false.question), false.evidence, false.reply, [""])  # to whom nothing is supported
    assert any(mark in shown for mark in "(（") != false.passed
    assert not (false.passed and "check" in calls)
    assert all(piece.supported for piece in pieces if piece.text.strip()) == false.passed


def test_there_are_as_many_turns_as_there_have_to_be() -> None:
    assert len({ideal.question + ideal.reply for ideal in TURNS}) >= 170
    assert len(FALSE) + len(CLAIMS) >= 135
    assert sum(bool(false.shown) for false in FALSE) >= 53


@pytest.mark.parametrize(("said", "reply"), CLAIMS)
def test_a_claim_to_have_remembered_or_forgotten_is_known_to_be_shown(said: str, reply: str) -> None:
    transport = ScriptedTransport([reply])
    reader = Reader(policy_for(CAPABLE, Settings.from_environment({})))
    assert "".join(piece.text for piece in reader.converse(LanguageModel(transport), turn(said))) == reply
    asked = transport.requests[0].messages[0].content
    assert "nothing is written to your memory or removed from it" in asked
