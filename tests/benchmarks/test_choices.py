"""Multiple-choice benchmarks: what is read, what a row is scored, what is learned from the log of rewards."""

import argparse
import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.search.bandit import Arm
from tests.assistant.search.graphs.toys import TOWN, question, terrain_of
from tests.benchmarks import choices, product
from tests.benchmarks.choices import ARMS, Choices, Log, Question, ask, with_gains
from tests.benchmarks.commonsenseqa import CommonsenseQA
from tests.benchmarks.medqa import MedQA
from tests.benchmarks.nearness import nearness
from tests.benchmarks.openbookqa import OpenBookQA

ICE = Question("ice", "Where would you keep ice cream?", ("freezer", "library", "desert"), 0)
GRAPH = """AtLocation\tice cream\tfreezer
IsA\tfreezer\tmachine
RelatedTo\tfreezer\tlibrary
RelatedTo\tfreezer\tdesert
"""


def options(folder: Path, **values: object) -> argparse.Namespace:
    return argparse.Namespace(**{"data": folder, "split": "test", "rewards": None, "limit": None} | values)


@pytest.mark.parametrize(
    ("benchmark", "train", "test", "options_each"),
    [(CommonsenseQA, 7_000, 1_241, 5), (OpenBookQA, 4_957, 500, 4), (MedQA, 300, 300, 4)],
)
def test_the_questions_of_each_data_set(
    evaluation_data: Path, benchmark: type[Choices], train: int, test: int, options_each: int
) -> None:
    made = benchmark(options(evaluation_data / benchmark.name))
    splits = {split: list(made.questions(split)) for split in ("train", "test")}
    assert [len(splits[split]) for split in ("train", "test")] == [train, test]
    assert not {question.id for question in splits["train"]} & {question.id for question in splits["test"]}
    assert all(
        len(question.options) == options_each and 0 <= question.right < options_each for question in splits["test"]
    )
    assert all(file.exists() for file in made.files())
    rows = made.rows()
    described = sum(row.kind == "described" for row in rows)
    assert described / len(rows) == pytest.approx(benchmark.described, abs=0.01)


def test_the_number_of_rows_is_that_of_the_split(tmp_path: Path) -> None:
    for split, limit, rows in (("test", None, 150), ("train", None, 200), ("train", 12, 12)):
        given = options(tmp_path, split=split, limit=limit)
        CommonsenseQA(given)
        assert given.limit == rows


_HELPFUL = re.compile(r"Knowledge:[^|]*(is found at|Ice cream stands)")


def _letters(request: object) -> Weights:
    """Unsure but wrong, or right where the evidence is worded as sentences, and with the graph described."""
    prompt = request.messages[-1].content  # type: ignore[attr-defined]
    return Weights({"A": 0.9, "B": 0.1} if _HELPFUL.search(prompt) else {"A": 0.45, "B": 0.55})


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """Thirty training questions on which sentences are right, those of paths a little more often."""
    file = tmp_path / "train.rows.csv"
    with file.open("w", newline="") as opened:
        writer = csv.DictWriter(opened, ["row", *(f"{arm.strategy}_{arm.format}" for arm in ARMS)])
        writer.writeheader()
        for number in range(30):
            sentences = {"subgraph_sentences": number % 5 > 0, "paths_sentences": True}
            scores = {"subgraph_triples": 0, "paths_triples": 0, **{name: int(s) for name, s in sentences.items()}}
            writer.writerow({"row": f"q{number}", **scores})
    return file


def test_a_row_is_asked_with_every_arm(tmp_path: Path, log: Path) -> None:
    graph = tmp_path / "triples.txt"
    graph.write_text(GRAPH)
    transport = ScriptedTransport({"choose": [_letters], "describe": ["Ice cream stands in a freezer."]}, repeat=True)
    with product.assistant(transport) as assistant:
        assistant.knowledge_bases.add("graph", graph, format="conceptnet")
        texts = {f"q{number}": f"Where is thing number {number}?" for number in range(30)}
        terrain = choices.terrain_of(assistant)
        outcome = ask(assistant, terrain, ICE, Log(log, texts, assistant.choosing), described=True)
        plain = ask(assistant, terrain, replace(ICE, options=("freezer", "moon")), None, described=False)
    scores = outcome.scores
    assert (scores["none"], scores["subgraph_triples"], scores["paths_sentences"]) == (0, 0, 1)
    assert (scores["subgraph_description"], scores["paths"], scores["subgraph"], scores["bandit"]) == (1, 1, 1, 1)
    assert (scores["gain_paths"], scores["gain_paths_over_subgraph"], scores["gain_bandit"]) == (1, 0, 1)
    assert scores["connected"] == 1
    assert scores["gain_bandit_connected"] == 1
    assert (plain.scores["grounded"], plain.scores["reached"], plain.scores["connected"]) == (0.5, 0.5, 0)
    assert "none_connected" not in plain.scores
    assert outcome.usage.calls == 1 + 2 * len(ARMS) + 3 * 2, "a description is a call more"
    assert "bandit" not in plain.scores
    assert "paths_description" not in plain.scores
    assert set(scores) <= {metric.column for metric in Choices.metrics.values()}


def test_options_are_near_by_the_graph_alone() -> None:
    terrain = terrain_of([*TOWN, ("house", "is a", "building")])
    asked = question("Where is a revolving door, no unicorn?", "bank", "mall", "house", "myth", "unicorn", "moon")
    near = nearness(terrain, asked)
    assert near.steps == (1, 3, 3, 1, 0, None)
    assert near.grounded == pytest.approx(5 / 6)
    assert near.reached == pytest.approx(5 / 6)
    assert near.connected == pytest.approx(2 / 6), "what the question names needs no path"
    assert nearness(terrain, question("Is there a unicorn?", "bank", "library")).reached == 0


def test_the_log_chooses_formats_and_teaches_the_bandit(tmp_path: Path, log: Path) -> None:
    with product.assistant(ScriptedTransport([])) as assistant:
        texts = {f"q{number}": f"Where is thing number {number}?" for number in range(30)}
        learned = Log(log, texts, assistant.choosing)
        assert learned.best([arm for arm in ARMS if arm.strategy == "subgraph"]) == Arm("subgraph", "sentences")
        assert learned.best(ARMS) == Arm("paths", "sentences")
        assert learned.chosen("Where is another thing?").format == "sentences"


def test_a_gain_needs_both_of_its_scores() -> None:
    assert with_gains({"none": 1.0, "paths": 0.0}) == {"none": 1.0, "paths": 0.0, "gain_paths": -1.0}
