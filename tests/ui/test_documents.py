"""Documents on their way into memory."""

from contextlib import closing
from pathlib import Path

import pytest

from app import compose
from assistant.llm.scripted import ScriptedTransport
from assistant.settings import Settings
from ui.documents import Uploads, progress_html, steer


def test_a_bad_file_costs_one_line_and_the_others_are_taken_in(settings: Settings, tmp_path: Path) -> None:
    gone, empty, good = (tmp_path / name for name in ("gone.txt", "empty.txt", "good.txt"))
    empty.touch()
    good.write_text("Mira lives in Tromsø.")
    with closing(compose(settings, ScriptedTransport([]))) as assistant:
        with pytest.warns(UserWarning) as warned:
            uploads = Uploads(assistant.ingestion, assistant.fetching, "me")
            coming = uploads.take_in([str(good), str(gone), str(empty)])
            next(coming)
            assert "and 2 more files · being read" in uploads.html([])
            assert list(coming) == []
            assert "more files" not in uploads.html([])
        names = [source.name for source in assistant.memory.of("me").sources()]
    first, second = (str(one.message) for one in warned)
    assert first.startswith("gone.txt: Something went wrong")
    assert second.count("empty.txt") == 1
    assert names == ["good.txt"]
    assert not good.exists()


def test_reading_is_paused_and_resumed_by_the_buttons_beside_its_bar(settings: Settings) -> None:
    with closing(compose(settings, ScriptedTransport([]))) as assistant:
        source = assistant.memory.of("me").add_document("a<b.txt", b"Mira lives in Oslo.")
        shown = progress_html(assistant.ingestion.progress("me"))
        assert 'data-action="pause"' in shown
        assert 'data-action="cancel"' in shown
        assert "tokens" in shown
        assert "a<b" not in shown
        assistant.memory.of("me").pause(source.id)
        shown = progress_html(assistant.ingestion.progress("me"))
        assert 'data-action="resume"' in shown
        assert "paused" in shown
        steer(assistant.ingestion, "me", "cancel", source.id)
        assert progress_html(assistant.ingestion.progress("me")) == ""


def test_an_upload_says_what_it_takes_the_place_of_until_both_are_kept(settings: Settings) -> None:
    with closing(compose(settings, ScriptedTransport([]))) as assistant:
        memory = assistant.memory.of("me")
        for town in ("Oslo", "Bonn"):
            told = f"Dear all, Mira has moved once more and lives in {town} now."
            source = memory.add_document("a.txt", told.encode())
        shown = progress_html(assistant.ingestion.progress("me"))
        assert f"takes the place of the one of {source.added:%-d %B %Y}" in shown
        assert "Keep both" in shown
        steer(assistant.ingestion, "me", "keep", source.id)
        shown = progress_html(assistant.ingestion.progress("me"))
        assert "takes the place" not in shown
        assert shown.count('data-action="pause"') == 2


def test_files_of_one_upload_never_replace_each_other(settings: Settings, tmp_path: Path) -> None:
    paths = []
    for folder, year in (("a", "1999"), ("b", "2004")):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "notes.txt")
        paths[-1].write_text(f"The notes of our club for all its members, written in {year}.")
    with closing(compose(settings, ScriptedTransport([]))) as assistant:
        list(Uploads(assistant.ingestion, assistant.fetching, "me").take_in([str(path) for path in paths]))
        states = [source.state for source in assistant.memory.of("me").sources()]
    assert len(states) == 2
    assert "cancelled" not in states
