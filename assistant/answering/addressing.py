"""What the user said of themselves, said to them: "I'm a nurse" is "You're a nurse" in an answer.

A small model repeats such a sentence as it stands in the evidence, in whatever language. Where it did, it is asked to
turn that one sentence round, after examples of nothing else.
"""

from collections.abc import Sequence

from assistant import prompting
from assistant.answering.checker import has_values_of
from assistant.citations import citations
from assistant.errors import ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.types import Evidence
from memory.folding import fold, terms
from memory.types import THE_USER

_TOKENS = 120
_LONGEST = 400  # characters
_LEAST = 1 / 3  # of its words that stay


def addressed(model: LanguageModel, text: str, evidence: Sequence[Evidence]) -> str:
    """A sentence of an answer, turned to the user where it only repeats what they said; as it was, where the model does
    not turn it, or loses a name, a number or most words over it.

    Raises:
        Interrupted: as `LanguageModel.complete`.
    """
    said = text[: next((citation.start for citation in citations(text)), len(text))].strip()
    if len(said) > _LONGEST or not _is_repeated(said, evidence):
        return text
    messages = prompting.load("address").render(said=said)
    reply = model.stream(messages, purpose="address", max_tokens=_TOKENS, stop=("\n",))
    try:
        turned = "".join(reply).strip()
    except ModelUnavailable:
        return text
    words = set(terms(said))
    stays = len(words & set(terms(turned))) >= _LEAST * len(words) and has_values_of(turned, said)
    return text.replace(said, turned, 1) if stays and not reply.is_cut else text


def _is_repeated(said: str, evidence: Sequence[Evidence]) -> bool:
    """Whether its words stand in what the user said, in their order, and it is no bare name."""
    words = fold(said).split()
    several = len(words) > 1 or len(terms(said)) > 1  # a script without spaces has a sentence in one
    return several and any(item.subject == THE_USER.name and _in_order(words, fold(item.text)) for item in evidence)


def _in_order(words: Sequence[str], text: str) -> bool:
    rest = iter(text.split())
    return all(word in rest for word in words)
