"""Which facts a user means who names them in words of their own: chosen by the model, among those that recall finds."""

from assistant import prompting
from assistant.acquaintance import line
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import numbered, numbers
from memory.types import Fact
from memory.user_memory import UserMemory

_CANDIDATES = 8
_TOKENS = 4 * _CANDIDATES


def chosen(model: LanguageModel, memory: UserMemory, what: str) -> list[Fact]:
    """The facts that say `what`; none where the model finds none, or cannot tell.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    facts = [hit.fact for hit in memory.recall(what, 3 * _CANDIDATES) if hit.fact][:_CANDIDATES]
    if not facts:
        return []
    messages = prompting.load("forget").render(what=what, facts=[line(fact) for fact in facts])
    reply = model.complete(messages, purpose="forget", max_tokens=_TOKENS, stop=("\n",), grammar=numbered(len(facts)))
    return [facts[number - 1] for number in numbers(reply, len(facts))]
