"""How fast a large knowledge base loads, links and answers, the model left out.

1,000,000 triples about 200,000 invented things, whose connections are as uneven as in real collections. `load_*`:
reading the file into Oxigraph and the index of names, in a process of its own (its time and its most memory).
`link_ms`: `link` of names as they are written, in other case, with a letter changed, and of names that nothing bears.
`find_ms`: `find_entity_or_value` with a relation in other words.
"""

import argparse
import contextlib
import multiprocessing
import random
import re
import resource
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

from assistant.embedding import load_embedder
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.relations import RelationRanker
from assistant.settings import Settings
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import median, percentile_95

_THINGS_A_TRIPLE = 0.2
_ROWS = 200  # of each kind
_UNEVEN = 3.0  # the power by which few things have most of the connections
_RELATIONS = {  # as the file has it, and as a program may ask for it
    "born_in": "birthplace",
    "lives_in": "home",
    "works_for": "employer",
    "married_to": "spouse",
    "directed_by": "director",
    "written_by": "author",
    "located_in": "location",
    "founded_by": "founder",
    "capital_of": "capital",
    "has_genre": "genre",
    "release_year": "year of release",
    "member_of": "membership",
    "studied_at": "school",
    "speaks": "language",
    "flows_into": "mouth",
    "borders": "neighbour",
}
_SYLLABLES = re.findall(
    r"\w+", "an ber cor dal el fen gor hal is jor kel lun mar nov os per quin ras sel tor ul ven wil yor zan"
)


class KnowledgeBaseScale:
    """`kb-scale [--triples N]`; needs no data."""

    name: ClassVar[str] = "kb-scale"
    metrics: ClassVar[dict[str, Metric]] = {
        "link_ms_p50": Metric("link_ms", median),
        "link_ms_p95": Metric("link_ms", percentile_95),
        "find_ms_p50": Metric("find_ms", median),
        "find_ms_p95": Metric("find_ms", percentile_95),
        "found": Metric("found"),
        "load_seconds": Metric("load_seconds"),
        "load_mb": Metric("load_mb"),
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--triples", type=int, default=1_000_000, help="default: 1,000,000")

    def __init__(self, options: argparse.Namespace) -> None:
        self._triples: int = options.triples
        self._names = _names(int(options.triples * _THINGS_A_TRIPLE))

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return []

    def rows(self) -> list[Row]:
        """One load, then as many links as questions; the things asked for are as connected as what a line has."""
        drawn = random.Random("rows")
        rows = [Row("load", "load")]
        for number in range(_ROWS):
            rows.append(Row(f"link-{number:03}", "link", {"name": _misspelt(self._drawn(drawn), number, drawn)}))
        for number in range(_ROWS):
            data = {"name": self._drawn(drawn), "relation": drawn.choice(sorted(_RELATIONS.values()))}
            rows.append(Row(f"find-{number:03}", "find", data))
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"triples": self._triples}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """The knowledge base is made anew for each run."""
        with tempfile.TemporaryDirectory(prefix="lorekeeper-bench-") as folder:
            file, made = Path(folder) / "things.txt", Path(folder) / "kb"
            file.write_text("".join(self._lines()), encoding="utf-8")
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
                loaded = pool.submit(_load, file, made).result()
            base, settings = Triples("things", made), Settings.from_environment()
            ranker = RelationRanker(load_embedder(settings.embeddings, settings.cache))
            _find(base, ranker, self._names[0], "warming up")
            kinds = {"link": lambda row: _link(base, row), "find": lambda row: _measured_find(base, ranker, row)}
            yield lambda row: Outcome(loaded) if row.kind == "load" else kinds[row.kind](row)
            base.close()

    def _lines(self) -> Iterator[str]:
        drawn = random.Random("triples")
        relations = sorted(_RELATIONS)
        for _ in range(self._triples):
            yield f"{self._drawn(drawn)}|{drawn.choice(relations)}|{self._drawn(drawn)}\n"

    def _drawn(self, drawn: random.Random) -> str:
        return self._names[int(len(self._names) * drawn.random() ** _UNEVEN)]


def _load(file: Path, folder: Path) -> dict[str, float]:
    start = time.monotonic()
    build(folder, read_triples(file, "pipe"), file.name)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"load_seconds": time.monotonic() - start, "load_mb": most}


def _link(base: Triples, row: Row) -> Outcome:
    start = time.perf_counter()
    found = base.link(row.data["name"], [], "", Deadline.after(60))
    milliseconds = (time.perf_counter() - start) * 1000
    return Outcome({"link_ms": milliseconds}, texts={**row.data, "found": [entity.name for entity in found]})


def _measured_find(base: Triples, ranker: RelationRanker, row: Row) -> Outcome:
    start = time.perf_counter()
    found = _find(base, ranker, row.data["name"], row.data["relation"])
    milliseconds = (time.perf_counter() - start) * 1000
    return Outcome({"find_ms": milliseconds, "found": float(bool(found))}, texts={**row.data, "found": found})


def _find(base: Triples, ranker: RelationRanker, name: str, relation: str) -> list[str]:
    question = f"What is the {relation} of {name}?"
    functions = KnowledgeFunctions(base, ranker, question, Deadline.after(60), lambda _: None)
    return functions.find_entity_or_value([name], [relation])


def _names(count: int) -> list[str]:
    drawn, names = random.Random("names"), dict[str, None]()
    while len(names) < count:
        words = ("".join(drawn.choices(_SYLLABLES, k=drawn.choice((2, 2, 3)))).title() for _ in range(2))
        names[" ".join(words)] = None
    return list(names)


def _misspelt(name: str, number: int, drawn: random.Random) -> str:
    """Of four names, one as it is, one in other case, one with a letter changed, one that nothing bears."""
    place = drawn.randrange(1, len(name))
    return (name, name.upper(), f"{name[:place]}x{name[place + 1 :]}", f"{name[::-1]} {number}")[number % 4]
