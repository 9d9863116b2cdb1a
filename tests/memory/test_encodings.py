"""Bytes to text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.encodings import decode

_LETTERS = st.characters(exclude_categories=("Cs", "Cc"))


@given(st.text(_LETTERS))
def test_utf_8_comes_back(text: str) -> None:
    assert decode(text.encode()) == text.removeprefix("\ufeff")


@pytest.mark.parametrize("text", ["Der Bär fährt über Köln.", "Où est le café à Orléans ? Là-bas, près du château."])
@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_accents_are_not_taken_for_chinese(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("text", ["她在格拉茨养蜂。", "Marta（玛尔塔）keeps 12 hives."])
@pytest.mark.parametrize("encoding", ["gb18030", "gb2312", "utf-16"])
def test_chinese_is_seen(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_line_ends_are_made_one() -> None:
    assert decode(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", bytes(range(32)) * 9, b"\xff\xfe\x00"])
def test_what_is_no_text(data: bytes) -> None:
    assert decode(data) is None
