"""How much of a document extraction keeps (KnowledGPT, Table 5), how truly, and what it costs.

100 of the paragraphs that `hotpotqa` answers questions from, each a document of its own. `recall_*` is the share of its
words (without stop words, as lemmas) that stand in what memory keeps of it: in triples; in triples and descriptions; in
these and aspects. Passages do not count; an aspect has a name and at most two sentences. `words_stored_per_word` counts
an entity's names once, as memory keeps them, and relation and text of every record.

`supported`: of the records, those whose span says them as far as strings tell: all words of the object stand in it, and
the subject is named there, wholly or by a word of its name, by a pronoun, or by what it is said to be ("the film").
`aspects_in_form`: of the aspects, those that are named and short enough.

`fresh_tokens_per_token`: prompt tokens that were not cached, and generated ones, for each token of the document.
`busy` is the share of its reading that the model was at work, `seconds_a_paragraph` how long that took, both only of
paragraphs that were read in this run.
"""

import argparse
import contextlib
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from assistant.llm.client import Request, Transport
from assistant.orchestrator import Assistant
from assistant.types import Message, UsageCount
from memory.folding import fold
from memory.passages import sentences
from memory.types import Fact, FactKind, KnownEntity
from tests.benchmarks import hotpotqa, product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.paragraphs import Paragraph
from tests.benchmarks.reading import kept_replies, read_all
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.words import STOP_WORDS, all_words, content_words

_FORMS = {
    "recall_triples": {FactKind.TRIPLE},
    "recall_triples_descriptions": {FactKind.TRIPLE, FactKind.DESCRIPTION},
    "recall_all": set(FactKind),
}
_SCORES = (
    *_FORMS,
    "supported",
    "aspects_in_form",
    "words_stored_per_word",
    "records",
    "fresh_tokens_per_token",
    "busy",
    "seconds_a_paragraph",
)
_ALL = 10_000
_IS = frozenset({"is", "was", "are", "were"})  # what the relation is called that says what somebody is
_LONGEST_ASPECT = 2  # sentences
_PRONOUN = re.compile(r"\b(?:he|she|it|they|his|her|hers|its|their|theirs|him|them|this|these)\b", re.IGNORECASE)
_DEFINITE = re.compile(r"\b(?:the|this|its) (\w+(?: \w+)?)", re.IGNORECASE)


class Coverage:
    """`coverage --data DIR`: DIR is that of HotpotQA."""

    name: ClassVar[str] = "coverage"
    metrics: ClassVar[dict[str, Metric]] = {name: Metric(name) for name in _SCORES}

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """It has no options of its own."""
        parser.set_defaults(limit=100)

    def __init__(self, options: argparse.Namespace) -> None:
        self._seed: int = options.seed
        self._questions: Path = options.data / "questions.jsonl"
        self._corpus: Path = options.data / "corpus.jsonl.gz"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._questions, self._corpus, STOP_WORDS]

    def rows(self) -> list[Row]:
        """One row a paragraph, by its place in the corpus."""
        corpus = hotpotqa.paragraphs(self._corpus)
        wanted = {
            title for row in hotpotqa.answered(self._questions, self._seed) for title in row.data["context_titles"]
        }
        return [
            Row(f"p{place:04}", "paragraph", {"paragraph": paragraph})
            for place, paragraph in enumerate(corpus)
            if paragraph.title in wanted
        ]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """The whole way of a document, each with a memory of its own."""
        replies = kept_replies()
        with product.assistant(replies) as assistant:
            nothing = _tokens(replies, "")

            def measure(row: Row) -> Outcome:
                paragraph: Paragraph = row.data["paragraph"]
                account = replies.account()
                began = time.monotonic()
                read_all(assistant, row.id, [paragraph])
                seconds = time.monotonic() - began
                scores = {}
                if account.all_new:
                    scores = {"busy": account.seconds_asking / seconds, "seconds_a_paragraph": seconds}
                cost = account.usage
                tokens = _tokens(replies, paragraph.document) - nothing
                return _outcome(assistant, row, {**scores, "fresh_tokens_per_token": cost.fresh / tokens}, cost)

            yield measure


def _outcome(assistant: Assistant, row: Row, cost: dict[str, float], usage: UsageCount) -> Outcome:
    memory = assistant.memory.of(row.id)
    facts, entities = memory.facts(limit=_ALL), memory.entities(limit=_ALL)
    texts = {
        "text": row.data["paragraph"].text,
        "records": [f"{fact.kind} | {fact.subject} | {fact.relation} | {fact.object} | {fact.text}" for fact in facts],
    }
    return Outcome({**scores(row.data["paragraph"], facts, entities), **cost}, usage, texts)


def scores(paragraph: Paragraph, facts: Sequence[Fact], entities: Sequence[KnownEntity]) -> dict[str, float]:
    """What the records of a paragraph come to; shares of records only where there are any."""
    wanted = content_words(paragraph.text)
    found = {name: _words(fact for fact in facts if fact.kind in kinds) for name, kinds in _FORMS.items()}
    names = [name for entity in entities for name in (entity.name, *entity.aliases)]
    stored = [*names, *(_kept(fact) for fact in facts)]
    result = {name: len(words & wanted) / len(wanted) for name, words in found.items()}
    result["words_stored_per_word"] = len(all_words(" ".join(stored))) / len(all_words(paragraph.document))
    result["records"] = len(facts)
    if facts:
        known = {entity.id: (entity.name, *entity.aliases) for entity in entities}
        kinds = _kinds(facts)
        result["supported"] = sum(
            supported(fact, known.get(fact.subject_id, ()), kinds.get(fact.subject_id, set())) for fact in facts
        ) / len(facts)
    if aspects := [fact for fact in facts if fact.kind is FactKind.ASPECT]:
        result["aspects_in_form"] = sum(map(_in_form, aspects)) / len(aspects)
    return result


def supported(fact: Fact, names: Sequence[str], kinds: set[str]) -> bool:
    """Whether the span of a record says it, as far as strings tell; `kinds` are words for what its subject is."""
    said = content_words(fact.text)
    named = any(content_words(name) & said for name in (fact.subject, *names)) or bool(_PRONOUN.search(fact.text))
    called = any(content_words(found[1]) & kinds for found in _DEFINITE.finditer(fact.text))
    return (named or called) and content_words(fact.object) <= said


def _kinds(facts: Sequence[Fact]) -> dict[str, set[str]]:
    """By the id of a subject, the words that say what it is."""
    kinds: dict[str, set[str]] = {}
    for fact in facts:
        if fact.kind is FactKind.DESCRIPTION or fold(fact.relation) in _IS:
            kinds.setdefault(fact.subject_id, set()).update(content_words(fact.object))
    return kinds


def _words(facts: Iterator[Fact]) -> set[str]:
    return {word for fact in facts for word in content_words(f"{fact.subject} {_kept(fact)}")}


def _kept(fact: Fact) -> str:
    return fact.object if fact.kind is FactKind.DESCRIPTION else f"{fact.relation} {fact.object}"


def _in_form(aspect: Fact) -> bool:
    return (
        bool(aspect.relation.strip()) and len(list(sentences(aspect.object, 0, len(aspect.object)))) <= _LONGEST_ASPECT
    )


def _tokens(transport: Transport, text: str) -> int:
    """How many tokens the model reads for a message of `text`, its frame included."""
    request = Request((Message("user", text),), "count", max_tokens=1)
    return sum(chunk.usage.prompt_tokens for chunk in transport.send(request, lambda: False) if chunk.usage)
