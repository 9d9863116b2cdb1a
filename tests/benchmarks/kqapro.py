"""Questions of the executable part of KQA Pro, answered by queries from retrieved examples (ICSU, Tables 1, 3 and 5).

`--methods` are measured side by side on each row: the paper's five retrievals (random, raw, anonymized, sparql,
hybrid), the product as it is (full), the additions past the paper one by one beside "anonymized" (filling, linking,
feedback, drafts, diverse, mixed), and KB-Binder's way (binder: the relations of a draft without the schema are bound
by BM25). A row is right where the query gives exactly the answer; `balanced_..._verify` weighs yes and no alike.

Methods that begin with `recall_` need no model: the share of the gold query's relations that are in the first 1 to 6
examples (Figure 3). "hybrid" then takes the query of the nearest example for the draft; "diverse" is "mixed" by
marginal relevance.
"""

import argparse
import contextlib
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from assistant.embedding import load_embedder
from assistant.errors import UserMistake
from assistant.knowledge_bases.base import KnowledgeBase
from assistant.knowledge_bases.relations import RelationRanker
from assistant.knowledge_bases.sparql.bank import QueryBank, read_bank
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.search.examples import Example, Form
from assistant.search.queries.attempt import Asking, Attempt
from assistant.search.queries.banks import Bank, QueryBanks
from assistant.search.queries.retrieval import Retrieval, retrieve
from assistant.search.queries.sparql import FULL, PAPER, Method, SparqlSearch
from assistant.search.vector_cache import VectorCache
from assistant.settings import Settings
from assistant.types import UsageCount
from tests.benchmarks import product
from tests.benchmarks.binding import BoundSearch
from tests.benchmarks.harness import CACHE, Measure, Metric
from tests.benchmarks.replies import KeptReplies
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import Scores

KNOWLEDGE_BASE = "kqapro"
METHODS: Mapping[str, Method] = {
    "random": replace(PAPER, retrieval="random"),
    "raw": replace(PAPER, retrieval="raw"),
    "anonymized": PAPER,
    "sparql": replace(PAPER, retrieval="sparql"),
    "hybrid": replace(PAPER, retrieval="hybrid"),
    "filling": replace(PAPER, filling=True),
    "linking": replace(PAPER, linking=True),
    "feedback": replace(PAPER, feedback=True),
    "drafts": replace(PAPER, drafts=3),
    "diverse": replace(PAPER, diversity=FULL.diversity),
    "mixed": replace(PAPER, retrieval="mixed"),
    "nearest_last": replace(PAPER, nearest_last=True),
    "binder": replace(PAPER, retrieval="raw"),
    "full": FULL,
}
_HELD_OUT = 500  # the last questions of train.jsonl
_KINDS = ("qualifier", "verify", "multihop")
_RECALLED: Mapping[str, tuple[Retrieval, float]] = {
    "recall_raw": ("raw", 0.0),
    "recall_anonymized": ("anonymized", 0.0),
    "recall_hybrid": ("hybrid", 0.0),
    "recall_mixed": ("mixed", 0.0),
    "recall_diverse": ("mixed", FULL.diversity),
}
MOST_EXAMPLES = 6
_RELATION = re.compile(r"<p:[^>]*>")
_YES = 2.0  # added to the score of a question whose answer is yes


def balanced(scores: Scores) -> Scores:
    """The mean of the accuracies on yes and on no, along the last axis; of one of them where the other is missing."""
    yes = scores >= _YES
    right = np.where(yes, scores - _YES, scores)
    with np.errstate(invalid="ignore"):
        sides = [(right * side).sum(axis=-1) / side.sum(axis=-1) for side in (yes, ~yes)]
    means: Scores = np.nanmean(sides, axis=0)
    return means


