"""Dialogues held with the product turn by turn, and what must and must not be in its replies and its memory."""

import argparse
import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

from assistant.history import history
from assistant.orchestrator import Assistant
from assistant.types import Answered, ForgetAsked, Turn
from memory.types import SavedMessage
from memory.user_memory import UserMemory
from tests.benchmarks import product
from tests.benchmarks.harness import Measure
from tests.benchmarks.judging import chosen, fold, holds, holds_any
from tests.benchmarks.rows import Outcome, Row

ALONE = "You are a helpful assistant. Today is {today}. Answer in the language of the user."  # to the model by itself
_READ_SECONDS = 600.0


class Dialogues:
    """What benchmarks have in common that hold the dialogues of a file called as they are."""

    name: ClassVar[str]

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / f"{self.name}.jsonl"
        self._only: list[str] | None = options.only

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """One row for each turn that has a kind, in the order of the dialogues; those named in `--only`, or all."""
        rows = []
        for line in self._file.read_text(encoding="utf-8").splitlines():
            dialogue = json.loads(line)
            if self._only is None or dialogue["id"] in self._only:
                for number, turn in enumerate(dialogue["turns"]):
                    if turn["kind"]:
                        place = {"dialogue": dialogue, "number": number}
                        rows.append(Row(f"{dialogue['id']}-{number + 1:02}", turn["kind"], place))
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each dialogue has an empty home; the turns before one that is measured are held, too."""
        with contextlib.ExitStack() as stack:
            holding = Holding(stack)

            def measure(row: Row) -> Outcome:
                *_, outcome = map(self.next_of, holding.up_to(row))
                return outcome

            yield measure

    def next_of(self, held: "Held") -> Outcome:
        """Hold the next turn: what it came to."""
        raise NotImplementedError


class Held:
    """A dialogue as far as it has been held, with a user of its own who has uploaded its documents."""

    def __init__(self, dialogue: dict[str, Any], assistant: Assistant) -> None:
        self.dialogue = dialogue
        self.assistant = assistant
        self.memory = assistant.memory.of(dialogue["id"])
        self.turns = 0
        self._session = ""
        for document in dialogue.get("documents", []):
            content = Path(document["file"]).read_bytes() if "file" in document else document["text"].encode()
            source = assistant.ingestion.add(dialogue["id"], document["name"], content)
            assistant.ingestion.wait(dialogue["id"], source.id, _READ_SECONDS)

    @property
    def coming(self) -> dict[str, Any]:
        """The turn that is to be held next."""
        turn: dict[str, Any] = self.dialogue["turns"][self.turns]
        return turn

    def when(self, number: int) -> datetime:
        """When the turn of a number is held."""
        days = self.dialogue["turns"][number].get("days", 0)
        return datetime.fromisoformat(self.dialogue["at"]).astimezone() + timedelta(days=days, minutes=number)

    def next(self) -> tuple[datetime, Answered, list[str]]:
        """Hold the next turn: when it is, what is answered, and what is wrong about it.

        Where the product asks whether to forget what it was to forget, the button is pressed.
        """
        turn = self.coming
        at = self.when(self.turns)
        if turn.get("later_session") or not self._session:
            self._session = f"from-{self.turns}"
            self.memory.sessions.new(self._session)
        self.turns += 1
        answered = self._reply(turn["say"], at, agreed=bool(turn.get("gone")) or turn["kind"] == "forget")
        return at, answered, reply_faults(turn, answered.answer) + memory_faults(turn, self.memory)

    def _reply(self, text: str, at: datetime, *, agreed: bool) -> Answered:
        sessions = self.memory.sessions
        turn = Turn(text, self.dialogue["id"], self._session, at, history(sessions.load(self._session)))
        sessions.append(self._session, SavedMessage("user", text, at))
        *events, answered = self.assistant.reply(turn)
        for asked in [event for event in events if agreed and isinstance(event, ForgetAsked)]:
            answered = product.answered(self.assistant, replace(turn, agrees=asked.id))
        assert isinstance(answered, Answered)
        self.memory.keep_answer(self._session, SavedMessage("assistant", answered.answer, at), since=at)
        return answered


class Holding:
    """Holds the dialogues of rows one after the other, each with a home of its own."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._held: Held | None = None

    def up_to(self, row: Row) -> Iterator[Held]:
        """The row's dialogue before each turn that is still to be held, that of the row as the last one."""
        dialogue, number = row.data["dialogue"], row.data["number"]
        if self._held is None or self._held.dialogue["id"] != dialogue["id"] or self._held.turns > number:
            self._stack.close()
            self._held = Held(dialogue, self._stack.enter_context(product.assistant()))
        while self._held.turns <= number:
            yield self._held


def reply_faults(turn: dict[str, Any], reply: str) -> list[str]:
    """What a reply lacks of what the turn asks for, and what stands in it that must not; empty where it is right.

    Of what is to be `chosen`, the first is right and the others are wrong.
    """
    faults = [f"lacks {' / '.join(group)}" for group in turn.get("reply", []) if not holds_any(reply, group)]
    faults += [f"says {term}" for term in turn.get("reply_lacks", []) if holds_any(reply, [term])]
    if (options := turn.get("chosen", [])) and (taken := chosen(reply, options)) != options[0]:
        faults.append(f"chooses {taken or 'nothing'}")
    return faults if reply.strip() else [*faults, "empty"]


def memory_faults(turn: dict[str, Any], memory: UserMemory) -> list[str]:
    """What memory lacks after a turn, and what it holds that it must not.

    Each of `memory` has to stand in one fact that holds now, or in what the user said and memory keeps as a note;
    what has `ended` in no fact that holds now; and what is `gone` nowhere.
    """
    facts = memory.facts(limit=1000)
    current = [f"{fact.subject} {fact.relation} {fact.object}" for fact in facts if fact.valid_to is None]
    texts = [memory.source_text(source.id) for source in memory.sources() if source.kind == "chat"]
    faults = [f"memory lacks {wanted}" for wanted in turn.get("memory", []) if not _any_holds(current, wanted)]
    faults += [f"memory has {term}" for term in turn.get("ended", []) if any(fold(term) in fold(t) for t in current)]
    everything = [*texts, *(f"{fact.subject} {fact.relation} {fact.object}" for fact in facts)]
    faults += [
        f"memory keeps {term}" for term in turn.get("gone", []) if any(fold(term) in fold(t) for t in everything)
    ]
    return faults


def _any_holds(texts: list[str], wanted: list[list[str]]) -> bool:
    return any(holds(text, wanted) for text in texts)
