"""Whether two entities of the memory are one: asked of the model, which replies with one token."""

from assistant import prompting
from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel

_SURE = 0.8  # the 1.5B model gives pairs that are two up to 0.73; what it leaves apart, the user can merge


class Matching:
    """Tells with a language model whether two entities are one; implements `memory.types.Matcher`."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def are_one(self, short: str, long: str) -> bool:
        """See `Matcher.are_one`; a reply that cannot be read is no."""
        messages = prompting.load("matching").render(short=short, long=long)
        try:
            yes, _ = self._model.weigh(messages, ["yes", "no"], purpose="matching")
        except ModelReplyUnreadable:
            return False
        return yes >= _SURE