class KqaPro:
    """`kqapro [--methods M,...] [--k N] [--bank-size N]`"""

    name: ClassVar[str] = "kqapro"
    metrics: ClassVar[dict[str, Metric]] = {
        f"accuracy_{name}{suffix}": Metric(f"{name}{suffix}")
        for name in METHODS
        for suffix in ("", *(f"_{kind}" for kind in _KINDS))
    }
    metrics |= {f"balanced_{name}_verify": Metric(f"{name}_balanced", balanced) for name in METHODS}
    metrics |= {f"{unit}_{name}": Metric(f"{name}_{unit}") for name in METHODS for unit in ("seconds", "tokens")}
    metrics |= {f"{name}_{k}": Metric(f"{name}_{k}") for name in _RECALLED for k in range(1, MOST_EXAMPLES + 1)}

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        names = [*METHODS, *_RECALLED]
        parser.add_argument("--methods", default="full", help=f"comma-separated, of {', '.join(names)}")
        parser.add_argument("--k", type=int, help=f"examples in a prompt (default: {PAPER.k}, or {FULL.k} for full)")
        parser.add_argument("--bank-size", type=int, help="only the first so many examples of the bank")
        parser.add_argument(
            "--tuning", action="store_true", help=f"ask the last {_HELD_OUT} questions of the bank, taken out of it"
        )

    def __init__(self, options: argparse.Namespace) -> None:
        self._folder: Path = options.data
        self._methods: list[str] = options.methods.split(",")
        self._k: int | None = options.k
        self._bank_size: int | None = options.bank_size
        self._tuning: bool = options.tuning
        if unknown := set(self._methods) - {*METHODS, *_RECALLED}:
            raise UserMistake(
                f"There is no method {', '.join(sorted(unknown))}; there are: {', '.join([*METHODS, *_RECALLED])}."
            )

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._folder / name for name in ("kb.nt.gz", "train.jsonl", "val.jsonl")]

    def rows(self) -> list[Row]:
        """One row a question; its kind is the data set's. Two questions of the file have the number of another."""
        name, first = ("train.jsonl", -_HELD_OUT) if self._tuning else ("val.jsonl", 0)
        lines = (self._folder / name).read_text(encoding="utf-8").splitlines()[first:]
        seen: Counter[str] = Counter()
        rows = []
        for line in map(json.loads, lines):
            number = str(line["id"])
            seen[number] += 1
            again = f"-{seen[number]}" if seen[number] > 1 else ""
            rows.append(Row(f"{number}{again}", line["kind"], line))
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        model = product.model_name() if self._needs_model else "none"
        embeddings = Settings.from_environment().embeddings or "embedded"
        return {
            "model": model,
            "embeddings": Path(embeddings).name,
            "methods": self._methods,
            "k": self._k or "each method's own",
            "bank": self._bank_size or "all",
            "questions": "held out of the bank" if self._tuning else "val.jsonl",
        }

    @property
    def _needs_model(self) -> bool:
        return any(name in METHODS for name in self._methods)

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Queries alone, on the same strategy as a turn."""
        settings = Settings.from_environment()
        embedder = load_embedder(settings.embeddings, settings.cache)
        banks = QueryBanks(embedder, lambda _: VectorCache(settings.cache, embedder))
        ranker = RelationRanker(load_embedder("", settings.cache))  # whose cosines the linking's bounds are for
        with product.assistant(None if self._needs_model else ScriptedTransport([])) as assistant:
            assistant.knowledge_bases.add(KNOWLEDGE_BASE, self._folder / "kb.nt.gz", bank=self._bank())
            (kb,) = assistant.knowledge_bases.choose("benchmark", "en", [KNOWLEDGE_BASE])
            bank = banks.of(kb)
            assert bank is not None
            for form in self._forms():  # so that no question waits for the vectors of the bank
                bank.examples.prepare(form).join()
            replies = KeptReplies(assistant.model.transport, CACHE / f"replies-{product.model_name()}.jsonl")
            yield partial(self._measure, replies, _Asked(kb, bank, banks, ranker))

    def _forms(self) -> Sequence[Form]:
        by_code = {"sparql", "hybrid", "recall_hybrid"} & set(self._methods)
        return ("anonymized", "question", "code") if by_code else ("anonymized", "question")

    def _bank(self) -> QueryBank:
        bank = read_bank(self._folder / "train.jsonl")
        asked = {row.data["sparql"] for row in self.rows()}  # some queries have two questions
        pairs = [pair for pair in bank.pairs if pair.sparql not in asked]
        return replace(bank, pairs=tuple(pairs[: self._bank_size]))

    def _measure(self, replies: KeptReplies, asked: "_Asked", row: Row) -> Outcome:
        question, gold, scores = row.data["question"], row.data["answer"], dict[str, float]()
        texts: dict[str, object] = {"question": question, "gold": gold, "sparql": row.data["sparql"]}
        turn = replace(product.turn(question, "benchmark"), question=question)
        usage = UsageCount()
        with LanguageModel(replies).for_turn(lambda: False) as model:
            for name in self._methods:
                if name in _RECALLED:
                    scores |= _recalls(name, asked.bank, question, row.data["sparql"])
                    continue
                made = BoundSearch if name == "binder" else SparqlSearch
                method = replace(METHODS[name], k=self._k or METHODS[name].k)
                search = made(model, asked.banks, asked.ranker, _none_approved, method=method)
                asking = Asking(question, asked.kb, asked.bank, threading.Event())
                start, account = time.monotonic(), replies.account()
                attempt, examples = search.query(asking, turn.user, asked.kb, lambda _: None)
                scores[f"{name}_seconds"] = time.monotonic() - start + account.seconds_saved
                scores[f"{name}_tokens"] = account.usage.prompt_tokens + account.usage.completion_tokens
                answer = _answer(attempt)
                scores |= judge(name, row.kind, gold, answer)
                shown = [[example.question, example.code] for example in examples]
                texts[name] = {
                    "drafts": account.texts,
                    "query": attempt.query,
                    "answer": answer,
                    "error": attempt.error,
                    "examples": shown,
                }
            usage = model.usage.total
        return Outcome(scores, usage, texts)


@dataclass(frozen=True)
class _Asked:
    """The knowledge base under test, and what a strategy needs to ask it."""

    kb: KnowledgeBase
    bank: Bank
    banks: QueryBanks
    ranker: RelationRanker


def judge(method: str, kind: str, gold: str, answer: list[str]) -> dict[str, float]:
    """The scores of one question by one method."""
    right = float(answer == [gold])
    scores = {method: right, f"{method}_{kind}": right}
    if kind == "verify":
        scores[f"{method}_balanced"] = right + (_YES if gold == "yes" else 0.0)
    return scores


def recall(gold: str, codes: list[str]) -> float:
    """The share of the gold query's relations that are in the examples' queries (section 3.5)."""
    wanted = set(_RELATION.findall(gold))
    return len(wanted & set(_RELATION.findall(" ".join(codes)))) / len(wanted) if wanted else 1.0


def _recalls(name: str, bank: Bank, question: str, gold: str) -> dict[str, float]:
    retrieval, diversity = _RECALLED[name]
    scores = {}
    for k in range(1, MOST_EXAMPLES + 1):
        examples = retrieve(bank.examples, question, retrieval, k, _nearest_code, diversity=diversity)
        scores[f"{name}_{k}"] = recall(gold, [example.code for example in examples])
    return scores


def _none_approved(user: str, kb: str) -> Sequence[Example]:
    return ()


def _nearest_code(found: Sequence[Example]) -> str:
    return found[0].code


def _answer(attempt: Attempt) -> list[str]:
    if attempt.result.boolean is not None:
        return ["yes" if attempt.result.boolean else "no"]
    return sorted({term.value for row in attempt.result.rows for term in row[:1] if term is not None})
