"""Files of all kinds as people's programs write them: what was written is read, in its order and in its cells."""

import unicodedata
from pathlib import Path

import pytest

from memory.documents import read_document
from memory.encodings import decode
from tests.memory.formats.written import (
    BOTH,
    ENCODINGS,
    FONTS,
    LANGUAGES,
    PROSE,
    TABLE,
    WRITERS,
    cells_right,
    in_order,
    sample,
    text,
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", WRITERS)
def test_what_was_written_is_read(kind: str, language: str) -> None:
    name, write, has = WRITERS[kind]
    if name.endswith(".pdf") and not Path(FONTS.get(language, FONTS["en"])).exists():
        pytest.skip("The font is not installed.")
    of = sample(language)
    found, _ = read_document(name, write(of))
    if has in (PROSE, BOTH):
        assert in_order("\n".join(of.paragraphs), found) > 0.995
    # In a PDF the names of columns may stand in two lines each, above the rows of some languages' long words.
    if has in (TABLE, BOTH) and not name.endswith(".pdf"):
        assert cells_right(of, found) == 1.0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("encoding", "language"), ENCODINGS.items())
def test_what_was_written_in_an_old_encoding_is_read(encoding: str, language: str, seed: int) -> None:
    written = unicodedata.normalize("NFC", text(sample(language, seed, paragraphs=4)))
    data = written.encode(encoding, "ignore")
    found = decode(data)
    assert found is not None
    assert in_order(data.decode(encoding), found) > 0.995
