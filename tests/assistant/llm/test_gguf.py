import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.llm.gguf import special_tokens


def string(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def strings(values: list[str]) -> bytes:
    return struct.pack("<IIQ", 9, 8, len(values)) + b"".join(map(string, values))


def numbers(values: list[int]) -> bytes:
    return struct.pack(f"<IIQ{len(values)}i", 9, 5, len(values), *values)


def gguf(**values: bytes) -> bytes:
    pairs = {key.replace("__", "."): value for key, value in values.items()}
    body = b"".join(string(key) + value for key, value in pairs.items())
    return b"GGUF" + struct.pack("<IQQ", 3, 7, len(pairs)) + body


WHOLE = gguf(
    general__name=struct.pack("<I", 8) + string("tiny"),
    general__tags=struct.pack("<IIQ", 9, 9, 1) + strings(["a", "b"])[4:],
    llama__scale=struct.pack("<Id", 12, 1.0),
    tokenizer__ggml__scores=struct.pack("<IIQ3f", 9, 6, 3, 0, 0, 0),
    tokenizer__ggml__tokens=strings(["a", "<|end|>", "<unk>", "<tool_call>", "\n\n", "<0x41>", "[IMG]", "▁▁"]),
    tokenizer__ggml__token_type=numbers([1, 3, 2, 4, 4, 6, 4, 1]),
    general__last=struct.pack("<Ib", 7, 1),
)


def test_the_special_tokens_are_read_from_a_model_s_metadata(tmp_path: Path) -> None:
    file = tmp_path / "tiny.gguf"
    file.write_bytes(WHOLE + b"weights")
    assert special_tokens(file) == ["<|end|>", "<unk>", "<tool_call>", "[IMG]"]


def test_a_model_without_a_vocabulary_has_none(tmp_path: Path) -> None:
    file = tmp_path / "none.gguf"
    file.write_bytes(gguf(general__name=struct.pack("<I", 8) + string("tiny")))
    assert special_tokens(file) == []


@given(st.integers(0, len(WHOLE) - 1), st.binary(max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_ends_in_one_error(tmp_path: Path, place: int, put_there: bytes) -> None:
    file = tmp_path / "damaged.gguf"
    file.write_bytes(WHOLE[:place] + put_there)
    try:
        special_tokens(file)
    except ValueError as error:
        assert "\n" not in str(error)


def test_a_damaged_file_is_said_to_be_so(tmp_path: Path) -> None:
    for content in (
        b"",
        b"GGUF",
        WHOLE[:60],
        b"GGUF, and then nothing that makes sense",
        WHOLE.replace(b"GGUF", b"GGML"),
    ):
        file = tmp_path / "damaged.gguf"
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            special_tokens(file)
