"""Conversations that change what is remembered, and what an ideal model says in each turn in the model's place."""

import json
import re
from dataclasses import dataclass

from assistant.llm.client import Request
from assistant.llm.scripted import Weights

_NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Fact_:
    """A fact as the model reads it: `subject|relation|object`; `instead` are the known facts that it replaces."""

    says: str
    since: str = ""
    until: str = ""
    instead: tuple[str, ...] = ()
    sentence: int = 1


@dataclass(frozen=True)
class Said:
    """What the user says, the model's line on what that does, and what it reads there.

    `over` and `wrong` are known facts that are not so any more, and that never were; `chosen` are those that it chooses
    of what is to be forgotten, `answer` is its reply where it chats.
    """

    text: str
    means: str
    facts: tuple[Fact_, ...] = ()
    over: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    answer: str = ""

    def read(self, request: Request) -> str:
        """What the model replies who is asked what the message tells."""
        known = _numbers(request)
        facts = []
        for fact in self.facts:
            subject, relation, object_ = fact.says.split("|")
            facts.append(
                {"sentence": fact.sentence, "subject": subject, "relation": relation, "object": object_}
                | {"since": fact.since, "until": fact.until, "replaces": [known[line] for line in fact.instead]}
            )
        over, wrong = ([known[line] for line in lines] for lines in (self.over, self.wrong))
        return json.dumps({"facts": facts, "over": over, "wrong": wrong})

    def choose(self, request: Request) -> Weights:
        """What the model replies who is asked whether a fact is meant."""
        *_, fact = request.messages[-1].content.partition("\nFact: ")
        return Weights({"yes" if fact.strip() in self.chosen else "no": 1.0})


@dataclass(frozen=True)
class Dialogue:
    """Turns, and what is remembered behind them: what `holds`, what did (`past`), and what `never` did.

    Each is a line as the chat shows it, with the first and the last day in brackets where these were told.
    """

    turns: tuple[Said, ...]
    holds: frozenset[str] = frozenset()
    past: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    known: str = ""


def _numbers(request: Request) -> dict[str, int]:
    """The numbers of the facts that the model is shown."""
    return {line: int(number) for number, line in _NUMBERED.findall(request.messages[-1].content)}
