"""Which facts a user means who names them in words of their own: chosen by the model, among those that recall finds."""

import re
from collections.abc import Sequence

from assistant import prompting
from assistant.acquaintance import line
from assistant.llm.client import LanguageModel
from memory.types import Fact
from memory.user_memory import UserMemory

_CANDIDATES = 8
_TOKENS = 4 * _CANDIDATES
_NUMBERS = re.compile(r"\d{1,3}(?:, *\d{1,3})*\.?")


def chosen(model: LanguageModel, memory: UserMemory, what: str) -> list[Fact]:
    """The facts that say `what`; none where the model finds none, or cannot tell.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    facts = [hit.fact for hit in memory.recall(what, 3 * _CANDIDATES) if hit.fact][:_CANDIDATES]
    if not facts:
        return []
    messages = prompting.load("forget").render(what=what, facts=[line(fact) for fact in facts])
    reply = model.complete(messages, purpose="forget", max_tokens=_TOKENS, stop=("\n",), grammar=_grammar(facts))
    listed = _NUMBERS.fullmatch(reply.strip())
    numbers = set(map(int, listed[0].rstrip(".").split(","))) if listed else set[int]()
    return [fact for number, fact in enumerate(facts, 1) if number in numbers]


def _grammar(facts: Sequence[Fact]) -> str:
    numbers = " | ".join(f'"{number}"' for number in range(1, len(facts) + 1))
    return f'root ::= "none" | number (", " number)*\nnumber ::= {numbers}'
