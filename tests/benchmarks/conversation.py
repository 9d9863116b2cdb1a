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
import time
from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar

from assistant.llm.client import LanguageModel
from assistant.types import Message
from tests.benchmarks.dialogues import ALONE, Dialogues, Held, Holding, reply_faults
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import median

_WITHOUT_SEARCH = ("chat", "advice", "sum", "letter")
_KINDS = (
    *("introduction", *_WITHOUT_SEARCH, "tell", "correct", "follow-up", "self", "others", "world", "document"),
    *("overview", "forget", "undo"),
)
_LANGUAGES = ("en", "zh", "de", "fr", "es", "ja", "ru")


class Conversation(Dialogues):
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

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Each dialogue has an empty home; the turns before one that is measured are held, too."""
        with contextlib.ExitStack() as stack:
            holding, alone = Holding(stack), list[Message]()

            def measure(row: Row) -> Outcome:
                *_, outcome = (_in_both_ways(held, alone) for held in holding.up_to(row))
                return outcome

            yield measure


def _in_both_ways(held: Held, alone: list[Message]) -> Outcome:
    """Hold the next turn with the product and with the model alone, which has said and heard what `alone` has."""
    turn = held.coming
    if turn.get("later_session") or not held.turns:
        alone.clear()
    began = time.monotonic()
    at, answered, wrong = held.next()
    middle = time.monotonic()
    reply = _reply_alone(held.assistant.model, alone, turn["say"], at)
    seconds = {"seconds": middle - began, "seconds_plain": time.monotonic() - middle}
    wrong_alone = reply_faults(turn, reply)
    scores = {"right": float(not wrong), "right_plain": float(not wrong_alone)}
    for part in (held.dialogue["language"], turn["kind"]):
        scores |= {f"{name}_{part}": scores[name] for name in ("right", "right_plain")}
    if turn["kind"] in _WITHOUT_SEARCH:
        scores |= seconds
    texts = {"said": turn["say"], "answer": answered.answer, "alone": reply, "wrong": wrong, **seconds}
    return Outcome(scores, answered.usage, texts | {"wrong_alone": wrong_alone, "route": answered.route})


def _reply_alone(model: LanguageModel, alone: list[Message], text: str, at: datetime) -> str:
    system = Message("system", ALONE.format(today=f"{at:%A, %d %B %Y}"))
    alone.append(Message("user", text))
    reply = model.complete([system, *alone], purpose="answer", max_tokens=700)
    alone.append(Message("assistant", reply))
    return reply
