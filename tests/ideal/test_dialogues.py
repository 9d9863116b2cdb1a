"""Conversations that change what is remembered, whole, in eight languages, with an ideal model in the model's place."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count

import pytest

from app import compose
from assistant.llm.client import Request
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.messages.catalogues import LANGUAGES
from assistant.settings import Settings
from assistant.types import Answered, Failed, Message, Remembered, Turn
from memory.types import Fact
from tests.ideal.dialogue import Dialogue, Said
from tests.ideal.dialogues.chinese import CHINESE
from tests.ideal.dialogues.english import ENGLISH
from tests.ideal.dialogues.french import FRENCH
from tests.ideal.dialogues.german import GERMAN
from tests.ideal.dialogues.japanese import JAPANESE
from tests.ideal.dialogues.portuguese import PORTUGUESE
from tests.ideal.dialogues.russian import RUSSIAN
from tests.ideal.dialogues.spanish import SPANISH

DIALOGUES = [*ENGLISH, *GERMAN, *FRENCH, *SPANISH, *PORTUGUESE, *RUSSIAN, *CHINESE, *JAPANESE]


class Chats:
    """One assistant; each dialogue is with a user of its own."""

    def __init__(self, home: str) -> None:
        script = {purpose: [self._replied] for purpose in ("understand", "answer", "extract", "forget")}
        settings = {"LOREKEEPER_HOME": home, "LOREKEEPER_PUBLIC": "off", "LOREKEEPER_PROFILE": "capable"}
        self.now: Said
        self.assistant = compose(Settings.from_environment(settings), ScriptedTransport(script, repeat=True))
        self._users = map("user{}".format, count())

    def _replied(self, request: Request) -> str | Weights:
        match request.purpose:
            case "understand":
                return self.now.means
            case "answer":
                return self.now.answer
            case "extract":
                return self.now.read(request)
            case _:
                return self.now.choose(request)

    def held(self, dialogue: Dialogue) -> list[Fact]:
        """Hold a dialogue; what is remembered after it."""
        user, history = next(self._users), list[Message]()
        for self.now in dialogue.turns:
            turn = Turn(self.now.text, user, "s", datetime.now(UTC), tuple(history))
            *events, answered = self.assistant.reply(turn)
            assert isinstance(answered, Answered)
            assert not [event for event in events if isinstance(event, Failed)]
            said_to_be_kept = {line for event in events if isinstance(event, Remembered) for line in event.facts}
            assert said_to_be_kept == {"{} – {}: {}".format(*fact.says.split("|")) for fact in self.now.facts}
            history += [Message("user", self.now.text), Message("assistant", answered.answer)]
        return self.assistant.memory.of(user).facts()


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chats]:
    made = Chats(str(tmp_path_factory.mktemp("ideal")))
    yield made
    made.assistant.close()


def line(fact: Fact) -> str:
    """A fact as `Dialogue` has it; today is no day that was told."""
    until = None if fact.mistaken or fact.valid_to is None or fact.valid_to.date() == today() else fact.valid_to
    days = [(name, day) for name, day in (("since", fact.valid_from), ("until", until)) if day]
    return f"{fact.subject} – {fact.relation}: {fact.object}" + "".join(
        f" ({name} {day:%Y-%m-%d})" for name, day in days
    )


def today():
    return datetime.now(UTC).date()


def row(dialogue: Dialogue):
    known = [pytest.mark.xfail(strict=True, reason=dialogue.known)] if dialogue.known else []
    return pytest.param(dialogue, marks=known, id=dialogue.turns[-1].text)


@pytest.mark.parametrize("dialogue", list(map(row, DIALOGUES)))
def test_what_is_remembered_is_what_was_meant(chats: Chats, dialogue: Dialogue) -> None:
    facts = chats.held(dialogue)
    assert {line(fact) for fact in facts if fact.valid_to is None} == dialogue.holds
    assert {line(fact) for fact in facts if fact.valid_to and not fact.mistaken} == dialogue.past
    assert {line(fact) for fact in facts if fact.mistaken} == dialogue.never


def test_there_are_as_many_turns_as_there_have_to_be() -> None:
    turns = [said for dialogue in DIALOGUES for said in dialogue.turns]
    assert len(turns) >= 90
    assert {said.means.partition(" ")[0] for said in turns} == set(LANGUAGES)
