"""Triples as sentences: a template for each relation, written by the model only where there is none.

Templates say X for the subject and Y for the object. Those of common relations are in `relation_sentences.tsv`; a
relation that begins with a verb, and a Chinese one, needs none.
"""

import re
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from assistant import prompting
from assistant.language import language_of
from assistant.llm.client import LanguageModel
from assistant.search.evidence import objects, subjects
from assistant.types import Evidence
from memory.folding import fold, terms

_FILE = Path(__file__).with_name("relation_sentences.tsv")
_VERBS = {"is", "are", "was", "were", "has", "have", "had", "may", "might", "can", "does", "do", "belongs"}
_PLACE = re.compile(r"(?<![A-Za-z])[XY](?![A-Za-z])")
_LINE = re.compile(r"^\s*(\d+)[ .):]\s*(.+?)\s*$", re.MULTILINE)
_KEPT = 1_000
_TOKENS_A_SENTENCE = 30


class Sentences:
    """Words triples; remembers the templates that the model wrote. Safe to use from several threads."""

    def __init__(self) -> None:
        self._written: OrderedDict[str, str] = OrderedDict()  # "" where what it wrote cannot be used

    def worded(self, triples: Sequence[Evidence], model: LanguageModel) -> list[str]:
        """One sentence a triple, in their order; at most one call of the model. Raises as `LanguageModel.complete`."""
        unknown = {item.relation: item for item in triples if self._sentence(item) is None}
        if unknown:
            self._write(list(unknown.values()), model)
        return [self._sentence(item) or _plainest(item) for item in triples]

    def _sentence(self, item: Evidence) -> str | None:
        """None where the model was not asked yet. Only templates are searched for their places: a relation's own name
        may have an X or a Y, as chromosomes do."""
        subject, value = _ends(item)
        if template := _shipped().get(fold(item.relation)) or self._written.get(item.relation):
            return _filled(template, item)
        if item.relation in self._written:
            return _plainest(item)
        if language_of(item.relation) == "zh":  # a verb or a name, which a colon suits both
            return f"{subject}{item.relation}：{value}。"
        if item.relation.split(" ", 1)[0] in _VERBS:
            return f"{subject} {item.relation} {value}."
        return None

    def _write(self, examples: Sequence[Evidence], model: LanguageModel) -> None:
        lines = [f"{i} {e.relation} | X is {e.subject} | Y is {e.object}" for i, e in enumerate(examples, start=1)]
        messages = prompting.load("sentence").render(relations="\n".join(lines))
        reply = model.complete(messages, purpose="sentence", max_tokens=_TOKENS_A_SENTENCE * len(lines))
        sentences = {int(number): sentence for number, sentence in _LINE.findall(reply)}
        for number, example in enumerate(examples, start=1):
            sentence = sentences.get(number, "")
            self._written[example.relation] = sentence if _is_general(sentence, example) else ""
        while len(self._written) > _KEPT:
            self._written.popitem(last=False)


@cache
def _shipped() -> dict[str, str]:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    return {fold(relation): sentence for relation, sentence in (line.split("\t") for line in lines)}


def _is_general(sentence: str, example: Evidence) -> bool:
    """Whether a template has both places, and no word of what it was written for, which other triples do not say and
    other users are not to read."""
    own = {*terms(example.subject), *terms(example.object)} - {*terms(example.relation)}
    return sorted(_PLACE.findall(sentence)) == ["X", "Y"] and own.isdisjoint(terms(_PLACE.sub(" ", sentence)))


def _plainest(item: Evidence) -> str:
    subject, value = _ends(item)
    return f"The {item.relation} of {subject} is {value}."


def _filled(template: str, item: Evidence) -> str:
    ends = dict(zip("XY", _ends(item), strict=True))
    return _PLACE.sub(lambda place: ends[place[0]], template)


def _ends(item: Evidence) -> tuple[str, str]:
    """The subject and the object, as sentences list several."""
    return ", ".join(subjects(item)), ", ".join(objects(item))
