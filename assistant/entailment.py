"""Whether evidence gives the answer that a reply takes from it: asked of the model, which replies with one token.

Words tell that "1994" stands in the evidence; they do not tell that it is the year in which she retired.
"""

from collections.abc import Sequence

from assistant import prompting, support
from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel
from assistant.search.formats import line
from assistant.types import Evidence

_CHARACTERS = 500  # of evidence; each hundred costs a small model a quarter of a second
_ENTAILED = 0.88
_MOST = 3


def entailed(model: LanguageModel, question: str, said: str, evidence: Sequence[Evidence]) -> bool:
    """Whether what is `said` in reply to the question follows from what it cites, or else from the first ones.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.weigh`.
    """
    cited = set(support.cited(said))
    items = [item for item in evidence if not cited or item.id in cited][:_MOST]
    text = "\n".join(_excerpt(line(item), said, question, _CHARACTERS // len(items)) for item in items)
    answer = support.CITATION.sub("", said).strip()
    messages = prompting.load("entailment").render(text=text, question=question, answer=answer)
    try:
        yes, _ = model.weigh(messages, ["yes", "no"], purpose="entailment")
    except ModelReplyUnreadable:
        return True
    return yes >= _ENTAILED


def _excerpt(text: str, said: str, question: str, characters: int) -> str:
    """The sentence of the text that bears most of what is said, and of those around it what there is room for."""
    sentences = support.sentences(text)
    claimed = support.claims(said, question)
    best = max(range(len(sentences)), key=lambda index: len(claimed & support.claims(sentences[index], "")))
    kept = [best]
    for index in (best - 1, best + 1, best - 2, best + 2):
        taken = sum(len(sentences[other]) for other in kept)
        if 0 <= index < len(sentences) and taken + len(sentences[index]) <= characters:
            kept.append(index)
    return " ".join("".join(sentences[index] for index in sorted(kept)).split())[:characters]
