"""What a turn costs us, the model left out.

`own_ms_*`: a search turn from its text to `Answered`, with scripted replies in the model's place and 10,000 facts about
invented people in memory (`own_found`: how often the evidence then holds the asked fact; `embed_ms`: embedding the
question alone, the part that no design avoids). `model_calls`: calls of the real model in the thirty test questions
about the world. `start_seconds`: from the start of `python app.py serve`, which has run before in that home, to its
page with status 200 (`import_gradio_seconds`: a Python process that only imports Gradio, just before). `rss_mb`:
resident memory of all our processes but the model's, after three turns.
"""

import argparse
import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from assistant.embedding import load_embedder
from assistant.llm.client import Request
from assistant.llm.scripted import ScriptedTransport
from assistant.settings import Settings
from tests.benchmarks import product, served
from tests.benchmarks.filled import FACTS_A_PERSON, USER, filled_home
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.judging import holds
from tests.benchmarks.people import Person, person
from tests.benchmarks.rows import Outcome, Row
from tests.benchmarks.statistics import median, percentile_95
from tests.benchmarks.world import questions

_TURNS_BEFORE_WEIGHING = (
    "Which currency is used in Peru?",
    "我叔叔住在哪里？",
    "Remember that my uncle Leopold lives in Graz.",
)
_MODEL_PROCESS = "assistant.llm.serving"


class TurnCost:
    """`turn [--facts N] [--part own|calls|start|memory ...]`."""

    name: ClassVar[str] = "turn"
    metrics: ClassVar[dict[str, Metric]] = {
        "own_ms_p50": Metric("own_ms", median),
        "own_ms_p95": Metric("own_ms", percentile_95),
        "own_found": Metric("own_found"),
        "embed_ms_p50": Metric("embed_ms", median),
        "model_calls": Metric("model_calls", median),
        "rss_mb": Metric("rss_mb"),
        "start_seconds": Metric("start_seconds", median),
        "import_gradio_seconds": Metric("import_gradio_seconds", median),
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.add_argument("--facts", type=int, default=10_000, help="facts in memory (default: 10,000)")
        parser.add_argument("--part", nargs="+", choices=list(_PARTS), default=list(_PARTS), help="default: all")

    def __init__(self, options: argparse.Namespace) -> None:
        self._file: Path = options.data / "world.jsonl"
        self._facts: int = options.facts
        self._parts: list[str] = options.part

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._file]

    def rows(self) -> list[Row]:
        """200 turns with the scripted model, 30 with the real one, 5 starts, 1 weighing; the part is a row's kind."""
        asked = [q for q in questions(self._file) if q["split"] == "test"]
        rows = [
            Row(f"own-{i:03}", "own", {"number": 1 + i * 37 % (self._facts // FACTS_A_PERSON - 1)}) for i in range(200)
        ]
        rows += [Row(f"calls-{q['id']}", "calls", q) for q in asked]
        rows += [Row(f"start-{i}", "start") for i in range(1, 6)]
        rows += [Row("memory-1", "memory")]
        return [row for row in rows if row.kind in self._parts]

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name(), "facts": self._facts}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """One part after the other, so that none is measured beside another."""
        with contextlib.ExitStack() as stack:
            part, measure_part = "", None

            def measure(row: Row) -> Outcome:
                nonlocal part, measure_part
                if measure_part is None or row.kind != part:
                    stack.close()
                    part, measure_part = row.kind, stack.enter_context(_PARTS[row.kind](self._facts))
                return measure_part(row)

            yield measure


@contextlib.contextmanager
def _own(facts: int) -> Iterator[Measure]:
    script = _Script()
    scripted = ScriptedTransport(script.replies(), repeat=True)
    settings = Settings.from_environment()
    embedder = load_embedder(settings.embeddings, settings.cache)
    with product.assistant(scripted, home=filled_home(facts, embedder.name)) as assistant:
        product.answered(assistant, product.turn(script.ask(person(0)), USER))  # what is made on first use

        def measure(row: Row) -> Outcome:
            who = person(row.data["number"])
            turn = product.turn(script.ask(who), USER)
            start = time.perf_counter()
            reply = product.answered(assistant, turn)
            own_ms = (time.perf_counter() - start) * 1000
            start = time.perf_counter()
            embedder.query([f"Which town does {who.name} call home?"])  # as long, and in nobody's cache
            embed_ms = (time.perf_counter() - start) * 1000
            found = any(holds(f"{e.subject} {e.object}", [[who.name], [who.town]]) for e in reply.evidence)
            scores = {"own_ms": own_ms, "embed_ms": embed_ms, "own_found": float(found)}
            return Outcome(scores, texts={"answer": reply.answer, "seconds": reply.seconds})

        yield measure


class _Script:
    """Replies as a model would give them for a question about one person."""

    def __init__(self) -> None:
        self._who = person(0)

    def ask(self, who: Person) -> str:
        """The question that the next replies are for."""
        self._who = who
        return f"Where does {who.name} live?"

    def replies(self) -> dict[str, list[Callable[[Request], str]]]:
        """By purpose."""
        return {
            "understand": [lambda _: "en ask"],
            "program": [lambda _: f'answer = find_entity_or_value(["{self._who.name}"], ["lives in", "residence"])'],
            "answer": [lambda _: f"{self._who.name} lives in {self._who.town} [1]."],
        }


@contextlib.contextmanager
def _calls(_facts: int) -> Iterator[Measure]:
    with product.assistant() as assistant:

        def measure(row: Row) -> Outcome:
            reply = product.answered(assistant, product.turn(row.data["question"], USER))
            return Outcome({"model_calls": float(reply.usage.calls)}, reply.usage, {"answer": reply.answer})

        yield measure


@contextlib.contextmanager
def _start(_facts: int) -> Iterator[Measure]:
    with _empty_home() as home:
        with served.serve(home):  # makes what is made only once
            pass

        def measure(_: Row) -> Outcome:
            import_seconds = served.seconds_of("import gradio")
            with served.serve(home) as server:
                return Outcome({"start_seconds": server.start_seconds, "import_gradio_seconds": import_seconds})

        yield measure


@contextlib.contextmanager
def _memory(_facts: int) -> Iterator[Measure]:
    with _empty_home() as home, served.serve(home) as server:

        def measure(_: Row) -> Outcome:
            for text in _TURNS_BEFORE_WEIGHING:
                server.ask(text)
            return Outcome({"rss_mb": server.resident_megabytes(without=_MODEL_PROCESS)})

        yield measure


@contextlib.contextmanager
def _empty_home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="lorekeeper-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "home"


_PARTS: dict[str, Callable[[int], contextlib.AbstractContextManager[Measure]]] = {
    "own": _own,
    "calls": _calls,
    "start": _start,
    "memory": _memory,
}
