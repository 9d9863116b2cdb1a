"""Whether answers say what their sources say, and nothing where these say nothing.

30 questions of our own (21 English, 9 Chinese) about an uploaded document or a file of triples, each asked twice: with
the sentence or triple that answers it, and without. `citation_support`: of the sentences that cite, those whose names,
figures and other long words, in Chinese all pieces but particles, stand in what they cite or in the question, a figure
also in words; "You" and "should" claim nothing.
`declined_unanswerable`: of the questions asked without, those declined. `wrongly_declined`: of those asked with, the
same; `answered` are those answered rightly.
"""

import argparse
import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from assistant.answering.units import sentences
from assistant.citations import cited, without_citations
from assistant.orchestrator import Assistant
from assistant.search.quantities import in_digits
from assistant.types import Answered
from memory.folding import STOP_WORDS
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.judging import fold, holds, ungrouped
from tests.benchmarks.rows import Outcome, Row

_SCORES = ("citation_support", "declined_unanswerable", "wrongly_declined", "answered")
_USER = "reader"
# What a sentence claims: figures, names, long words, runs of two Chinese characters or more.
_CLAIM = re.compile(r"\d+|[A-Z][^\W\d_]+|[^\W\d_\u3400-\u9fff]{6,}|[\u3400-\u9fff]{2,}")
_JOINING = re.compile(r"^\W*yes\b|\bbecause\b|因为|由于|所以|原因", re.IGNORECASE)  # these claim nothing
_FIGURE = re.compile(r"\d+")
_STEM = 5
_HAN = re.compile(r"[\u3400-\u9fff]+")
_PARTICLES = frozenset("的了是在有和与为也于被把着过就都不要会能将这那")


class Truthfulness:
    """`truthfulness`: 60 questions, half of which cannot be answered."""

    name: ClassVar[str] = "truthfulness"
    metrics: ClassVar[dict[str, Metric]] = {
        score + kind: Metric(score + kind) for score in _SCORES for kind in ("", "_document", "_triples")
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """It has no options of its own."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / "truthfulness.jsonl"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """Two rows a question."""
        rows = []
        for line in map(json.loads, self._file.read_text(encoding="utf-8").splitlines()):
            kind = "triples" if "triples" in line else "document"
            rows += [
                Row(f"{line['id']}-{'with' if with_fact else 'without'}", kind, {**line, "with": with_fact})
                for with_fact in (True, False)
            ]
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """One assistant; what a row needs to know is taken away again after it."""
        with product.assistant() as assistant:
            yield lambda row: _measured(assistant, row)


def _measured(assistant: Assistant, row: Row) -> Outcome:
    asked = product.turn(row.data["question"], _USER)
    if row.kind == "document":
        text = row.data["text"].format(row.data["fact"] if row.data["with"] else "")
        source = assistant.ingestion.add(_USER, row.data["name"], text.encode())
        assistant.ingestion.start()
        assistant.ingestion.wait(_USER, source.id)
        reply = product.answered(assistant, asked)
        assistant.memory.of(_USER).forget(source=source.id)
    else:
        name = row.id
        with product.scratch("triples.tsv", triples_of(row)) as path:
            assistant.knowledge_bases.add(name, path, languages=[row.data["language"]])
        reply = product.answered(assistant, replace(asked, knowledge_bases=(name, "world")))
        assistant.knowledge_bases.remove(name)
    return Outcome(judge(row, reply), reply.usage, _texts(row, reply))


def triples_of(row: Row) -> str:
    """The lines of the row's file."""
    triples = [*row.data["triples"], *([row.data["fact"]] if row.data["with"] else [])]
    return "".join("\t".join(triple) + "\n" for triple in triples)


def judge(row: Row, reply: Answered) -> dict[str, float]:
    """The scores of one question."""
    scores: dict[str, float] = {}
    if row.data["with"]:
        scores["wrongly_declined"] = float(reply.declined)
        scores["answered"] = float(not reply.declined and holds(reply.answer, row.data["answers"]))
    else:
        scores["declined_unanswerable"] = float(reply.declined)
    citing = [sentence for sentence in sentences(reply.answer) if cited(sentence)]
    if citing:
        scores["citation_support"] = sum(_supported(s, row.data["question"], reply) for s in citing) / len(citing)
    return {**scores, **{f"{name}_{row.kind}": score for name, score in scores.items()}}


def _supported(sentence: str, question: str, reply: Answered) -> bool:
    numbers = cited(sentence)
    held = " ".join(
        f"{e.subject} {e.relation} {e.object} {e.text} {e.source}" for e in reply.evidence if e.id in numbers
    )
    known = fold(f"{held} {question}")
    figures = set(_FIGURE.findall(f"{known} {in_digits(known)}"))
    claims = _CLAIM.findall(_JOINING.sub(" ", without_citations(ungrouped(sentence), " ")))
    return all(_stands(claim, known, figures) for claim in claims)


def _stands(claim: str, known: str, figures: set[str]) -> bool:
    if _HAN.fullmatch(claim):
        return _pieced(claim, known)
    word = fold(claim)
    return word in figures if word.isdigit() else word in STOP_WORDS or word[:_STEM] in known


def _pieced(run: str, known: str) -> bool:
    """Whether Chinese characters can be laid from left to right with pieces of what is known and particles.

    A piece has two characters at least, and is as long as it can be: 押金要交六千四百元 is 押金要交 and 六千四百元.
    """
    while run:
        length = max((n for n in range(2, len(run) + 1) if run[:n] in known), default=0)
        if not length and run[0] not in _PARTICLES:
            return False
        run = run[max(1, length) :]
    return True


def _texts(row: Row, reply: Answered) -> dict[str, object]:
    return {
        "question": row.data["question"],
        "with": row.data["with"],
        "answer": reply.answer,
        "program": reply.program,
        "evidence": [f"{e.subject} | {e.relation} | {e.object} | {e.text}" for e in reply.evidence],
    }
