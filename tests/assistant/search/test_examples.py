"""Which examples a bank finds, by each of their forms, and what it keeps."""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.embedding import load_embedder
from assistant.errors import Failure, Interrupted
from assistant.search.examples import Example, ExampleBank, _largest, as_turns, code_of
from assistant.search.vector_cache import VectorCache
from assistant.types import Message
from memory.types import Embedder, Vectors

CURRENCY = Example("Which currency is used in Peru?", "currency('Peru')", "one hop")
DIRECTOR = Example("Who directed the film Heat?", "director('Heat')", "one hop")
COUNT = Example("How many countries border Bolivia?", "len(neighbours('Bolivia'))", "count")
CHINESE = Example("秘鲁的首都是哪里？", "capital('秘鲁')", "one hop")
EXAMPLES = [CURRENCY, DIRECTOR, COUNT, CHINESE]


class Counting:
    """An embedder that counts the texts that it is asked for."""

    def __init__(self, embedder: Embedder, name: str = "") -> None:
        self.embedder, self.name, self.size = embedder, name or embedder.name, embedder.size
        self.texts: list[str] = []

    def query(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return self.embedder.query(texts)

    passage = query


class Unable(Counting):
    """Embeds nothing."""

    def passage(self, texts: Sequence[str]) -> Vectors:
        raise Failure("The embedding model is away.")

    query = passage


class Slow(Counting):
    """One that waits until it may go on."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(embedder)
        self.goes_on = threading.Event()

    def query(self, texts: Sequence[str]) -> Vectors:
        assert self.goes_on.wait(30)
        return super().query(texts)


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return load_embedder("", tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def bank(embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> ExampleBank:
    return ExampleBank(EXAMPLES, embedder, VectorCache(tmp_path_factory.mktemp("vectors"), embedder))


@pytest.mark.parametrize(
    ("text", "form", "nearest"),
    [
        ("What money do people pay with in Japan?", "anonymized", CURRENCY),
        ("Who directed the film Peru?", "anonymized", DIRECTOR),
        ("How many countries border Austria?", "anonymized", COUNT),
        ("日本的首都是哪里？", "anonymized", CHINESE),
        ("Which film is about Bolivia and its neighbours?", "question", COUNT),
        ("len(neighbours('Austria'))", "code", COUNT),
    ],
)
def test_the_nearest_example_by_each_form(bank: ExampleBank, text: str, form, nearest: Example) -> None:
    assert bank.nearest(text, 1, form)[0].example == nearest


def test_an_example_is_at_no_distance_from_its_like(bank: ExampleBank) -> None:
    same, *others = bank.nearest("Who directed the film Alien?", 4)
    assert same.example == DIRECTOR
    assert same.similarity == pytest.approx(0, abs=1e-3)
    assert all(other.similarity < -0.1 for other in others)


def test_names_that_are_known_are_left_out_of_the_comparison(bank: ExampleBank) -> None:
    unseen = bank.nearest("who directed the film heat", 1)[0]
    known = bank.nearest("who directed the film heat", 1, names=["heat"])[0]
    assert known.example == unseen.example == DIRECTOR
    assert known.similarity > unseen.similarity


def test_the_similarity_is_the_negative_euclidean_distance(bank: ExampleBank, embedder: Embedder) -> None:
    asked, stored = embedder.query(["How tall is she?", CURRENCY.question])
    found = {one.example: one.similarity for one in bank.nearest("How tall is she?", 4, "question")}
    assert found[CURRENCY] == pytest.approx(-float(np.linalg.norm(asked - stored)), abs=1e-4)
    assert list(found.values()) == sorted(found.values(), reverse=True)


@pytest.mark.parametrize("k", [0, 1, 3, 4, 9])
def test_no_more_than_there_are(bank: ExampleBank, k: int) -> None:
    assert len(bank.nearest("Who?", k)) == min(k, len(EXAMPLES))


def test_what_was_prepared_need_not_be_waited_for(embedder: Embedder, tmp_path: Path) -> None:
    counting = Counting(embedder)
    bank = ExampleBank(EXAMPLES, counting, VectorCache(tmp_path, counting))
    bank.prepare("anonymized").join()
    counting.texts.clear()
    bank.nearest("Who?", 1)
    assert counting.texts == ["Who?"]


def test_waiting_can_be_stopped_and_what_was_begun_goes_on(embedder: Embedder, tmp_path: Path) -> None:
    slow, stopped = Slow(embedder), threading.Event()
    bank = ExampleBank(EXAMPLES, slow, VectorCache(tmp_path, slow))
    stopped.set()
    with pytest.raises(Interrupted):
        bank.await_prepared(stopped, "anonymized")
    slow.goes_on.set()
    bank.await_prepared(threading.Event(), "anonymized")
    assert len(slow.texts) == len(EXAMPLES)


def test_what_is_closed_makes_no_more_vectors(embedder: Embedder, tmp_path: Path) -> None:
    counting = Counting(embedder)
    bank = ExampleBank(EXAMPLES, counting, VectorCache(tmp_path, counting))
    bank.close()
    bank.prepare("anonymized").join()
    assert counting.texts == []


def test_what_could_not_be_prepared_is_logged(
    embedder: Embedder, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    unable = Unable(embedder)
    bank = ExampleBank(EXAMPLES, unable, VectorCache(tmp_path, unable))
    bank.prepare("anonymized").join()
    assert "The examples are not ready" in caplog.text
    with pytest.raises(Failure):
        bank.nearest("Who?", 1)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_the_largest_come_first_and_of_equal_ones_the_earlier(seed: int, k: int) -> None:
    random = np.random.default_rng(seed)
    values = random.integers(0, 5, 40).astype(np.float32)
    assert _largest(values, k) == sorted(range(40), key=lambda i: (-values[i], i))[:k]


def test_an_empty_bank_has_nothing(embedder: Embedder, tmp_path: Path) -> None:
    empty = ExampleBank([], embedder, VectorCache(tmp_path, embedder))
    assert empty.nearest("Who?", 3) == []
    assert [one.example for one in empty.nearest("Who?", 3, further=[COUNT])] == [COUNT]


def test_further_examples_are_found_beside_the_banks_own(bank: ExampleBank) -> None:
    own = Example("Which band did my brother play in?", "find(['me'], ['brother'], ['band'])")
    assert bank.nearest("Which band did my cousin play in?", 1, further=[own])[0].example == own
    assert own not in [one.example for one in bank.nearest("Which band did my cousin play in?", 4)]


def test_what_was_asked_before_is_answered_alike_and_not_for_another_text(bank: ExampleBank) -> None:
    currency, director = "What money do people pay with in Japan?", "Who directed the film Peru?"
    found = [bank.nearest(text, 4) for text in (currency, currency, director, currency)]
    assert found[0] == found[1] == found[3]
    assert [found[0][0].example, found[2][0].example] == [CURRENCY, DIRECTOR]
    assert bank.nearest(director, 4, "question") != found[2]


def test_diversity_passes_over_what_repeats(embedder: Embedder, tmp_path: Path) -> None:
    alike = [Example(f"Which currency is used in {name}?", f"currency('{name}')") for name in ("Chad", "Mali", "Oman")]
    bank = ExampleBank([*alike, COUNT], embedder, VectorCache(tmp_path, embedder))
    asked = "What money do people pay with in Peru?"
    assert {one.example for one in bank.nearest(asked, 2)} < set(alike)
    assert [one.example for one in bank.nearest(asked, 2, diversity=0.5)] == [alike[0], COUNT]


def test_what_repeats_whole_is_kept_once(embedder: Embedder, tmp_path: Path) -> None:
    assert ExampleBank([CURRENCY, COUNT, CURRENCY], embedder, VectorCache(tmp_path, embedder)).examples == (
        CURRENCY,
        COUNT,
    )


def test_examples_as_turns_of_a_chat() -> None:
    assert as_turns([COUNT, CURRENCY]) == [
        Message("user", COUNT.question),
        Message("assistant", COUNT.code),
        Message("user", CURRENCY.question),
        Message("assistant", CURRENCY.code),
    ]


def test_a_vector_is_computed_once_and_kept_on_disk(embedder: Embedder, tmp_path: Path) -> None:
    first, later, other = Counting(embedder), Counting(embedder), Counting(embedder, "other")
    vectors = VectorCache(tmp_path, first).vectors(["a", "b", "a"])
    assert sorted(first.texts) == ["a", "b"]
    assert np.array_equal(VectorCache(tmp_path, later).vectors(["c", "b", "a"])[1:], vectors[1:])
    assert later.texts == ["c"]
    VectorCache(tmp_path, other).vectors(["a"])
    assert other.texts == ["a"]


def test_no_text_is_kept_beside_its_vector(embedder: Embedder, tmp_path: Path) -> None:
    VectorCache(tmp_path, embedder).vectors(["a secret that is long enough"])
    assert b"secret" not in (tmp_path / "vectors.db").read_bytes()


def test_a_broken_file_is_begun_anew(embedder: Embedder, tmp_path: Path) -> None:
    (tmp_path / "vectors.db").write_bytes(b"not a database" * 100)
    assert len(VectorCache(tmp_path, embedder).vectors(["a"])) == 1
    counting = Counting(embedder)
    VectorCache(tmp_path, counting).vectors(["a"])
    assert counting.texts == []


@pytest.mark.parametrize(
    "reply",
    [
        "x = 1",
        " x = 1\n",
        "```python\nx = 1\n```",
        "Here it is:\n```\nx = 1\n```\nDone.",
        "```py\nx = 1",
        "```SPARQL\nx = 1",
    ],
)
def test_code_is_taken_out_of_its_fence(reply):
    assert code_of(reply) == "x = 1"
