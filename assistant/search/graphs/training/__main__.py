"""`python -m assistant.search.graphs.training --graph FILE --questions FILE`: trains the path policy, writes its file.

The questions are in CommonsenseQA's form, the graph is any file of triples. It takes some minutes on two cores, most of
them for the embedder's vectors, which are kept.
"""

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from assistant.embedding import load_embedder
from assistant.errors import UserMistake
from assistant.search.graphs.checkpoint import OWN, Checkpoint
from assistant.search.graphs.grounding import Grounded
from assistant.search.graphs.space import Space, unit
from assistant.search.graphs.terrain import Terrain
from assistant.search.graphs.training import basis, data, learner
from assistant.search.graphs.walks import Rewards
from assistant.settings import Settings
from memory.types import Vectors

_HELD_OUT = 0.2


def main(arguments: Sequence[str] | None = None) -> int:
    """Train; exit status 2 where a file cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m assistant.search.graphs.training", description=__doc__)
    parser.add_argument("--graph", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--ids", type=Path, help="only the questions that this file names")
    parser.add_argument("--limit", type=int, default=1500, help="how many questions are drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--updates", type=int, default=400)
    parser.add_argument("--rewards", type=float, nargs=3, default=(1.0, 1.0, 0.5), metavar="λ")
    parser.add_argument("--vectors", type=Path, help="where the embedder's vectors are kept for another training")
    parser.add_argument("--out", type=Path, help="else it goes to LOREKEEPER_HOME, where searches take it from")
    options = parser.parse_args(arguments)
    try:
        train(options)
    except UserMistake as mistake:
        print(mistake, file=sys.stderr)
        return 2
    return 0


def train(options: argparse.Namespace) -> learner.Figures:
    """Train as the options say and write the checkpoint; what the policy comes to on the questions held out.

    Raises:
        UserMistake: a file cannot be used.
    """
    settings = Settings.from_environment()
    out = options.out or settings.home / OWN
    out.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    embedder = load_embedder(settings.embeddings, settings.cache)
    graph = data.read_graph(options.graph)
    questions = data.read_questions(options.questions, options.ids, options.limit, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        embedded = data.embed(embedder, graph, questions, options.vectors or Path(folder) / "vectors.npz")
    held_out = int(len(questions) * _HELD_OUT)
    for_fit = data.Embedded(embedded.stems, embedded.counts, embedded.words, embedded.questions[held_out:])
    space_basis = basis.fit(embedder, for_fit, questions[held_out:])
    space = Space(embedder, space_basis)
    terrain = Terrain.of(graph, space)
    contexts = unit((embedded.questions - space_basis.context_mean) @ space_basis.context_map)
    grounded = [_grounded(terrain, q, c) for q, c in zip(questions, contexts, strict=True)]
    training, testing = (learner.episodes(terrain, part) for part in (grounded[held_out:], grounded[:held_out]))
    _say(f"{len(training)} pairs to train on, {len(testing)} held out")
    if not (training and testing):
        raise UserMistake(
            "{graph} joins hardly any question of {questions} to its answer: give a graph of the same language and "
            "subject, or more questions.",
            graph=options.graph.name,
            questions=options.questions.name,
        )
    rewards = Rewards(*options.rewards)
    policy = learner.train(terrain, training, rewards=rewards, updates=options.updates, seed=options.seed, log=_say)
    figures = learner.evaluate(terrain, testing, policy)
    _say(f"held out: {figures}")
    about = {
        "data": {path.name: _digest(path) for path in (options.graph, options.questions, options.ids) if path},
        "questions": len(questions) - held_out,
        "seed": options.seed,
        "updates": options.updates,
    }
    Checkpoint(policy, space_basis, rewards, about).save(out)
    _say(f"written: {out}")
    return figures


def _grounded(terrain: Terrain, question: data.Question, context: Vectors) -> Grounded:
    target = terrain.concepts.of_answer(question.choices[question.gold])
    return Grounded(tuple(terrain.concepts.in_text(question.text, 8)), (target,) if target else (), context)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
