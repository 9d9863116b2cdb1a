"""A small knowledge base of a file of triples, for what reads questions against one."""

import pytest

from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import guess_format, read_triples
from assistant.knowledge_bases.files.triples import Triples


@pytest.fixture(scope="module")
def small_kb(request, tmp_path_factory):
    """The module's `TRIPLES`."""
    folder = tmp_path_factory.mktemp("small")
    file = folder / "facts.tsv"
    file.write_text(request.module.TRIPLES, encoding="utf-8")
    build(folder / "kb", read_triples(file, guess_format(file)), "facts.tsv")
    kb = Triples("small", folder / "kb", ["en"])
    yield kb
    kb.close()
