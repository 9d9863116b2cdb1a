"""Ordinary conversations: sixteen dialogues of twelve turns, ten in English, one each in six other languages.

People introduce themselves, chat, ask for advice, sums and letters, tell and correct things, follow up, ask about
themselves, about others, about a document and about the world, and have things forgotten and brought back. Most of the
dialogues go on in a later session, where only memory can tell. `right`: the reply holds what it must and nothing that
it must not, and so does memory after it, told by strings alone. `right_plain`: the replies of the same model to the
same messages with nothing but the session's conversation in its context, judged by the reply only. `seconds_p50*`: of
the turns that need no search.
"""

import argparse
import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

from assistant.history import history
from assistant.orchestrator import Assistant
from assistant.types import Answered, ForgetAsked, Message, Turn
from memory.types import SavedMessage
from memory.user_memory import UserMemory
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.judging import fold, holds, holds_any
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import median

_WITHOUT_SEARCH = ("chat", "advice", "sum", "letter")
_KINDS = (
    *("introduction", *_WITHOUT_SEARCH, "tell", "correct", "follow-up", "self", "others", "world", "document"),
    *("overview", "forget", "undo"),
)
_LANGUAGES = ("en", "zh", "de", "fr", "es", "ja", "ru")
_ALONE = "You are a helpful assistant. Today is {today}. Answer in the language of the user."
_READ_SECONDS = 600.0


class Conversation:
    """`conversation [--only ID ...]`."""

    name: ClassVar[str] = "conversation"
    metrics: ClassVar[dict[str, Metric]] = {
        "right": Metric("right"),
        "right_plain": Metric("right_plain"),
        **{f"right_{part}": Metric(f"right_{part}") for part in (*_LANGUAGES, *_KINDS)},
        **{f"right_plain_{part}": Metric(f"right_plain_{part}") for part in (*_LANGUAGES, *_KINDS)},
        "seconds_p50": Metric("seconds", median),
        "seconds_p50_plain": Metric("seconds_plain", median),
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--only", nargs="+", help="ids of dialogues (default: all)")

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / "conversation.jsonl"
        self._only: list[str] | None = options.only

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """One row a turn, in the order of the dialogues."""
        rows = []
        for line in self._file.read_text(encoding="utf-8").splitlines():
            dialogue = json.loads(line)
            if self._only is None or dialogue["id"] in self._only:
                for number, turn in enumerate(dialogue["turns"]):
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
            held: _Held | None = None

            def measure(row: Row) -> Outcome:
                nonlocal held
                dialogue, number = row.data["dialogue"], row.data["number"]
                if held is None or held.dialogue["id"] != dialogue["id"] or held.turns > number:
                    stack.close()
                    held = _Held(dialogue, stack.enter_context(product.assistant()))
                while held.turns < number:
                    held.next()
                return held.next()

            yield measure


class _Held:
    """A dialogue as far as it has been held, with the product and with the model alone."""

    def __init__(self, dialogue: dict[str, Any], assistant: Assistant) -> None:
        self.dialogue = dialogue
        self.turns = 0
        self._assistant = assistant
        self._memory = assistant.memory.of(dialogue["id"])
        self._session = "first"
        self._alone: list[Message] = []
        if document := dialogue.get("document"):
            source = assistant.ingestion.add(dialogue["id"], document["name"], document["text"].encode())
            assistant.ingestion.wait(dialogue["id"], source.id, _READ_SECONDS)

    def next(self) -> Outcome:
        """Hold the next turn in both ways, and judge it."""
        turn = self.dialogue["turns"][self.turns]
        at = datetime.fromisoformat(self.dialogue["at"]).astimezone() + timedelta(minutes=self.turns)
        self.turns += 1
        if turn.get("later_session"):
            self._session, self._alone = "later", []
        began = time.monotonic()
        answered = self._reply(turn["say"], at, agreed=turn["kind"] == "forget")
        middle = time.monotonic()
        alone = self._reply_alone(turn["say"], at)
        seconds = {"seconds": middle - began, "seconds_plain": time.monotonic() - middle}
        wrong = reply_faults(turn, answered.answer) + memory_faults(turn, self._memory)
        wrong_alone = reply_faults(turn, alone)
        scores = {"right": float(not wrong), "right_plain": float(not wrong_alone)}
        for part in (self.dialogue["language"], turn["kind"]):
            scores |= {f"{name}_{part}": scores[name] for name in ("right", "right_plain")}
        if turn["kind"] in _WITHOUT_SEARCH:
            scores |= seconds
        texts = {"said": turn["say"], "answer": answered.answer, "alone": alone, "wrong": wrong, **seconds}
        return Outcome(scores, answered.usage, texts | {"wrong_alone": wrong_alone, "route": answered.route})

    def _reply(self, text: str, at: datetime, *, agreed: bool) -> Answered:
        """The answer to a message, or where that asks whether to forget what is `agreed`, to the button."""
        sessions = self._memory.sessions
        if not any(info.id == self._session for info in sessions.list()):
            sessions.new(self._session)
        turn = Turn(text, self.dialogue["id"], self._session, at, history(sessions.load(self._session)))
        sessions.append(self._session, SavedMessage("user", text, at))
        *events, answered = self._assistant.reply(turn)
        for asked in [event for event in events if agreed and isinstance(event, ForgetAsked)]:
            answered = product.answered(self._assistant, replace(turn, agrees=asked.id))
        assert isinstance(answered, Answered)
        self._memory.keep_answer(self._session, SavedMessage("assistant", answered.answer, at), since=at)
        return answered

    def _reply_alone(self, text: str, at: datetime) -> str:
        system = Message("system", _ALONE.format(today=f"{at:%A, %d %B %Y}"))
        self._alone.append(Message("user", text))
        model = self._assistant.model
        reply = model.complete([system, *self._alone], purpose="answer", max_tokens=700)
        self._alone.append(Message("assistant", reply))
        return reply


def reply_faults(turn: dict[str, Any], reply: str) -> list[str]:
    """What a reply lacks of what the turn asks for, and what stands in it that must not; empty where it is right."""
    faults = [f"lacks {' / '.join(group)}" for group in turn.get("reply", []) if not holds_any(reply, group)]
    faults += [f"says {term}" for term in turn.get("reply_lacks", []) if holds_any(reply, [term])]
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
