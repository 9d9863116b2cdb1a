"""What recall costs, and what it finds, as memory grows; no language model is called.

Facts about invented people are told note by note, as from a chat. Their vectors are those of real sentences, from the
paragraphs in DIR, each perturbed: invented sentences of one mould would lie on top of each other, and random vectors
nowhere near each other. So embedding costs nothing here, and none of the times has it in it.

`recall` is one look, `recall_further` what a turn does, which looks again from what that found.
`found_of_exact_top10` is the share of the ten nearest vectors that the index finds; `add_cpu_ms` is by record (fact,
entity or passage). With `users`, each of so many has 1,000 facts: the first was told them, the others took over its
export. What was filled is kept, so that filling can be done before (`--part filling`), beside other work,
and `--part recall` with nothing else at work.
"""

import argparse
import contextlib
import gzip
import hashlib
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from memory.passages import sentences
from memory.store import Memory
from memory.types import Vectors
from tests.benchmarks import people
from tests.benchmarks.filled import FACTS_A_PERSON, kept_home
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.paragraphs import KeptEmbedder
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import mean, median, percentile_95

_QUESTIONS = 200  # of each size
_FACTS_A_USER = 1000
_NOISE = 0.5  # length of the perturbation; a vector and its original then have a cosine of 0.89
_NAMES = {1_000: "1k", 10_000: "10k", 100_000: "100k", 1_000_000: "1m"}
_USERS = "users"
_FILLING, _RECALL = "filling", "recall"
_COSTS, _VECTORS = "filling.json", "vectors.npy"  # files that lie in the home


class MemoryScale:
    """`memory-scale [--facts N ...] [--users N] [--sentences N] [--part filling|recall ...]`."""

    name: ClassVar[str] = "memory-scale"
    metrics: ClassVar[dict[str, Metric]] = {
        f"{score}_{size}": Metric(f"{column}_{size}", statistic)
        for size in (*_NAMES.values(), _USERS)
        for score, column, statistic in (
            ("recall_ms_p50", "recall_ms", median),
            ("recall_ms_p95", "recall_ms", percentile_95),
            ("recall_cpu_ms", "recall_cpu_ms", median),
            ("recall_further_ms_p50", "recall_further_ms", median),
            ("recall_further_ms_p95", "recall_further_ms", percentile_95),
            ("recall_further_cpu_ms", "recall_further_cpu_ms", median),
            ("found_of_exact_top10", "found", mean),
            ("add_cpu_ms", "add_cpu_ms", median),
            ("added_facts_a_second", "added_facts_a_second", median),
            ("bytes_a_fact", "bytes_a_fact", median),
            ("start_seconds", "start_seconds", median),
        )
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--facts", type=int, nargs="*", choices=list(_NAMES), default=[1_000, 10_000, 100_000])
        parser.add_argument("--users", type=int, default=0, help="so many users of 1,000 facts each (default: none)")
        parser.add_argument("--sentences", type=int, default=20_000, help="real sentences (default: 20,000)")
        parts = [_FILLING, _RECALL]
        parser.add_argument("--part", nargs="+", choices=parts, default=parts, help="default: both")

    def __init__(self, options: argparse.Namespace) -> None:
        self._corpus: Path = options.data / "corpus.jsonl.gz"
        self._sizes: list[int] = options.facts
        self._users: int = options.users
        self._sentences: int = options.sentences
        self._parts: list[str] = options.part

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._corpus]

    def rows(self) -> list[Row]:
        """For each size its filling; and a start, which is number 0, and 200 questions."""
        filled = [(_NAMES[facts], 1, facts) for facts in self._sizes]
        filled += [(_USERS, self._users, _FACTS_A_USER)] if self._users else []
        rows = []
        for size, users, facts in filled:
            told = {"users": users, "facts": facts}
            rows.append(Row(f"{size}-{_FILLING}", size, {**told, "part": _FILLING}))
            rows += [Row(f"{size}-{n:03}", size, {**told, "part": _RECALL, "number": n}) for n in range(_QUESTIONS + 1)]
            # Behind the others, so that these find what a question finds that comes alone.
            further = {**told, "part": _RECALL, "further": True}
            rows += [Row(f"{size}-further-{n:03}", size, {**further, "number": n}) for n in range(1, _QUESTIONS + 1)]
        return [row for row in rows if row.data["part"] in self._parts]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"users": self._users, "sentences": self._sentences, "noise": _NOISE}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """One size after the other; each is filled when its first row is measured."""
        real = KeptEmbedder().passage(_sentences(self._corpus, self._sentences))
        with contextlib.ExitStack() as stack:
            filled: _Filled | None = None

            def measure(row: Row) -> Outcome:
                nonlocal filled
                if filled is None or filled.size != row.kind:
                    stack.close()
                    filled = _Filled(row.kind, row.data["users"], row.data["facts"], real)
                    stack.callback(filled.close)
                if row.data["part"] == _FILLING:
                    scores = filled.costs
                else:
                    ask = filled.asked_further if "further" in row.data else filled.asked
                    scores = ask(row.data["number"])
                return Outcome({f"{name}_{row.kind}": score for name, score in scores.items()})

            yield measure


