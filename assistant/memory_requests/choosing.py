"""Which facts a user means who names them in words of their own: judged by the model, among those that recall finds."""

from assistant import prompting
from assistant.acquaintance import line
from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel
from memory.types import Fact
from memory.user_memory import UserMemory

_CANDIDATES = 8
_MEANT = 0.5  # the probability from which a fact is meant


def chosen(model: LanguageModel, memory: UserMemory, what: str) -> list[Fact]:
    """The facts that are about `what`, each judged by itself with one token: among numbers a small model picks badly.

    Of what it cannot tell nothing goes.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.weigh`.
    """
    facts = [hit.fact for hit in memory.recall(what, 3 * _CANDIDATES) if hit.fact][:_CANDIDATES]
    return [fact for fact in facts if _is_about(model, fact, what)]


def _is_about(model: LanguageModel, fact: Fact, what: str) -> bool:
    messages = prompting.load("forget").render(what=what, fact=line(fact))
    try:
        yes, _ = model.weigh(messages, ["yes", "no"], purpose="forget")
    except ModelReplyUnreadable:
        return False
    return yes >= _MEANT
