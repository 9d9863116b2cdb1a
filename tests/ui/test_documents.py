"""Documents on their way into memory."""

from contextlib import closing
from pathlib import Path

import pytest

from app import compose
from assistant.llm.scripted import ScriptedTransport
from assistant.settings import Settings
from ui.documents import take_in


def test_a_bad_file_costs_one_line_and_the_others_are_taken_in(settings: Settings, tmp_path: Path) -> None:
    gone, empty, good = (tmp_path / name for name in ("gone.txt", "empty.txt", "good.txt"))
    empty.touch()
    good.write_text("Mira lives in Tromsø.")
    with closing(compose(settings, ScriptedTransport([]))) as assistant:
        with pytest.warns(UserWarning) as warned:
            take_in(assistant.ingestion, "me", [str(gone), str(empty), str(good)])
        names = [source.name for source in assistant.memory.of("me").sources()]
    first, second = (str(one.message) for one in warned)
    assert first.startswith("gone.txt: Something went wrong")
    assert second.count("empty.txt") == 1
    assert names == ["good.txt"]
    assert not good.exists()
