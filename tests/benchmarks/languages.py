"""The same assistant in eight languages: twenty rows in each.

Eight questions on the built-in knowledge base, four on a document in the language, two on an English document, four
things that are told and asked for in a later session, and two that are then forgotten. `right`: the reply holds what it
must, and what was to be forgotten stands nowhere any more. `in_language`: of the replies that are long enough to tell,
those in which nothing is in another language.
"""

import argparse
from typing import ClassVar

from assistant.language import is_of_another, language_of
from tests.benchmarks.dialogues import Dialogues, Held
from tests.benchmarks.harness import Metric
from tests.benchmarks.judging import without_citations
from tests.benchmarks.rows import Outcome

_LANGUAGES = ("en", "zh", "de", "fr", "es", "pt", "ja", "ru")
_KINDS = ("world", "document", "english document", "told", "forgotten")
_SCORES = ("right", "in_language")
_TELLING = 12  # letters; fewer are a name or a figure


class Languages(Dialogues):
    """`languages [--only LANGUAGE ...]`."""

    name: ClassVar[str] = "languages"
    metrics: ClassVar[dict[str, Metric]] = {
        name: Metric(name)
        for score in _SCORES
        for name in (score, *(f"{score}_{part}" for part in (*_LANGUAGES, *_KINDS)))
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--only", nargs="+", choices=_LANGUAGES, help="languages (default: all)")

    def next_of(self, held: Held) -> Outcome:
        """See `Dialogues.next_of`."""
        return _held(held)


def _held(held: Held) -> Outcome:
    turn, language = held.coming, held.dialogue["language"]
    _, answered, wrong = held.next()
    scores = {"right": float(not wrong)}
    if (told := is_in(language, answered.answer)) is not None:
        scores["in_language"] = float(told)
    scores |= {f"{name}_{part}": score for name, score in scores.items() for part in (language, turn["kind"]) if part}
    texts = {"said": turn["say"], "answer": answered.answer, "wrong": wrong, "route": answered.route}
    return Outcome(scores, answered.usage, texts | {"program": answered.program})


def is_in(language: str, reply: str) -> bool | None:
    """Whether each line of a reply is in the language; None where it is too short to tell."""
    lines = [line for line in without_citations(reply).splitlines() if sum(map(str.isalpha, line)) >= _TELLING]
    if not lines:
        return None
    return all(language_of(line) == language or not is_of_another(line, language) for line in lines)
