"""Histories of what changes: eighty, twenty each in English, German, Chinese and Spanish.

People stop doing something, correct what they said, wish, tell stories, name days by today, change preferences, speak
of two people of one name, have birthdays, and say how they want to be answered; each message is a session of its own,
on a day of its own, and so is the question at the end, which alone is judged. `right`: its reply holds what it must and
nothing that it must not, told by strings alone, and does not decline. `right_plain`: that of the same model with all
that was said in its context, each message with its day.
"""

import argparse
from typing import ClassVar

from assistant.llm.client import LanguageModel
from assistant.types import Message
from tests.benchmarks.dialogues import ALONE, Dialogues, Held, reply_faults
from tests.benchmarks.harness import Metric
from tests.benchmarks.rows import Outcome

_KINDS = (
    *("ended", "correction", "imagined", "story", "time", "history", "same name", "age", "instruction"),
    "contradiction",
)
_LANGUAGES = ("en", "de", "zh", "es")
_NOT_KNOWN = {"en": ("don't know",), "de": ("weiß nicht", "weiß ich nicht"), "zh": ("不知道",), "es": ("no lo sé",)}


class Updates(Dialogues):
    """`updates [--only ID ...]`."""

    name: ClassVar[str] = "updates"
    metrics: ClassVar[dict[str, Metric]] = {
        name: Metric(name)
        for score in ("right", "right_plain")
        for name in (score, *(f"{score}_{part}" for part in (*_LANGUAGES, *_KINDS)))
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--only", nargs="+", help="ids of histories (default: all)")

    def next_of(self, held: Held) -> Outcome:
        """See `Dialogues.next_of`."""
        return _in_both_ways(held)


def _in_both_ways(held: Held) -> Outcome:
    """Hold the next turn with the product; the question with the model alone, too, which sees what was said before."""
    turn = held.coming
    _, answered, wrong = held.next()
    if not turn["kind"]:
        return Outcome({}, answered.usage)
    wrong += ["declines"] * answered.declined
    said = [f"{held.when(n):%A, %d %B %Y}: {told['say']}" for n, told in enumerate(held.dialogue["turns"])]
    reply = _reply_alone(held.assistant.model, said)
    lacks = [*turn.get("reply_lacks", []), *_NOT_KNOWN[held.dialogue["language"]]]
    wrong_alone = reply_faults({**turn, "reply_lacks": lacks}, reply)
    scores = {"right": float(not wrong), "right_plain": float(not wrong_alone)}
    for part in (held.dialogue["language"], turn["kind"]):
        scores |= {f"{name}_{part}": scores[name] for name in ("right", "right_plain")}
    texts = {"said": said, "answer": answered.answer, "alone": reply, "wrong": wrong}
    facts = [f"{f.subject} | {f.relation} | {f.object} | {f.valid_from} | {f.valid_to}" for f in held.memory.facts()]
    return Outcome(scores, answered.usage, texts | {"wrong_alone": wrong_alone, "facts": facts})


def _reply_alone(model: LanguageModel, said: list[str]) -> str:
    system = Message("system", ALONE.format(today=said[-1].partition(": ")[0]))
    return model.complete([system, Message("user", "\n".join(said))], purpose="answer", max_tokens=300)
