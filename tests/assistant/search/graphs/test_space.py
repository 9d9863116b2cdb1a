"""The space of names and questions, and the file that holds it with the policy."""

import random
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.embedding import load_embedder
from assistant.errors import Failure
from assistant.search.graphs.atlas import Atlas
from assistant.search.graphs.checkpoint import SHIPPED, Checkpoint, load
from assistant.search.graphs.concepts import Concepts
from assistant.search.graphs.space import DIMENSIONS, Basis, Space
from assistant.search.graphs.walks import Rewards
from memory.types import Embedder
from tests.assistant.search.graphs.toys import TOWN, graph_of, terrain_of
from tests.memory.samples import WordEmbedder


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """The embedded model, which the shipped checkpoint is for."""
    return load_embedder("", tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def space(embedder: Embedder) -> Space:
    return Space(embedder, load(SHIPPED).basis)


def test_the_shipped_checkpoint_is_small_and_says_what_it_was_trained_on(embedder: Embedder) -> None:
    assert SHIPPED.stat().st_size < 5 * 2**20
    about = load(SHIPPED).about
    assert about["embedder"] == embedder.name
    assert "triples.txt.gz" in about["data"]
    assert isinstance(about["seed"], int)


def test_questions_lie_near_the_names_that_they_are_about(space: Space) -> None:
    names = ["bank", "horse", "kitchen"]
    asked = ["Where do people keep their money?", "What do you ride in a field?", "Where do you cook dinner?"]
    cosines = np.stack([space.question(text) for text in asked]) @ space.texts(names).T
    assert cosines.argmax(axis=1).tolist() == [0, 1, 2]


def test_vectors_have_length_one_and_those_of_unknown_names_none() -> None:
    embedder = WordEmbedder(size=64)
    space, concepts = Space(embedder, Basis.untrained(embedder)), Concepts(graph_of(TOWN))
    entities = np.arange(len(concepts.graph), dtype=np.int32)
    assert not space.entities(concepts, entities).any()
    space.learn(space.unknown(concepts, concepts.frequent(), 5))
    some = np.linalg.norm(space.entities(concepts, entities), axis=1)
    space.learn(concepts.spellings)
    lengths = np.linalg.norm(space.entities(concepts, entities), axis=1)
    assert 0 < some.astype(bool).sum() < len(entities)
    assert lengths == pytest.approx(np.ones(len(entities)), abs=1e-4)
    assert space.texts([]).shape == (0, DIMENSIONS)


def test_a_word_is_embedded_as_it_is_spelled_and_not_as_its_stem() -> None:
    embedder = WordEmbedder(size=64)
    concepts = Concepts(graph_of([("university", "is a", "school"), ("universities", "have", "libraries")]))
    space = Space(embedder, Basis.untrained(embedder))
    space.learn(space.unknown(concepts, concepts.frequent(), 9))
    spelled = Space(embedder, Basis.untrained(embedder)).texts(["university", "libraries"])
    entities = space.entities(
        concepts, np.array([concepts.graph.names.index(name) for name in ("university", "libraries")])
    )
    assert entities == pytest.approx(spelled, abs=1e-5)


def test_words_may_be_learned_by_several_threads_at_once() -> None:
    terrain = terrain_of(TOWN)
    words = [f"word{number}" for number in range(300)]
    threads = [threading.Thread(target=terrain.space.learn, args=(words,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = terrain.space.texts(words)
    assert np.linalg.norm(again, axis=1) == pytest.approx(np.ones(len(words)), abs=1e-4)
    assert (again @ again.T - np.eye(len(words))).max() < 0.9


def test_a_checkpoint_is_read_as_it_was_written(tmp_path: Path) -> None:
    shipped = load(SHIPPED)
    shipped.save(tmp_path / "again.npz")
    again = load(tmp_path / "again.npz")
    assert again.basis.words == shipped.basis.words
    assert np.abs(again.basis.vectors - shipped.basis.vectors).max() < 0.01
    assert (again.policy.out == shipped.policy.out).all()
    assert again.about == shipped.about


def without_a_column(checkpoint: Checkpoint) -> Checkpoint:
    narrow = replace(checkpoint.basis, vectors=checkpoint.basis.vectors[:, 1:])
    return replace(checkpoint, basis=narrow)


def test_a_checkpoint_of_another_shape_is_told(tmp_path: Path) -> None:
    without_a_column(load(SHIPPED)).save(tmp_path / "narrow.npz")
    with pytest.raises(Failure, match=r"narrow.npz has vectors of shape"):
        load(tmp_path / "narrow.npz")


def corrupted(seed: int) -> bytes:
    """The shipped file with 200 bytes overwritten, in its arrays, headers or table of contents."""
    drawn, damaged = random.Random(seed), bytearray(SHIPPED.read_bytes())
    for _ in range(200):
        damaged[drawn.randrange(len(damaged))] = drawn.randrange(256)
    return bytes(damaged)


@pytest.mark.parametrize("damage", [b"", b"no archive", SHIPPED.read_bytes()[:5000], *map(corrupted, range(20))])
def test_of_a_damaged_checkpoint_it_is_told_and_the_space_is_untrained(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "policy.npz").write_bytes(damage)
    trained = Atlas(WordEmbedder(), tmp_path).trained
    assert trained.policy is None
    assert trained.trouble.startswith("The checkpoint policy.npz cannot be read")
    assert len(trained.trouble.splitlines()) == 1


SHIPPED_FOR = WordEmbedder("multilingual-e5-small-q4", 384)


def for_words(checkpoint: Checkpoint) -> Checkpoint:
    """The same for an embedder of 32 dimensions, with other rewards."""
    basis = checkpoint.basis
    maps = {name: getattr(basis, name)[:32] for name in ("word_mean", "word_map", "context_mean", "context_map")}
    return replace(checkpoint, basis=replace(basis, embedder="words", **maps), rewards=Rewards(1, 2, 3))


def test_the_homes_own_policy_goes_before_the_shipped_one_where_it_is_for_the_embedder(tmp_path: Path) -> None:
    assert Atlas(SHIPPED_FOR, tmp_path).trained.policy is not None, "there is none of its own"
    for_words(load(SHIPPED)).save(tmp_path / "policy.npz")
    own, shipped = (Atlas(embedder, tmp_path).trained for embedder in (WordEmbedder(), SHIPPED_FOR))
    assert own.policy is not None
    assert (own.rewards, own.trouble) == (Rewards(1, 2, 3), "")
    assert shipped.policy is not None
    assert (shipped.rewards, shipped.trouble) == (load(SHIPPED).rewards, "")


def test_where_the_homes_own_policy_is_damaged_the_shipped_one_is_used_and_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "policy.npz").write_bytes(b"no archive")
    trained = Atlas(SHIPPED_FOR, tmp_path).trained
    assert trained.policy is not None
    assert "policy.npz cannot be read" in trained.trouble


@pytest.mark.parametrize(
    "about",
    ["", "[]", '{"rewards": [1, 1, 1]}', '{"embedder": "words"}', '{"embedder": "words", "rewards": [1, 2, 3, 4]}'],
)
def test_a_checkpoint_that_does_not_say_what_it_is_for_is_told(tmp_path: Path, about: str) -> None:
    with np.load(SHIPPED) as shipped:
        arrays = dict(shipped)
    np.savez(tmp_path / "broken.npz", **{**arrays, "about": np.frombuffer(about.encode(), np.uint8)})
    with pytest.raises(Failure, match=r"The checkpoint broken.npz cannot be read"):
        load(tmp_path / "broken.npz")


@pytest.mark.parametrize("embedder", [WordEmbedder(), WordEmbedder("multilingual-e5-small-q4", 100)])
def test_without_a_policy_for_the_embedder_there_is_a_space_and_the_reason(embedder: Embedder) -> None:
    trained = Atlas(embedder).trained
    assert trained.policy is None
    assert f"but {embedder.name} ({embedder.size}) is used; train one" in trained.trouble
    assert "assistant.search.graphs.training --graph" in trained.trouble
    assert np.linalg.norm(trained.space.question("Where is the bank?")) == pytest.approx(1, abs=1e-4)
