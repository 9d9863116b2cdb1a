"""Whatever file of a home is damaged, commands go on or end with one line that says what to do."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app import compose
from assistant.knowledge_bases.web.outbound import outbound
from assistant.knowledge_bases.web.response_cache import ResponseCache
from assistant.llm.scripted import ScriptedTransport
from assistant.orchestrator import Assistant
from assistant.owner import Owner, forward
from assistant.search.vector_cache import VectorCache
from assistant.settings import Settings
from tests.memory.samples import WordEmbedder
from tests.memory.test_damage import DAMAGES
from tests.test_app import SCRIPT, Ran, runner

COMMANDS = (("recall", "bees"), ("status",), ("kb", "list"), ("ask", "Who keeps bees?"), ("ask", "x", "--kb", "films"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which every kind of file is that the product leaves there."""
    folder = tmp_path_factory.mktemp("filled")
    home = folder / "home"
    with_all = _opened(home)
    run = runner(with_all, folder)
    (folder / "bees.txt").write_text("Ann Thornquist keeps bees in Oslo.")
    (folder / "films.tsv").write_text("Jaws\tdirector\tSpielberg\nJaws\tyear\t1975\n")
    assert run("remember", "bees.txt").status == 0
    assert run("kb", "add", "films", "films.tsv").status == 0
    outbound.info("GET https://en.wikipedia.org/Thornquist")
    with_all.close()
    VectorCache(home, WordEmbedder(), passages=True).vectors(["bees"])
    (home / "errors.log").write_text("Thornquist")
    (home / "policy.npz").write_bytes((Path(__file__).parents[1] / "assistant/search/graphs/policy.npz").read_bytes())
    (home / "lock").write_text('{"pid": 1, "socket": "/nowhere"}')
    return home


def _opened(home: Path) -> Assistant:
    settings = Settings.from_environment({"LOREKEEPER_PUBLIC": "off"})
    return compose(replace(settings, home=home), ScriptedTransport(SCRIPT, repeat=True))


@pytest.mark.parametrize("damage", DAMAGES)
def test_files_that_are_damaged_are_one_line_at_most(
    filled: Path, home: Path, tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(filled, home)
    files = [path for path in home.rglob("*") if path.is_file() and not path.name.startswith("memory.db")]
    for file in files:
        if file.stat().st_size:
            DAMAGES[damage](file)
    assert forward(home, ["status"], b"", print, print) is None  # the lock says nothing any more
    if (home / "lock").is_file():
        owner = Owner(home)
        assert owner.acquire()
        owner.close()
    assistant = _opened(home)
    try:
        run = runner(assistant, tmp_path)
        for command in COMMANDS:
            _is_told_in_lines(run(*command))
        assert "bees" in run("recall", "bees").out
        gone = run("forget", "--entity", "Thornquist") if run("recall", "Thornquist").out else None
        if gone is not None:
            _is_told_in_lines(gone)
    finally:
        assistant.close()
    assert "Traceback" not in caplog.text


def _is_told_in_lines(ran: Ran) -> None:
    assert ran.status in (0, 1, 2)
    assert "unexpected" not in ran.err, ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_is_begun_anew(tmp_path: Path, damage: str) -> None:
    cache = VectorCache(tmp_path, WordEmbedder())
    vectors = cache.vectors(["bees", "tea"])
    DAMAGES[damage](tmp_path / "vectors.db")
    again = VectorCache(tmp_path, WordEmbedder()).vectors(["bees", "tea"])
    assert again.shape == vectors.shape
    assert damage == "a bit" or np.allclose(again, vectors)
    answers = tmp_path / "answers.db"
    kept = ResponseCache(answers)
    kept.put("https://example.org", b"bees")
    kept.close()
    DAMAGES[damage](answers)
    kept = ResponseCache(answers)
    kept.put("https://example.org/2", b"tea")
    assert kept.get("https://example.org/2") in (b"tea", None)
    kept.clear()
    kept.close()