class _Perturbed:
    """An embedder whose vectors are those of real sentences, each perturbed by what the text is."""

    name = "perturbed"

    def __init__(self, real: Vectors) -> None:
        self._real = real
        self.size = int(real.shape[1])
        self.made: list[Vectors] = []

    def query(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return np.stack([self._vector(text) for text in texts])

    def passage(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        self.made.append(self.query(texts))
        return self.made[-1]

    def _vector(self, text: str) -> Vectors:
        draw = np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))
        noise = draw.normal(size=self.size).astype(np.float32)
        vector = self._real[draw.integers(len(self._real))] + _NOISE / np.linalg.norm(noise) * noise
        return vector / np.linalg.norm(vector)  # type: ignore[no-any-return]


class _Filled:
    """Memories of one size, and what a question costs there; `costs` has what filling them did."""

    def __init__(self, size: str, users: int, facts: int, real: Vectors) -> None:
        self.size = size
        self._facts = facts
        self._names = [f"user {n}" for n in range(users)]
        self._real = real
        self._home = kept_home(f"memory-{size}", f"{users} {facts} {len(real)} {_NOISE}", self._fill)
        self.costs: dict[str, float] = json.loads((self._home / _COSTS).read_text(encoding="utf-8"))
        vectors = self._home / _VECTORS
        self._vectors: Vectors | None = np.load(vectors) if vectors.exists() else None
        self._embedder = _Perturbed(real)
        start = time.perf_counter()
        self._memory = Memory(self._home, self._embedder)
        self._ask(self._names[0], "Who is there?")
        self._start_seconds = time.perf_counter() - start

    def asked(self, number: int) -> dict[str, float]:
        """What a question costs, and for a single user how much is found; of number 0, what the start cost."""
        if not number:
            return {"start_seconds": self._start_seconds}
        name, question = self._question(number)
        clock, cpu = time.perf_counter(), time.process_time()
        self._ask(name, question)
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        scores = {"recall_ms": clock * 1000, "recall_cpu_ms": cpu * 1000}
        if self._vectors is not None:
            scores["found"] = self._found(name, question, self._vectors)
        return scores

    def asked_further(self, number: int) -> dict[str, float]:
        """What a question costs that is asked again with what was found."""
        name, question = self._question(number)
        clock, cpu = time.perf_counter(), time.process_time()
        self._memory.of(name).recall_further(question)
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        return {"recall_further_ms": clock * 1000, "recall_further_cpu_ms": cpu * 1000}

    def close(self) -> None:
        """Let go of the folder."""
        self._memory.close()

    def _fill(self, home: Path) -> None:
        embedder = _Perturbed(self._real)
        memory = Memory(home, embedder)
        clock, cpu = time.perf_counter(), time.process_time()
        first, *others = self._names
        for told, (text, extraction) in enumerate(people.notes(self._facts // FACTS_A_PERSON), 1):
            memory.of(first).note(text, extraction)
            print(f"\r{self.size}: note {told}", end="", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            exported = Path(folder) / "first.jsonld"
            if others:
                memory.of(first).export(exported)
            for done, name in enumerate(others, 2):
                memory.of(name).import_(exported)
                print(f"\r{self.size}: user {done}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        memory.close()
        facts, records = len(self._names) * self._facts, sum(len(vectors) for vectors in embedder.made)
        costs = {
            "added_facts_a_second": facts / clock,
            "add_cpu_ms": cpu * 1000 / records,
            "bytes_a_fact": sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) / facts,
        }
        (home / _COSTS).write_text(json.dumps(costs), encoding="utf-8")
        if len(self._names) == 1:
            np.save(home / _VECTORS, np.concatenate(embedder.made))

    def _found(self, name: str, question: str, vectors: Vectors) -> float:
        # Not by a matrix product, whose threads would go on spinning into the next question.
        similarities = np.einsum("ij,j->i", vectors, self._embedder.query([question])[0])
        least = np.partition(similarities, -10)[-10] - 1e-5
        user = self._memory.of(name)
        near = user._indexer.nearest(user._id, question, 100)[:10]
        return sum(similarity >= least for _, similarity in near) / 10

    def _question(self, number: int) -> tuple[str, str]:
        draw = random.Random(number)
        name, who = draw.choice(self._names), people.person(draw.randrange(self._facts // FACTS_A_PERSON))
        return name, f"Where does {who.name} live, and since when?"

    def _ask(self, name: str, question: str) -> None:
        self._memory.of(name).recall(question)


def _sentences(corpus: Path, count: int) -> list[str]:
    found: dict[str, None] = {}
    with gzip.open(corpus, "rt", encoding="utf-8") as file:
        for line in file:
            text = json.loads(line)["text"]
            found.update(dict.fromkeys(text[span.start : span.end] for span in sentences(text, 0, len(text))))
    return random.Random(0).sample(list(found), min(count, len(found)))
