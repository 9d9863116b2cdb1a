"""Training the path policy, from files to the checkpoint."""

import json
from pathlib import Path

import numpy as np
import pytest

from assistant.embedding import load_embedder
from assistant.errors import UserMistake
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.checkpoint import load
from assistant.search.graphs.training import data, learner
from assistant.search.graphs.training.__main__ import main
from assistant.search.graphs.walks import Rewards, Walk, goal
from tests.assistant.search.graphs.toys import terrain_of
from tests.memory.samples import WordEmbedder

NO_CONTEXT = np.zeros(128, np.float32)


def test_the_policy_learns_to_reach_its_targets() -> None:
    # From each a, one of seven neighbours leads on to c.
    ways = [(f"a{n}", "r", f"b{n}") for n in range(12)] + [(f"b{n}", "r", f"c{n}") for n in range(12)]
    terrain = terrain_of(ways + [(f"a{n}", "s", f"d{n}{m}") for n in range(12) for m in range(6)])
    names = list(terrain.graph.names)
    pairs = [
        learner.Episode(goal(terrain, [names.index(f"c{n}")], NO_CONTEXT), names.index(f"a{n}")) for n in range(12)
    ]
    reach = Rewards(1, 0, 0)
    untrained, trained = (
        learner.train(terrain, pairs, rewards=reach, updates=updates, seed=1, log=print) for updates in (0, 30)
    )
    assert learner.evaluate(terrain, pairs, untrained).reached < 0.7
    assert learner.evaluate(terrain, pairs, trained).reached > 0.9


def test_figures_are_those_of_the_walks() -> None:
    terrain = terrain_of([("a", "r", "b"), ("b", "r", "c")])
    to = goal(terrain, [1], NO_CONTEXT)
    edges = terrain.graph.neighbours(0).edge(0)
    walks = [
        Walk(to, (0, 1), NO_CONTEXT, (edges,), (0.4,)),
        Walk(to, (1, 2, 0), NO_CONTEXT, (edges, edges), (0.1, 0.2)),
    ]
    figures = learner.figures(walks)
    assert (figures.reached, figures.length) == (0.5, 1)
    assert figures.relatedness == pytest.approx(0.3)


def questions_file(folder: Path) -> Path:
    lines = [
        {
            "id": f"q{number}",
            "answerKey": "B",
            "question": {
                "stem": f"Where would you find the {thing} of a house?",
                "choices": [{"label": "A", "text": "street"}, {"label": "B", "text": place}],
            },
        }
        for number, (thing, place) in enumerate([("oven", "kitchen"), ("bed", "bedroom"), ("sofa", "living room")] * 3)
    ]
    path = folder / "questions.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return path


def graph_file(folder: Path) -> Path:
    things = "AtLocation\toven\tkitchen\nAtLocation\tbed\tbedroom\nAtLocation\tsofa\tliving room\n"
    rooms = "PartOf\tkitchen\thouse\nPartOf\tbedroom\thouse\nPartOf\tliving room\thouse\n"
    path = folder / "triples.txt"
    path.write_text(things + rooms, "utf-8")
    return path


def test_the_command_writes_a_checkpoint_that_says_where_it_is_from(tmp_path: Path, home: Path) -> None:
    out, kept = home / "policy.npz", tmp_path / "vectors.npz"
    command = ["--graph", str(graph_file(tmp_path)), "--questions", str(questions_file(tmp_path)), "--seed", "7"]
    command += ["--updates", "2", "--vectors", str(kept)]
    assert main(command) == 0
    first = load(out)
    assert set(first.about["data"]) == {"triples.txt", "questions.jsonl"}
    assert (first.about["seed"], first.about["questions"]) == (7, 8)
    assert {"kitchen", "hous"} <= set(first.basis.words)
    policy = Atlas(load_embedder("", tmp_path), home).trained.policy
    assert policy is not None
    assert (policy.out == first.policy.out).all(), "it is used from then on"
    other = tmp_path / "other.npz"
    assert main([*command, "--out", str(other)]) == 0  # the same seed, and the vectors that were kept
    assert (load(other).policy.of_action == first.policy.of_action).all()


@pytest.mark.parametrize("text", ["", "no JSON", '{"id": "q"}', '{"id": "q", "question": "what?", "answerKey": "A"}'])
def test_a_file_without_questions_is_told(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(text)
    assert main(["--graph", str(graph_file(tmp_path)), "--questions", str(path)]) == 2
    assert "questions.jsonl" in capsys.readouterr().err


def test_a_graph_that_joins_no_question_to_its_answer_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "triples.txt"
    graph.write_text("AtLocation\twhale\tsea\n", "utf-8")
    command = ["--graph", str(graph), "--questions", str(questions_file(tmp_path)), "--out", str(tmp_path / "p.npz")]
    assert main(command) == 2
    assert "give a graph" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "p.npz").exists()


def test_vectors_of_other_questions_are_not_taken(tmp_path: Path) -> None:
    kept = tmp_path / "vectors.npz"
    np.savez(kept, stems=["a"], counts=[1], words=np.zeros((1, 32)), questions=np.zeros((5, 32)))
    with pytest.raises(UserMistake, match="other questions"):
        data.embed(WordEmbedder(), data.read_graph(graph_file(tmp_path)), [], kept)
