"""What a person does with the memory on the page, in a real browser."""

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assistant.llm.client import Request
from memory.store import Memory
from memory.types import Extraction, FactKind, Mention
from tests.memory.samples import WordEmbedder, said
from tests.ui.conftest import STORY, TURN, Served, read_in
from tests.ui.test_memory_list import read


def test_what_is_one_is_merged_and_taken_apart_again(
    serve: Callable[..., Served], visit: Callable[..., Page], shot: Callable[[Page, str], None]
) -> None:
    served = serve()
    user = served.assistant.memory.of("me")
    for name in ("Ann Berg", "Annie Berg"):
        text = f"{name} is a pianist from Norway."
        description = said(text, name, "description", "a pianist from Norway", FactKind.DESCRIPTION)
        user.note(text, Extraction((Mention(name),), (description,)))
    assert len(user.likely_duplicates()) == 1
    page = visit(served)
    page.get_by_role("tab", name="Memory").click()
    page.get_by_text("Documents", exact=True).click()
    expect(page.locator("#lk-memory")).to_contain_text("Nothing here yet.")  # and not that nothing matches
    page.get_by_text("People and things", exact=True).click()
    proposed = page.locator("#lk-merging")
    expect(proposed).to_contain_text("Likely the same")
    shot(page, "memory-likely-the-same")
    proposed.get_by_role("button", name="Merge").click()
    expect(page.locator("#lk-memory").get_by_text("also A")).to_be_visible()
    expect(proposed).not_to_contain_text("Likely the same")
    assert len(user.entities()) == 1
    proposed.get_by_role("button", name="apart again").press("Enter")
    expect(proposed).to_contain_text("Taken apart")
    expect(proposed).not_to_contain_text("Likely the same")
    assert len(user.entities()) == 2


def test_namesakes_are_taken_apart_and_merged_again(
    serve: Callable[..., Served], visit: Callable[..., Page], shot: Callable[[Page, str], None]
) -> None:
    served = serve()
    user = served.assistant.memory.of("me")
    for name, trade in (("notes.txt", "pianist"), ("story.txt", "sailor")):
        read(user, name, "Anna Berg", trade)
    page = visit(served)
    page.get_by_role("tab", name="Memory").click()
    page.get_by_text("People and things", exact=True).click()
    listed, beside = page.locator("#lk-memory"), page.locator("#lk-merging")
    listed.get_by_role("button", name="2 sources").click()
    expect(listed.get_by_role("button", name="Another one in")).to_have_count(2)
    shot(page, "memory-another-one")
    listed.get_by_role("button", name="Another one in story.txt").click()
    expect(listed.locator(".lk-rows > li")).to_have_count(2)
    expect(listed.get_by_role("button", name="sources")).to_have_count(0)
    expect(beside).to_contain_text("Taken apart")
    expect(beside).not_to_contain_text("Likely the same")
    shot(page, "memory-taken-apart")
    beside.get_by_role("button", name="be one").press("Enter")
    expect(listed.locator(".lk-rows > li")).to_have_count(1)
    expect(beside).to_contain_text("Merged")


def test_what_waits_for_another_embedding_model_is_counted_until_it_is_done(
    home: Path,
    serve: Callable[..., Served],
    visit: Callable[..., Page],
    shot: Callable[[Page, str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("memory.indexing._MOMENT", 0.0)  # all of it waits for the background
    with closing(Memory(home, WordEmbedder())) as before:
        for number in range(30):
            before.of("me").note(f"Otter {number} swims.", Extraction())
        before.of("me").embed_waiting(30)
        assert before.of("me").not_embedded() == 0
    served = serve()
    user = served.assistant.memory.of("me")
    waiting = user.not_embedded()
    assert waiting > 0
    page = visit(served)
    page.get_by_role("tab", name="Memory").click()
    line = page.locator("#lk-waiting")
    expect(line).to_contain_text(f"found by their words alone: {waiting} records.")
    shot(page, "memory-index")
    served.assistant.ingestion.start()
    expect(line.locator("p")).to_have_count(0)
    expect(line).to_be_hidden()
    assert user.status().waiting == 0


def test_reading_is_paused_and_goes_on(serve: Callable[..., Served], visit: Callable[..., Page]) -> None:
    reading = threading.Event()

    def once_released(request: Request) -> str:
        reading.wait(30)
        return read_in(request)

    served = serve({**TURN, "extract": [once_released]})
    page = visit(served)
    long = "\n\n".join(f"{STORY} {'The harbour was quiet. ' * 20}Chapter {number} ends." for number in range(3))
    source = served.assistant.ingestion.add("me", "long.md", long.encode())
    bar = page.locator("#lk-chat-progress")
    bar.locator("summary").click()
    bar.get_by_role("button", name="Pause reading long.md").click()
    expect(bar).to_contain_text("paused")
    reading.set()
    served.assistant.ingestion.wait("me", source.id, 1)
    assert served.assistant.memory.of("me").source(source.id).state == "paused"
    bar.get_by_role("button", name="Go on reading long.md").press("Enter")
    expect(bar.locator(".lk-progress")).to_have_count(0)
    assert served.assistant.memory.of("me").source(source.id).state == "ready"
