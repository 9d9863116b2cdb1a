"""Documents on their way into memory."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app import compose
from assistant.llm.scripted import ScriptedTransport
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from memory.types import Progress, Source
from tests.ui.conftest import Served
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


def documents(assistant: Assistant, number: int) -> None:
    """Several documents of three passages, none of them read."""
    memory = assistant.memory.of("me")
    for one in range(number):
        told = "\n\n".join(f"{f'Mira met person {one} of list {n}. ' * 20}" for n in range(3))
        memory.add_document(f"a long name of document {one}.txt", told.encode())


@pytest.mark.parametrize("number", [1, 7, 40])
def test_on_a_phone_all_documents_take_one_line_that_stays_unfolded(
    serve: Callable[..., Served], visit: Callable[..., Page], shot: Callable[[Page, str], None], number: int
) -> None:
    served = serve()
    documents(served.assistant, number)
    page = visit(served, width=390, height=844)
    bars = page.locator("#lk-chat-progress")
    summary = bars.locator("summary")
    expect(summary).to_contain_text("is being read" if number == 1 else f"{number} documents are being read")
    passages = sum(report.total for report in served.assistant.ingestion.progress("me"))
    expect(summary).to_contain_text(f"0 of {passages} passages")
    log = page.locator("#lk-chat .bubble-wrap")
    shot(page, f"phone-documents-{number}")
    assert bars.evaluate("(bars) => bars.offsetHeight") < 60
    assert log.evaluate("(log) => log.offsetHeight") > 0.6 * 844
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    summary.click()
    last = bars.locator(".lk-document").last
    last.scroll_into_view_if_needed()
    scrolled = bars.locator(".lk-progress-all").evaluate("(all) => all.scrollTop")
    served.assistant.memory.of("me").pause(served.assistant.ingestion.progress("me")[0].source.id)
    expect(bars).to_contain_text("paused")  # it was drawn anew
    expect(bars.locator("details")).to_have_attribute("open", "")
    expect(last).to_be_in_viewport()
    assert bars.locator(".lk-progress-all").evaluate("(all) => all.scrollTop") == scrolled
    shot(page, f"phone-documents-{number}-unfolded")
    assert log.evaluate("(log) => log.offsetHeight") > 0.3 * 844
    last.get_by_role("button", name="Stop reading").click()
    expect(bars.locator(".lk-document")).to_have_count(number - 1)
    if number > 1:
        expect(bars.locator("details")).to_have_attribute("open", "")
        summary.click()
        expect(bars.locator("details")).not_to_have_attribute("open", "")


def test_one_line_tells_what_is_waited_for() -> None:
    source = Source("s1", "document", "a.txt", "", datetime.now(UTC), 9, "reading", 40, 3)
    other = replace(source, id="s2", name="b.txt", passages=1, passages_read=0)
    shown = progress_html([Progress(source, 3, 40, 200.0), Progress(other, 0, 1, 240.0)])
    assert "2 documents</b> are being read · 3 of 41 passages · about 4 min left<" in shown
    waits = "the index is being filled: 1,240 records left"
    shown = progress_html([Progress(source, 3, 40, None, waits), Progress(other, 0, 1, None, waits)])
    assert f"are being read · 3 of 41 passages · {waits}<" in shown
    assert "left ·" not in shown.partition("</summary>")[0]
    paused = replace(source, state="paused")
    assert "a.txt</b> is paused · 3 of 40 passages<" in progress_html([Progress(paused, 3, 40, None)])
