import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.embedding import load_embedder
from assistant.errors import UserMistake
from memory.types import Embedder

ROOT = Path(__file__).parents[2]

PASSAGES = [
    "Lena's dachshund is called Otto.",
    "The bridge over the river was closed for repairs in March.",
    "安娜的姐姐住在维也纳，是一名小提琴制作师。",
    "Photosynthesis turns light into chemical energy.",
]


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return load_embedder("", tmp_path_factory.mktemp("cache"))


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("What is the name of Lena's dog?", 0),
        ("Wie heißt Lenas Hund?", 0),
        ("Why is the bridge closed?", 1),
        ("Where does Anna's sister live?", 2),
        ("谁做小提琴？", 2),
        ("How do plants get energy from the sun?", 3),
    ],
)
def test_a_question_is_nearest_to_what_answers_it_in_english_and_chinese(
    embedder: Embedder, question: str, best: int
) -> None:
    scores = embedder.passage(PASSAGES) @ embedder.query([question])[0]
    assert int(np.argmax(scores)) == best


def test_shape_length_and_name(embedder: Embedder) -> None:
    assert (embedder.name, embedder.size) == ("multilingual-e5-small-q4", 384)
    for encode in (embedder.query, embedder.passage):
        vectors = encode(PASSAGES * 3)
        assert vectors.shape == (12, 384) and vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
        assert encode([]).shape == (0, 384)


def test_rows_are_in_the_order_of_the_texts(embedder: Embedder) -> None:
    for encode in (embedder.query, embedder.passage):
        together = encode([*PASSAGES, PASSAGES[0]])
        alone = np.concatenate([encode([text]) for text in [*PASSAGES, PASSAGES[0]]])
        assert np.allclose(together, alone, atol=1e-3)


def test_a_question_and_a_passage_are_embedded_differently(embedder: Embedder) -> None:
    assert not np.allclose(embedder.query(["dog"]), embedder.passage(["dog"]), atol=1e-3)


def test_a_kept_question_is_not_changed_through_the_result(embedder: Embedder) -> None:
    first = embedder.query(["a question that is asked twice"])
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(embedder.query(["a question that is asked twice"]), kept)


ODD = [
    "",
    " ",
    "\0",
    "before\0after",
    "\ud800",
    "ﷺ" * 3000,
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "\u202e\u0301" * 50,
    "a" * 200_000,
    "狗" * 200_000,
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_any_text_has_a_unit_vector(embedder: Embedder, text: str) -> None:
    vectors = embedder.passage([text])
    assert np.isclose(np.linalg.norm(vectors), 1, atol=1e-4)


def test_a_text_counts_as_far_as_the_model_was_made_to_read(embedder: Embedder) -> None:
    text = "".join(chr(0x4E00 + 37 * n % 5000) for n in range(2_000))  # most are a token
    whole, beginning, less = embedder.passage([text, text[:1_000], text[:300]])
    assert whole @ beginning == pytest.approx(1, abs=1e-5)
    assert whole @ less < 1 - 1e-5


def test_what_follows_a_nul_counts(embedder: Embedder) -> None:
    dog, other, plain = embedder.query(["Otto\0the dachshund", "Otto\0the first emperor", "Otto"])
    assert not np.allclose(dog, other, atol=1e-3) and not np.allclose(dog, plain, atol=1e-3)


@settings(max_examples=25)
@given(st.text(st.characters(), max_size=20))
def test_every_character_is_embedded_without_harm(embedder: Embedder, text: str) -> None:
    vector = embedder.query([text * 10])
    assert np.isclose(np.linalg.norm(vector), 1, atol=1e-4)


def test_threads_get_what_one_thread_gets(embedder: Embedder) -> None:
    texts = [f"{passage} Number {number}." for number in range(8) for passage in PASSAGES]
    expected = embedder.passage(texts)
    found: dict[int, np.ndarray] = {}

    def embed(start: int) -> None:
        found[start] = np.concatenate([embedder.passage([text]) for text in texts[start::4]])

    threads = [threading.Thread(target=embed, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for start in range(4):
        assert np.allclose(found[start], expected[start::4], atol=1e-3)


def _modules_after(code: str) -> str:
    code = f"import sys; from pathlib import Path; from assistant.embedding import load_embedder; {code}"
    code += "; print(*{name.split('.')[0] for name in sys.modules})"
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_torch_is_not_imported_for_the_embedded_model() -> None:
    modules = _modules_after("load_embedder('', Path()).query(['a'])").split()
    assert "onnxruntime" in modules and "torch" not in modules


def test_nothing_is_loaded_before_it_is_used() -> None:
    modules = _modules_after("load_embedder('', Path()); load_embedder('some/model', Path())").split()
    assert not {"onnxruntime", "torch", "sentence_transformers"} & set(modules)


@pytest.fixture(scope="module")
def of_ones_own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model in a folder, as sentence-transformers saves one."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = ["[UNK]", "dog", "cat", "the", "house", "[PAD]"]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    embedding = StaticEmbedding(tokenizer, embedding_weights=np.eye(len(words), 16, dtype=np.float32))
    folder = tmp_path_factory.mktemp("model")
    SentenceTransformer(modules=[embedding, Normalize()], device="cpu").save(str(folder))
    return folder


def test_a_folder_of_sentence_transformers_is_a_model_too(of_ones_own: Path, tmp_path: Path) -> None:
    embedder = load_embedder(str(of_ones_own), tmp_path)
    assert (embedder.name, embedder.size) == (str(of_ones_own), 16)
    scores = embedder.passage(["dog", "the cat", "house"]) @ embedder.query(["cat"])[0]
    assert int(np.argmax(scores)) == 1


def test_a_model_that_is_not_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    embedder = load_embedder(str(tmp_path / "nothing"), tmp_path)
    use: list[Callable[[], object]] = [lambda: embedder.size, lambda: embedder.query(["a"])]
    for attempt in use:
        with pytest.raises(UserMistake, match=r"^The embedding model .*nothing cannot be loaded: [^\n]*$"):
            attempt()
