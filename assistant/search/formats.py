"""Formats: how evidence is put into words for the prompt (KnowGPT, section 3.2).

Triples F_t, sentences F_s and graph description F_g. Evidence that is text is given as it stands in each of them.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

from assistant import prompting
from assistant.errors import NothingThere
from assistant.llm.client import LanguageModel
from assistant.search.sentences import Sentences
from assistant.types import Evidence
from memory.types import THE_USER

Format = Callable[[Sequence[Evidence]], str]

FORMATS = ("triples", "sentences", "description")
_KEPT = 256
_DESCRIPTION_TOKENS = 300


class Formats:
    """The formats by name; keeps what the model wrote for them while the process lasts, and never on disk."""

    def __init__(self) -> None:
        self._sentences = Sentences()
        self._descriptions: OrderedDict[str, str] = OrderedDict()

    def of(self, name: str, model: LanguageModel) -> Format:
        """One of `FORMATS`, with the model that it may call; what it returns raises as `LanguageModel.complete`."""
        match name:
            case "triples":
                return triples
            case "sentences":
                return lambda evidence: self._in_sentences(evidence, model)
            case "description":
                return lambda evidence: self._described(evidence, model)
            case _:
                raise NothingThere(f"There is no format {name!r}; there are: {', '.join(FORMATS)}.")

    def _in_sentences(self, evidence: Sequence[Evidence], model: LanguageModel) -> str:
        stated = [item for item in evidence if is_triple(item)]
        sentences = dict(zip([item.id for item in stated], self._sentences.worded(stated, model), strict=True))
        return "\n".join(
            f"[{item.id}] {_for_the_model(sentences[item.id], item) if item.id in sentences else line(item)}"
            for item in evidence
        )

    def _described(self, evidence: Sequence[Evidence], model: LanguageModel) -> str:
        facts = "\n".join(line(item) for item in evidence if is_triple(item))
        texts = triples([item for item in evidence if not is_triple(item)])
        return "\n".join(part for part in (facts and self._description(facts, model), texts) if part)

    def _description(self, facts: str, model: LanguageModel) -> str:
        if facts not in self._descriptions:
            messages = prompting.load("describe").render(facts=facts)
            written = model.complete(messages, purpose="describe", max_tokens=_DESCRIPTION_TOKENS)
            self._descriptions[facts] = " ".join(written.split())
            while len(self._descriptions) > _KEPT:
                self._descriptions.popitem(last=False)
        return self._descriptions[facts]


def triples(evidence: Sequence[Evidence]) -> str:
    """One numbered line each: `[1] Peru | capital | Lima`, or `[2] notes.md: the passage`."""
    return "\n".join(f"[{item.id}] {line(item)}" for item in evidence)


def line(item: Evidence) -> str:
    """One piece of evidence on one line, without its number."""
    if is_triple(item):
        return _for_the_model(f"{item.subject} | {item.relation} | {item.object}", item)
    text = " ".join(item.text.split())
    if item.subject == THE_USER.name:
        return f"{item.subject}: “{text}”"
    return f"{_place(item)}: {text}" if text else f"{item.subject} | {item.relation}"


def told(item: Evidence) -> str:
    """One piece of evidence as people read it, without its number: `Peru – capital: Lima (since 1535)`, or its text."""
    if is_triple(item):
        return _with_text(f"{item.subject} – {item.relation}: {item.object}", item)
    return " ".join(item.text.split()) or f"{item.subject} – {item.relation}"


def _place(item: Evidence) -> str:
    """Where a passage stands, as a model is told: `lease.md, Mill Street 22 > Notice, page 3`."""
    return ", ".join(filter(None, (item.subject, item.heading, f"page {item.page}" if item.page else "")))


def is_triple(item: Evidence) -> bool:
    """Whether it says something of its own; a passage is its own object, and a description has none."""
    return bool(item.object) and item.object != item.text


def _with_text(said: str, item: Evidence) -> str:
    text = " ".join(item.text.split())
    return f"{said} ({text})" if text else said


def _for_the_model(said: str, item: Evidence) -> str:
    """As `_with_text`; what the user said of themselves is quoted, for a small model takes their "I" for its own."""
    text = " ".join(item.text.split())
    if text and THE_USER.name in (item.subject, item.object):
        return f"{said} (the user: “{text}”)"
    return _with_text(said, item)
